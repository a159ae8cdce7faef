package pages

import (
	"net/http"

	"tectonic/internal/plates/training/store"
	"tectonic/internal/web"
)

// trainingSettings shows how the workspace reads its weights.
func (p *pages) trainingSettings(w http.ResponseWriter, r *http.Request) error {
	var unit string
	err := p.reading(r, func(rd reader) error {
		e, err := store.EquipmentOf(rd.ctx, rd.tx, rd.who.Workspace)
		unit = e.Unit
		return err
	})
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, trainingSettingsPage(trainingSettingsView{Unit: unit, Zone: web.CallerOf(r).Zone.String()}))
}

// saveTrainingSettings chooses the unit.
func (p *pages) saveTrainingSettings(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	_, err = p.call(r, requestID, "save_training_settings", map[string]any{"display_unit": r.PostForm.Get("display_unit")})
	if err == nil {
		web.Flash(r.Context(), web.FlashDone, "The settings are saved.")
		web.Redirect(w, r, "/settings/training")
		return nil
	}
	form, ok := refusedForm(r, err)
	if !ok {
		return err
	}
	return web.Render(w, r, http.StatusUnprocessableEntity, trainingSettingsPage(trainingSettingsView{Unit: "lb", Zone: web.CallerOf(r).Zone.String(), Form: form}))
}
