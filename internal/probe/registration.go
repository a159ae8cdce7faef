package probe

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// registration are the checks of how known assistants register (RFC 7591).
var registration = []check{
	{"register-claude", "P20", "Claude can register", nothing, (*visit).registerClaude},
	{"register-chatgpt", "P11", "ChatGPT can register, with either of its callbacks", nothing, (*visit).registerChatGPT},
	{"register-cursor", "P5", "Cursor can register, though only one of its redirects may be acceptable", nothing, (*visit).registerCursor},
	{"register-local", "P6 P7", "programs on a person's machine can register, as VS Code does", nothing, (*visit).registerLocal},
	{"register-foreign", "", "a redirect to anywhere else is refused", nothing, (*visit).registerForeign},
}

// The redirects of known assistants.
const (
	claudeReturn   = "https://claude.ai/api/mcp/auth_callback"
	chatGPTReturn  = "https://chatgpt.com/connector_platform_oauth_redirect"
	chatGPTOwn     = "https://chatgpt.com/connector/oauth/tectonic-doctor"
	cursorReturn   = "cursor://anysphere.cursor-mcp/oauth/callback"
	cursorWeb      = "https://www.cursor.com/agents/mcp/oauth/callback"
	cursorLocal    = "http://localhost:8787/callback"
	vsCodeReturn   = "https://vscode.dev/redirect"
	localReturn    = "http://127.0.0.1:33418/"
	localElsewhere = "http://127.0.0.1:52907/" // the same program, on another port
	foreignReturn  = "https://doctor.invalid/callback"
)

// tried is what came of a registration.
type tried struct {
	answer
	ID        string   `json:"client_id"`
	Redirects []string `json:"redirect_uris"`
	asked     []string
}

func (v *visit) register(ctx context.Context, redirects ...string) tried {
	body, err := json.Marshal(map[string]any{
		"client_name": ClientName, "redirect_uris": redirects, "token_endpoint_auth_method": "none",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
	})
	if err != nil {
		return tried{answer: answer{err: err}}
	}
	address := cmp.Or(v.server.Registration, v.at("/register"))
	t := tried{asked: redirects, answer: v.send(ctx, http.MethodPost, address, body, "Content-Type", "application/json", "Accept", "application/json")}
	if t.err == nil {
		_ = json.Unmarshal(t.body, &t) // without an id it counts as refused
	}
	if t.worked() {
		v.registered++
	}
	return t
}

func (t tried) worked() bool {
	return t.err == nil && (t.status == http.StatusCreated || t.status == http.StatusOK) && t.ID != ""
}

// kept reports whether all of the redirects came back.
func (t tried) kept(redirects ...string) bool {
	return !slices.ContainsFunc(redirects, func(u string) bool { return !slices.Contains(t.Redirects, u) })
}

// verdict says whether the registration worked and kept what the program
// needs. words are those of the allow-list that would let it.
func (t tried) verdict(words string, needed ...string) finding {
	switch {
	case t.err != nil:
		return fail(t.err.Error(), "Let the proxy pass POST /register on to the server.")
	case t.status == http.StatusTooManyRequests:
		return skip("the server takes no more registrations from here now; try again in a minute")
	case !t.worked():
		return fail(fmt.Sprintf("registering %q: %s", t.asked, t.said()), "Set OAUTH_REDIRECT_URI_ALLOWLIST="+words+" and start the server again.")
	case slices.ContainsFunc(t.Redirects, func(u string) bool { return !slices.Contains(t.asked, u) }):
		return fail(fmt.Sprintf("it returns redirects that were not asked for: %q", t.Redirects), "The program would use them: return only its own (P39).")
	case !t.kept(needed...):
		return fail(fmt.Sprintf("of %q it keeps %q", t.asked, t.Redirects), "Set OAUTH_REDIRECT_URI_ALLOWLIST="+words+" and start the server again.")
	}
	return pass(fmt.Sprintf("%d of %d redirects kept", len(t.Redirects), len(t.asked)))
}

// advice adds to a check that passed what would make a program feel at home.
func (f finding) advice(needed bool, fix string) finding {
	if f.status == Pass && needed {
		f.fix = fix
	}
	return f
}

func (v *visit) registerClaude(ctx context.Context) finding {
	return v.register(ctx, claudeReturn).verdict("defaults", claudeReturn)
}

func (v *visit) registerChatGPT(ctx context.Context) finding {
	return v.register(ctx, chatGPTReturn, chatGPTOwn).verdict("defaults", chatGPTReturn, chatGPTOwn)
}

func (v *visit) registerCursor(ctx context.Context) finding {
	t := v.register(ctx, cursorReturn, cursorWeb, cursorLocal)
	return t.verdict("defaults,preset:cursor").
		advice(!t.kept(cursorReturn), "To let Cursor come back to itself: OAUTH_REDIRECT_URI_ALLOWLIST=defaults,preset:cursor")
}

func (v *visit) registerLocal(ctx context.Context) finding {
	t := v.register(ctx, localReturn, vsCodeReturn)
	f := t.verdict("defaults", localReturn)
	if f.status == Pass {
		v.client = t.ID
	}
	return f.advice(!t.kept(vsCodeReturn), "To let VS Code come back by vscode.dev too: OAUTH_REDIRECT_URI_ALLOWLIST=defaults,preset:vscode")
}

func (v *visit) registerForeign(ctx context.Context) finding {
	t := v.register(ctx, foreignReturn)
	switch {
	case t.status == http.StatusTooManyRequests:
		return skip("the server takes no more registrations from here now; try again in a minute")
	case t.err != nil:
		return fail(t.err.Error(), "Let the proxy pass POST /register on to the server.")
	case t.worked():
		return fail("it registered "+foreignReturn, "Anybody can be sent a code: name only hosts that you trust in OAUTH_REDIRECT_URI_ALLOWLIST.")
	case t.status != http.StatusBadRequest || t.text("error") != "invalid_redirect_uri":
		return fail("it answers "+t.said()+", not 400 invalid_redirect_uri", "Let the proxy leave answers of 400 as they are.")
	}
	return pass("")
}
