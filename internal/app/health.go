package app

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"tectonic/internal/bedrock/fault"
)

// healthLimit bounds one check: a monitor must not wait for a hung database.
const healthLimit = 3 * time.Second

// mountHealth adds the addresses that monitors ask: /livez touches nothing,
// /healthz asks the database, /readyz also asks for pending migrations and
// whether the server is stopping.
func (a *App) mountHealth(mux *http.ServeMux) {
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { health(w, map[string]string{"status": "ok"}) })
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), healthLimit)
		defer cancel()
		health(w, a.databaseHealth(ctx))
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), healthLimit)
		defer cancel()
		health(w, a.readiness(ctx))
	})
}

func health(w http.ResponseWriter, answer map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if answer["status"] != "ok" {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(answer) // a monitor that left needs no answer
}

func (a *App) databaseHealth(ctx context.Context) map[string]string {
	if err := a.DB.Ping(ctx); err != nil {
		a.log.WarnContext(ctx, "database does not answer", "error", fault.Explain(err))
		return map[string]string{"status": "unavailable", "db": "unreachable"}
	}
	return map[string]string{"status": "ok", "db": "ok"}
}

func (a *App) readiness(ctx context.Context) map[string]string {
	answer := a.databaseHealth(ctx)
	if answer["status"] != "ok" {
		return answer
	}
	answer["migrations"] = "ok"
	behind, err := a.DB.Behind(ctx, a.Lines())
	if err != nil {
		a.log.WarnContext(ctx, "migrations cannot be read", "error", fault.Explain(err))
	}
	if err != nil || len(behind) > 0 {
		answer["status"], answer["migrations"] = "unavailable", "behind"
	}
	select {
	case <-a.draining:
		answer["status"], answer["draining"] = "unavailable", "yes"
	default:
	}
	return answer
}
