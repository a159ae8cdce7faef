package oauth

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

// The kinds of clients.
const (
	kindRegistered  = "dcr"   // registered itself
	kindDocument    = "cimd"  // is known by the URL of its metadata document
	kindCredentials = "cc"    // acts by its own credentials, made by an operator
	kindToken       = "token" // stands for a personal token
)

// The ways in which a client shows who it is.
const (
	authNone  = "none"
	authBasic = "client_secret_basic"
	authPost  = "client_secret_post"
)

// details are what a client's metadata column holds.
type details struct {
	Redirects       []string `json:"redirect_uris"`
	ApplicationType string   `json:"application_type,omitempty"`
	ClientURI       string   `json:"client_uri,omitempty"`
}

func (d details) document() dbtype.JSON[map[string]any] {
	list := make([]any, len(d.Redirects))
	for i, u := range d.Redirects {
		list[i] = u
	}
	return dbtype.Doc(map[string]any{"redirect_uris": list, "application_type": d.ApplicationType, "client_uri": d.ClientURI})
}

func redirectsOf(c store.Client) []string {
	stored, _ := c.Metadata.V["redirect_uris"].([]any)
	var list []string
	for _, u := range stored {
		if text, ok := u.(string); ok {
			list = append(list, text)
		}
	}
	return list
}

// plain returns a name without anything that a page or a log could be fooled
// with: control and invisible characters, more than one space, more than 100
// characters.
func plain(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, name)
	letters := []rune(strings.Join(strings.Fields(name), " "))
	return strings.TrimSpace(string(letters[:min(len(letters), nameMax)]))
}

func invalidClient(basic bool) failure {
	return failure{
		Code: "invalid_client", status: http.StatusUnauthorized, basic: basic,
		Description: "This client is not known here, or its secret is wrong. Remove the connection and add it again.",
	}
}

// authenticate returns the client of a request to the token endpoint and its
// neighbours. A client without a secret only says its name.
func (s *Server) authenticate(ctx context.Context, r *http.Request, form url.Values) (store.Client, error) {
	uid, password, basic, err := credentials(r, form)
	if err != nil {
		return store.Client{}, err
	}
	var c store.Client
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		c, err = store.New(tx).ClientByUID(ctx, uid)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return c, invalidClient(basic)
	}
	if err != nil {
		return c, fmt.Errorf("read client: %w", err)
	}
	if c.Kind == kindToken || c.Kind == kindDocument && !s.o.CIMD || !fits(c, password) {
		return c, invalidClient(basic)
	}
	return c, nil
}

// fits reports whether the password is the client's. One that has none must
// send none.
func fits(c store.Client, password string) bool {
	if c.AuthMethod == authNone {
		return password == ""
	}
	return c.SecretHash != nil && subtle.ConstantTimeCompare([]byte(hashed(password)), []byte(*c.SecretHash)) == 1
}

// credentials reads what the client says it is. Either way of sending a secret
// is taken, whichever the client registered.
func credentials(r *http.Request, form url.Values) (uid, password string, basic bool, err error) {
	uid, password = form.Get("client_id"), form.Get("client_secret")
	if r.Header.Get("Authorization") == "" {
		return uid, password, false, nil
	}
	user, pass, ok := r.BasicAuth()
	user, errUser := url.QueryUnescape(user)
	pass, errPass := url.QueryUnescape(pass)
	if !ok || errUser != nil || errPass != nil {
		return "", "", true, invalidClient(true)
	}
	if uid != "" && uid != user {
		return "", "", true, failure{Code: "invalid_request", Description: "The client_id of the body differs from that of the Authorization header."}
	}
	return user, pass, true, nil
}

// ClientRequest says for whom a client with credentials of its own acts.
type ClientRequest struct {
	Name      string
	Account   id.AccountID
	Workspace id.WorkspaceID
	Plates    []string // nil = all
	Scopes    []string // nil = all
}

// CreateClient makes a client that gets tokens by its own credentials, and
// returns its client_id and secret; the secret is not shown again.
func (s *Server) CreateClient(ctx context.Context, q ClientRequest) (uid, password string, err error) {
	t := TokenRequest{Account: q.Account, Workspace: q.Workspace, Name: q.Name, Plates: q.Plates, Scopes: q.Scopes}
	if t.Plates == nil {
		t.Plates = s.plateNames()
	}
	if t.Scopes == nil {
		t.Scopes = s.scopes
	}
	if err := s.checkToken(&t); err != nil {
		return "", "", err
	}
	err = s.write(ctx, func(tx *db.Tx) (Event, error) {
		uid, password = "tc_"+id.Token(20), secret()
		hash, now := hashed(password), dbtype.At(tx.Now())
		client, grant, err := insertOwn(ctx, tx, t, store.InsertClientParams{
			UID: uid, Kind: kindCredentials, Name: t.Name, AuthMethod: authBasic, SecretHash: &hash, CreatedAt: now,
		})
		return Event{Name: ClientRegistered, Account: t.Account, Workspace: t.Workspace, Client: client, Grant: grant}, err
	})
	if err != nil {
		return "", "", err
	}
	return uid, password, nil
}

func (s *Server) plateNames() []string {
	names := make([]string, len(s.o.Plates))
	for i, p := range s.o.Plates {
		names[i] = p.Name
	}
	return names
}

// vocabulary returns the offered scopes that at least one of the plates knows.
func (s *Server) vocabulary(plates []string) []string {
	var known []string
	for _, name := range plates {
		if p, ok := s.plate(name); ok {
			known = append(known, p.Scopes...)
		}
	}
	return both(s.scopes, known)
}
