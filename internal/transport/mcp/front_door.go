package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/bedrock/id"
)

// Credentials tells who presents a bearer token to a plate and until when it
// holds (zero = no end). A token that may not is refused as unauthenticated.
type Credentials func(ctx context.Context, bearer, plate string) (contract.Caller, time.Time, error)

// The ways to tell a missing scope: MCP_SCOPE_CHALLENGE.
const (
	ChallengeAuto   = "auto"   // 403 to modern clients, a readable result to the others
	ChallengeHTTP   = "http"   // always 403
	ChallengeResult = "result" // always a readable result
)

// HTTPOptions is what an HTTP endpoint needs beside its tools.
type HTTPOptions struct {
	BaseURL   string      // public origin, without a final slash
	Path      string      // of the endpoint, such as "/mcp"
	Hosts     []string    // further Host headers to answer to: MCP_ALLOWED_HOSTS
	Origins   []string    // origins of browsers that may call: MCP_ALLOWED_ORIGINS
	Scopes    []string    // named in challenges
	Challenge string      // how a missing scope is told; "" = auto
	Slow      bool        // every call goes through the SDK: MCP_FAST_PATH=off
	MaxBody   int64       // bytes; 0 = 1 MiB
	Rates     *gate.Rates // per grant

	Credentials Credentials
	// Denied writes down that a caller was turned away at the door; folded is
	// set when nobody was named. It may be nil.
	Denied func(ctx context.Context, who contract.Caller, claim string, r *fault.Refusal, folded bool)
	// Trouble keeps what an owner can fix by a setting, for the page that
	// explains why an assistant fails. It may be nil.
	Trouble func(setting, what string)
	// Stopping is closed when the server begins to stop: streams end.
	Stopping <-chan struct{}
}

// FrontDoor is the MCP endpoint of one plate over HTTP. It reads no cookie.
type FrontDoor struct {
	e      *Endpoint
	o      HTTPOptions
	hosts  hosts
	all    *served // every tool
	reads  *served // the tools that only read, for ?mode=read
	stream time.Duration
	open   *streams

	methods []string // served beside those of a plate
	talking []string // tools that are always answered with a stream
}

// NewFrontDoor returns the endpoint with the tools of e.
func NewFrontDoor(e *Endpoint, o HTTPOptions) *FrontDoor {
	d := newFrontDoor(e, o)
	d.all, d.reads = newServed(e, false, d.o.MaxBody), newServed(e, true, d.o.MaxBody)
	return d
}

func newFrontDoor(e *Endpoint, o HTTPOptions) *FrontDoor {
	if o.MaxBody == 0 {
		o.MaxBody = contract.DefaultMaxBody
	}
	if o.Challenge == "" {
		o.Challenge = ChallengeAuto
	}
	return &FrontDoor{e: e, o: o, hosts: newHosts(o.BaseURL, o.Hosts), stream: recheck, open: newStreams()}
}

// ServeHTTP lets a request through the checks in their order; the first that
// fails answers.
func (d *FrontDoor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Tectonic-Contract", strconv.Itoa(contract.Version))
	v := &visitor{FrontDoor: d, w: w, r: r, correlator: correlatorOf(r)}
	h.Set("X-Request-Id", v.correlator)
	for _, check := range []func() bool{
		v.knownHost, v.knownOrigin, v.preflight, v.reader, v.authenticated, v.posts, v.knownMode, v.json, v.read, v.parsed,
		v.knownVersion, v.knownMethod, v.withinRate, v.inScope,
	} {
		if !check() {
			return
		}
	}
	v.answer()
}

// visitor is one request on its way through the door.
type visitor struct {
	*FrontDoor
	w          http.ResponseWriter
	r          *http.Request
	correlator string
	who        contract.Caller
	expires    time.Time
	body       []byte
	m          message
	modern     bool
	reading    bool // the address is that of the reading tools
}

// clientsOwn begins a correlator that a client chose, so that it is never one of
// ours: those begin with "rf_".
const clientsOwn = "client:"

// correlatorOf returns the request id that the client sent, marked as its own,
// or makes one.
func correlatorOf(r *http.Request) string {
	given := clientsOwn + r.Header.Get("X-Request-Id")
	if given != clientsOwn && len(given) <= 128 && !strings.ContainsFunc(given, func(c rune) bool { return c < '!' || c > '~' }) {
		return given
	}
	return id.Ref()
}

func (v *visitor) knownHost() bool {
	if v.hosts.allow(v.r.Host) {
		return true
	}
	v.trouble("MCP_ALLOWED_HOSTS", v.r.Host)
	v.forbid("Forbidden: this server does not answer for that Host.")
	return false
}

func (v *visitor) knownOrigin() bool {
	origin := v.r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	listed := slices.ContainsFunc(v.o.Origins, func(o string) bool { return strings.EqualFold(o, origin) })
	if !listed && !sameOrigin(origin, v.r.Host) {
		v.trouble("MCP_ALLOWED_ORIGINS", origin)
		v.forbid("Forbidden: that Origin is not allowed here.")
		return false
	}
	h := v.w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Expose-Headers", "WWW-Authenticate, MCP-Protocol-Version, Retry-After")
	return true
}

// trouble logs what the owner can fix by a setting, and keeps it for the page
// that explains.
func (v *visitor) trouble(setting, what string) {
	what = printable(what)
	v.e.Log.LogAttrs(v.r.Context(), slog.LevelWarn, "an assistant was turned away", slog.String("value", what), slog.String("setting", setting))
	if v.o.Trouble != nil {
		v.o.Trouble(setting, what)
	}
}

// mostShown is how much of a header is kept, in characters.
const mostShown = 200

// printable returns what a log and a page can show of a header.
func printable(text string) string {
	text = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
	runes := []rune(text)
	return string(runes[:min(len(runes), mostShown)])
}

func (v *visitor) forbid(text string) {
	v.denied(contract.Caller{}, "", &fault.Refusal{Kind: fault.Denied, Code: "forbidden", Message: text}, true)
	rpcError(v.w, http.StatusForbidden, nil, codeForbidden, text)
}

func (v *visitor) denied(who contract.Caller, claim string, r *fault.Refusal, folded bool) {
	if v.o.Denied == nil {
		return
	}
	who.Transport, who.Correlator, who.Address = contract.OverMCPHTTP, v.correlator, v.r.RemoteAddr
	v.o.Denied(v.r.Context(), who, claim, r, folded)
}

// corsHeaders are those that a browser may send.
var corsHeaders = []string{
	"Authorization", "Content-Type", "Accept", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID",
}

// preflight answers OPTIONS, without asking for a token.
func (v *visitor) preflight() bool {
	if v.r.Method != http.MethodOptions {
		return true
	}
	allowed := slices.Clone(corsHeaders)
	for name := range strings.SplitSeq(v.r.Header.Get("Access-Control-Request-Headers"), ",") {
		if name = strings.TrimSpace(name); strings.HasPrefix(strings.ToLower(name), "mcp-param-") {
			allowed = append(allowed, name)
		}
	}
	h := v.w.Header()
	h.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
	h.Set("Access-Control-Allow-Headers", strings.Join(allowed, ", "))
	h.Set("Access-Control-Max-Age", "600")
	h.Set("Allow", "POST, OPTIONS")
	v.w.WriteHeader(http.StatusNoContent)
	return false
}

// reader tells a person who opens the address in a browser what it is.
func (v *visitor) reader() bool {
	if v.r.Method != http.MethodGet || v.r.Header.Get("Authorization") != "" || !strings.Contains(v.r.Header.Get("Accept"), "text/html") {
		return true
	}
	v.challenge(false).send(v.w)
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
	v.w.WriteHeader(http.StatusUnauthorized)
	fmt.Fprintf(v.w, `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex"><meta name="viewport" content="width=device-width">
<title>MCP endpoint of %[1]s</title><h1>This is the MCP endpoint of %[1]s</h1>
<p>It is for assistants, not for browsers. <a href="%[2]s/connections">How to connect an assistant</a></p></html>
`, html.EscapeString(v.e.Title), html.EscapeString(v.o.BaseURL))
	return false
}

// authenticated checks the bearer token. Session cookies mean nothing here.
func (v *visitor) authenticated() bool {
	token, ok := contract.BearerToken(v.r.Header.Get("Authorization"))
	if !ok {
		v.unauthorized("", false)
		return false
	}
	who, expires, err := v.o.Credentials(v.r.Context(), token, v.e.Tools.Plate())
	if err != nil {
		v.refuseToken(token, err)
		return false
	}
	who.Transport, who.Correlator, who.Address = contract.OverMCPHTTP, v.correlator, v.r.RemoteAddr
	v.who, v.expires = who, expires
	return true
}

// refuseToken answers a token that does not verify. A database that cannot be
// reached is no reason to call the token bad: the client would throw it away.
func (v *visitor) refuseToken(token string, err error) {
	r := fault.From(err)
	if r.Code == fault.CodeUnauthenticated {
		v.unauthorized(token, true)
		return
	}
	v.e.logCause(v.r.Context(), "", err)
	v.w.Header().Set("Retry-After", "5")
	rpcError(v.w, r.HTTPStatus(), nil, r.HTTPStatus()*10, r.Sentence())
}

const badToken = "The access token is missing, expired, revoked or not for this resource"

func (v *visitor) challenge(presented bool) *challenge {
	c := newChallenge().with("realm", "tectonic-mcp").with("resource_metadata", v.metadataURL()).with("scope", strings.Join(v.o.Scopes, " "))
	if presented {
		c.with("error", "invalid_token").with("error_description", badToken)
	}
	return c
}

func (v *visitor) metadataURL() string {
	return v.o.BaseURL + "/.well-known/oauth-protected-resource" + v.o.Path
}

func (v *visitor) unauthorized(token string, presented bool) {
	v.denied(contract.Caller{}, claimOf(token), fault.Deny(fault.CodeUnauthenticated, "%s.", badToken), !presented)
	v.challenge(presented).send(v.w)
	rpcError(v.w, http.StatusUnauthorized, nil, codeToken, "Missing or invalid bearer token.")
}

func (v *visitor) posts() bool {
	if v.r.Method == http.MethodPost {
		return true
	}
	v.w.Header().Set("Allow", "POST, OPTIONS")
	rpcError(v.w, http.StatusMethodNotAllowed, nil, codeHTTPMethod, "This endpoint takes POST.")
	return false
}

// knownMode refuses an address that asks for a mode in a way that would be
// overlooked: who asks for reading only must not get more.
func (v *visitor) knownMode() bool {
	query, err := url.ParseQuery(v.r.URL.RawQuery)
	for name, values := range query {
		if !strings.EqualFold(name, "mode") {
			continue
		}
		if v.reading = name == "mode" && len(values) == 1 && values[0] == "read"; !v.reading {
			err = errors.New("an unknown mode")
		}
	}
	if err == nil {
		return true
	}
	rpcError(v.w, http.StatusBadRequest, nil, codeInvalidRequest, "The address takes ?mode=read, or no mode at all.")
	return false
}

func (v *visitor) json() bool {
	kind, _, err := mime.ParseMediaType(v.r.Header.Get("Content-Type"))
	if err == nil && kind == "application/json" {
		return true
	}
	rpcError(v.w, http.StatusUnsupportedMediaType, nil, codeMediaType, "Send the request as application/json.")
	return false
}

func (v *visitor) read() bool {
	body, err := io.ReadAll(http.MaxBytesReader(v.w, v.r.Body, v.o.MaxBody))
	if _, big := errors.AsType[*http.MaxBytesError](err); big {
		rpcError(v.w, http.StatusRequestEntityTooLarge, nil, codeInvalidRequest, fmt.Sprintf("A request has at most %d bytes.", v.o.MaxBody))
		return false
	}
	if err != nil {
		rpcError(v.w, http.StatusBadRequest, nil, codeParse, "The request could not be read.")
		return false
	}
	v.body = body
	return true
}

func (v *visitor) parsed() bool {
	text := bytes.TrimSpace(v.body)
	switch {
	case !json.Valid(text):
		rpcError(v.w, http.StatusBadRequest, nil, codeParse, "The request is not JSON.")
	case text[0] == '[':
		rpcError(v.w, http.StatusBadRequest, nil, codeInvalidRequest, "Batches are not taken. Send one message per request.")
	case text[0] != '{':
		rpcError(v.w, http.StatusBadRequest, nil, codeInvalidRequest, "A request is a JSON object.")
	default:
		m, err := parse(text)
		if err != nil {
			rpcError(v.w, http.StatusBadRequest, nil, codeInvalidRequest, "A key of the message is there twice.")
			return false
		}
		v.m = m
		v.modern = v.m.modern(v.r.Header)
		return true
	}
	return false
}

// knownVersion refuses a version that is not served. A client of a later one
// than ours reads from the answer which to try instead.
func (v *visitor) knownVersion() bool {
	version := v.r.Header.Get(versionHeader)
	switch {
	case version == "" || slices.Contains(versions, version):
		return true
	case version >= modern:
		version = version[:min(len(version), 32)]
		writeJSON(v.w, http.StatusBadRequest, map[string]any{"jsonrpc": "2.0", "id": v.m.id(), "error": map[string]any{
			"code": codeLaterVersion, "message": "Unsupported protocol version", "data": map[string]any{"supported": versions, "requested": version},
		}})
		return false
	}
	rpcError(v.w, http.StatusBadRequest, v.m.id(), codeVersion, fmt.Sprintf("Protocol version %.32q is not served. Use one of %s.", version, strings.Join(versions, ", ")))
	return false
}

func (v *visitor) knownMethod() bool {
	if v.m.Method == "" || v.m.served(v.modern) || slices.Contains(v.methods, v.m.Method) {
		return true // a message without a method is answered by the SDK
	}
	if v.m.notification() {
		v.w.WriteHeader(http.StatusAccepted)
		return false
	}
	status := http.StatusOK
	if v.modern {
		status = http.StatusNotFound
	}
	rpcError(v.w, status, v.m.id(), codeNoMethod, fmt.Sprintf("Method not found: %q. This server serves tools only.", v.m.Method))
	return false
}

func (v *visitor) withinRate() bool {
	r := v.o.Rates.Take(v.who)
	if r == nil {
		return true
	}
	v.denied(v.who, "", r, false)
	v.w.Header().Set("Retry-After", strconv.FormatInt(*r.Details.RetryAfterS, 10))
	rpcError(v.w, http.StatusTooManyRequests, v.m.id(), codeRate, r.Sentence())
	return false
}

// inScope answers a call whose scope is missing with 403 where the client is
// specified to ask for more, and lets the gate explain it elsewhere.
func (v *visitor) inScope() bool {
	if v.m.Method != callTool || v.m.notification() || !v.challenges() {
		return true
	}
	tool, err := v.served().tool(v.m.Params.Name)
	if err != nil || v.who.Has(tool.Scope) {
		return true
	}
	_, err = v.e.Gate.Call(v.r.Context(), v.who, gate.Request{Plate: v.e.Tools.Plate(), Tool: tool.Name, Args: v.m.Params.Arguments})
	r := fault.From(err) // the gate asks for the scope before anything else
	newChallenge().with("error", "insufficient_scope").with("scope", tool.Scope).
		with("resource_metadata", v.metadataURL()).with("error_description", r.Sentence()).send(v.w)
	rpcError(v.w, http.StatusForbidden, v.m.id(), codeScope, r.Sentence())
	return false
}

func (v *visitor) challenges() bool {
	return v.o.Challenge == ChallengeHTTP || v.o.Challenge == ChallengeAuto && v.modern
}

// served returns the tools that the address offers.
func (v *visitor) served() *served {
	if v.reading {
		return v.reads
	}
	return v.all
}

// answer runs the call here when it is a plain one, and else in the SDK.
func (v *visitor) answer() {
	if !v.o.Slow && v.plain() {
		v.run()
		return
	}
	r := v.r.WithContext(v.r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(v.body)), int64(len(v.body))
	r.Header = r.Header.Clone()
	r.Header.Set("Accept", "application/json, text/event-stream") // scripts leave it out
	r.Header.Del("Last-Event-ID")
	r.Header.Del("Mcp-Session-Id")
	if !v.m.streams() && !slices.Contains(v.talking, v.m.Params.Name) {
		v.served().json.ServeHTTP(v.w, withCaller(r, v.who))
		return
	}
	v.listen(r)
}
