package oauth

import (
	"strings"
	"testing"
)

func TestRedirectAllowList(t *testing.T) {
	t.Parallel()
	list, err := ParseRedirects("")
	if err != nil {
		t.Fatal(err)
	}
	for candidate, want := range map[string]bool{
		"https://claude.ai/api/mcp/auth_callback":                      true,
		"HTTPS://CLAUDE.AI/api/mcp/auth_callback":                      true,
		"https://claude.ai:443/api/mcp/auth_callback":                  true,
		"https://claude.com/api/mcp/auth_callback":                     true,
		"https://claude.ai:8443/api/mcp/auth_callback":                 false,
		"https://claude.ai/API/mcp/auth_callback":                      false,
		"https://claude.ai/api/mcp/auth_callback/":                     false,
		"https://claude.ai/api/mcp/auth_callback?next=x":               false,
		"https://claude.ai/api/mcp/auth_callback?":                     false,
		"https://claude.ai/api/mcp/auth_callback#x":                    false,
		"https://claude.ai/api/mcp/auth_callback/../../evil":           false,
		"https://claude.ai.evil.example/api/mcp/auth_callback":         false,
		"https://claude.ai./api/mcp/auth_callback":                     false,
		"https://user@claude.ai/api/mcp/auth_callback":                 false,
		"https://claude.ai\\@evil.example/api/mcp/auth_callback":       false,
		"http://claude.ai/api/mcp/auth_callback":                       false,
		"https://chatgpt.com/connector_platform_oauth_redirect":        true,
		"https://chatgpt.com/connector/oauth/f8a1c2":                   true,
		"https://chatgpt.com/connector/oauth":                          false,
		"https://chatgpt.com/connector/oauth/../../evil":               false,
		"https://chatgpt.com/connector/oauth/./x":                      false,
		"https://chatgpt.com/connector/oauth/%2e%2e/evil":              false,
		"https://chatgpt.com/connector/oauth/%2E./evil":                false,
		"https://chatgpt.com/connector/oauth/..%2fevil":                false,
		"https://chatgpt.com/connector/oauth/%252e%252e/evil":          false,
		"https://chatgpt.com/connector/oauth/..%5cevil":                false,
		"http://127.0.0.1:53791/callback":                              true,
		"http://localhost:1/x":                                         true,
		"http://LOCALHOST:1/x":                                         true,
		"http://[::1]:8080/cb":                                         true,
		"http://127.0.0.1":                                             true,
		"https://127.0.0.1:53791/callback":                             false,
		"http://127.0.0.1:53791/callback?x=1":                          false,
		"http://127.0.0.2/callback":                                    false,
		"http://localhost.evil.example:9292/cb":                        false,
		"http://localhost@evil.example/":                               false,
		"javascript:alert(1)":                                          false,
		"javascript://localhost/%0aalert(1)":                           false,
		"data:text/html,x":                                             false,
		"//claude.ai/api/mcp/auth_callback":                            false,
		"/cb":                                                          false,
		"not a uri":                                                    false,
		"":                                                             false,
		" https://claude.ai/api/mcp/auth_callback":                     false,
		"https://claude.ai/api/mcp/auth_callback\n":                    false,
		"https://claude.ai/api/mcp/auth_callback\x00":                  false,
		"cursor://anysphere.cursor-mcp/oauth/callback":                 false,
		"https://vscode.dev/redirect":                                  false,
		"https://www.cursor.com/agents/mcp/oauth/callback/../callback": false,
	} {
		if got := list.Allow(candidate); got != want {
			t.Errorf("%q: got %v, want %v", candidate, got, want)
		}
	}
}

func TestRedirectListReplacesAndExpands(t *testing.T) {
	t.Parallel()
	list, err := ParseRedirects("preset:cursor,\n https://own.example/cb")
	if err != nil {
		t.Fatal(err)
	}
	for candidate, want := range map[string]bool{
		"cursor://anysphere.cursor-mcp/oauth/callback":     true,
		"https://www.cursor.com/agents/mcp/oauth/callback": true,
		"https://own.example/cb":                           true,
		callback:                                           false,
		"http://localhost:1/x":                             false,
	} {
		if got := list.Allow(candidate); got != want {
			t.Errorf("%q: got %v, want %v", candidate, got, want)
		}
	}
	if list, err = ParseRedirects("defaults preset:vscode"); err != nil || !list.Allow("https://vscode.dev/redirect") || !list.Allow(callback) {
		t.Errorf("defaults and a preset: %v", err)
	}
	if _, err := ParseRedirects("https://own.example/#x"); err == nil {
		t.Error("a list with a fragment was taken")
	}
}

func TestSameRedirect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		registered, requested string
		want                  bool
	}{
		{callback, callback, true},
		{callback, callback + "/", false},
		{"http://localhost/callback", "http://localhost:33418/callback", true},
		{"http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", true},
		{"http://127.0.0.1:1/cb", "http://localhost:2/cb", false},
		{"http://127.0.0.1:1/cb", "http://127.0.0.1:2/other", false},
		{"http://127.0.0.1:1/cb?a=1", "http://127.0.0.1:2/cb?a=2", false},
		{"https://a.example:1/cb", "https://a.example:2/cb", false},
	} {
		if got := sameRedirect(c.registered, c.requested); got != c.want {
			t.Errorf("%s and %s: got %v, want %v", c.registered, c.requested, got, c.want)
		}
	}
}

// Whatever is allowed has the host of an entry, as a browser reads it.
func FuzzRedirects(f *testing.F) {
	list, err := ParseRedirects("defaults preset:cursor preset:vscode")
	if err != nil {
		f.Fatal(err)
	}
	hosts := map[string]bool{
		"claude.ai": true, "claude.com": true, "chatgpt.com": true, "localhost": true, "127.0.0.1": true, "::1": true,
		"anysphere.cursor-mcp": true, "www.cursor.com": true, "vscode.dev": true,
	}
	for _, seed := range []string{callback, "http://localhost:1/x", "https://chatgpt.com/connector/oauth/%2e%2e/evil", "https://a@claude.ai\\/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, candidate string) {
		if !list.Allow(candidate) {
			return
		}
		u, err := parseRedirect(candidate)
		if err != nil || !hosts[strings.ToLower(u.Hostname())] || u.User != nil || hasDots(u.Path) {
			t.Errorf("%q was allowed", candidate)
		}
	})
}

func FuzzParseRefresh(f *testing.F) {
	f.Add("trt_1_2_abc")
	f.Add("trt_+1_02_abc")
	f.Fuzz(func(t *testing.T, token string) {
		grant, generation, ok := parseRefresh(token)
		if ok && (grant <= 0 || generation <= 0) {
			t.Errorf("%q gave %d, %d", token, grant, generation)
		}
	})
}
