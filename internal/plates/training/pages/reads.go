package pages

import (
	"context"
	"net/http"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
)

// reader reads the rows of one workspace inside one transaction.
type reader struct {
	ctx   context.Context
	tx    *db.Tx
	who   contract.Caller
	today dbtype.Date
}

// reading runs fn with a reader of the caller's workspace.
func (p *pages) reading(r *http.Request, fn func(reader) error) error {
	who := web.CallerOf(r)
	today := who.Today(p.Now())
	return p.DB.Read(r.Context(), func(tx *db.Tx) error {
		return fn(reader{r.Context(), tx, who, today})
	})
}

func (rd reader) todayTime() time.Time { return store.Day(rd.today) }

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// workout returns a workout without its sets.
func (rd reader) workout(id int64) (workoutView, error) {
	row, ok, err := store.WorkoutByID(rd.ctx, rd.tx, rd.who.Workspace, id)
	if err != nil {
		return workoutView{}, err
	}
	if !ok {
		return workoutView{}, errNoRow
	}
	w := workoutView{
		ID: row.ID, Date: row.Date, Status: row.Status(rd.todayTime()),
		Sets: int(row.Sets), Done: int(row.CompletedSets), RPE: store.Number(row.Rpe), Notes: text(row.Notes),
		Focus: text(row.Focus), Block: text(row.Program), Week: store.Number(row.Week),
		By: text(row.ClientName), At: row.CreatedAt.Time,
	}
	if row.ProgramID != nil {
		w.ProgramID = *row.ProgramID
	}
	return w, nil
}

// generated returns a workout of a block.
func (rd reader) generated(row store.BlockWorkoutsRow) workoutView {
	return workoutView{
		ID: row.ID, Date: row.Date, Status: row.Status(rd.todayTime()),
		Sets: int(row.Sets), Done: int(row.CompletedSets), RPE: store.Number(row.Rpe), Notes: text(row.Notes),
		Focus: text(row.Focus), Block: row.Program, ProgramID: row.ProgramID, Week: int(row.Week),
		By: text(row.ClientName), At: row.CreatedAt.Time,
	}
}

// listed returns a workout of a list.
func (rd reader) listed(row store.WorkoutsRow) workoutView {
	return workoutView{
		ID: row.ID, Date: row.Date, Status: row.Status(rd.todayTime()),
		Sets: int(row.Sets), Done: int(row.CompletedSets), RPE: store.Number(row.Rpe), Notes: text(row.Notes),
		Focus: text(row.Focus), By: text(row.ClientName), At: row.CreatedAt.Time,
	}
}

// sets returns the sets of a workout in lifting order, with the plates that
// the workspace's rack takes for them.
func (rd reader) sets(workout int64) ([]setView, error) {
	rows, err := store.SetsOf(rd.ctx, rd.tx, rd.who.Workspace, workout)
	if err != nil {
		return nil, err
	}
	rack, err := store.RackOf(rd.ctx, rd.tx, rd.who.Workspace)
	if err != nil {
		return nil, err
	}
	sets := make([]setView, len(rows))
	for i, row := range rows {
		sets[i] = setOf(row)
	}
	rackUp(rack, sets)
	return sets, nil
}

// set returns one set of a workout. A set of another workout is not there.
func (rd reader) set(workout, id int64) (setView, error) {
	row, ok, err := store.SetByID(rd.ctx, rd.tx, rd.who.Workspace, id)
	if err != nil {
		return setView{}, err
	}
	if !ok || row.WorkoutID != workout {
		return setView{}, errNoRow
	}
	rack, err := store.RackOf(rd.ctx, rd.tx, rd.who.Workspace)
	if err != nil {
		return setView{}, err
	}
	one := []setView{setOf(row)}
	rackUp(rack, one)
	return one[0], nil
}

func setOf(row store.SetRow) setView {
	return setView{
		ID: row.ID, WorkoutID: row.WorkoutID, ExerciseID: row.ExerciseID, Exercise: row.Exercise,
		Actual: row.Actual(), Plan: row.Plan(), PerSide: row.IsPerSide, Warmup: row.IsWarmup,
		Done: row.IsCompleted, Barbell: row.IsBarbell, RPE: store.Number(row.Rpe),
		Lift: int64(store.Number(row.ProgramLiftID)), Reason: text(row.PlanReason), Note: text(row.Note), By: text(row.ClientName), At: row.CreatedAt.Time,
	}
}

// between returns the workouts from one day to another, newest first, at most
// limit.
func (rd reader) between(from, to dbtype.Date, limit int) ([]workoutView, error) {
	return rd.page(store.WorkoutsParams{FromDate: from, ToDate: to, BeforeDate: store.LastDay, RowLimit: int64(limit)})
}

// page returns workouts newest first.
func (rd reader) page(q store.WorkoutsParams) ([]workoutView, error) {
	q.WorkspaceID, q.Today = rd.who.Workspace, string(rd.today)
	rows, err := store.New(rd.tx).Workouts(rd.ctx, q)
	if err != nil {
		return nil, err
	}
	list := make([]workoutView, len(rows))
	for i, row := range rows {
		list[i] = rd.listed(row)
	}
	return list, nil
}

// count counts the workouts up to a day, of one status or of all ("").
func (rd reader) count(to dbtype.Date, status strength.Status) (int, error) {
	n, err := store.New(rd.tx).CountWorkouts(rd.ctx, store.CountWorkoutsParams{
		WorkspaceID: rd.who.Workspace, FromDate: store.FirstDay, ToDate: to, Status: string(status), Today: string(rd.today),
	})
	return int(n), err
}

// upcoming returns planned workouts, the soonest first.
func (rd reader) upcoming(limit int) ([]workoutView, error) {
	rows, err := store.New(rd.tx).UpcomingWorkouts(rd.ctx, store.UpcomingWorkoutsParams{
		WorkspaceID: rd.who.Workspace, Today: rd.today, RowLimit: int64(limit),
	})
	if err != nil {
		return nil, err
	}
	list := make([]workoutView, len(rows))
	for i, row := range rows {
		list[i] = workoutView{
			ID: row.ID, Date: row.Date, Status: strength.Planned, Sets: int(row.Sets), Notes: text(row.Notes),
			Focus: text(row.Focus), By: text(row.ClientName), At: row.CreatedAt.Time,
		}
	}
	return list, nil
}
