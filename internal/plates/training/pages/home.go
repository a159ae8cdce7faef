package pages

import (
	"net/http"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
)

// home is the first page: the session to lift next and the month. Whoever has
// not signed in is welcomed instead.
func (p *pages) home(w http.ResponseWriter, r *http.Request) error {
	if _, in := web.IdentityOf(r); !in {
		web.Redirect(w, r, "/welcome")
		return nil
	}
	w.Header().Set("Cache-Control", "no-store")
	var v homeView
	err := p.reading(r, func(rd reader) (err error) {
		v, err = rd.home(r.URL.Query().Get("month"))
		return err
	})
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, homePage(v))
}

func (rd reader) home(month string) (v homeView, err error) {
	v.Today = rd.today
	if v.Month, err = rd.calendar(month); err != nil {
		return v, err
	}
	if v.Hero, err = rd.hero(); err != nil {
		return v, err
	}
	if err = rd.currentWeek(&v); err != nil {
		return v, err
	}
	if v.Hero == nil || v.Hero.complete() {
		if v.Way, err = rd.wayAhead(v); err != nil {
			return v, err
		}
	}
	if v.Hero == nil {
		v.Empty, err = rd.empty()
	}
	return v, err
}

// monthLimit is more workouts than six weeks hold.
const monthLimit = 500

func (rd reader) calendar(text string) (calendarView, error) {
	today := rd.todayTime()
	month := strength.CalendarMonth(text, today)
	first, last := strength.CalendarBounds(month)
	list, err := rd.between(store.Date(first), store.Date(last), monthLimit)
	if err != nil {
		return calendarView{}, err
	}
	return calendarOf(month, today, oldestFirst(list)), nil
}

func oldestFirst(list []workoutView) []workoutView {
	turned := make([]workoutView, len(list))
	for i, w := range list {
		turned[len(list)-1-i] = w
	}
	return turned
}

// aheadDays is how far ahead a session may be started and still be the one to
// go on with.
const aheadDays = 7

// hero returns the session to lift next: the first one with something left of
// today or begun ahead of its day, or else what was trained today, or else the
// next planned one. It is nil when there is none.
func (rd reader) hero() (*heroView, error) {
	near, err := rd.between(rd.today, rd.today.AddDays(aheadDays), monthLimit)
	if err != nil {
		return nil, err
	}
	trained := int64(0)
	for _, w := range oldestFirst(near) {
		open := w.Done < w.Sets
		switch today := w.Date == rd.today; {
		case open && (today || w.lifted()):
			return rd.heroSession(w.ID)
		case today && w.lifted():
			trained = w.ID
		}
	}
	if trained != 0 {
		return rd.heroSession(trained)
	}
	planned, err := rd.upcoming(1)
	if err != nil || len(planned) == 0 {
		return nil, err
	}
	return rd.heroSession(planned[0].ID)
}

func (rd reader) heroSession(id int64) (*heroView, error) {
	w, err := rd.workout(id)
	if err != nil {
		return nil, err
	}
	sets, err := rd.sets(id)
	if err != nil {
		return nil, err
	}
	return heroOf(w, sets, rd.today), nil
}

// blockLimit is how many of the latest blocks are asked whether they cover
// today.
const blockLimit = 20

// currentWeek finds the block that covers today.
func (rd reader) currentWeek(v *homeView) error {
	q := store.New(rd.tx)
	blocks, err := q.Programs(rd.ctx, rd.who.Workspace, blockLimit)
	if err != nil || len(blocks) == 0 {
		return err
	}
	rows, err := q.WeekNumbers(rd.ctx, rd.who.Workspace)
	if err != nil {
		return err
	}
	weeks := map[int64][]int{}
	for _, row := range rows {
		weeks[row.ProgramID] = append(weeks[row.ProgramID], int(row.Number))
	}
	for _, b := range blocks {
		if n := strength.WeekOn(store.Day(b.StartDate), rd.todayTime(), weeks[b.ID]); n > 0 {
			v.BlockID, v.Block, v.Week, v.Weeks = b.ID, b.Name, n, len(weeks[b.ID])
			return nil
		}
	}
	return nil
}

// empty reports whether the workspace has neither a block nor a workout.
func (rd reader) empty() (bool, error) {
	blocks, err := store.New(rd.tx).CountPrograms(rd.ctx, rd.who.Workspace)
	if err != nil || blocks > 0 {
		return false, err
	}
	workouts, err := rd.count(dbtype.Date(store.LastDay), "")
	return workouts == 0, err
}
