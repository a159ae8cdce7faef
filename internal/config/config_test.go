package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/fault"
)

func load(t *testing.T, in Inputs) Config {
	t.Helper()
	c, err := Load(in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// file writes a .env file and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), ".env")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func refused(t *testing.T, err error) *fault.Refusal {
	t.Helper()
	r, ok := errors.AsType[*fault.Refusal](err)
	if !ok {
		t.Fatalf("got %v, want a refusal", err)
	}
	return r
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	got := load(t, Inputs{Environ: []string{"HOME=/home/me"}})
	want := Config{
		Tier: Development, Data: "/home/me/.local/share/tectonic", SQLiteSync: "full", Migrate: true, Listen: "127.0.0.1:9292",
		RequestTimeout: 20 * time.Second, SignUp: "open", WritesEnabled: true,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")},
		MCP:            MCP{Path: "/mcp", Scopes: []string{"read", "write"}, ServerName: "Tectonic", Challenge: "auto", FastPath: true, MaxBody: 1 << 20, PerSecond: 20, Burst: 60},
		OAuth:          OAuth{Grace: 30 * time.Second, CIMD: true},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Prefix) bool { return a == b }), cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "sources" }, cmp.Ignore())); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if !got.Embedded() || got.Secure() || got.BaseURL() != "http://127.0.0.1:9292" || got.SQLitePath() != "/home/me/.local/share/tectonic/tectonic.db" {
		t.Errorf("got %v %v %s %s", got.Embedded(), got.Secure(), got.BaseURL(), got.SQLitePath())
	}
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	dotenv := file(t, "TECTONIC_LISTEN=10.0.0.1:1\nTECTONIC_SIGNUP=\n")
	for _, c := range []struct {
		name   string
		in     Inputs
		want   string
		source Source
	}{
		{"a flag wins over all", Inputs{Flags: map[string]string{"listen": "10.0.0.3:3"}, Environ: []string{"TECTONIC_LISTEN=10.0.0.2:2"}, File: dotenv}, "10.0.0.3:3", FromFlag},
		{"the environment wins over the file", Inputs{Environ: []string{"TECTONIC_LISTEN=10.0.0.2:2"}, File: dotenv}, "10.0.0.2:2", FromEnv},
		{"the file wins over the default", Inputs{File: dotenv}, "10.0.0.1:1", FromFile},
		{"an empty value is unset everywhere", Inputs{Flags: map[string]string{"listen": ""}, Environ: []string{"TECTONIC_LISTEN="}, File: dotenv}, "10.0.0.1:1", FromFile},
		{"a file that is not there is none", Inputs{File: filepath.Join(t.TempDir(), "absent")}, "127.0.0.1:9292", FromDefault},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.in.Environ = append(c.in.Environ, "TECTONIC_DATA=/data")
			got := load(t, c.in)
			if got.Listen != c.want || got.Source("TECTONIC_LISTEN") != c.source {
				t.Errorf("got %s from %s, want %s from %s", got.Listen, got.Source("TECTONIC_LISTEN"), c.want, c.source)
			}
			if got.SignUp != "open" {
				t.Errorf("got sign-up %q, want the default for an empty value", got.SignUp)
			}
		})
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		environ  []string
		want     string
		fromHost bool
	}{
		{"follows the port of the host", []string{"PORT=10000"}, "0.0.0.0:10000", true},
		{"ignores an empty port", []string{"PORT="}, "127.0.0.1:9292", false},
		{"prefers what was asked for", []string{"PORT=10000", "TECTONIC_LISTEN=127.0.0.1:9292"}, "127.0.0.1:9292", false},
		{"follows the port when nothing was asked for", []string{"PORT=10000", "TECTONIC_LISTEN="}, "0.0.0.0:10000", true},
		{"takes a name and an IPv6 address", []string{"TECTONIC_LISTEN=[::1]:80"}, "[::1]:80", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := load(t, Inputs{Environ: append(c.environ, "TECTONIC_DATA=/data")})
			if got.Listen != c.want || got.ListenFromHost != c.fromHost {
				t.Errorf("got %s, %v, want %s, %v", got.Listen, got.ListenFromHost, c.want, c.fromHost)
			}
		})
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	const listen = ": name the host and the port, such as 127.0.0.1:9292 or 0.0.0.0:9292."
	for pair, want := range map[string]string{
		"TECTONIC_LISTEN=:9292":                  `TECTONIC_LISTEN is ":9292"` + listen,
		"TECTONIC_LISTEN=9292":                   `TECTONIC_LISTEN is "9292"` + listen,
		"TECTONIC_LISTEN=localhost":              `TECTONIC_LISTEN is "localhost"` + listen,
		"TECTONIC_LISTEN=localhost:http":         `TECTONIC_LISTEN is "localhost:http"` + listen,
		"PORT=http":                              `PORT is "http": it takes a number from 0 to 65535.`,
		"PORT=70000":                             `PORT is "70000": it takes a number from 0 to 65535.`,
		"TECTONIC_ENV=prod":                      `TECTONIC_ENV is "prod": it takes one of development, test, staging, production.`,
		"TECTONIC_SIGNUP=yes":                    `TECTONIC_SIGNUP is "yes": it takes one of open, invite, closed.`,
		"TECTONIC_SQLITE_SYNC=off":               `TECTONIC_SQLITE_SYNC is "off": it takes one of full, normal.`,
		"TECTONIC_MIGRATE=no":                    `TECTONIC_MIGRATE is "no": it takes one of auto, off.`,
		"TECTONIC_DB_POOL=-1":                    `TECTONIC_DB_POOL is "-1": it takes a whole number from 0.`,
		"TECTONIC_REQUEST_TIMEOUT=soon":          `TECTONIC_REQUEST_TIMEOUT is "soon": it takes a time such as 20s, or 0.`,
		"TECTONIC_REQUEST_TIMEOUT=-5s":           `TECTONIC_REQUEST_TIMEOUT is "-5s": it takes a time such as 20s, or 0.`,
		"MCP_PUBLIC_BASE_URL=log.example":        `MCP_PUBLIC_BASE_URL is "log.example": it takes an address such as https://log.example.`,
		"MCP_PUBLIC_BASE_URL=ftp://log.example":  `MCP_PUBLIC_BASE_URL is "ftp://log.example": it takes an address such as https://log.example.`,
		"MCP_PUBLIC_BASE_URL=https://log?mode=x": `MCP_PUBLIC_BASE_URL is "https://log?mode=x": it takes an address such as https://log.example.`,
	} {
		t.Run(pair, func(t *testing.T) {
			t.Parallel()
			_, err := Load(Inputs{Environ: []string{"TECTONIC_DATA=/data", pair}})
			if got := refused(t, err); got.Sentence() != want || got.ExitCode() != 2 {
				t.Errorf("got  %s\nwant %s", got.Sentence(), want)
			}
		})
	}
}

// Whoever typed a flag is told of the flag.
func TestARefusalNamesWhatWasSet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   Inputs
		says string
	}{
		{Inputs{Flags: map[string]string{"listen": "nonsense"}}, `--listen is "nonsense": name the host`},
		{Inputs{Flags: map[string]string{"listen": "127.0.0.1:99999"}}, `--listen is "127.0.0.1:99999": the port`},
		{Inputs{Environ: []string{"TECTONIC_LISTEN=nonsense"}}, `TECTONIC_LISTEN is "nonsense": name the host`},
		{Inputs{Flags: map[string]string{"env": "live"}}, `--env is "live": it takes one of`},
		{Inputs{Environ: []string{"TECTONIC_ENV=live"}}, `TECTONIC_ENV is "live": it takes one of`},
	} {
		c.in.Environ = append(c.in.Environ, "TECTONIC_DATA=/data")
		_, err := Load(c.in)
		if got := refused(t, err).Message; !strings.HasPrefix(got, c.says) {
			t.Errorf("got %q, want %q", got, c.says)
		}
	}
}

func TestDataFolder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		environ []string
		want    string // "" = refused
	}{
		{[]string{"TECTONIC_DATA=./data", "HOME=/home/me"}, "./data"},
		{[]string{"XDG_DATA_HOME=/x", "HOME=/home/me"}, "/x/tectonic"},
		{[]string{"HOME=/home/me"}, "/home/me/.local/share/tectonic"},
		{nil, ""},
	} {
		got, err := Load(Inputs{Environ: c.environ})
		if got.Data != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%v: got %q, %v, want %q", c.environ, got.Data, err, c.want)
		}
	}
	t.Run("is not needed in production on PostgreSQL", func(t *testing.T) {
		t.Parallel()
		load(t, Inputs{Environ: []string{"TECTONIC_ENV=production", "DATABASE_URL=postgres://db/x"}})
	})
}

func TestValues(t *testing.T) {
	t.Parallel()
	got := load(t, Inputs{Environ: []string{
		"TECTONIC_DATA=/data", "TECTONIC_REQUEST_TIMEOUT=90", "MCP_PUBLIC_BASE_URL=https://log.example/", "DB_LOG=1",
		"MCP_WRITES_ENABLED=false", "TECTONIC_MIGRATE=off", "TECTONIC_DB_POOL=9", "TECTONIC_ENV=staging",
	}})
	if got.RequestTimeout != 90*time.Second || got.BaseURL() != "https://log.example" || !got.Secure() || !got.StatementLog || got.WritesEnabled || got.Migrate || got.Pool != 9 || !got.Tier.Careful() {
		t.Errorf("got %+v", got)
	}
	if got := load(t, Inputs{Environ: []string{"TECTONIC_DATA=/data", "TECTONIC_REQUEST_TIMEOUT=0"}}); got.RequestTimeout != 0 {
		t.Errorf("got %s, want 0 to switch it off", got.RequestTimeout)
	}
}

func TestSecretsAreMadeOnce(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	var (
		group   sync.WaitGroup
		secrets [8]Secret
		made    [8][]string
	)
	for i := range secrets {
		group.Go(func() {
			c := Config{Tier: Development, Data: data}
			var err error
			if made[i], err = c.EnsureSecrets(); err != nil {
				t.Error(err)
			}
			secrets[i] = c.SessionSecret
		})
	}
	group.Wait()
	makers := 0
	for i := range secrets {
		makers += len(made[i])
		if secrets[i] != secrets[0] || len(string(secrets[i])) != 64 {
			t.Errorf("two of the processes do not agree, or the secret has %d characters", len(string(secrets[i])))
		}
	}
	if makers != 2 {
		t.Errorf("got %d secrets made, want each of the two once", makers)
	}
	path := filepath.Join(data, "secrets", "session_secret")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want mode 0600", info, err)
	}
	left, err := filepath.Glob(filepath.Join(data, "secrets", ".*"))
	if err != nil || len(left) != 0 {
		t.Errorf("got %v left behind, %v", left, err)
	}
	t.Run("refuses an empty one", func(t *testing.T) {
		if err := os.WriteFile(path, []byte("\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		c := Config{Tier: Development, Data: data}
		_, err := c.EnsureSecrets()
		if got := refused(t, err); !strings.Contains(got.Message, "is empty") {
			t.Errorf("got %v", got)
		}
	})
}

func TestWhoMustBringSecrets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tier     Tier
		database Secret
		given    Secret
		refused  bool
	}{
		{Production, "postgres://db/x", "", true},
		{Staging, "postgres://db/x", "", true},
		{Production, "postgres://db/x", "given", false},
		{Production, "", "", false},
		{Development, "postgres://db/x", "", false},
		{Test, "", "", false},
	} {
		cfg := Config{Tier: c.tier, DatabaseURL: c.database, SessionSecret: c.given, OAuth: OAuth{PrivateKey: c.given}, Data: t.TempDir()}
		made, err := cfg.EnsureSecrets()
		if (err != nil) != c.refused {
			t.Errorf("%s on %q: got %v, want refused %v", c.tier, string(c.database), err, c.refused)
		}
		if c.refused && refused(t, err).Message != "SESSION_SECRET is not set. Make one with: openssl rand -base64 48" {
			t.Errorf("got %v", err)
		}
		if c.given != "" && (len(made) != 0 || cfg.SessionSecret != c.given) {
			t.Errorf("a given secret was replaced; made %v", made)
		}
	}
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	t.Parallel()
	const canary = "hunter2"
	c := load(t, Inputs{Environ: []string{
		"TECTONIC_DATA=/data", "SESSION_SECRET=" + canary, "DATABASE_URL=postgres://me:" + canary + "@db/x",
		"TECTONIC_DATABASE_DIRECT_URL=" + canary, "SENTRY_DSN=" + canary,
	}})
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%U", "%10.3s", "%t", "%e"} {
		fmt.Fprintf(&out, verb+verb+verb+verb+"\n", c, &c, c.SessionSecret, []Secret{c.SessionSecret})
	}
	fmt.Fprintln(&out, c, c.SessionSecret, map[Secret]Secret{c.SessionSecret: c.SentryDSN})
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "config", c, "secret", c.SessionSecret)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "config", c, "secret", c.SessionSecret)
	if err := json.NewEncoder(&out).Encode(c); err != nil {
		t.Fatal(err)
	}
	for _, s := range Settings {
		fmt.Fprintln(&out, s.Env, s.Value(c))
	}
	for _, leak := range []string{canary, fmt.Sprintf("%x", canary), fmt.Sprintf("%X", canary)} {
		if at := strings.Index(out.String(), leak); at >= 0 {
			t.Errorf("a secret was printed: …%s…", out.String()[max(0, at-80):at+20])
		}
	}
	if got := fmt.Sprint(Secret("")); got != "" {
		t.Errorf("got %q for an unset secret, want nothing", got)
	}
}

func TestBrokenFileIsNotQuoted(t *testing.T) {
	t.Parallel()
	path := file(t, "A B=hunter2\n%%=hunter2\n")
	_, err := Load(Inputs{File: path, Environ: []string{"TECTONIC_DATA=/data"}})
	if got := refused(t, err).Sentence(); got != "The settings file "+path+" cannot be read: one of its lines is not NAME=value." {
		t.Errorf("got %s", got)
	}
	_, err = Load(Inputs{File: t.TempDir(), Environ: []string{"TECTONIC_DATA=/data"}})
	if got := refused(t, err).Sentence(); !strings.Contains(got, "is a directory") {
		t.Errorf("got %s", got)
	}
}

// The committed documents are what the table says; `make generate` writes them.
func TestDocumentsAreFresh(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{".env.example": EnvExample(), "docs/reference/config.md": Reference()} {
		got, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is old; run: make generate\n%s", path, diff)
		}
	}
}

func TestSettingsTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range Settings {
		if s.Env == "" || s.Doc == "" || s.set == nil || s.get == nil || seen[s.Env] {
			t.Errorf("%q lacks a name, a text or a function, or is there twice", s.Env)
		}
		seen[s.Env] = true
		if s.Secret && s.Default != "" {
			t.Errorf("%s is a secret with a default", s.Env)
		}
	}
}
