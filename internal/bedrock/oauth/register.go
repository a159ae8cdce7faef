package oauth

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

const (
	bodyMax          = 16 << 10 // bytes of a registration or a form
	troublesMax      = 3        // refused redirects of one registration that the owner is told of
	redirectsSetting = "OAUTH_REDIRECT_URI_ALLOWLIST"
)

// registration is the body of a request to register (RFC 7591). Members that
// are not here are ignored.
type registration struct {
	details
	Name       string  `json:"client_name"`
	AuthMethod *string `json:"token_endpoint_auth_method"`
}

// registered is its answer. It echoes only what was stored.
type registered struct {
	ClientID        string   `json:"client_id"`
	Issued          int64    `json:"client_id_issued_at"`
	Secret          string   `json:"client_secret,omitempty"`
	SecretExpires   *int64   `json:"client_secret_expires_at,omitempty"` // 0 = never
	Name            string   `json:"client_name"`
	Redirects       []string `json:"redirect_uris"`
	GrantTypes      []string `json:"grant_types"`
	ResponseTypes   []string `json:"response_types"`
	AuthMethod      string   `json:"token_endpoint_auth_method"`
	Scope           string   `json:"scope"`
	ApplicationType string   `json:"application_type,omitempty"`
	ClientURI       string   `json:"client_uri,omitempty"`
}

func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	if wait := s.throttle.take("register", s.o.Address(r), registrations); wait > 0 {
		failure{Code: "too_many_requests", Description: "Too many registrations from this address.", status: http.StatusTooManyRequests, wait: wait}.send(w)
		return
	}
	q, method, err := s.readRegistration(r)
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	answer, err := s.store(r.Context(), q, method)
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	sendJSON(w, http.StatusCreated, answer)
}

func (s *Server) readRegistration(r *http.Request) (q registration, method string, err error) {
	bad := func(why string) failure { return failure{Code: "invalid_client_metadata", Description: why} }
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyMax+1))
	if err != nil || len(body) > bodyMax {
		return q, "", bad(fmt.Sprintf("The body must be JSON of at most %d bytes.", bodyMax))
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return q, "", bad("The body is no JSON object of client metadata.")
	}
	method = authBasic
	if q.AuthMethod != nil {
		method = *q.AuthMethod
	}
	if !slices.Contains([]string{authNone, authBasic, authPost}, method) {
		return q, "", bad("token_endpoint_auth_method must be none, client_secret_basic or client_secret_post.")
	}
	if q.Name = plain(q.Name); q.Name == "" {
		q.Name = "An application without a name"
	}
	q.ApplicationType, q.ClientURI = plain(q.ApplicationType), plain(q.ClientURI)
	return q, method, s.keepAllowed(r.Context(), &q)
}

// keepAllowed drops the redirects that the allow-list refuses, since clients
// send one that is acceptable among others; without any there is no client.
func (s *Server) keepAllowed(ctx context.Context, q *registration) error {
	var allowed, refused []string
	for _, u := range q.Redirects {
		if s.o.Redirects.Allow(u) {
			allowed = append(allowed, u)
		} else {
			refused = append(refused, forLog(u))
		}
	}
	if len(refused) > 0 {
		s.o.Log.WarnContext(ctx, "registration: redirect refused; "+redirectsSetting+" names the allowed ones",
			slog.String("client", q.Name), slog.String("redirect", refused[0]), slog.String("count", fmt.Sprintf("%d of %d refused", len(refused), len(q.Redirects))))
	}
	for _, u := range refused[:min(len(refused), troublesMax)] {
		s.o.Trouble(redirectsSetting, u)
	}
	q.Redirects = allowed
	if len(q.Redirects) == 0 {
		return failure{Code: "invalid_redirect_uri", Description: "None of the redirect_uris is allowed here."}
	}
	return nil
}

// forLog returns origin and path of an address, without what could hold a
// secret or break a line.
func forLog(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		address = u.Scheme + "://" + u.Host + u.EscapedPath()
	} else {
		address, _, _ = strings.Cut(address, "?")
	}
	address = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, address)
	letters := []rune(address)
	return string(letters[:min(len(letters), 200)])
}

func (s *Server) store(ctx context.Context, q registration, method string) (a registered, err error) {
	err = s.write(ctx, func(tx *db.Tx) (Event, error) {
		a = registered{
			ClientID: "tc_" + id.Token(20), Issued: tx.Now().Unix(), Name: q.Name, Redirects: q.Redirects, AuthMethod: method,
			GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
			Scope: strings.Join(s.scopes, " "), ApplicationType: q.ApplicationType, ClientURI: q.ClientURI,
		}
		p := store.InsertClientParams{
			UID: a.ClientID, Kind: kindRegistered, Name: a.Name, AuthMethod: method, Metadata: q.document(), CreatedAt: dbtype.At(tx.Now()),
		}
		if method != authNone {
			never := int64(0)
			a.Secret, a.SecretExpires = secret(), &never
			hash := hashed(a.Secret)
			p.SecretHash = &hash
		}
		c, err := store.New(tx).InsertClient(ctx, p)
		if err != nil {
			return Event{}, fmt.Errorf("insert client %q: %w", q.Name, err)
		}
		return Event{Name: ClientRegistered, Client: c.ID}, nil
	})
	return a, err
}
