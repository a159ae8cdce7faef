package pages

import (
	"net/http"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
)

// pageSize is how many workouts of the history one page lists.
const pageSize = 50

// cursor is the place in the history after which a page begins: everything
// older than this workout.
type cursor struct {
	Date dbtype.Date
	ID   int64
	From int // place of the first workout of the page, from 1
}

// readCursor reads before=2026-03-02.17 and from=51. Anything else is the
// first page.
func readCursor(r *http.Request) cursor {
	day, id, _ := strings.Cut(r.URL.Query().Get("before"), ".")
	date, err := dbtype.ParseDate(day)
	n, bad := strconv.ParseInt(id, 10, 64)
	if err != nil || bad != nil {
		return cursor{Date: store.LastDay, From: 1}
	}
	from, err := strconv.Atoi(r.URL.Query().Get("from"))
	if err != nil || from < 1 {
		from = 1
	}
	return cursor{date, n, from}
}

// after is the address of the page that begins below the workout.
func (c cursor) after(w workoutView, shown int) string {
	return "/workouts?before=" + string(w.Date) + "." + strconv.FormatInt(w.ID, 10) + "&from=" + strconv.Itoa(c.From+shown)
}

// workouts lists what is planned and what was trained.
func (p *pages) workouts(w http.ResponseWriter, r *http.Request) error {
	at := readCursor(r)
	v := workoutListView{Zone: web.CallerOf(r).Zone, From: at.From}
	err := p.reading(r, func(rd reader) error { return rd.list(&v, at) })
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, workoutListPage(v))
}

func (rd reader) list(v *workoutListView, at cursor) (err error) {
	if at.From == 1 {
		if v.Upcoming, err = rd.upcoming(pageSize); err != nil {
			return err
		}
	} else {
		v.Newest = "/workouts"
	}
	if v.Total, err = rd.historyLength(); err != nil {
		return err
	}
	v.History, err = rd.history(at)
	if err != nil {
		return err
	}
	if len(v.History) > pageSize {
		v.History = v.History[:pageSize]
		v.Older = at.after(v.History[pageSize-1], pageSize)
	}
	return nil
}

// historyLength counts everything that is not planned.
func (rd reader) historyLength() (int, error) {
	all, err := rd.count(store.LastDay, "")
	if err != nil {
		return 0, err
	}
	planned, err := rd.count(store.LastDay, strength.Planned)
	return all - planned, err
}

// history returns one workout more than a page holds, latest first, without
// the planned ones. Those come first in the order, so that more than one round
// is rare.
func (rd reader) history(at cursor) ([]workoutView, error) {
	var list []workoutView
	for {
		rows, err := rd.page(store.WorkoutsParams{FromDate: store.FirstDay, ToDate: store.LastDay, BeforeDate: at.Date, BeforeID: at.ID, RowLimit: pageSize + 1})
		if err != nil {
			return nil, err
		}
		for _, w := range rows {
			if w.Status != strength.Planned {
				list = append(list, w)
			}
		}
		if len(rows) <= pageSize || len(list) > pageSize {
			return list, nil
		}
		last := rows[len(rows)-1]
		at.Date, at.ID = last.Date, last.ID
	}
}
