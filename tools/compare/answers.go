// Package compare holds what the servers of the comparison have in common:
// each answers two tools with the same payloads, so that only the serving
// differs. See scripts/compare.sh.
package compare

import (
	"encoding/json"
	"fmt"
	"os"
)

// Answers are the payloads by the name of the tool.
type Answers map[string]json.RawMessage

// Read reads the file that the load generator wrote: a JSON object of payloads
// by tool.
func Read(path string) (Answers, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the answers: %w", err)
	}
	var a Answers
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("read the answers %s: %w", path, err)
	}
	return a, nil
}
