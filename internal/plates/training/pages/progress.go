package pages

import (
	"fmt"
	"net/http"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
)

// progress shows what became of a block: planned beside done, per week and per
// lift. It says what assistants are told, in the same numbers.
func (p *pages) progress(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	if !ok {
		return toBlocks(w, r)
	}
	wire, err := p.call(r, "", "block_progress", map[string]any{"program_id": id})
	if missing(err) {
		return toBlocks(w, r)
	}
	if err != nil {
		return err
	}
	v := progressView{}
	if v.Out, err = contract.Into[tools.BlockProgressOut](wire); err != nil {
		return err
	}
	if err := p.reading(r, func(rd reader) error { return rd.reasons(&v, id) }); err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, progressPage(v))
}

// reasons reads why each lift of each week was written as it was, and which of
// its sessions are still to come.
func (rd reader) reasons(v *progressView, block int64) error {
	rows, err := store.New(rd.tx).BlockReasons(rd.ctx, rd.who.Workspace, block)
	if err != nil {
		return fmt.Errorf("read the reasons of block %d: %w", block, err)
	}
	v.Today = rd.todayTime()
	v.Reasons, v.ToCome = map[liftWeekKey]string{}, map[liftWeekKey]bool{}
	for _, r := range rows {
		key := liftWeekKey{r.ExerciseID, r.Week}
		v.Reasons[key] = text(r.PlanReason)
		v.ToCome[key] = v.ToCome[key] || r.Date >= rd.today
	}
	return nil
}
