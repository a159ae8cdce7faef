package config

import (
	"fmt"
	"strings"
)

// EnvExample returns the text of .env.example.
func EnvExample() string {
	var b strings.Builder
	b.WriteString("# Settings of Tectonic. Flags win over the environment, the environment over\n# this file (.env), this file over the defaults. An empty value is unset.\n")
	for _, s := range Settings {
		fmt.Fprintf(&b, "\n# %s\n", s.Doc)
		if s.Make != "" {
			fmt.Fprintf(&b, "# Make one: %s\n", s.Make)
		}
		fmt.Fprintf(&b, "# %s=%s\n", s.Env, s.Default)
	}
	return b.String()
}

// Reference returns the text of docs/reference/config.md.
func Reference() string {
	var b strings.Builder
	b.WriteString("# Settings\n\nGenerated from `internal/config/settings.go` by `make generate`. Flags win over the environment, the environment over `.env`, `.env` over the defaults; an empty value is unset. `tectonic config` prints the effective values and where each came from.\n\n| Environment | Flag | Default | What it does |\n|---|---|---|---|\n")
	for _, s := range Settings {
		flag, value := "", ""
		if s.Flag != "" {
			flag = "`--" + s.Flag + "`"
		}
		if s.Default != "" {
			value = "`" + s.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Env, flag, value, s.Doc)
	}
	return b.String()
}
