package mcp

import (
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tectonic/internal/bedrock/contract"
)

// Ready is a finished server of the SDK that stands on no gate, such as the
// fixture of the conformance suite.
type Ready struct {
	Title   string
	Name    string // as credentials are asked for it
	Server  *sdk.Server
	Methods []string // served beside those of a plate
	Talking []string // tools that say something while they run, asked to or not
	Log     *slog.Logger
}

// NewReadyDoor returns the endpoint in front of a ready server. The checks at
// the door are those of a plate; all calls go through the SDK, with whatever
// it wants to say while one runs.
func NewReadyDoor(s Ready, o HTTPOptions) *FrontDoor {
	none, err := contract.NewRegistry(s.Name, nil)
	if err != nil {
		panic(err) // there is no tool that could break its contract
	}
	e := &Endpoint{Tools: none, Title: s.Title, Name: s.Name, Log: s.Log}
	o.Slow = true
	d := newFrontDoor(e, o)
	d.all = serving(e, s.Server, d.o.MaxBody)
	d.reads, d.methods, d.talking = d.all, s.Methods, s.Talking
	return d
}
