// Command generate writes .env.example and docs/reference/config.md from the
// table of settings. Run it in the project's root.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"tectonic/internal/config"
)

func main() {
	for path, text := range map[string]string{
		".env.example":             config.EnvExample(),
		"docs/reference/config.md": config.Reference(),
	} {
		if err := write(path, text); err != nil {
			fmt.Fprintln(os.Stderr, "generate:", err)
			os.Exit(1)
		}
	}
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
