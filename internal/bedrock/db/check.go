package db

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Finding is one line of Check's report.
type Finding struct {
	Check  string // migrations, foreign_keys, integrity, workspaces or clock
	OK     bool
	Detail string // a sentence for the operator
}

// maxSkew is how far the clock of PostgreSQL may be from ours.
const maxSkew = 2 * time.Second

// keepsHistory lists the tables whose rows outlive their workspace.
var keepsHistory = []string{"record_rows"}

// Check examines the database without changing it: migrations, and rows whose
// workspace is gone; on SQLite foreign keys and the file's integrity; on
// PostgreSQL its clock against ours. An error means that it could not look.
func (d *DB) Check(ctx context.Context, lines []Line) ([]Finding, error) {
	checks := []func(context.Context) (Finding, error){
		func(ctx context.Context) (Finding, error) { return d.checkMigrations(ctx, lines) },
		d.checkWorkspaces,
	}
	if d.Dialect == SQLite {
		checks = append(checks, d.checkForeignKeys, d.checkIntegrity)
	} else {
		checks = append(checks, d.checkClock)
	}
	var findings []Finding
	for _, check := range checks {
		f, err := check(ctx)
		if err != nil {
			return findings, fmt.Errorf("check the database: %w", translate(ctx, err, reading))
		}
		findings = append(findings, f)
	}
	return findings, nil
}

// finding is good without problems; otherwise its detail lists them.
func finding(check, good string, problems []string) Finding {
	if len(problems) == 0 {
		return Finding{Check: check, OK: true, Detail: good}
	}
	return Finding{Check: check, Detail: strings.Join(problems, "; ") + "."}
}

func (d *DB) checkMigrations(ctx context.Context, lines []Line) (Finding, error) {
	all, err := d.Status(ctx, lines)
	if err != nil {
		return Finding{}, err
	}
	var problems []string
	for _, s := range all {
		for _, name := range s.Pending {
			problems = append(problems, s.Line+" "+name+" is not applied")
		}
		for _, version := range s.Unknown {
			problems = append(problems, fmt.Sprintf("%s has version %d of a newer program", s.Line, version))
		}
	}
	return finding("migrations", "Every migration is applied.", problems), nil
}

func (d *DB) checkForeignKeys(ctx context.Context) (Finding, error) {
	tables, err := texts(ctx, d.R, "PRAGMA foreign_key_check")
	if err != nil {
		return Finding{}, err
	}
	var problems []string
	for _, t := range slices.Compact(tables) {
		problems = append(problems, "table "+t+" has rows that point to nothing")
	}
	return finding("foreign_keys", "Every reference points to a row.", problems), nil
}

func (d *DB) checkIntegrity(ctx context.Context) (Finding, error) {
	problems, err := texts(ctx, d.R, "PRAGMA integrity_check")
	if err != nil {
		return Finding{}, err
	}
	if slices.Equal(problems, []string{"ok"}) {
		problems = nil
	}
	return finding("integrity", "The file is intact.", problems), nil
}

// checkWorkspaces looks in every table with a workspace_id for rows whose
// workspace is gone.
func (d *DB) checkWorkspaces(ctx context.Context) (Finding, error) {
	var problems []string
	err := d.Read(ctx, func(tx *Tx) error {
		problems = nil
		tables, err := tenantTables(ctx, tx)
		if err != nil {
			return err
		}
		for _, t := range tables {
			var n int64
			query := `SELECT count(*) FROM ` + quote(t) + ` AS t WHERE t.workspace_id IS NOT NULL
				AND NOT EXISTS (SELECT 1 FROM workspaces AS w WHERE w.id = t.workspace_id)`
			if err := tx.QueryRowContext(ctx, query).Scan(&n); err != nil {
				return fmt.Errorf("count the orphans of %s: %w", t, err)
			}
			if n > 0 {
				problems = append(problems, fmt.Sprintf("table %s has %d rows of a workspace that is gone", t, n))
			}
		}
		return nil
	})
	return finding("workspaces", "Every row belongs to a workspace.", problems), err
}

// tenantTables returns the tables with a workspace_id that must not outlive
// their workspace.
func tenantTables(ctx context.Context, tx *Tx) ([]string, error) {
	all, err := texts(ctx, tx, tx.db.Dialect.tables())
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	var tables []string
	for _, t := range all {
		has, err := objectExists(ctx, tx, object{t, "workspace_id"})
		if err != nil {
			return nil, err
		}
		if has && !slices.Contains(keepsHistory, t) {
			tables = append(tables, t)
		}
	}
	return tables, nil
}

// checkClock compares the server's clock with ours, less the round trip.
func (d *DB) checkClock(ctx context.Context) (Finding, error) {
	var theirs time.Time
	before := d.Now()
	if err := d.R.QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&theirs); err != nil {
		return Finding{}, err
	}
	after := d.Now()
	var problems []string
	if skew := clockSkew(before, theirs, after); skew > maxSkew {
		problems = []string{fmt.Sprintf("the clock of PostgreSQL differs from this machine's by %s", skew.Round(time.Millisecond))}
	}
	return finding("clock", "The clocks agree.", problems), nil
}

// clockSkew returns how far theirs lies outside the time in which we asked.
func clockSkew(before, theirs, after time.Time) time.Duration {
	return max(before.Sub(theirs), theirs.Sub(after), 0)
}
