package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
)

// PastSet is a lifted set that a file brought.
type PastSet struct {
	WorkoutKey, Key string // what names the session and the set, for ever
	Day             dbtype.Date
	At              dbtype.Time
	Notes           *string // on the session
	Exercise        int64
	Barbell         bool
	PerSide         bool
	Weight          *int64 // pounds
	Reps            *int64
	Seconds         *int64
	Warmup          bool
	RPE             *int64
	Note            *string
}

// Past brings sets of a file in for one import, a batch a transaction. Its
// zero Import only looks what would become of them.
type Past struct {
	Workspace id.WorkspaceID
	Import    int64 // 0 = write nothing
	By        Author

	looked map[string]bool // of a look only: sessions of the file so far
}

// Taken is what became of a batch.
type Taken struct{ Workouts, Added, AlreadyThere int64 }

// session is a workout of a batch.
type session struct {
	id    int64
	last  int64            // position of its last set
	there map[string]int64 // the keys of its sets, and the imports that brought them
}

// AddAll brings a batch in. A set that this import brought earlier, before it
// was cut off, counts as added again.
func (p *Past) AddAll(ctx context.Context, tx *db.Tx, batch []PastSet) (taken Taken, err error) {
	if p.Import != 0 {
		if err := db.LockWorkspace(ctx, tx, p.Workspace); err != nil {
			return taken, err
		}
	}
	before, err := New(tx).NewestSet(ctx, p.Workspace)
	if err != nil {
		return taken, fmt.Errorf("find the newest set: %w", err)
	}
	w := pastWriter{Past: p, tx: tx, sessions: map[string]*session{}, now: dbtype.At(tx.Now())}
	for i := range batch {
		if err := w.add(ctx, &batch[i], &taken); err != nil {
			return taken, err
		}
	}
	return taken, w.flush(ctx, before)
}

// pastWriter collects the rows of a batch.
type pastWriter struct {
	*Past
	tx       *db.Tx
	now      dbtype.Time
	sessions map[string]*session
	workouts [][]any
	sets     [][]any
	marks    []mark
}

// mark remembers what a file brought, until the id of the set is known.
type mark struct {
	workout, position int64
	set               *PastSet
}

func (w *pastWriter) add(ctx context.Context, s *PastSet, taken *Taken) error {
	at, err := w.session(ctx, s, taken)
	if err != nil {
		return err
	}
	if by, there := at.there[s.Key]; there {
		if by == w.Import && w.Import != 0 {
			taken.Added++
		} else {
			taken.AlreadyThere++
		}
		return nil
	}
	taken.Added++
	at.there[s.Key] = w.Import
	if w.Import == 0 {
		return nil
	}
	at.last++
	measure := "reps"
	if s.Seconds != nil {
		measure = "time"
	}
	w.sets = append(w.sets, []any{
		w.Workspace, at.id, s.Exercise, at.last, measure, s.Weight, s.Reps, s.Seconds, s.PerSide, s.Warmup, true, s.Barbell, s.RPE, s.Note, s.At,
		w.By.ClientColumn(), w.By.AccountColumn(), w.now,
	})
	w.marks = append(w.marks, mark{at.id, at.last, s})
	return nil
}

// session returns the workout of a set, made when no file brought it yet.
func (w *pastWriter) session(ctx context.Context, s *PastSet, taken *Taken) (*session, error) {
	if known := w.sessions[s.WorkoutKey]; known != nil {
		return known, nil
	}
	q := New(w.tx)
	row, err := q.HistoryWorkout(ctx, w.Workspace, s.WorkoutKey)
	at := &session{id: row.WorkoutID, last: row.LastPosition, there: map[string]int64{}}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = w.begin(ctx, q, s, at, taken)
	case err == nil:
		err = w.known(ctx, q, at)
	}
	if err != nil {
		return nil, fmt.Errorf("the workout of %s: %w", s.Day, err)
	}
	w.sessions[s.WorkoutKey] = at
	return at, nil
}

func (w *pastWriter) begin(ctx context.Context, q *Queries, s *PastSet, at *session, taken *Taken) (err error) {
	if w.Import == 0 {
		if w.looked == nil {
			w.looked = map[string]bool{}
		}
		if !w.looked[s.WorkoutKey] {
			w.looked[s.WorkoutKey] = true
			taken.Workouts++
		}
		return nil
	}
	at.id, err = q.InsertPastWorkout(ctx, InsertPastWorkoutParams{
		WorkspaceID: w.Workspace, Date: s.Day, Notes: s.Notes, CreatedByClientID: w.By.ClientColumn(), CreatedByAccountID: w.By.AccountColumn(), CreatedAt: w.now,
	})
	taken.Workouts++
	w.workouts = append(w.workouts, []any{w.Workspace, w.Import, at.id, s.WorkoutKey, s.Day, s.Notes})
	return err
}

// known reads what is in a workout already, and keeps other writers out of it.
func (w *pastWriter) known(ctx context.Context, q *Queries, at *session) error {
	if w.Import != 0 {
		if _, err := q.LockWorkout(ctx, w.Workspace, at.id); err != nil {
			return err
		}
	}
	rows, err := q.HistoryKeysOfWorkout(ctx, w.Workspace, at.id)
	for _, r := range rows {
		at.there[r.SourceKey] = r.ImportID
	}
	return err
}

// flush writes the rows. Sets are marked by the ids that they got.
func (w *pastWriter) flush(ctx context.Context, before int64) error {
	err := w.tx.InsertMany(ctx, "training_history_workouts", []string{"workspace_id", "import_id", "workout_id", "source_key", "date", "notes"}, w.workouts)
	if err != nil || len(w.sets) == 0 {
		return err
	}
	err = w.tx.InsertMany(ctx, "training_sets", []string{
		"workspace_id", "workout_id", "exercise_id", "position", "measure", "weight", "reps", "duration_seconds", "is_per_side", "is_warmup", "is_completed",
		"is_barbell", "rpe", "note", "completed_at", "created_by_client_id", "created_by_account_id", "created_at",
	}, w.sets)
	if err != nil {
		return err
	}
	first, last := w.marks[0].workout, w.marks[0].workout
	for _, m := range w.marks {
		first, last = min(first, m.workout), max(last, m.workout)
	}
	made, err := New(w.tx).SetsBetween(ctx, SetsBetweenParams{WorkspaceID: w.Workspace, FirstWorkout: first, LastWorkout: last, AfterID: before})
	if err != nil {
		return fmt.Errorf("read the ids of the sets: %w", err)
	}
	ids := make(map[[2]int64]int64, len(made))
	for _, s := range made {
		ids[[2]int64{s.WorkoutID, s.Position}] = s.ID
	}
	rows := make([][]any, len(w.marks))
	for i, m := range w.marks {
		s := m.set
		rows[i] = []any{w.Workspace, w.Import, ids[[2]int64{m.workout, m.position}], s.Key, s.Exercise, s.Weight, s.Reps, s.Seconds, s.Warmup, s.RPE, s.Note}
	}
	return w.tx.InsertMany(ctx, "training_history_sets", []string{
		"workspace_id", "import_id", "set_id", "source_key", "exercise_id", "weight", "reps", "duration_seconds", "is_warmup", "rpe", "note",
	}, rows)
}

// CutOffHistory returns the import of the same file that did not come to its
// end, and false when there is none.
func CutOffHistory(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, format, sum string) (row UnfinishedHistoryImportRow, found bool, err error) {
	row, err = New(tx).UnfinishedHistoryImport(ctx, UnfinishedHistoryImportParams{WorkspaceID: ws, Format: format, FileSHA256: sum})
	if errors.Is(err, sql.ErrNoRows) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("look for an import that was cut off: %w", err)
	}
	return row, true, nil
}

// HistoryImportByID returns an import, and false when the workspace has none
// of that id.
func HistoryImportByID(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, imported int64) (row HistoryImportRow, found bool, err error) {
	row, err = New(tx).HistoryImport(ctx, ws, imported)
	if errors.Is(err, sql.ErrNoRows) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("read history import %d: %w", imported, err)
	}
	return row, true, nil
}

// rememberedImports is how many imports names are remembered from.
const rememberedImports = 20

// RememberedNames returns how movements of other apps were called here before,
// by the app's name; "" is left out.
func RememberedNames(ctx context.Context, tx *db.Tx, ws id.WorkspaceID) (map[string]string, error) {
	rows, err := New(tx).HistoryImportNames(ctx, ws, rememberedImports)
	if err != nil {
		return nil, fmt.Errorf("read the names of earlier imports: %w", err)
	}
	names := map[string]string{}
	for _, text := range rows {
		var one map[string]string
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			return nil, fmt.Errorf("read the names of an import: %w", err)
		}
		for from, to := range one {
			if _, newer := names[from]; !newer {
				names[from] = to
			}
		}
	}
	return names, nil
}

// UndonePast says what became of an import of training that was undone.
type UndonePast struct{ Sets, Workouts, SetsStay, WorkoutsStay int64 }

// UndoHistory removes what an import brought and nobody changed since. What
// was changed or added by hand stays, and so does the import's row as long as
// something stays. It returns false when the workspace has no such import.
func UndoHistory(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, imported int64) (u UndonePast, found bool, err error) {
	if err := db.LockWorkspace(ctx, tx, ws); err != nil {
		return u, false, err
	}
	q := New(tx)
	if _, found, err = HistoryImportByID(ctx, tx, ws, imported); err != nil || !found {
		return u, found, err
	}
	for _, step := range []struct {
		into *int64
		do   func(context.Context, id.WorkspaceID, int64) (int64, error)
	}{
		{&u.Sets, q.DeleteUntouchedSets}, {&u.Workouts, q.DeleteUntouchedWorkouts}, {&u.SetsStay, q.CountHistorySets}, {&u.WorkoutsStay, q.CountHistoryWorkouts},
	} {
		if *step.into, err = step.do(ctx, ws, imported); err != nil {
			return u, true, fmt.Errorf("undo history import %d: %w", imported, err)
		}
	}
	if u.SetsStay == 0 && u.WorkoutsStay == 0 {
		_, err = q.DeleteHistoryImport(ctx, ws, imported)
	} else {
		_, err = q.MarkHistoryImportUndone(ctx, MarkHistoryImportUndoneParams{UndoneAt: dbtype.At(tx.Now()), WorkspaceID: ws, ID: imported})
	}
	if err != nil {
		return u, true, fmt.Errorf("close history import %d: %w", imported, err)
	}
	return u, true, nil
}
