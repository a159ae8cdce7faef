package pages

import (
	"context"
	"fmt"
	"net/http"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
)

// athletes is the list of a coach: how training goes in every workspace that
// the person belongs to. It reads those of the session's memberships and no
// other, each by its own clock.
func (p *pages) athletes(w http.ResponseWriter, r *http.Request) error {
	who, _ := web.IdentityOf(r)
	var list []athleteView
	err := p.DB.Read(r.Context(), func(tx *db.Tx) error {
		list = nil
		for _, own := range who.Workspaces {
			a, err := p.athlete(r.Context(), tx, who.Caller, own)
			if err != nil {
				return fmt.Errorf("read how training goes in workspace %d: %w", own.ID, err)
			}
			list = append(list, a)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, athletesPage(list))
}

// athleteView is how training goes in one workspace.
type athleteView struct {
	web.Workspace
	Here    bool // the session works in it now
	Today   dbtype.Date
	BlockID int64       // of the block that today lies in, 0 = none
	Block   string      // "Block 0, week 2 of 4"
	Week    []tallyPart // sessions of this week, from Monday
	Last    dbtype.Date // last day with a lifted set, "" = none
	Next    dbtype.Date // next planned session from today on, "" = none
}

func (p *pages) athlete(ctx context.Context, tx *db.Tx, who contract.Caller, own web.Workspace) (athleteView, error) {
	a := athleteView{Workspace: own, Here: own.ID == who.Workspace}
	who.Workspace, who.WorkspaceName, who.Role = own.ID, own.Name, own.Role
	if own.Zone != nil {
		who.Zone = own.Zone
	}
	rd := reader{ctx, tx, who, who.Today(p.Now())}
	a.Today = rd.today
	var home homeView
	if err := rd.currentWeek(&home); err != nil {
		return a, err
	}
	if a.BlockID = home.BlockID; a.BlockID != 0 {
		a.Block = fmt.Sprintf("%s, week %d of %d", home.Block, home.Week, home.Weeks)
	}
	monday := store.Date(strength.MondayOf(rd.todayTime()))
	week, err := rd.between(monday, monday.AddDays(6), monthLimit)
	if err != nil {
		return a, err
	}
	a.count(week)
	return a, rd.lastAndNext(&a)
}

// count sums a week up, in the order of the calendar.
func (a *athleteView) count(week []workoutView) {
	for _, status := range []strength.Status{strength.Performed, strength.Planned, strength.Skipped} {
		n := 0
		for _, w := range week {
			if w.Status == status {
				n++
			}
		}
		if n > 0 {
			a.Week = append(a.Week, tallyPart{status, n})
		}
	}
}

// lastAndNext finds the day that was trained last and the next planned one.
func (rd reader) lastAndNext(a *athleteView) error {
	last, err := rd.page(store.WorkoutsParams{
		FromDate: store.FirstDay, ToDate: store.LastDay, BeforeDate: store.LastDay, Status: string(strength.Performed), RowLimit: 1,
	})
	if err != nil {
		return err
	}
	if len(last) > 0 {
		a.Last = last[0].Date
	}
	ahead, err := rd.between(rd.today, rd.today.AddDays(aheadDays*2), monthLimit)
	for _, w := range oldestFirst(ahead) {
		if w.Status == strength.Planned && w.Sets > 0 {
			a.Next = w.Date
			break
		}
	}
	return err
}
