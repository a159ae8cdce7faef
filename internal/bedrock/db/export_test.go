package db

import "time"

// SetCommitLimit shortens the wait for a COMMIT, which no test can sit out.
func (d *DB) SetCommitLimit(limit time.Duration) { d.commitLimit = limit }
