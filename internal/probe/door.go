package probe

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// door are the checks of the endpoint by somebody without a token.
var door = []check{
	{"reach", "P24 P26", "the address answers and asks for a token", nothing, (*visit).reach},
	{"https", "", "the address is https, or inside this network", nothing, (*visit).encrypted},
	{"challenge", "P9", "the 401 names the metadata and the scopes", aDoor, (*visit).challenge},
	{"wrong-token", "P9", "a wrong token is told invalid_token, and where to get another", aDoor, (*visit).wrongToken},
	{"slash", "P26", "a slash at the end makes no difference", aDoor, (*visit).slash},
	{"get-refused", "P35", "GET without a token opens nothing", aDoor, (*visit).getRefused},
	{"preflight", "P22 P23", "a browser's preflight needs no token and allows the protocol's headers", aDoor, (*visit).preflight},
	{"exposed", "P21", "a browser can read the 401's challenge", aDoor, (*visit).exposed},
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func (v *visit) knock(ctx context.Context, address string, header ...string) answer {
	return v.send(ctx, http.MethodPost, address, []byte(ping),
		append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, header...)...)
}

func (v *visit) reach(ctx context.Context) finding {
	a := v.knock(ctx, v.endpoint())
	v.refused, v.unreached, v.shut = a, a.err != nil, a.status != http.StatusUnauthorized
	switch {
	case a.err != nil:
		return fail(a.err.Error(), "Check the name, the certificate, and that the server runs and its proxy passes requests on to it.")
	case a.status == http.StatusUnauthorized:
		return pass("")
	case a.status == http.StatusForbidden || a.status == http.StatusMisdirectedRequest:
		return fail("a call without a token: "+a.said(), "The Host is not one of the server's. "+v.publicAddress()+
			" Let the proxy pass the Host header on, or name the host in MCP_ALLOWED_HOSTS.")
	case a.status == http.StatusNotFound:
		return fail("a call without a token: "+a.said(), "Nothing is at "+v.path+": see MCP_ENDPOINT_PATH, and that the proxy passes this path on.")
	case a.location(v.endpoint()) != nil:
		return fail("a call without a token: "+a.said(), "A redirect loses the body or the token. Type the address that it leads to, and let the proxy pass this one on.")
	case a.status >= http.StatusInternalServerError:
		return fail("a call without a token: "+a.said(), "Read the log of the server, and that of the proxy in front of it.")
	}
	return fail("a call without a token: "+a.said(), "The endpoint must answer 401 to it.")
}

func (v *visit) encrypted(context.Context) finding {
	u, err := url.Parse(v.origin)
	if err == nil && u.Scheme == "https" {
		return pass("")
	}
	if err == nil && private(u.Hostname()) {
		return pass("http; Claude and ChatGPT on the web call from the internet, by https")
	}
	return fail("the address is http", "Put a proxy with a certificate in front and set MCP_PUBLIC_BASE_URL to its https address.")
}

// private reports whether a host is this machine or in a private network.
func private(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified())
}

func (v *visit) challenge(context.Context) finding {
	parts := challengeOf(v.refused.header)
	const through = "If the server is Tectonic, the proxy drops the WWW-Authenticate header: let it pass."
	switch {
	case parts == nil:
		return fail("there is no WWW-Authenticate: Bearer", through)
	case parts["resource_metadata"] == "":
		return fail("resource_metadata is missing", through)
	case parts["scope"] == "":
		return fail("scope is missing, so clients ask for every scope", through)
	}
	return pass("scope " + parts["scope"])
}

// wrongToken calls with a token that was never issued. Clients sign in again on
// invalid_token only (RFC 6750 section 3.1).
func (v *visit) wrongToken(ctx context.Context) finding {
	a := v.knock(ctx, v.endpoint(), "Authorization", "Bearer tectonic-doctor-wrong")
	parts := challengeOf(a.header)
	const through = "Let the proxy pass Authorization and WWW-Authenticate on, and check no token itself."
	switch {
	case a.status != http.StatusUnauthorized:
		return fail("it answers "+a.said()+", not 401", through)
	case parts["error"] != "invalid_token":
		return fail(fmt.Sprintf("the error in the challenge is %q", parts["error"]), through)
	case parts["resource_metadata"] == "":
		return fail("resource_metadata is missing in the challenge", through)
	}
	return pass("")
}

func (v *visit) slash(ctx context.Context) finding {
	a := v.knock(ctx, v.endpoint()+"/")
	if a.status == http.StatusUnauthorized {
		return pass("")
	}
	return fail(v.endpoint()+"/ answers "+a.said(), "Let the proxy pass "+v.path+" and "+v.path+"/ on without a redirect.")
}

func (v *visit) getRefused(ctx context.Context) finding {
	a := v.send(ctx, http.MethodGet, v.endpoint(), nil, "Accept", "text/event-stream")
	if a.status == http.StatusUnauthorized || a.status == http.StatusMethodNotAllowed {
		return pass("")
	}
	return fail("GET answers "+a.said(), "Let the proxy pass GET on to the server, which answers 401 or 405.")
}

// page is the origin of a browser's page that must be let in.
func (v *visit) page() string { return cmp.Or(v.o.Origin, v.origin) }

// allowOrigin says what lets the page in.
func (v *visit) allowOrigin() string {
	if v.o.Origin == "" || v.o.Origin == v.origin {
		return "Let the proxy pass OPTIONS, Host and Origin on unchanged, and answer no preflight itself."
	}
	return "Add " + v.o.Origin + " to MCP_ALLOWED_ORIGINS."
}

func (v *visit) preflight(ctx context.Context) finding {
	a := v.send(ctx, http.MethodOptions, v.endpoint(), nil, "Origin", v.page(), "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "authorization, content-type, mcp-protocol-version")
	if a.err != nil || a.status != http.StatusNoContent && a.status != http.StatusOK {
		return fail("OPTIONS from "+v.page()+" answers "+a.said(), v.allowOrigin())
	}
	if origin := a.header.Get("Access-Control-Allow-Origin"); origin != v.page() && origin != "*" {
		return fail(fmt.Sprintf("it allows the origin %q, not %s", origin, v.page()), v.allowOrigin())
	}
	if lost := missing(a.header.Get("Access-Control-Allow-Headers"), "Authorization", "Content-Type", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"); len(lost) > 0 {
		return fail("it does not allow "+strings.Join(lost, ", "), v.allowOrigin())
	}
	if lost := missing(a.header.Get("Access-Control-Allow-Methods"), "POST"); len(lost) > 0 {
		return fail("it does not allow POST", v.allowOrigin())
	}
	return pass("")
}

func (v *visit) exposed(ctx context.Context) finding {
	a := v.knock(ctx, v.endpoint(), "Origin", v.page())
	if a.status != http.StatusUnauthorized {
		return fail("a call from "+v.page()+" answers "+a.said(), v.allowOrigin())
	}
	if lost := missing(a.header.Get("Access-Control-Expose-Headers"), "WWW-Authenticate"); len(lost) > 0 {
		return fail("WWW-Authenticate is not exposed", v.allowOrigin())
	}
	return pass("")
}

// hostOf returns the host of an address without its port.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if host, _, err := net.SplitHostPort(u.Host); err == nil {
		return host
	}
	return u.Hostname()
}
