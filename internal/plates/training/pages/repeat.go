package pages

import (
	"net/http"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/web"
)

// repeatWorkout writes the workout again for today and opens its session.
func (p *pages) repeatWorkout(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	v, err := p.workoutAt(r)
	if missing(err) {
		return noWorkout(w, r)
	}
	if err != nil {
		return err
	}
	wire, err := p.call(r, requestID, "repeat_workout", map[string]any{"workout_id": v.ID})
	if refused, shown := refusedForm(r, err); shown {
		return p.showWorkout(w, r, http.StatusUnprocessableEntity, refused.Refusal.Sentence())
	}
	if err != nil {
		return err
	}
	made, err := contract.Into[struct {
		ID int64 `json:"id"`
	}](wire)
	if err != nil {
		return err
	}
	web.Flash(r.Context(), web.FlashDone, "The session of "+web.LongDay(v.Date)+" was written again, as you lifted it.")
	web.Redirect(w, r, workoutPath(made.ID)+"/session")
	return nil
}
