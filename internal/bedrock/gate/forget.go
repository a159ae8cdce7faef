package gate

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/gate/store"
	"tectonic/internal/bedrock/id"
)

// Forget removes the request ids and stored answers of an account that is
// about to be deleted, inside tx.
func Forget(ctx context.Context, tx *db.Tx, who id.AccountID) error {
	if _, err := store.New(tx).DeleteKeysOf(ctx, who); err != nil {
		return fmt.Errorf("delete the request ids of account %d: %w", who, err)
	}
	return nil
}
