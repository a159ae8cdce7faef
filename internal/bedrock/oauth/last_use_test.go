package oauth

import (
	"slices"
	"testing"
	"time"
)

func (w *world) used(t *testing.T) (connection, token time.Time) {
	t.Helper()
	connections, err := w.Connections(t.Context(), 1, 1)
	if err != nil || len(connections) != 1 {
		t.Fatal(connections, err)
	}
	tokens, err := w.Tokens(t.Context(), 1, 1)
	if err != nil || len(tokens) != 1 {
		t.Fatal(tokens, err)
	}
	return connections[0].Used, tokens[0].Used
}

// The last use is seen at once, and is still known by a server that starts
// later on the same database.
func TestLastUse(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		access := w.tokens(w.newClient()).text("access_token")
		connected := w.clock.now()
		personal, _, err := w.CreateToken(t.Context(), TokenRequest{Account: 1, Workspace: 1, Name: "x", Plates: []string{"training"}, Scopes: []string{"read"}})
		if err != nil {
			t.Fatal(err)
		}
		if connection, token := w.used(t); !connection.Equal(connected) || !token.IsZero() {
			t.Errorf("before the first call: %v and %v", connection, token)
		}
		w.clock.pass(time.Minute)
		first := w.clock.now()
		if !w.good(access, "training") || !w.good(personal, "training") || w.good(personal, "memory") {
			t.Fatal("tokens are not good")
		}
		if connection, token := w.used(t); !connection.Equal(first) || !token.Equal(first) {
			t.Errorf("after a call: %v and %v, want %v", connection, token, first)
		}
		for range 2 {
			if err := w.WriteUses(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		later := &world{t: t, Server: &Server{o: w.o}}
		if connection, token := later.used(t); !connection.Equal(first) || !token.Equal(first) {
			t.Errorf("another server reads %v and %v, want %v", connection, token, first)
		}
		w.exec("UPDATE grants SET last_used_at = NULL")
		w.uses.note(1, use{1, first})
		w.uses.note(1, use{1, first.Add(-time.Hour)})
		if got := w.uses.latest(1); !got.Equal(first) {
			t.Errorf("an older use replaced a newer one: %v", got)
		}
	})
}

func TestConnectionsNameWhereTheyReturn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.tokens(w.newClient())
		list, err := w.Connections(t.Context(), 1, 1)
		if err != nil || len(list) != 1 || list[0].ReturnHost != "claude.ai" || list[0].Host != "" {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

// The owner is told which setting refused an address, without what may be a
// secret in it.
func TestRefusedRedirectsAreTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		var told []string
		w.o.Trouble = func(setting, what string) { told = append(told, setting+" "+what) }
		for range 2 {
			w.registerWith(map[string]any{"redirect_uris": []string{callback, "https://ide.example/cb?secret=1#x", "javascript:alert(1)"}})
		}
		want := slices.Repeat([]string{"OAUTH_REDIRECT_URI_ALLOWLIST https://ide.example/cb", "OAUTH_REDIRECT_URI_ALLOWLIST javascript:alert(1)"}, 2)
		if !slices.Equal(told, want) {
			t.Errorf("got %q, want %q", told, want)
		}
		w.registerWith(map[string]any{"redirect_uris": slices.Repeat([]string{"https://flood.example/cb"}, 50)})
		if n := len(told) - len(want); n != troublesMax {
			t.Errorf("one registration was told %d times", n)
		}
	})
}

// A program whose own address the list does not allow any more is told of
// too; an address that is not its own is nobody's to allow.
func TestRefusedAddressesOfKnownProgramsAreTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		var told []string
		w.o.Trouble = func(setting, what string) { told = append(told, setting+" "+what) }
		client := w.newClient()
		w.o.Redirects = nil
		w.get("/authorize?" + request(client).Encode())
		w.get("/authorize?" + request(client, "redirect_uri", "https://evil.example/cb").Encode())
		if want := []string{"OAUTH_REDIRECT_URI_ALLOWLIST " + callback}; !slices.Equal(told, want) {
			t.Errorf("got %q, want %q", told, want)
		}
	})
}
