package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/bedrock/id"
)

// Options is what the API is made from.
type Options struct {
	Gate    *gate.Gate
	Plates  []Plate
	BaseURL string // public origin, without a final slash
	Version string // of the product
	Log     *slog.Logger
	Rates   *gate.Rates
	// Credentials tells who presents a bearer token to a plate and until when
	// it holds. A token that may not is refused as unauthenticated.
	Credentials func(ctx context.Context, bearer, plate string) (contract.Caller, time.Time, error)
	// Denied writes down that a caller was turned away at the door; folded is
	// set when nobody was named. It may be nil.
	Denied func(ctx context.Context, who contract.Caller, claim string, r *fault.Refusal, folded bool)
}

// Plate is one whose tools are served.
type Plate struct {
	Title string
	Tools *contract.Registry
}

// API answers for all plates.
type API struct {
	o        Options
	document []byte
}

// New returns the API. It fails when the description of the tools cannot be
// written.
func New(o Options) (*API, error) {
	document, err := openAPI(o)
	if err != nil {
		return nil, err
	}
	return &API{o: o, document: document}, nil
}

// Mount adds the addresses.
func (a *API) Mount(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/openapi.json", a.describe)
	mux.HandleFunc("/api/", a.call)
}

func (a *API) describe(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=300")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(a.document) // the reader may be gone
}

// call answers a tool's address, or refuses.
func (a *API) call(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Tectonic-Contract", strconv.Itoa(contract.Version))
	correlator := id.Ref()
	h.Set("X-Request-Id", correlator)
	wire, err := a.answer(w, r, correlator)
	if err != nil {
		a.refuse(w, r, fault.From(err))
		return
	}
	if wire.Replayed {
		h.Set("Idempotency-Replayed", "true")
	}
	_, _ = w.Write(wire.Structured)
}

func (a *API) answer(w http.ResponseWriter, r *http.Request, correlator string) (contract.Wire, error) {
	plate, name, found := address(r.URL.Path)
	tools := a.plate(plate)
	if !found || tools == nil {
		return contract.Wire{}, &fault.Refusal{Kind: fault.Invalid, Code: fault.CodeUnknownTool, Message: "There is nothing at this address. Tools are at /api/v1/<plate>/<tool>.", Remedy: "See /api/openapi.json."}
	}
	who, err := a.who(r, plate, correlator)
	if err != nil {
		return contract.Wire{}, err
	}
	if limited := a.o.Rates.Take(who); limited != nil {
		a.denied(r, who, limited, false)
		return contract.Wire{}, limited
	}
	args, err := a.arguments(w, r, tools, name)
	if err != nil {
		return contract.Wire{}, err
	}
	return a.o.Gate.Call(r.Context(), who, gate.Request{Plate: plate, Tool: name, Args: args, RequestID: r.Header.Get("Idempotency-Key")})
}

// address reads /api/v1/<plate>/<tool>.
func address(path string) (plate, tool string, ok bool) {
	rest, ok := strings.CutPrefix(path, "/api/v1/")
	if !ok {
		return "", "", false
	}
	plate, tool, ok = strings.Cut(strings.TrimSuffix(rest, "/"), "/")
	return plate, tool, ok && tool != "" && !strings.Contains(tool, "/")
}

func (a *API) plate(name string) *contract.Registry {
	for _, p := range a.o.Plates {
		if p.Tools.Plate() == name {
			return p.Tools
		}
	}
	return nil
}

func (a *API) who(r *http.Request, plate, correlator string) (contract.Caller, error) {
	who := contract.Caller{Transport: contract.OverAPI, Correlator: correlator, Address: r.RemoteAddr}
	token, presented := contract.BearerToken(r.Header.Get("Authorization"))
	if !presented {
		missing := fault.Deny(fault.CodeUnauthenticated, "This address needs a token.").Next("Send it as Authorization: Bearer <token>; make one under Settings.")
		a.denied(r, who, missing, true)
		return who, missing
	}
	known, _, err := a.o.Credentials(r.Context(), token, plate)
	if err != nil {
		refusal := fault.From(err)
		if refusal.Code == fault.CodeUnauthenticated {
			a.denied(r, who, refusal, false)
		}
		return who, refusal
	}
	known.Transport, known.Correlator, known.Address = who.Transport, who.Correlator, who.Address
	return known, nil
}

func (a *API) denied(r *http.Request, who contract.Caller, refusal *fault.Refusal, folded bool) {
	if a.o.Denied != nil {
		a.o.Denied(r.Context(), who, "", refusal, folded)
	}
}

// arguments reads them from the body of a POST or the query of a GET. A GET
// never changes anything, so a write is not known over it.
func (a *API) arguments(w http.ResponseWriter, r *http.Request, tools *contract.Registry, name string) (json.RawMessage, error) {
	tool := offered(tools, name)
	switch {
	case tool == nil:
		return nil, nil // the gate says which tools there are, and records it
	case r.Method == http.MethodPost:
		return body(w, r, tool)
	case r.Method == http.MethodGet && tool.ReadOnly.True():
		return query(r, tool)
	}
	allowed := "POST"
	if tool.ReadOnly.True() {
		allowed = "GET, POST"
	}
	w.Header().Set("Allow", allowed)
	return nil, errMethod
}

// offered returns the tool of that name, nil when the API has none.
func offered(tools *contract.Registry, name string) *contract.Tool {
	tool, err := tools.Tool(name, contract.OverAPI)
	if err != nil {
		return nil
	}
	return tool
}

var errMethod = &fault.Refusal{Kind: fault.Invalid, Code: "method_not_allowed", Message: "This tool changes something, or the method is unknown: call it with POST."}

func body(w http.ResponseWriter, r *http.Request, tool *contract.Tool) (json.RawMessage, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.ContentLength != 0 && (err != nil || kind != "application/json") {
		return nil, errMediaType
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(tool.MaxBody)))
	if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, &fault.Refusal{Kind: fault.TooLarge, Code: fault.CodeTooLarge, Message: "The arguments are larger than " + strconv.FormatInt(big.Limit, 10) + " bytes.", Remedy: "Send less in one call.", Cause: err}
	}
	if err != nil {
		return nil, fault.BadArgument("The arguments could not be read.").Because(err)
	}
	return raw, nil
}

var errMediaType = &fault.Refusal{Kind: fault.Invalid, Code: "media_type", Message: "Send the arguments as application/json."}

// query reads arguments from the address. Names that the tool does not know
// go on to the gate, which refuses them with the nearest known one.
func query(r *http.Request, tool *contract.Tool) (json.RawMessage, error) {
	values := r.URL.Query()
	raw, err := tool.FromText(values)
	if err != nil {
		return nil, err
	}
	args := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, fault.Unexpected(err)
	}
	known := map[string]bool{}
	for _, p := range tool.Properties() {
		known[p.Name] = true
	}
	for name := range values {
		if !known[name] {
			args[name] = json.RawMessage("null")
		}
	}
	return contract.Encode(args)
}

func (a *API) refuse(w http.ResponseWriter, r *http.Request, refusal *fault.Refusal) {
	status := refusal.HTTPStatus()
	switch refusal {
	case errMethod:
		status = http.StatusMethodNotAllowed
	case errMediaType:
		status = http.StatusUnsupportedMediaType
	}
	switch {
	case refusal.Code == fault.CodeUnauthenticated:
		w.Header().Set("WWW-Authenticate", `Bearer realm="tectonic-api"`)
	case refusal.Kind == fault.Unavailable:
		w.Header().Set("Retry-After", "5")
		a.o.Log.WarnContext(r.Context(), "call not answered", "error", fault.Explain(refusal))
	case refusal.Details != nil && refusal.Details.RetryAfterS != nil:
		w.Header().Set("Retry-After", strconv.FormatInt(*refusal.Details.RetryAfterS, 10))
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(map[string]any{"error": refusal.Envelope()}) // an envelope always encodes
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes())
}
