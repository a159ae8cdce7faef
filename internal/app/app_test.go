package app_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/config"
)

func load(t *testing.T, environ ...string) config.Config {
	t.Helper()
	c, err := config.Load(config.Inputs{Flags: map[string]string{"data": t.TempDir()}, Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func open(t *testing.T, c config.Config) (*app.App, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	a, err := app.New(t.Context(), app.Options{Config: c, Log: slog.New(slog.NewTextHandler(&said, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a, &said
}

func get(t *testing.T, a *app.App, path string) (int, map[string]string) {
	t.Helper()
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	var answer map[string]string
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s: %v: %s", path, err, w.Body)
	}
	return w.Code, answer
}

func TestHealth(t *testing.T) {
	t.Parallel()
	a, _ := open(t, load(t))
	if code, answer := get(t, a, "/livez"); code != http.StatusOK || answer["status"] != "ok" {
		t.Errorf("/livez: %d %v", code, answer)
	}
	if code, answer := get(t, a, "/readyz"); code != http.StatusServiceUnavailable || answer["migrations"] != "behind" {
		t.Errorf("/readyz before the migrations: %d %v", code, answer)
	}
	if err := a.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if code, answer := get(t, a, "/healthz"); code != http.StatusOK || answer["db"] != "ok" {
		t.Errorf("/healthz: %d %v", code, answer)
	}
	if code, answer := get(t, a, "/readyz"); code != http.StatusOK || answer["migrations"] != "ok" {
		t.Errorf("/readyz: %d %v", code, answer)
	}
}

func TestPrepareRefusesWhenMigrationIsOff(t *testing.T) {
	t.Parallel()
	a, _ := open(t, load(t, "TECTONIC_MIGRATE=off"))
	r := fault.From(a.Prepare(t.Context()))
	if r == nil || r.Kind != fault.Refused || r.Remedy != "Run: tectonic db migrate" {
		t.Errorf("got %v", r)
	}
}

func TestProductionSaysOnceThatErrorReportsAreOff(t *testing.T) {
	t.Parallel()
	_, said := open(t, load(t, "TECTONIC_ENV=production"))
	if n := strings.Count(said.String(), "error reports are off"); n != 1 {
		t.Errorf("said %d times: %s", n, said)
	}
	_, said = open(t, load(t))
	if said.Len() > 0 {
		t.Errorf("development says: %s", said)
	}
}
