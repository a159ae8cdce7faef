package pages

import (
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/web"
)

// Deps is what the pages stand on.
type Deps struct {
	DB      *db.DB
	Gate    *gate.Gate
	Now     func() time.Time // nil = time.Now
	Uploads *web.Uploads     // where a file waits between its preview and its import
}

// pages holds the dependencies of the handlers.
type pages struct{ Deps }

// Routes returns the pages of the training plate.
func Routes(d Deps) []web.Route {
	if d.Now == nil {
		d.Now = time.Now
	}
	p := &pages{d}
	return append(deskRoutes(p), []web.Route{
		{Pattern: "GET /{$}", Handler: web.Handle(p.home)},

		{Pattern: "GET /workouts", Handler: web.Member(p.workouts)},
		{Pattern: "GET /workouts/new", Handler: web.Member(p.newWorkout)},
		{Pattern: "POST /workouts", Handler: web.Member(p.saveWorkout)},
		{Pattern: "GET /workouts/{id}", Handler: web.Member(p.workout)},
		{Pattern: "GET /workouts/{id}/edit", Handler: web.Member(p.editWorkout)},
		{Pattern: "GET /workouts/{id}/delete", Handler: web.Member(p.askDeleteWorkout)},
		{Pattern: "POST /workouts/{id}/delete", Handler: web.Member(p.deleteWorkout)},

		{Pattern: "POST /workouts/{id}/repeat", Handler: web.Member(p.repeatWorkout)},

		{Pattern: "GET /bin", Handler: web.Member(p.bin)},
		{Pattern: "POST /bin/{id}/restore", Handler: web.Member(p.restore)},

		{Pattern: "GET /workouts/{id}/session", Handler: web.Member(p.session)},
		{Pattern: "POST /workouts/{id}/session", Handler: web.Member(p.rateSession)},
		{Pattern: "POST /workouts/{id}/lifts/{lid}/swap", Handler: web.Member(p.swapLift)},
		{Pattern: "POST /workouts/{id}/sets/{sid}/complete", Handler: web.Member(p.completeSet)},

		{Pattern: "GET /workouts/{id}/sets", Handler: web.Member(p.sets)},
		{Pattern: "GET /workouts/{id}/sets/new", Handler: web.Member(p.newSet)},
		{Pattern: "POST /workouts/{id}/sets/new", Handler: web.Member(p.createSet)},
		{Pattern: "GET /workouts/{id}/sets/{sid}", Handler: web.Member(p.set)},
		{Pattern: "POST /workouts/{id}/sets/{sid}", Handler: web.Member(p.updateSet)},
		{Pattern: "GET /workouts/{id}/sets/{sid}/edit", Handler: web.Member(p.editSet)},
		{Pattern: "GET /workouts/{id}/sets/{sid}/delete", Handler: web.Member(p.askDeleteSet)},
		{Pattern: "POST /workouts/{id}/sets/{sid}/delete", Handler: web.Member(p.deleteSet)},
	}...)
}
