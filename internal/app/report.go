package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/getsentry/sentry-go"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/config"
)

// reporter sends unexpected errors to Sentry, in the tiers that serve real
// people and only when they were told where. What it sends is the error without
// passwords and a reference: no request, no arguments, no personal data.
type reporter struct{ hub *sentry.Hub }

func newReporter(c config.Config, log *slog.Logger) (*reporter, error) {
	if !c.Tier.Careful() {
		return &reporter{}, nil
	}
	if c.SentryDSN == "" {
		log.Warn("error reports are off: SENTRY_DSN is not set")
		return &reporter{}, nil
	}
	client, err := sentry.NewClient(sentry.ClientOptions{
		Dsn: string(c.SentryDSN), Environment: string(c.Tier), Release: "tectonic@" + Version,
		BeforeSend: func(e *sentry.Event, _ *sentry.EventHint) *sentry.Event { return redact(e) },
	})
	if err != nil {
		return nil, fault.BadArgument("SENTRY_DSN cannot be used: it takes the address that Sentry shows for the project.").Because(err)
	}
	return &reporter{hub: sentry.NewHub(client, sentry.NewScope())}, nil
}

func (r *reporter) report(_ context.Context, err error, reference string) {
	if r.hub == nil {
		return
	}
	r.hub.WithScope(func(scope *sentry.Scope) {
		scope.SetTag("reference", reference)
		r.hub.CaptureException(err)
	})
}

// redact takes the passwords out of every text of an error.
func redact(e *sentry.Event) *sentry.Event {
	e.Message = fault.Redact(e.Message)
	for i := range e.Exception {
		e.Exception[i].Value = fault.Redact(e.Exception[i].Value)
	}
	return e
}

func (r *reporter) flush() {
	if r.hub != nil {
		r.hub.Flush(2 * time.Second)
	}
}
