package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"tectonic/internal/bedrock/fault"
)

// Handler is a page handler. It returns its error instead of writing it; a
// form that is refused is no error but a page rendered with status 422.
type Handler func(http.ResponseWriter, *http.Request) error

// Handle makes a Handler a http.Handler that shows its error: a refusal with
// its own sentence and status, anything else as 500 with a reference.
func Handle(h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			showError(w, r, err)
		}
	})
}

// problem is an error in the words of its reader.
type problem struct {
	Status    int
	Title     string
	Sentence  string
	Reference string
	Retry     bool // the same request may work later
}

// showError answers with the error page, or for an htmx request with the
// panel that the page has for problems: what was typed stays where it is.
func showError(w http.ResponseWriter, r *http.Request, err error) {
	if gone(r) {
		return
	}
	if unauthenticated(err) {
		toSignIn(w, r, visitOf(r.Context()))
		return
	}
	p := problemOf(r, err)
	if p.Status >= http.StatusInternalServerError {
		report(r, p, err)
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if wait := retryAfter(err); wait > 0 {
		h.Set("Retry-After", strconv.FormatInt(wait, 10))
	}
	// The deadline may be why the request failed; the answer needs none.
	r = r.WithContext(context.WithoutCancel(r.Context()))
	if IsHTMX(r) && !restoresHistory(r) {
		h.Set("HX-Retarget", "#problem")
		h.Set("HX-Reswap", "innerHTML")
		write(w, r, p.Status, problemPanel(p))
		return
	}
	write(w, r, p.Status, errorPage(p))
}

func unauthenticated(err error) bool {
	r, ok := errors.AsType[*fault.Refusal](err)
	return ok && r.Code == fault.CodeUnauthenticated
}

func problemOf(r *http.Request, err error) problem {
	p := problem{Reference: Reference(r)}
	if m, ok := errors.AsType[*missingRoute](err); ok {
		return missing(p, m.status)
	}
	refusal := refusalOf(err)
	p.Status = refusal.HTTPStatus()
	p.Title = titles[p.Status]
	p.Sentence = refusal.Sentence()
	p.Retry = refusal.Kind == fault.Unavailable || refusal.Code == fault.CodeTimeout
	if p.Title == "" {
		p.Title = "That did not work"
	}
	if refusal.Code == fault.CodeInternal {
		p.Sentence = "Something went wrong on the server, and it was written down. Try again; if it happens again, give this reference to your administrator."
	} else if p.Status < http.StatusInternalServerError {
		p.Reference = refusal.Ref
	}
	return p
}

func missing(p problem, status int) problem {
	p.Status, p.Reference = status, ""
	if status == http.StatusMethodNotAllowed {
		p.Title, p.Sentence = "This address takes another method", "A page was asked for in a way that it does not know. Go back and use the form or the link on the page."
		return p
	}
	p.Status, p.Title, p.Sentence = http.StatusNotFound, titles[http.StatusNotFound], "There is no page at this address. It may have been removed, or the address has a typing mistake in it."
	return p
}

var titles = map[int]string{
	http.StatusBadRequest:            "That request does not make sense",
	http.StatusForbidden:             "That was not allowed",
	http.StatusNotFound:              "Not found",
	http.StatusConflict:              "That is in the way of something",
	http.StatusRequestEntityTooLarge: "That is too large",
	http.StatusUnprocessableEntity:   "That was refused",
	http.StatusTooManyRequests:       "Too many tries",
	http.StatusInternalServerError:   "Something went wrong",
	http.StatusServiceUnavailable:    "Not available right now",
	http.StatusGatewayTimeout:        "That took too long",
}

// refusalOf translates the errors of the standard library that have a meaning
// for a reader.
func refusalOf(err error) *fault.Refusal {
	if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &fault.Refusal{Kind: fault.TooLarge, Code: fault.CodeTooLarge, Message: "The form is larger than " + Bytes(big.Limit) + ", so it was not read.", Remedy: "Send less at once.", Cause: err}
	}
	if _, ok := errors.AsType[*fault.Refusal](err); !ok && errors.Is(err, context.DeadlineExceeded) {
		return fault.TookTooLong(err)
	}
	return fault.From(err)
}

// retryAfter returns the seconds to wait before another try, or 0.
func retryAfter(err error) int64 {
	r := refusalOf(err)
	if r.Details != nil && r.Details.RetryAfterS != nil {
		return *r.Details.RetryAfterS
	}
	if r.Kind == fault.Unavailable {
		return 5
	}
	return 0
}

func report(r *http.Request, p problem, err error) {
	v := visitOf(r.Context())
	v.site.o.Log.LogAttrs(r.Context(), slog.LevelError, "request failed",
		slog.String("ref", v.reference), slog.Int("status", p.Status), slog.String("error", fault.Redact(causes(err))))
	if v.site.o.Report != nil && p.Status == http.StatusInternalServerError {
		v.site.o.Report(r.Context(), err, v.reference)
	}
}

// causes returns the error with what a refusal keeps from its reader.
func causes(err error) string {
	if r, ok := errors.AsType[*fault.Refusal](err); ok && r.Cause != nil {
		return err.Error() + ": " + r.Cause.Error()
	}
	return err.Error()
}
