package oauth

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/oauth/store"
)

// issued is the answer of the token endpoint.
type issued struct {
	Access  string `json:"access_token"`
	Type    string `json:"token_type"`
	Expires int    `json:"expires_in"` // seconds
	Scope   string `json:"scope"`
	Refresh string `json:"refresh_token,omitempty"`
}

// verifierShape is a PKCE verifier (RFC 7636 section 4.1).
var verifierShape = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	form, err := readForm(r)
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	client, err := s.authenticate(r.Context(), r, form)
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	var answer issued
	switch form.Get("grant_type") {
	case "authorization_code":
		answer, err = s.exchange(r.Context(), client, form)
	case "refresh_token":
		answer, err = s.refresh(r.Context(), client, form)
	case "client_credentials":
		answer, err = s.ownCredentials(r.Context(), client, form)
	default:
		err = failure{Code: "unsupported_grant_type", Description: "grant_type must be authorization_code, refresh_token or client_credentials."}
	}
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	w.Header().Set("Pragma", "no-cache")
	sendJSON(w, http.StatusOK, answer)
}

// readForm reads a small form from the body; the address counts for nothing.
func readForm(r *http.Request) (url.Values, error) {
	bad := func(why string) error { return failure{Code: "invalid_request", Description: why} }
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
		return nil, bad("The body must be application/x-www-form-urlencoded.")
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyMax+1))
	if err != nil || len(body) > bodyMax {
		return nil, bad(fmt.Sprintf("The body must have at most %d bytes.", bodyMax))
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, bad("The body is no form.")
	}
	for name, values := range form {
		if len(values) > 1 && name != "resource" {
			return nil, bad("A parameter is given more than once.")
		}
	}
	return form, nil
}

// exchange turns a code into the first tokens of its grant.
func (s *Server) exchange(ctx context.Context, client store.Client, form url.Values) (answer issued, err error) {
	var refused error // told after the commit, since a reuse must revoke for good
	err = s.write(ctx, func(tx *db.Tx) (Event, error) {
		refused = nil
		g, err := s.grantOfCode(ctx, tx, client, form)
		if err != nil {
			return Event{}, err
		}
		if g.CodeUsedAt.IsZero() {
			answer, err = s.useCode(ctx, tx, g, form)
			if !errors.Is(err, errUsed) {
				return Event{}, err
			}
		}
		refused = invalidGrant("The code was used before, so the connection was taken back. Connect again.")
		return s.takeBack(ctx, tx, g, CodeReused)
	})
	if err != nil {
		return issued{}, err
	}
	return answer, refused
}

var errUsed = errors.New("somebody else was faster")

// grantOfCode finds the grant of a code and checks that it is this client's
// and that the client made the challenge. Only then does a reuse count.
func (s *Server) grantOfCode(ctx context.Context, tx *db.Tx, client store.Client, form url.Values) (store.StandingRow, error) {
	hash := hashed(form.Get("code"))
	grant, err := store.New(tx).GrantByCode(ctx, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return store.StandingRow{}, invalidGrant("The code is not known.")
	}
	if err != nil {
		return store.StandingRow{}, fmt.Errorf("find the grant of a code: %w", err)
	}
	g, err := store.New(tx).Standing(ctx, grant)
	if err != nil {
		return g, fmt.Errorf("read grant %d: %w", grant, err)
	}
	verifier, uri := form.Get("code_verifier"), form.Get("redirect_uri")
	switch {
	case g.ClientID != client.ID:
		return g, invalidGrant("The code is another client's.")
	case g.CodeChallenge == nil || !verifierShape.MatchString(verifier) || subtle.ConstantTimeCompare([]byte(digest(verifier)), []byte(*g.CodeChallenge)) != 1:
		return g, invalidGrant("The code_verifier does not fit the code_challenge.")
	case uri != "" && (g.RedirectURI == nil || uri != *g.RedirectURI):
		return g, invalidGrant("The redirect_uri is not that of the authorization request.")
	}
	return g, nil
}

func (s *Server) useCode(ctx context.Context, tx *db.Tx, g store.StandingRow, form url.Values) (issued, error) {
	if !tx.Now().Before(g.CodeExpiresAt.Time) {
		return issued{}, invalidGrant("The code is too old.")
	}
	g.CodeUsedAt = dbtype.At(tx.Now())
	if err := holds(g, tx.Now()); err != nil {
		return issued{}, err
	}
	answer, err := s.issue(g, 1, form, tx.Now())
	if err != nil {
		return issued{}, err
	}
	n, err := store.New(tx).UseCode(ctx, store.UseCodeParams{UsedAt: g.CodeUsedAt, WorkspaceID: g.WorkspaceID, ID: g.ID})
	if err != nil {
		return issued{}, fmt.Errorf("use the code of grant %d: %w", g.ID, err)
	}
	if n == 0 {
		return issued{}, errUsed
	}
	return answer, s.touch(ctx, tx, g)
}

// touch notes that the client got a token, which keeps its registration.
func (s *Server) touch(ctx context.Context, tx *db.Tx, g store.StandingRow) error {
	if err := store.New(tx).TouchClient(ctx, dbtype.At(tx.Now()), g.ClientID); err != nil {
		return fmt.Errorf("touch client %d: %w", g.ClientID, err)
	}
	return nil
}

// issue makes the tokens of a grant, narrowed to the resources and scopes that
// the form names. Generation 0 has no refresh token.
func (s *Server) issue(g store.StandingRow, generation int64, form url.Values, now time.Time) (issued, error) {
	plates := s.known(strings.Fields(g.Plates))
	named, ok := s.resources(form["resource"])
	if !ok || len(both(named, plates)) != len(named) {
		return issued{}, failure{Code: "invalid_target", Description: "The resource is not part of what was allowed."}
	}
	if len(named) > 0 {
		plates = named
	}
	scopes := strings.Fields(g.Scopes)
	if narrow := both(scopes, strings.Fields(form.Get("scope"))); len(narrow) > 0 {
		scopes = narrow
	}
	access, err := s.sign(g, plates, scopes, now)
	if err != nil {
		return issued{}, err
	}
	answer := issued{Access: access, Type: "Bearer", Expires: int(accessLife / time.Second), Scope: strings.Join(scopes, " ")}
	if generation > 0 {
		answer.Refresh = s.refreshToken(g, generation)
	}
	return answer, nil
}

// ownCredentials gives a client that an operator made an access token of its
// one grant.
func (s *Server) ownCredentials(ctx context.Context, client store.Client, form url.Values) (answer issued, err error) {
	no := failure{Code: "unauthorized_client", Description: "This client may not act by its own credentials."}
	if client.Kind != kindCredentials {
		return issued{}, no
	}
	err = s.write(ctx, func(tx *db.Tx) (Event, error) {
		grant, err := store.New(tx).GrantOfClient(ctx, client.ID)
		if errors.Is(err, sql.ErrNoRows) {
			return Event{}, no
		}
		if err != nil {
			return Event{}, fmt.Errorf("find the grant of client %d: %w", client.ID, err)
		}
		g, err := standing(ctx, store.New(tx), grant, tx.Now())
		if err != nil {
			return Event{}, err
		}
		if answer, err = s.issue(g, 0, form, tx.Now()); err != nil {
			return Event{}, err
		}
		return Event{}, s.touch(ctx, tx, g)
	})
	return answer, err
}
