package oauth

import (
	"net/http"
	"strings"
)

// ResourceMetadataURL returns the address of the plate's protected-resource
// document, for the challenge of a 401.
func (s *Server) ResourceMetadataURL(p Plate) string {
	return s.o.BaseURL + "/.well-known/oauth-protected-resource" + p.Path
}

// resourceDocument describes one plate (RFC 9728): the flagship at the root,
// otherwise the one whose path follows.
func (s *Server) resourceDocument(w http.ResponseWriter, r *http.Request) {
	p, title := s.o.Plates[0], s.o.Name
	if path := strings.TrimSuffix(r.PathValue("path"), "/"); path != "" {
		found := false
		if p, found = s.plateAt("/" + path); !found {
			failure{status: http.StatusNotFound, Code: "not_found", Description: "No protected resource has this path."}.send(w)
			return
		}
		title = s.o.Name + " " + p.Title
	}
	sendMetadata(w, map[string]any{
		"resource":                 s.Audience(p),
		"authorization_servers":    []string{s.o.BaseURL},
		"scopes_supported":         both(s.scopes, p.Scopes),
		"bearer_methods_supported": []string{"header"},
		"resource_name":            title,
	})
}

func (s *Server) plateAt(path string) (Plate, bool) {
	for _, p := range s.o.Plates {
		if p.Path == path {
			return p, true
		}
	}
	return Plate{}, false
}

// serverDocument describes the authorization server (RFC 8414). It is the same
// under every path, because clients build the address in several ways.
func (s *Server) serverDocument(w http.ResponseWriter, _ *http.Request) {
	base := s.o.BaseURL
	doc := map[string]any{
		"issuer":                                         base,
		"authorization_endpoint":                         base + "/authorize",
		"token_endpoint":                                 base + "/token",
		"registration_endpoint":                          base + "/register",
		"revocation_endpoint":                            base + "/revoke",
		"introspection_endpoint":                         base + "/introspect",
		"jwks_uri":                                       base + "/jwks",
		"scopes_supported":                               s.scopes,
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token", "client_credentials"},
		"token_endpoint_auth_methods_supported":          []string{authNone, authBasic, authPost},
		"code_challenge_methods_supported":               []string{"S256"},
		"authorization_response_iss_parameter_supported": true,
	}
	if s.o.CIMD {
		doc["client_id_metadata_document_supported"] = true
	}
	sendMetadata(w, doc)
}

func (s *Server) keySet(w http.ResponseWriter, _ *http.Request) {
	sendMetadata(w, map[string]any{"keys": []any{s.keys.public()}})
}
