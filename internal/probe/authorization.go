package probe

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// authorization are the checks of the way to sign-in, and of the answers to
// what has ended. Nobody signs in.
var authorization = []check{
	{"authorize", "P7 P25", "a program that registered is led to sign-in, from another port too", aClient, (*visit).authorize},
	{"authorize-resource", "P3", "the resource may be the bare host, or end in a slash", aClient, (*visit).authorizeResource},
	{"authorize-scope", "P9", "unknown scopes are no dead end", aClient, (*visit).authorizeScope},
	{"authorize-error", "P10", "an error goes back to the program with its state and the issuer", aClient, (*visit).authorizeError},
	{"authorize-foreign", "", "nobody is sent to an address that was not registered", aClient, (*visit).authorizeForeign},
	{"authorize-unknown", "P16", "an unknown program gets a page, and no redirect", nothing, (*visit).authorizeUnknown},
	{"consent", "P12", "the consent page lets the browser go back to the program", aClient, (*visit).consent},
	{"client-document", "P8 P28", "the server can read the document by which a program identifies itself", nothing, (*visit).clientDocument},
	{"token-client", "P16", "an unknown program is told invalid_client", nothing, (*visit).tokenClient},
	{"token-grant", "P15", "a dead code or refresh token is told invalid_grant", aClient, (*visit).tokenGrant},
}

const doctorState = "doctor+state/1"

// ask is an authorization request that is right, with the changes in pairs.
func (v *visit) ask(ctx context.Context, changes ...string) (address string, a answer) {
	q := url.Values{
		"response_type": {"code"}, "client_id": {v.client}, "redirect_uri": {localElsewhere}, "state": {doctorState}, "scope": {"read"},
		"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "code_challenge_method": {"S256"}, "resource": {v.endpoint()},
	}
	for i := 0; i+1 < len(changes); i += 2 {
		q.Set(changes[i], changes[i+1])
	}
	address = cmp.Or(v.server.Authorization, v.at("/authorize"))
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	address += separator + q.Encode()
	return address, v.send(ctx, http.MethodGet, address, nil, "Accept", "text/html")
}

// toSignIn reports whether an answer leads on: to a page of the server, or to
// one that it shows at once.
func (v *visit) toSignIn(address string, a answer) (page, wrong string) {
	to := a.location(address)
	switch {
	case a.err == nil && a.status == http.StatusOK:
		return address, ""
	case to == nil:
		return "", "it answers " + a.said()
	case to.Query().Get("error") != "":
		return "", fmt.Sprintf("it answers %s: %s", to.Query().Get("error"), clip(to.Query().Get("error_description")))
	case unasked(to):
		return "", "it leads back to the program, and nobody was asked"
	case v.inside(to.String()):
		return "", "it leads to " + clip(to.String())
	}
	return to.String(), ""
}

// unasked reports whether an address is that of a program, which nobody may be
// sent to before a person has decided.
func unasked(to *url.URL) bool {
	return to.Query().Has("code") || strings.HasPrefix(to.String(), localElsewhere)
}

func (v *visit) authorize(ctx context.Context) finding {
	address, a := v.ask(ctx)
	page, wrong := v.toSignIn(address, a)
	if to := a.location(address); to != nil && unasked(to) && wrong != "" && !to.Query().Has("error") {
		return fail(wrong, "Stop the server: anybody can have a code. Show a page to sign in and to decide on.")
	}
	if wrong != "" {
		return fail(wrong, v.publicAddress())
	}
	if a := v.send(ctx, http.MethodGet, page, nil, "Accept", "text/html"); a.status != http.StatusOK {
		return fail("the page of sign-in answers "+a.said(), "Let the proxy pass every path on to the server.")
	}
	return pass("")
}

func (v *visit) authorizeResource(ctx context.Context) finding {
	for _, resource := range []string{v.endpoint() + "/", v.origin, v.origin + "/"} {
		if _, wrong := v.toSignIn(v.ask(ctx, "resource", resource)); wrong != "" {
			return fail("with resource="+resource+" "+wrong, v.publicAddress())
		}
	}
	return pass("")
}

func (v *visit) authorizeScope(ctx context.Context) finding {
	if _, wrong := v.toSignIn(v.ask(ctx, "scope", "openid offline_access read")); wrong != "" {
		return fail(wrong, "Ignore scopes that are not known.")
	}
	return pass("")
}

func (v *visit) authorizeError(ctx context.Context) finding {
	address, a := v.ask(ctx, "response_type", "token")
	to := a.location(address)
	if to == nil || !strings.HasPrefix(to.String(), localElsewhere) {
		return fail("it answers "+a.said(), "An error must go to the redirect that was registered.")
	}
	q := to.Query()
	switch {
	case q.Get("error") == "":
		return fail("the redirect has no error", "Add it.")
	case q.Get("state") != doctorState:
		return fail(fmt.Sprintf("state came back as %q", q.Get("state")), "Return it byte for byte.")
	case q.Get("iss") != cmp.Or(v.server.Issuer, v.origin):
		return fail(fmt.Sprintf("iss is %q, not %s", q.Get("iss"), cmp.Or(v.server.Issuer, v.origin)), v.publicAddress())
	}
	return pass("")
}

func (v *visit) authorizeForeign(ctx context.Context) finding {
	_, a := v.ask(ctx, "redirect_uri", foreignReturn)
	if a.status == http.StatusBadRequest {
		return pass("")
	}
	return fail("it answers "+a.said(), "A redirect that was not registered is answered by a page with status 400.")
}

func (v *visit) authorizeUnknown(ctx context.Context) finding {
	_, a := v.ask(ctx, "client_id", "tectonic-doctor-unknown")
	if a.status == http.StatusBadRequest {
		return pass("")
	}
	return fail("it answers "+a.said(), "Answer with a page, status 400, that says how to connect again.")
}

// consent looks at the page when the server shows it without sign-in; its
// policy must not name form-action, since browsers hold the redirect to it.
func (v *visit) consent(ctx context.Context) finding {
	_, a := v.ask(ctx)
	if a.status != http.StatusOK {
		return skip("it is behind the sign-in; look at it in a browser")
	}
	if policy := a.header.Get("Content-Security-Policy"); strings.Contains(policy, "form-action") {
		return fail("its Content-Security-Policy has form-action", "Let the proxy add no policy of its own.")
	}
	return pass("")
}

func (v *visit) clientDocument(ctx context.Context) finding {
	if v.o.Document == "" {
		return skip("no --client-document")
	}
	if !v.server.Documents {
		return skip("the server takes none")
	}
	if _, wrong := v.toSignIn(v.ask(ctx, "client_id", v.o.Document, "redirect_uri", "http://localhost:52907/callback")); wrong != "" {
		return fail("with "+v.o.Document+" "+wrong, "Let the server make requests to https://"+hostOf(v.o.Document)+", or set OAUTH_CIMD=off: programs register themselves then.")
	}
	return pass("")
}

func (v *visit) tokenEndpoint() string { return cmp.Or(v.server.Token, v.at("/token")) }

// told compares an answer of the token endpoint with what clients act upon.
func told(a answer, status int, code string) finding {
	if a.status == status && a.text("error") == code {
		return pass("")
	}
	return fail("it answers "+a.said(), fmt.Sprintf("Clients recover only from %d %s. Let the proxy leave such answers as they are.", status, code))
}

func (v *visit) tokenClient(ctx context.Context) finding {
	return told(v.form(ctx, v.tokenEndpoint(), url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {"none"}, "client_id": {"tectonic-doctor-unknown"},
	}), http.StatusUnauthorized, "invalid_client")
}

func (v *visit) tokenGrant(ctx context.Context) finding {
	f := told(v.form(ctx, v.tokenEndpoint(), url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {"none"}, "client_id": {v.client},
	}), http.StatusBadRequest, "invalid_grant")
	if f.status != Pass {
		return f
	}
	return told(v.form(ctx, v.tokenEndpoint(), url.Values{
		"grant_type": {"authorization_code"}, "code": {"none"}, "client_id": {v.client}, "redirect_uri": {localReturn},
		"code_verifier": {"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"},
	}), http.StatusBadRequest, "invalid_grant")
}
