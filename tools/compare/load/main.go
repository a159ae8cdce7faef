// Command load calls a tool of an MCP server from a number of connections and
// prints one row of the comparison: requests per second, the median and the
// 99th percentile of the latency, and the server's resident memory at the end.
// Every body is checked.
//
//	load -name "fast path" -url http://127.0.0.1:9292/mcp -token T -pid 123 -tool whoami -connections 16 -for 5s
//	load -answers FILE -url … -token T    writes the payloads of both tools
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

var (
	name        = flag.String("name", "", "of the server, for the row")
	url         = flag.String("url", "", "of the endpoint")
	token       = flag.String("token", "", "bearer token; empty = none")
	pid         = flag.Int("pid", 0, "of the server, for its memory")
	tool        = flag.String("tool", "whoami", "to call")
	arguments   = flag.String("arguments", "{}", "of the tool")
	connections = flag.Int("connections", 16, "at once")
	duration    = flag.Duration("for", 5*time.Second, "how long to measure")
	answers     = flag.String("answers", "", "file to write the payloads of both tools into, instead of measuring")
)

func main() {
	flag.Parse()
	if *answers != "" {
		writeAnswers()
		return
	}
	run(time.Second) // warm
	took, elapsed := run(*duration)
	slices.Sort(took)
	at := func(share float64) float64 {
		return float64(took[min(int(share*float64(len(took))), len(took)-1)].Microseconds()) / 1000
	}
	fmt.Printf("| %s | %s | %d | %.0f | %.2f | %.2f | %s |\n", *name, *tool, *connections, float64(len(took))/elapsed.Seconds(), at(0.5), at(0.99), memory())
}

func body(tool, arguments string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

func run(d time.Duration) ([]time.Duration, time.Duration) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: *connections}}
	payload := body(*tool, *arguments)
	all := make([][]time.Duration, *connections)
	start := time.Now()
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			for time.Since(start) < d {
				begun := time.Now()
				call(client, payload)
				all[i] = append(all[i], time.Since(begun))
			}
		})
	}
	group.Wait()
	return slices.Concat(all...), time.Since(start)
}

func call(client *http.Client, payload []byte) []byte {
	r, err := http.NewRequest(http.MethodPost, *url, bytes.NewReader(payload))
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	if *token != "" {
		r.Header.Set("Authorization", "Bearer "+*token)
	}
	res, err := client.Do(r)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || !bytes.Contains(text, []byte(`"structuredContent"`)) || bytes.Contains(text, []byte(`"isError":true`)) {
		log.Fatalf("%s answered %d %.300s %v", *name, res.StatusCode, text, err)
	}
	return text
}

func writeAnswers() {
	out := map[string]json.RawMessage{}
	for tool, arguments := range map[string]string{"whoami": "{}", "get_workout": `{"workout_id":1}`} {
		var reply struct {
			Result struct {
				StructuredContent json.RawMessage `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal(call(http.DefaultClient, body(tool, arguments)), &reply); err != nil {
			log.Fatal(err)
		}
		out[tool] = reply.Result.StructuredContent
	}
	text, err := json.Marshal(out)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*answers, text, 0o600); err != nil {
		log.Fatal(err)
	}
}

// memory returns the resident memory of the server in MiB.
func memory() string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", *pid))
	if err != nil {
		return "-"
	}
	for line := range strings.Lines(string(status)) {
		var kib int
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kib); err == nil {
			return fmt.Sprintf("%d MiB", kib/1024)
		}
	}
	return "-"
}
