package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tectonic/internal/bedrock/fault"
)

// Registry holds the tools of one plate.
type Registry struct {
	plate string
	tools []*Tool
	by    map[string]*Tool
}

// toolNameMax is the longest name of a tool that every assistant takes.
const toolNameMax = 64

var toolName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// NewRegistry checks what the tools promise. It fails on the first tool that
// does not keep the contract; scopes is the full vocabulary of the plate.
func NewRegistry(plate string, scopes []string, tools ...Tool) (*Registry, error) {
	r := &Registry{plate: plate, by: map[string]*Tool{}}
	for i := range tools {
		t := &tools[i]
		if err := check(t, scopes); err != nil {
			return nil, fmt.Errorf("plate %s, tool %q: %w", plate, t.Name, err)
		}
		if _, twice := r.by[t.Name]; twice {
			return nil, fmt.Errorf("plate %s has two tools named %q", plate, t.Name)
		}
		r.by[t.Name] = t
		r.tools = append(r.tools, t)
	}
	return r, nil
}

// Plate returns the name of the plate whose tools these are.
func (r *Registry) Plate() string { return r.plate }

// Tools returns the tools in the order of their registration. The caller does
// not own the slice.
func (r *Registry) Tools() []*Tool { return r.tools }

// Tool returns the tool of that name as the transport offers it. An unknown
// name is refused with the list of known ones.
func (r *Registry) Tool(name string, over Transport) (*Tool, error) {
	if t, ok := r.by[name]; ok && t.Offered(over) {
		return t, nil
	}
	var names []string
	for _, t := range r.tools {
		if t.Offered(over) {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	return nil, &fault.Refusal{
		Kind: fault.Invalid, Code: fault.CodeUnknownTool,
		Message: fmt.Sprintf("There is no tool %q here. The tools are: %s.", fault.Clip(name), strings.Join(names, ", ")),
	}
}

func check(t *Tool, scopes []string) error {
	switch {
	case !toolName.MatchString(t.Name):
		return fmt.Errorf("the name does not match %s", toolName)
	case t.Title == "" || t.Says == "" || t.Why == "":
		return fmt.Errorf("title, description and the reason of the hints must be written")
	case !slices.Contains(scopes, t.Scope):
		return fmt.Errorf("scope %q is not one of %s", t.Scope, strings.Join(scopes, ", "))
	case !t.ReadOnly.written() || !t.Destructive.written() || !t.Idempotent.written() || !t.OpenWorld.written():
		return fmt.Errorf("all four hints must be written down")
	case t.ReadOnly.True() && t.Destructive.True():
		return fmt.Errorf("a read-only tool cannot be destructive")
	case t.OpenWorld.True() != t.Outside():
		return fmt.Errorf("open-world and NewOutside go together")
	case t.run == nil && t.outside == nil && t.imports == nil:
		return fmt.Errorf("there is no handler")
	case t.TakesFile() != (t.Attachment > 0):
		return fmt.Errorf("an attachment and NewImport go together")
	case t.TakesFile() && (t.Surfaces&(OnMCP|OnAPI) != 0 || t.OwnKeys):
		return fmt.Errorf("a tool that takes a file is for pages and the command line, and the gate keeps its request ids")
	case t.ByteCap < 0 || t.MaxBody < 0 || t.Timeout < 0 || t.Attachment < 0:
		return fmt.Errorf("a limit is below zero")
	case t.Outside() && !t.ReadOnly.True() && !t.OwnKeys:
		return fmt.Errorf("a write that reaches outside must keep request ids itself")
	}
	if n := utf8.RuneCountInString(t.Description()); n > maxDescription {
		return fmt.Errorf("the description has %d characters, at most %d", n, maxDescription)
	}
	for _, name := range t.shape.Properties.names {
		if forbiddenInput(name) {
			return fmt.Errorf("the input names %q; the tenant comes from the grant", name)
		}
	}
	return nil
}

// Version is the number of the whole product's contract. It is part of every
// answer's metadata and of every record row.
const Version = 4
