package training

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/tools"
)

// FirstProgram returns the id of the workspace's first block, 0 when it has
// none.
func FirstProgram(ctx context.Context, d *db.DB, ws id.WorkspaceID) (program int64, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		program, _, err = store.FirstBlock(ctx, tx, ws)
		return err
	})
	return program, err
}

// GeneratedLines tells the sessions of generate_program_week one a line:
// "Monday Mar 2: workout 12, 28 sets".
func GeneratedLines(w contract.Wire) ([]string, error) {
	out, err := contract.Into[tools.GenerateProgramWeekOut](w)
	if err != nil {
		return nil, err
	}
	lines := make([]string, len(out.Workouts))
	for i, one := range out.Workouts {
		lines[i] = fmt.Sprintf("%s: workout %d, %d sets", store.Day(one.Date).Format("Monday Jan 2"), one.ID, one.Sets)
	}
	return lines, nil
}
