package pages

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
)

// mostTops is how many lifts get a chart of their top sets.
const mostTops = 5

// volume shows what was trained in a window of weeks, of all lifts or of one.
// Parameters that mean nothing get the usual window and everything.
func (p *pages) volume(w http.ResponseWriter, r *http.Request) error {
	v := volumeView{Weeks: windowOf(r.URL.Query().Get("weeks"))}
	lift, _ := strconv.ParseInt(r.URL.Query().Get("exercise_id"), 10, 64) // no number is no lift
	err := p.reading(r, func(rd reader) (err error) {
		v.Today = rd.todayTime()
		v.Lifts, err = store.WorkIn(rd.ctx, rd.tx, rd.who.Workspace, v.Today, v.Weeks)
		return err
	})
	if err != nil {
		return err
	}
	v.choose(lift)
	return web.Render(w, r, http.StatusOK, volumePage(v))
}

// windowOf reads a number of weeks; anything that is not offered is the usual
// window.
func windowOf(text string) int {
	for _, weeks := range strength.VolumeWindows {
		if text == strconv.Itoa(weeks) {
			return weeks
		}
	}
	return strength.VolumeWindows[0]
}

// choose narrows the view to one lift, when it has work in the window, and
// counts the weeks.
func (v *volumeView) choose(lift int64) {
	v.Shown = v.Lifts
	for i, l := range v.Lifts {
		if l.Exercise == lift {
			v.Lift, v.Shown = lift, v.Lifts[i:i+1]
		}
	}
	var days []strength.DayWork
	for _, l := range v.Shown {
		days = append(days, l.Days...)
		v.Total = v.Total.Plus(l.Total())
	}
	v.ByWeek = strength.WeeksOf(days, v.Today, v.Weeks)
	for _, w := range v.ByWeek {
		if w.Sets > 0 {
			v.Trained++
		}
	}
	v.Tops = v.tops()
}

// ranked returns the shown lifts, the most trained first.
func (v *volumeView) ranked() []store.LiftWork {
	list := slices.Clone(v.Shown)
	slices.SortStableFunc(list, func(a, b store.LiftWork) int { return cmp.Compare(b.Total().Sets, a.Total().Sets) })
	return list
}

// tops returns the top sets of the most trained lifts that carry a load.
func (v *volumeView) tops() []liftTops {
	var list []liftTops
	for _, l := range v.ranked() {
		if tops := strength.TopsOf(l.Days, v.Today, v.Weeks); len(tops) > 0 && len(list) < mostTops {
			list = append(list, liftTops{l, tops})
		}
	}
	return list
}
