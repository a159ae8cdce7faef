package contract

import (
	"slices"
	"strings"
	"time"

	"tectonic/internal/bedrock/fault"
)

// Hint is one of the four promises of a tool. It has no useful zero value, so
// that a promise which was not written down stops the start.
type Hint int

// The two values of a hint.
const (
	Yes Hint = iota + 1
	No
)

// True reports whether the promise is made.
func (h Hint) True() bool { return h == Yes }

func (h Hint) written() bool { return h == Yes || h == No }

// Surface is a set of doors on which a tool is offered.
type Surface uint8

// The doors of a tool. The zero Surface of a Spec means all of them.
const (
	OnMCP Surface = 1 << iota
	OnAPI
	OnCLI
	OnWeb
	Everywhere = OnMCP | OnAPI | OnCLI | OnWeb
)

// String names the doors, as "MCP, API, command line, pages".
func (s Surface) String() string {
	var names []string
	for _, door := range []struct {
		on   Surface
		name string
	}{{OnMCP, "MCP"}, {OnAPI, "API"}, {OnCLI, "command line"}, {OnWeb, "pages"}} {
		if s&door.on != 0 {
			names = append(names, door.name)
		}
	}
	return strings.Join(names, ", ")
}

// Spec says everything about a tool but what it does.
type Spec struct {
	Name  string // as the contract of the plate spells it, stable for ever
	Title string // a short label for people
	Says  string // the published description: what it does, what comes back, when to use another tool

	ReadOnly    Hint // changes no state anywhere
	Destructive Hint // has an effect that the same surface cannot undo
	Idempotent  Hint // repeating it changes nothing more
	OpenWorld   Hint // can reach a system that we do not run
	Why         string

	Scope    string  // what a grant must hold; never empty
	Surfaces Surface // zero = Everywhere

	ByteCap int           // most bytes of the structured answer; zero = 256 KiB
	Narrow  string        // the sentence that says how to ask for less
	MaxBody int           // most bytes of the arguments; zero = 1 MiB
	Timeout time.Duration // zero = the server's

	// Attachment is the most bytes of the file that stands beside the
	// arguments; zero = the tool takes none. Programs send no files, so such
	// a tool is offered on pages and the command line only.
	Attachment int64

	Errors []fault.Code // that the handler itself refuses with, beside those that any call may meet

	AuditReads bool // a read of it is recorded too
	Opaque     bool // a denial shows only a reference
	OwnKeys    bool // the plate keeps request ids itself
}

// The limits that hold where a Spec says nothing.
const (
	DefaultByteCap = 256 << 10
	DefaultMaxBody = 1 << 20
	maxDescription = 2048
)

func (s Spec) withDefaults() Spec {
	if s.Surfaces == 0 {
		s.Surfaces = Everywhere
	}
	if s.ByteCap == 0 {
		s.ByteCap = DefaultByteCap
	}
	if s.MaxBody == 0 {
		s.MaxBody = DefaultMaxBody
	}
	return s
}

// Offered reports whether the tool is offered to calls that come over the
// transport. Jobs and internal calls may use every tool.
func (s Spec) Offered(over Transport) bool {
	door := map[Transport]Surface{
		OverMCPHTTP: OnMCP, OverMCPStdio: OnMCP, OverAPI: OnAPI, OverCLI: OnCLI, OverWeb: OnWeb,
	}[over]
	return door == 0 || s.Surfaces&door != 0
}

// forbiddenInputs would let an argument choose the tenant, which only the
// grant may do.
var forbiddenInputs = []string{"account", "account_id", "workspace", "workspace_id"}

func forbiddenInput(name string) bool { return slices.Contains(forbiddenInputs, name) }
