package db

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/id"
)

// LockWorkspace makes this write the only one of the workspace among those
// that lock it too, until the transaction ends. It is for a change that must
// look before it makes a row, where no unique index can decide. Both engines
// lock the row that an UPDATE names; nothing in it changes.
func LockWorkspace(ctx context.Context, tx *Tx, ws id.WorkspaceID) error {
	if _, err := tx.ExecContext(ctx, "UPDATE workspaces SET time_zone = time_zone WHERE id = $1", ws); err != nil {
		return fmt.Errorf("lock workspace %d: %w", ws, err)
	}
	return nil
}
