package probe

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"tectonic/internal/bedrock/fault"
)

// ClientName is what the registrations of a probe are called.
const ClientName = "tectonic doctor (throw-away, may be deleted)"

// ClaudeCode is the client_id of Claude Code: the address of its metadata
// document.
const ClaudeCode = "https://claude.ai/oauth/claude-code-client-metadata"

// limit is how long one request may take; an assistant waits no longer either.
const limit = 15 * time.Second

// Options says what to probe and how far to go.
type Options struct {
	URL    string // of the MCP endpoint as it would be typed into an assistant; without a path, the server's first endpoint
	Token  string // bearer token; "" leaves out what needs one
	Origin string // of a browser's page that must be let in; "" = the server's own
	// Document is a client_id that the server has to fetch; "" leaves that out.
	Document string
	Agent    string        // User-Agent; "" = tectonic-doctor
	Limit    time.Duration // for one request; 0 = 15 s
}

// Status is how a check ended.
type Status string

// The ways in which a check ends.
const (
	Pass    Status = "pass"
	Fail    Status = "fail"
	Skipped Status = "skipped"
)

// Check is one line of the report.
type Check struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`    // what should be so
	Pitfalls []string `json:"pitfalls"` // numbers such as P24
	Status   Status   `json:"status"`
	Found    string   `json:"found,omitempty"` // what was seen, or why it was skipped
	Fix      string   `json:"fix,omitempty"`   // what to change
}

// Report is what a probe found.
type Report struct {
	URL        string  `json:"url"` // of the endpoint that was probed
	Passed     int     `json:"passed"`
	Failed     int     `json:"failed"`
	Skipped    int     `json:"skipped"`
	ClientName string  `json:"client_name"` // of the registrations that were left behind
	Registered int     `json:"registered"`  // how many those are
	Checks     []Check `json:"checks"`
}

// finding is how a check ended and what is told about it.
type finding struct {
	status     Status
	found, fix string
}

func pass(found string) finding      { return finding{status: Pass, found: found} }
func fail(found, fix string) finding { return finding{Fail, found, fix} }
func skip(why string) finding        { return finding{status: Skipped, found: why} }

// need is what a check cannot do without.
type need int

const (
	nothing   need = iota
	aDoor          // an endpoint that asks for a token
	aDocument      // the authorization server's metadata
	aClient        // a registration that worked
	aToken         // a token that was handed in
	aSession       // a handshake that worked, with that token
)

type check struct {
	id, pitfalls, title string
	needs               need
	run                 func(*visit, context.Context) finding
}

// Run probes a server. The error is a refusal of the options; whatever is
// wrong with the server is in the report.
func Run(ctx context.Context, o Options) (Report, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Fragment != "" {
		return Report{}, fault.BadArgument("%q is no address of a server.", o.URL).Next("Type it as into an assistant, such as https://log.example/mcp.")
	}
	v := newVisit(o, u)
	if strings.Trim(u.Path, "/") == "" {
		v.path = v.firstEndpoint(ctx)
	}
	report := Report{URL: v.endpoint(), ClientName: ClientName}
	for _, c := range slices.Concat(door, discovery, registration, authorization, calls) {
		report.add(c, v.examine(ctx, c))
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
	}
	report.Registered = v.registered
	return report, nil
}

func (r *Report) add(c check, f finding) {
	r.Checks = append(r.Checks, Check{
		ID: c.id, Title: c.title, Pitfalls: append([]string{}, strings.Fields(c.pitfalls)...), Status: f.status, Found: oneLine(f.found), Fix: oneLine(f.fix),
	})
	switch f.status {
	case Pass:
		r.Passed++
	case Fail:
		r.Failed++
	default:
		r.Skipped++
	}
}

// examine runs a check unless what it needs is missing: one fault is one line
// and not twenty.
func (v *visit) examine(ctx context.Context, c check) finding {
	if why := v.lacks(c.needs); why != "" {
		return skip(why)
	}
	return c.run(v, ctx)
}

func (v *visit) lacks(n need) string {
	switch {
	case v.unreached:
		return "the server was not reached"
	case n == aDocument && v.server.Issuer == "":
		return "the authorization server's metadata was not read"
	case n == aClient && v.client == "":
		return "no registration worked"
	case n >= aToken && v.o.Token == "":
		return "needs --token"
	case (n == aDoor || n >= aToken) && v.shut:
		return "the endpoint does not ask for a token"
	case n == aSession && v.version == "":
		return "there was no handshake"
	}
	return ""
}

// visit is one probe: where it goes, and what it has learnt on the way.
type visit struct {
	o            Options
	web          *http.Client
	origin, path string // of the endpoint; path has no final slash

	unreached  bool   // no answer came at all
	shut       bool   // the endpoint did not ask for a token
	refused    answer // to a call without a token
	resource   resourceDocument
	server     serverDocument
	client     string // of the registration for loopback
	registered int
	version    string // that initialize agreed on
	session    string
	declared   map[string]json.RawMessage // capabilities
	tools      []tool
}

func newVisit(o Options, u *url.URL) *visit {
	return &visit{
		o: o, origin: u.Scheme + "://" + u.Host, path: strings.TrimSuffix(u.EscapedPath(), "/"),
		web: &http.Client{
			Timeout:       cmp.Or(o.Limit, limit),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

func (v *visit) endpoint() string { return v.origin + v.path }

// firstEndpoint asks the server for its endpoint, when only a host was typed.
func (v *visit) firstEndpoint(ctx context.Context) string {
	var doc resourceDocument
	a := v.get(ctx, v.origin+resourcePath)
	if json.Unmarshal(a.body, &doc) == nil {
		if u, err := url.Parse(doc.Resource); err == nil && strings.Trim(u.Path, "/") != "" {
			return strings.TrimSuffix(u.EscapedPath(), "/")
		}
	}
	return "/mcp"
}

// publicAddress is the setting that most failures of discovery come down to.
func (v *visit) publicAddress() string {
	return "Set MCP_PUBLIC_BASE_URL=" + v.origin + " and start the server again."
}
