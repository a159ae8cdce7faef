package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// discovery are the checks of what is published about the authorization server.
var discovery = []check{
	{"resource", "P1 P4", "the metadata of this path names the address that was typed", nothing, (*visit).resourceAtPath},
	{"resource-named", "P1", "the address in the challenge leads to the same metadata", aDoor, (*visit).resourceNamed},
	{"resource-root", "P1", "the metadata at the root names an endpoint of this host", nothing, (*visit).resourceAtRoot},
	{"resource-unknown", "P2", "a path without an endpoint has no metadata", nothing, (*visit).resourceUnknown},
	{"issuer", "P1", "the authorization server's metadata names its issuer", nothing, (*visit).issuer},
	{"public-address", "P25", "every published address can be reached from outside", nothing, (*visit).publicAddresses},
	{"pkce", "", "S256 is offered", aDocument, (*visit).pkce},
	{"iss", "P10 P11", "the issuer is promised in redirects", aDocument, (*visit).issPromised},
	{"cimd", "P13", "programs may identify themselves by a document and need no secret", aDocument, (*visit).cimd},
	{"endpoints", "P36", "the endpoints are where programs guess them", aDocument, (*visit).endpoints},
	{"grants", "P37 P38", "codes and refresh tokens are offered", aDocument, (*visit).grants},
	{"scopes", "P9", "the scopes of the challenge are known to the authorization server", aDocument, (*visit).scopes},
	{"keys", "", "the signing keys can be read, and only their public half", aDocument, (*visit).keys},
	{"browser-documents", "P21", "a browser can read the metadata", aDocument, (*visit).browserDocuments},
}

const (
	resourcePath = "/.well-known/oauth-protected-resource"
	serverPath   = "/.well-known/oauth-authorization-server"
)

// resourceDocument is RFC 9728.
type resourceDocument struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
}

// serverDocument is RFC 8414.
type serverDocument struct {
	Issuer        string   `json:"issuer"`
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	Registration  string   `json:"registration_endpoint"`
	Keys          string   `json:"jwks_uri"`
	Scopes        []string `json:"scopes_supported"`
	Grants        []string `json:"grant_types_supported"`
	Methods       []string `json:"token_endpoint_auth_methods_supported"`
	Challenges    []string `json:"code_challenge_methods_supported"`
	Iss           bool     `json:"authorization_response_iss_parameter_supported"`
	Documents     bool     `json:"client_id_metadata_document_supported"`
}

const passWellKnown = "Let the proxy pass /.well-known/ on to the server."

func (v *visit) resourceAtPath(ctx context.Context) finding {
	_, wrong := v.document(ctx, v.origin+resourcePath+v.path, &v.resource)
	if wrong != "" {
		return fail(wrong, passWellKnown)
	}
	if v.resource.Resource != v.endpoint() {
		return fail(fmt.Sprintf("it names %q, not %s", v.resource.Resource, v.endpoint()), v.publicAddress())
	}
	if len(v.resource.Servers) == 0 {
		return fail("it names no authorization server", passWellKnown)
	}
	return pass("")
}

func (v *visit) resourceNamed(ctx context.Context) finding {
	address := challengeOf(v.refused.header)["resource_metadata"]
	if address == "" {
		return skip("the challenge names none")
	}
	var doc resourceDocument
	if _, wrong := v.document(ctx, address, &doc); wrong != "" {
		return fail(wrong, v.publicAddress())
	}
	if doc.Resource != v.endpoint() {
		return fail(fmt.Sprintf("%s names %q", address, doc.Resource), v.publicAddress())
	}
	return pass("")
}

func (v *visit) resourceAtRoot(ctx context.Context) finding {
	var doc resourceDocument
	if _, wrong := v.document(ctx, v.origin+resourcePath, &doc); wrong != "" {
		return fail(wrong, passWellKnown)
	}
	if !strings.HasPrefix(doc.Resource, v.origin+"/") && doc.Resource != v.origin {
		return fail(fmt.Sprintf("it names %q", doc.Resource), v.publicAddress())
	}
	return pass("")
}

func (v *visit) resourceUnknown(ctx context.Context) finding {
	address := v.origin + resourcePath + v.path + "/no-such-endpoint"
	if a := v.get(ctx, address); a.status != http.StatusNotFound {
		return fail(address+" answers "+a.said(), "Let the proxy pass /.well-known/ on as it is; the server answers 404.")
	}
	return pass("")
}

// issuer reads the metadata of the server that the resource names; clients of
// before 2025-06-18 look at the root of the endpoint's host.
func (v *visit) issuer(ctx context.Context) finding {
	issuer := v.origin
	if len(v.resource.Servers) > 0 {
		issuer = v.resource.Servers[0]
	}
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" {
		return fail(fmt.Sprintf("the authorization server %q is no address", issuer), v.publicAddress())
	}
	address := u.Scheme + "://" + u.Host + serverPath + strings.TrimSuffix(u.EscapedPath(), "/")
	if _, wrong := v.document(ctx, address, &v.server); wrong != "" {
		return fail(wrong, passWellKnown)
	}
	if v.server.Issuer != issuer {
		return fail(fmt.Sprintf("its issuer is %q, not %s", v.server.Issuer, issuer), v.publicAddress())
	}
	return pass("")
}

// publicAddresses looks for what leads back to the inside of a proxy.
func (v *visit) publicAddresses(context.Context) finding {
	d := v.server
	list := append([]string{v.resource.Resource, d.Issuer, d.Authorization, d.Token, d.Registration, d.Keys}, v.resource.Servers...)
	list = append(list, challengeOf(v.refused.header)["resource_metadata"])
	for _, address := range list {
		if address != "" && v.inside(address) {
			return fail("it publishes "+clip(address), v.publicAddress())
		}
	}
	return pass("")
}

// inside reports whether an address cannot be reached, or not by https, by
// somebody who reaches the endpoint.
func (v *visit) inside(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return true
	}
	worse := strings.HasPrefix(v.origin, "https:") && u.Scheme != "https"
	return worse || private(u.Hostname()) && u.Hostname() != hostOf(v.origin)
}

func (v *visit) pkce(context.Context) finding {
	if !slices.Contains(v.server.Challenges, "S256") {
		return fail(fmt.Sprintf("code_challenge_methods_supported is %q", v.server.Challenges), passWellKnown)
	}
	return pass("")
}

func (v *visit) issPromised(context.Context) finding {
	if !v.server.Iss {
		return fail("authorization_response_iss_parameter_supported is not true", passWellKnown)
	}
	return pass("")
}

func (v *visit) cimd(context.Context) finding {
	if !v.server.Documents {
		return fail("client_id_metadata_document_supported is not true, so Claude registers itself instead", "Set OAUTH_CIMD=on and start the server again.")
	}
	if !slices.Contains(v.server.Methods, "none") {
		return fail(fmt.Sprintf("token_endpoint_auth_methods_supported is %q, without none", v.server.Methods), passWellKnown)
	}
	return pass("")
}

func (v *visit) endpoints(context.Context) finding {
	for _, e := range []struct{ name, got, want string }{
		{"authorization_endpoint", v.server.Authorization, v.at("/authorize")},
		{"token_endpoint", v.server.Token, v.at("/token")},
		{"registration_endpoint", v.server.Registration, v.at("/register")},
	} {
		if e.got != e.want {
			return fail(fmt.Sprintf("%s is %q, not %s", e.name, e.got, e.want), v.publicAddress())
		}
	}
	return pass("")
}

// at is a path at the root of the authorization server, where clients that
// cannot read its metadata look.
func (v *visit) at(path string) string {
	if v.server.Issuer != "" {
		return strings.TrimSuffix(v.server.Issuer, "/") + path
	}
	return v.origin + path
}

func (v *visit) grants(context.Context) finding {
	for _, want := range []string{"authorization_code", "refresh_token"} {
		if !slices.Contains(v.server.Grants, want) {
			return fail(fmt.Sprintf("grant_types_supported is %q", v.server.Grants), passWellKnown)
		}
	}
	return pass("")
}

func (v *visit) scopes(context.Context) finding {
	for _, scope := range strings.Fields(challengeOf(v.refused.header)["scope"]) {
		if !slices.Contains(v.server.Scopes, scope) {
			return fail(fmt.Sprintf("%s is not among %q", scope, v.server.Scopes), "See MCP_SCOPES.")
		}
	}
	return pass("")
}

func (v *visit) keys(ctx context.Context) finding {
	var set struct{ Keys []map[string]json.RawMessage }
	if v.server.Keys == "" {
		return fail("jwks_uri is missing", passWellKnown)
	}
	if _, wrong := v.document(ctx, v.server.Keys, &set); wrong != "" {
		return fail(wrong, "Let the proxy pass /jwks on to the server.")
	}
	if len(set.Keys) == 0 {
		return fail("there is no key", "Set OAUTH_JWT_PRIVATE_KEY.")
	}
	for _, key := range set.Keys {
		if key["d"] != nil || key["p"] != nil {
			return fail("A PRIVATE KEY IS PUBLISHED", "Stop the server, and replace OAUTH_JWT_PRIVATE_KEY.")
		}
	}
	return pass("")
}

func (v *visit) browserDocuments(ctx context.Context) finding {
	for _, address := range []string{v.origin + resourcePath + v.path, v.at(serverPath)} {
		a := v.send(ctx, http.MethodGet, address, nil, "Origin", "http://localhost:6274")
		if origin := a.header.Get("Access-Control-Allow-Origin"); a.status == http.StatusOK && origin != "*" && origin != "http://localhost:6274" {
			return fail(address+" has no Access-Control-Allow-Origin", "Let the proxy leave the headers of the server as they are.")
		}
	}
	return pass("")
}
