package mcp_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/config"
	"tectonic/internal/testkit/product"
)

// passing is what two runs of the same thing never share.
var passing = regexp.MustCompile(`rf_[a-z2-7]{26}|\d{4}-\d\d-\d\dT[0-9:.]+Z`)

// same is what of an answer must not depend on the path that it took.
func same(r reply) string {
	text, err := json.Marshal(r.body) // keys in order
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s %s", r.status, r.header.Get("Content-Type"), passing.ReplaceAllString(string(text), "-"))
}

// Every call is answered alike here and in the SDK, so that nobody can tell
// which of the two it was.
func TestBothPathsAnswerAlike(t *testing.T) {
	t.Parallel()
	peers := map[string]peer{}
	for name, fast := range map[string]bool{"fast": true, "sdk": false} {
		p := product.New(t, product.DB(t), func(c *config.Config) { c.MCP.FastPath, c.MCP.PerSecond, c.PublicURL = fast, 0, "http://log.example" })
		who := p.Person(t, "a@example.com")
		who.Week()
		peers[name] = peer{t, p.Server.URL + "/mcp", who.Token()}
	}
	calls := map[string]string{
		"ok":                            `"name":"whoami","arguments":{}`,
		"no arguments":                  `"name":"whoami"`,
		"null arguments":                `"name":"whoami","arguments":null`,
		"a list":                        `"name":"list_exercises","arguments":{"search":"squat"}`,
		"bad arguments":                 `"name":"create_set","arguments":{"weight":"x","reps":0,"foo":1}`,
		"a refusal":                     `"name":"get_workout","arguments":{"workout_id":999}`,
		"marks":                         `"name":"create_exercise","arguments":{"name":"<b>Row & \"Pull\"</b> \u2028"}`,
		"unknown tool":                  `"name":"deploy","arguments":{}`,
		"an argument that is no object": `"name":"whoami","arguments":[]`,
		"with an id of the request":     `"name":"whoami","arguments":{},"_meta":{"tectonic/requestId":"k-9"}`,
	}
	for _, id := range []string{"1", `"text"`, "0", "-7", `"<&>"`} {
		for name, params := range calls {
			old := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{%s}}`, id, params)
			body, header := asModern("tools/call", toolIn(params), strings.TrimSuffix(params, `,"_meta":{"tectonic/requestId":"k-9"}`))
			young := strings.Replace(body, `"id":1`, `"id":`+id, 1)
			if diff := cmp.Diff(same(peers["sdk"].send(old)), same(peers["fast"].send(old))); diff != "" {
				t.Errorf("%s, id %s, with a handshake: -sdk +fast\n%s", name, id, diff)
			}
			if diff := cmp.Diff(same(peers["sdk"].send(young, header...)), same(peers["fast"].send(young, header...))); diff != "" {
				t.Errorf("%s, id %s, without one: -sdk +fast\n%s", name, id, diff)
			}
		}
	}
}

func toolIn(params string) string {
	var p struct{ Name string }
	_ = json.Unmarshal([]byte("{"+params+"}"), &p)
	return p.Name
}
