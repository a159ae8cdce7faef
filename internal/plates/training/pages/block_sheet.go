package pages

import (
	"net/http"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
)

// sheetView is a week on paper: a sheet for each day, and the whole block.
type sheetView struct {
	Block     blockView
	Week      tools.Week
	Workspace string
	Bar       int
	Days      []sheetDay
	Refusal   string // why a day without a session cannot be worked out
}

// sheetDay is a session to train from.
type sheetDay struct {
	Day   tools.Day
	Lifts []recordLift
}

// sheet shows a week to be printed. A day that has its session shows it as it
// is now; another one shows what generating would write.
func (p *pages) sheet(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	n, okWeek := pathID(r, "n")
	if !ok || !okWeek {
		return toBlocks(w, r)
	}
	block, err := p.blockView(r, id)
	if missing(err) {
		return toBlocks(w, r)
	}
	if err != nil {
		return err
	}
	v := sheetView{Block: block, Workspace: web.CallerOf(r).WorkspaceName}
	for _, week := range block.Program.Weeks {
		if week.Number == n {
			v.Week = week
		}
	}
	if v.Week.ID == 0 {
		return toBlocks(w, r)
	}
	ahead, err := p.previewOf(r, id, n)
	if form, refused := web.Refused(r, err); refused {
		v.Refusal, err = form.Refusal.Sentence(), nil
	}
	if err != nil {
		return err
	}
	err = p.reading(r, func(rd reader) error { return rd.sheet(&v, ahead) })
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, sheetPage(v))
}

func (p *pages) previewOf(r *http.Request, block, week int64) (tools.PreviewProgramWeekOut, error) {
	wire, err := p.call(r, "", "preview_program_week", map[string]any{"program_id": block, "week": week})
	if err != nil {
		return tools.PreviewProgramWeekOut{}, err
	}
	return contract.Into[tools.PreviewProgramWeekOut](wire)
}

func (rd reader) sheet(v *sheetView, ahead tools.PreviewProgramWeekOut) error {
	rack, err := store.RackOf(rd.ctx, rd.tx, rd.who.Workspace)
	if err != nil {
		return err
	}
	v.Bar, v.Days = int(rack.Bar), nil
	for _, d := range v.Week.Days {
		var sets []setView
		if d.WorkoutID != nil {
			if sets, err = rd.sets(*d.WorkoutID); err != nil {
				return err
			}
		} else {
			sets = previewed(ahead, d.ID)
			rackUp(rack, sets)
		}
		v.Days = append(v.Days, sheetDay{Day: d, Lifts: recordLifts(sets)})
	}
	return nil
}

// previewed are the sets that a day would write.
func previewed(week tools.PreviewProgramWeekOut, day int64) []setView {
	var sets []setView
	for _, d := range week.Days {
		if d.ProgramDayID != day {
			continue
		}
		for i, l := range d.Lifts {
			reason := l.Reason
			for _, s := range l.Sets {
				set := strength.Set{Weight: store.Number(s.Weight), Reps: store.Number(s.Reps), Seconds: store.Number(s.DurationSeconds)}
				view := setView{ExerciseID: int64(-i - 1), Exercise: l.Exercise, Actual: set, Plan: set, PerSide: s.IsPerSide, Warmup: s.IsWarmup, Barbell: s.IsBarbell}
				if !s.IsWarmup {
					view.Reason, reason = reason, ""
				}
				sets = append(sets, view)
			}
		}
	}
	return sets
}

// warmups and working part the sets of a lift.
func (l recordLift) warmups() []setView { return l.part(true) }
func (l recordLift) working() []setView { return l.part(false) }

func (l recordLift) part(warmup bool) []setView {
	var part []setView
	for _, s := range l.Sets {
		if s.Warmup == warmup {
			part = append(part, s)
		}
	}
	return part
}

// sheetLift is a lift over the whole block: what each week writes.
type sheetLift struct {
	Name  string
	Weeks []writtenLift // one for each week, empty where the lift is not done
}

// overview is the whole block by lift, in the order in which they come up.
func (v sheetView) overview() []sheetLift {
	var lifts []sheetLift
	at := map[int64]int{}
	for w, week := range v.Block.Program.Weeks {
		for _, d := range week.Days {
			for _, l := range d.Lifts {
				i, seen := at[l.ExerciseID]
				if !seen {
					i = len(lifts)
					at[l.ExerciseID] = i
					lifts = append(lifts, sheetLift{Name: l.Exercise, Weeks: make([]writtenLift, len(v.Block.Program.Weeks))})
				}
				written := v.Block.Sessions[d.ID].Lifts[l.ID]
				if len(written.Sets) == 0 {
					written = expected(v.Block.Ahead[l.ID])
				}
				if len(lifts[i].Weeks[w].Sets) == 0 {
					lifts[i].Weeks[w] = written
				}
			}
		}
	}
	return lifts
}

// when is the day of a sheet.
func (d sheetDay) when() string { return web.LongDay(dbtype.Date(d.Day.Date)) }
