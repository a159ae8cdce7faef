package oauth

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/oauth/store"
)

// state is what a client may know about a token of its own (RFC 7662).
type state struct {
	Active   bool     `json:"active"`
	Scope    string   `json:"scope,omitempty"`
	ClientID string   `json:"client_id,omitempty"`
	Type     string   `json:"token_type,omitempty"`
	Issuer   string   `json:"iss,omitempty"`
	Subject  string   `json:"sub,omitempty"`
	Audience []string `json:"aud,omitempty"`
	Expires  int64    `json:"exp,omitempty"`
	Issued   int64    `json:"iat,omitempty"`
	ID       string   `json:"jti,omitempty"`
}

// introspect tells a client with a secret about its own tokens; everybody and
// everything else learns only "not active".
func (s *Server) introspect(w http.ResponseWriter, r *http.Request) {
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
	if client.AuthMethod == authNone {
		sendJSON(w, http.StatusOK, state{})
		return
	}
	answer, err := s.stateOf(r.Context(), form.Get("token"), client)
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	sendJSON(w, http.StatusOK, answer)
}

func (s *Server) stateOf(ctx context.Context, token string, client store.Client) (answer state, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		g, p, err := s.grantOf(ctx, tx, token, client)
		if err == nil {
			err = holds(g, tx.Now())
		}
		if err != nil {
			return err
		}
		// A refresh token that was replaced is told as dead, grace or not.
		if p.access != nil || p.generation == g.Generation {
			answer = s.describe(g, p)
		}
		return nil
	})
	if _, dead := errors.AsType[failure](err); dead {
		return state{}, nil
	}
	return answer, err
}

func (s *Server) describe(g store.StandingRow, p presented) state {
	a := state{Active: true, ClientID: g.ClientUID, Issuer: s.o.BaseURL, Scope: g.Scopes, Subject: strconv.FormatInt(int64(g.AccountID), 10)}
	if p.access == nil {
		a.Expires = g.ExpiresAt.Unix()
		return a
	}
	c := p.access
	a.Type, a.Subject, a.Audience, a.ID = "Bearer", c.Subject, c.Audience, c.ID
	a.Scope = strings.Join(both(strings.Fields(c.Scope), strings.Fields(g.Scopes)), " ")
	a.Expires, a.Issued = c.ExpiresAt.Unix(), c.IssuedAt.Unix()
	return a
}
