package app

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/config"
)

func TestAReportHoldsNoPassword(t *testing.T) {
	t.Parallel()
	sent := make(chan string, 1)
	sentry := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // an empty body fails the test below
		sent <- string(body)
	}))
	defer sentry.Close()
	r, err := newReporter(config.Config{
		Tier: config.Production, SentryDSN: config.Secret(strings.Replace(sentry.URL, "http://", "http://key@", 1) + "/1"),
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	lost := fault.NotReachable(errors.New("dial postgres://lifter:secret-word@host/db: refused"))
	r.report(t.Context(), fmt.Errorf("open with password=secret-word: %w", lost), "rf_one")
	r.flush()
	body := <-sent
	if strings.Contains(body, "secret-word") || !strings.Contains(body, "lifter:xxxxx@host") || !strings.Contains(body, "rf_one") {
		t.Errorf("sent %s", body)
	}
}
