package pages

import (
	"net/http"
	"strconv"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
)

// blocks lists what is written, the latest start first.
func (p *pages) blocks(w http.ResponseWriter, r *http.Request) error {
	return p.showBlocks(w, r, http.StatusOK, web.Form{})
}

func (p *pages) showBlocks(w http.ResponseWriter, r *http.Request, status int, form web.Form) error {
	who := web.CallerOf(r)
	wire, err := p.call(r, "", "list_programs", map[string]any{"limit": strength.LimitRange.High})
	if err != nil {
		return err
	}
	out, err := contract.Into[tools.ListProgramsOut](wire)
	if err != nil {
		return err
	}
	v := blockListView{Blocks: out.Programs, Zone: who.Zone, Writes: who.Has("write"), Form: form, Start: string(p.nextMonday(r))}
	err = p.reading(r, func(rd reader) (err error) {
		v.Archived, err = store.New(rd.tx).ArchivedPrograms(rd.ctx, rd.who.Workspace)
		return err
	})
	if err != nil {
		return err
	}
	return web.Render(w, r, status, blockListPage(v))
}

// nextMonday is the Monday to come, or today when that is one.
func (p *pages) nextMonday(r *http.Request) dbtype.Date {
	return store.Date(strength.MondayOf(store.Day(web.CallerOf(r).Today(p.Now())).AddDate(0, 0, 6)))
}

// writeBlock0 writes the starting block of the workspace. It opens on the
// Monday to come, or today when that is one: a block that opened last Monday
// would begin with a session that was missed.
func (p *pages) writeBlock0(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	wire, err := p.call(r, requestID, "seed_program", map[string]any{"start": p.nextMonday(r)})
	if err != nil {
		return err
	}
	made, err := contract.Into[tools.SeedProgramOut](wire)
	if err != nil {
		return err
	}
	web.Flash(r.Context(), web.FlashDone, "Block 0 is written. Generate its first week to get the sessions.")
	web.Redirect(w, r, blockPath(made.ID))
	return nil
}

func blockPath(id int64) string { return "/programs/" + strconv.FormatInt(id, 10) }

// toBlocks leads away from a block that this workspace does not have.
func toBlocks(w http.ResponseWriter, r *http.Request) error {
	web.Redirect(w, r, "/programs")
	return nil
}

// block shows a block as it is written and what its weeks became.
func (p *pages) block(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	if !ok {
		return toBlocks(w, r)
	}
	return p.showBlock(w, r, id, http.StatusOK, "")
}

func (p *pages) showBlock(w http.ResponseWriter, r *http.Request, id int64, status int, refusal string) error {
	v, err := p.blockView(r, id)
	if missing(err) {
		return toBlocks(w, r)
	}
	if err != nil {
		return err
	}
	v.Refusal = refusal
	return web.Render(w, r, status, blockPage(v))
}

func (p *pages) blockView(r *http.Request, id int64) (blockView, error) {
	who := web.CallerOf(r)
	v := blockView{Zone: who.Zone, Sessions: map[int64]writtenSession{}, Writes: who.Has("write"), SaidAt: place(r.URL.Query().Get("at"))}
	err := p.reading(r, func(rd reader) (err error) {
		if v.Program, err = tools.ReadProgram(rd.ctx, rd.tx, rd.who, id); err != nil {
			return err
		}
		equipment, err := store.EquipmentOf(rd.ctx, rd.tx, rd.who.Workspace)
		if err != nil {
			return err
		}
		v.Jump = equipment.Rack.Increment()
		if v.Movements, err = rd.movementNames(); err != nil {
			return err
		}
		if v.Ahead, err = tools.ReadForecast(rd.ctx, rd.tx, rd.who, v.Program); err != nil {
			return err
		}
		return rd.written(v)
	})
	return v, err
}

// written reads what the generated days of the block became.
func (rd reader) written(v blockView) error {
	workouts, err := store.New(rd.tx).BlockWorkouts(rd.ctx, rd.who.Workspace, v.Program.ID)
	if err != nil {
		return err
	}
	sets, err := store.New(rd.tx).BlockSets(rd.ctx, rd.who.Workspace, v.Program.ID)
	if err != nil {
		return err
	}
	lifts := byLift(sets)
	for _, row := range workouts {
		v.Sessions[*row.ProgramDayID] = writtenSession{Workout: rd.generated(row), Lifts: lifts[row.ID]}
	}
	return nil
}

// byLift collects the planned working sets of each workout by the lift that
// wrote them.
func byLift(rows []store.BlockSetsRow) map[int64]map[int64]writtenLift {
	workouts := map[int64]map[int64]writtenLift{}
	for _, row := range rows {
		lifts := workouts[row.WorkoutID]
		if lifts == nil {
			lifts = map[int64]writtenLift{}
			workouts[row.WorkoutID] = lifts
		}
		l := lifts[*row.ProgramLiftID]
		l.Sets = append(l.Sets, row.Plan())
		if row.PlanReason != nil {
			l.Reason = *row.PlanReason
		}
		lifts[*row.ProgramLiftID] = l
	}
	return workouts
}

// generateWeek turns a week into sessions and says what happened.
func (p *pages) generateWeek(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	if !ok {
		return toBlocks(w, r)
	}
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	args, err := p.read("generate_program_week", only(r.PostForm, "week"))
	if err == nil {
		args["program_id"] = id
		var wire contract.Wire
		if wire, err = p.call(r, requestID, "generate_program_week", args); err == nil {
			web.Flash(r.Context(), web.FlashDone, wire.Text)
			web.Redirect(w, r, blockPath(id)) // its top, where the sentence is
			return nil
		}
	}
	form, ok := web.Refused(r, err)
	if !ok {
		return err
	}
	return p.showBlock(w, r, id, http.StatusUnprocessableEntity, form.Refusal.Sentence())
}
