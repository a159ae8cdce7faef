package fault

import (
	"errors"
	"fmt"
	"regexp"
)

// Kind says which sort of no an answer is. The list is closed.
type Kind string

// The kinds, in the order of their HTTP status.
const (
	Invalid     Kind = "invalid"     // the arguments do not make sense
	Denied      Kind = "denied"      // the caller may not
	Refused     Kind = "refused"     // understood, allowed, but against a rule of the product
	NotFound    Kind = "not_found"   // no such row in this workspace
	Conflict    Kind = "conflict"    // it contradicts something that is already there
	TooLarge    Kind = "too_large"   // the answer or the body is over its cap
	Unavailable Kind = "unavailable" // the store cannot be reached; the same call may work later
	Internal    Kind = "fault"       // ours
)

// Code is the machine-readable reason. Plates may add their own.
type Code string

// The codes that bedrock itself uses.
const (
	CodeBadArguments      Code = "bad_arguments"
	CodeUnknownTool       Code = "unknown_tool"
	CodeUnauthenticated   Code = "unauthenticated"
	CodeScopeMissing      Code = "scope_missing"
	CodeWritesDisabled    Code = "writes_disabled"
	CodeRateLimited       Code = "rate_limited"
	CodeRefused           Code = "refused"
	CodeNotFound          Code = "not_found"
	CodeConflict          Code = "conflict"
	CodeTooLarge          Code = "too_large"
	CodeRecordUnavailable Code = "record_unavailable"
	CodeDBUnavailable     Code = "db_unavailable"
	CodeTimeout           Code = "timeout"
	CodeInternal          Code = "internal"
)

// Field names one argument that is wrong. Path is a JSON pointer into the
// arguments, such as "/weight"; "/" is the whole object.
type Field struct {
	Path    string `json:"path"`
	Problem string `json:"problem"`
}

// Details are the figures of a refusal that a program may act on. Which of
// them are set is closed per code; nil means that it does not apply.
type Details struct {
	Narrow      string `json:"narrow,omitempty"`        // the exact narrowing of a too_large answer
	Min         *int64 `json:"min,omitempty"`           // lowest allowed value
	Max         *int64 `json:"max,omitempty"`           // highest allowed value
	Bytes       *int64 `json:"bytes,omitempty"`         // size of the answer that was too large
	Retryable   *bool  `json:"retryable,omitempty"`     // the same call may work later
	RetryAfterS *int64 `json:"retry_after_s,omitempty"` // seconds to wait
	Context     string `json:"context,omitempty"`       // what else a program may need to know
}

// Refusal is an error that the caller can do something about.
type Refusal struct {
	Kind    Kind
	Code    Code
	Message string // a full sentence: what and why
	Remedy  string // a full sentence: what next; may be empty
	Fields  []Field
	Details *Details
	Ref     string // reference of the record row, filled in by the gate
	Cause   error  // never shown to the caller
}

// Error returns the message and the remedy, as a reader of a log needs them.
func (r *Refusal) Error() string { return r.Sentence() }

// Unwrap returns the cause, so that errors.Is sees through a refusal.
func (r *Refusal) Unwrap() error { return r.Cause }

// Sentence returns the message followed by the remedy when there is one.
func (r *Refusal) Sentence() string {
	if r.Remedy == "" {
		return r.Message
	}
	return r.Message + " " + r.Remedy
}

// At returns the refusal with the named argument marked as its reason. The
// name is a property of the tool's input, without the leading slash.
func (r *Refusal) At(name string) *Refusal {
	r.Fields = append(r.Fields, Field{Path: "/" + name, Problem: r.Message})
	return r
}

// Because returns the refusal with the cause kept for the record.
func (r *Refusal) Because(cause error) *Refusal {
	r.Cause = cause
	return r
}

// Next returns the refusal with the sentence that says what to do.
func (r *Refusal) Next(remedy string) *Refusal {
	r.Remedy = remedy
	return r
}

// Problem returns what is wrong with the named argument, or "" when the
// refusal is not about it.
func (r *Refusal) Problem(name string) string {
	for _, f := range r.Fields {
		if f.Path == "/"+name {
			return f.Problem
		}
	}
	return ""
}

// BadArgument refuses arguments that do not make sense.
func BadArgument(format string, args ...any) *Refusal {
	return &Refusal{Kind: Invalid, Code: CodeBadArguments, Message: fmt.Sprintf(format, args...)}
}

// Refuse refuses a request that is against a rule of the product.
func Refuse(format string, args ...any) *Refusal {
	return &Refusal{Kind: Refused, Code: CodeRefused, Message: fmt.Sprintf(format, args...)}
}

// Missing refuses a name or id that this workspace does not have. A row of
// another workspace is missing in exactly the same words.
func Missing(format string, args ...any) *Refusal {
	return &Refusal{Kind: NotFound, Code: CodeNotFound, Message: fmt.Sprintf(format, args...)}
}

// Clash refuses what contradicts something that is already there.
func Clash(format string, args ...any) *Refusal {
	return &Refusal{Kind: Conflict, Code: CodeConflict, Message: fmt.Sprintf(format, args...)}
}

// Deny refuses a caller who may not, with the code that says why.
func Deny(code Code, format string, args ...any) *Refusal {
	return &Refusal{Kind: Denied, Code: code, Message: fmt.Sprintf(format, args...)}
}

// NotReachable refuses because the database cannot be used right now. The
// caller is told to try again; the cause stays here.
func NotReachable(cause error) *Refusal {
	retry := true
	return &Refusal{
		Kind: Unavailable, Code: CodeDBUnavailable,
		Message: "The database cannot be reached right now, so nothing was changed.",
		Remedy:  "Try again in a moment.",
		Details: &Details{Retryable: &retry},
		Cause:   cause,
	}
}

// DiskFull refuses because there is no room for what would be written. What
// is there can still be read.
func DiskFull(cause error) *Refusal {
	r := NotReachable(cause)
	r.Message = "The disk is full, so nothing was changed."
	r.Remedy = "Whoever runs this server has to make room. Then try again."
	return r
}

// TookTooLong refuses a call that ran past its deadline.
func TookTooLong(cause error) *Refusal {
	return &Refusal{
		Kind: Internal, Code: CodeTimeout,
		Message: "The request took too long and was stopped. No change was made.",
		Remedy:  "Try again, or ask for less.",
		Cause:   cause,
	}
}

// Stopped refuses a call whose caller went away before it was done.
func Stopped(cause error) *Refusal {
	return &Refusal{
		Kind: Internal, Code: CodeTimeout,
		Message: "The request was given up before it was done. No change was made.",
		Cause:   cause,
	}
}

// Unexpected is what a caller sees of an error that is ours.
func Unexpected(cause error) *Refusal {
	return &Refusal{
		Kind: Internal, Code: CodeInternal,
		Message: "The tool failed unexpectedly and made no change. Please try again.",
		Cause:   cause,
	}
}

// From returns err as a refusal: itself when it is one, otherwise Unexpected.
// From(nil) is nil.
func From(err error) *Refusal {
	if err == nil {
		return nil
	}
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r
	}
	return Unexpected(err)
}

// HTTPStatus returns the status code of a refusal on the JSON API and, but
// for refused forms, on pages.
func (r *Refusal) HTTPStatus() int {
	switch r.Code {
	case CodeUnknownTool:
		return 404
	case CodeUnauthenticated:
		return 401
	case CodeRateLimited:
		return 429
	case CodeTimeout:
		return 504
	}
	if row, ok := table[r.Kind]; ok {
		return row.status
	}
	return 500
}

// ExitCode returns the exit code of a command that was refused.
func (r *Refusal) ExitCode() int {
	if row, ok := table[r.Kind]; ok {
		return row.exit
	}
	return 1
}

var table = map[Kind]struct{ status, exit int }{
	Internal:    {500, 1},
	Invalid:     {400, 2},
	Denied:      {403, 3},
	Refused:     {422, 3},
	NotFound:    {404, 4},
	Conflict:    {409, 5},
	TooLarge:    {413, 6},
	Unavailable: {503, 7},
}

// Envelope is the one JSON form of a refusal, the same on every surface.
type Envelope struct {
	Code    Code     `json:"code"`
	Message string   `json:"message"`
	Remedy  string   `json:"remedy,omitempty"`
	Fields  []Field  `json:"fields,omitempty"`
	Details *Details `json:"details,omitempty"`
	Ref     string   `json:"ref,omitempty"`
}

// Envelope returns what may leave the server of this refusal.
func (r *Refusal) Envelope() Envelope {
	return Envelope{Code: r.Code, Message: r.Message, Remedy: r.Remedy, Fields: r.Fields, Details: r.Details, Ref: r.Ref}
}

// Explain returns err for a log: its text with the cause that a refusal keeps
// from its caller, without passwords.
func Explain(err error) string {
	text := err.Error()
	if r, ok := errors.AsType[*Refusal](err); ok && r.Cause != nil {
		text += " (" + r.Cause.Error() + ")"
	}
	return Redact(text)
}

var (
	urlPassword   = regexp.MustCompile(`(://[^\s:/@]*):\S*@`)
	namedPassword = regexp.MustCompile(`(?i)(password|passwd|pwd|secret|token)=('[^']*'|[^\s&]+)`)
)

// Redact returns text without the passwords of the connection strings in it,
// for causes that are written to a log.
func Redact(text string) string {
	text = urlPassword.ReplaceAllString(text, "$1:xxxxx@")
	return namedPassword.ReplaceAllString(text, "$1=xxxxx")
}
