package pages

import (
	"net/http"
	"slices"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

const (
	referencePath = "/api"
	documentPath  = "/api/openapi.json"
	tokensPath    = "/settings/tokens"
	keyHeader     = "Idempotency-Key" // makes a write safe to repeat
)

// Plate is one whose tools are shown.
type Plate struct {
	Title string
	Tools *contract.Registry
}

// Deps is what the page stands on.
type Deps struct {
	Plates  []Plate
	Address string // origin of the API, without a final slash
}

// Routes returns the page. It is readable without an account.
func Routes(d Deps) []web.Route {
	v := view{Address: d.Address}
	for _, p := range d.Plates {
		v.Plates = append(v.Plates, describe(p, d.Address))
	}
	show := func(w http.ResponseWriter, r *http.Request) error {
		return web.Render(w, r, http.StatusOK, referencePage(v))
	}
	return []web.Route{{Pattern: "GET " + referencePath, Handler: web.Handle(show)}}
}

// view is the whole page; it is the same for every reader.
type view struct {
	Address string
	Plates  []plate
}

type plate struct {
	Name, Title string
	Tools       []tool
}

type tool struct {
	*contract.Tool
	Path      string
	Arguments []argument
	Example   string // a call for the command line
}

func describe(p Plate, address string) plate {
	out := plate{Name: p.Tools.Plate(), Title: p.Title}
	for _, t := range p.Tools.Tools() {
		if !t.Offered(contract.OverAPI) {
			continue
		}
		s := read(t.Input)
		one := tool{Tool: t, Path: "/api/v1/" + out.Name + "/" + t.Name, Arguments: s.arguments("")}
		one.Example = example(t.ReadOnly.True(), address+one.Path, s)
		out.Tools = append(out.Tools, one)
	}
	return out
}

// limited reports whether any argument has a range, explained whether any has
// a meaning that its name does not say.
func (t tool) limited() bool {
	return slices.ContainsFunc(t.Arguments, func(a argument) bool { return a.Range != "" })
}

func (t tool) explained() bool {
	return slices.ContainsFunc(t.Arguments, func(a argument) bool { return a.Doc != "" })
}

// columns leaves out those that would be empty.
func columns(t tool) []ui.Column {
	list := []ui.Column{{Title: "Argument"}, {Title: "Type"}}
	if t.limited() {
		list = append(list, ui.Column{Title: "Range"})
	}
	if t.explained() {
		list = append(list, ui.Column{Title: "Meaning"})
	}
	return list
}

// methods says how the address is asked.
func (t tool) methods() string {
	if t.ReadOnly.True() {
		return "GET or POST"
	}
	return "POST"
}
