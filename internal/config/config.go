package config

import (
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/joho/godotenv"

	"tectonic/internal/bedrock/fault"
)

// Tier says how careful the program is.
type Tier string

// The tiers of TECTONIC_ENV. Staging behaves as production.
const (
	Development Tier = "development"
	Test        Tier = "test"
	Staging     Tier = "staging"
	Production  Tier = "production"
)

// Careful reports whether the tier serves real people.
func (t Tier) Careful() bool { return t == Production || t == Staging }

// Config is everything the program can be told.
type Config struct {
	Tier           Tier
	Data           string         // folder of the embedded database, secrets and backups
	DatabaseURL    Secret         // "" = SQLite in the data folder
	DirectURL      Secret         // past a connection pooler; "" = DatabaseURL
	Pool           int            // connections; 0 = max(4, cores)
	SQLiteSync     string         // full or normal
	Migrate        bool           // at start-up
	StatementLog   bool           // every statement with its values
	Listen         string         // host:port
	ListenFromHost bool           // the host chose the port by setting PORT
	PublicURL      string         // without a trailing slash; "" = not told
	TrustedProxies []netip.Prefix // whose word about the client's address is believed
	RequestTimeout time.Duration
	SignUp         string // open, invite or closed
	SessionSecret  Secret
	SentryDSN      Secret
	WritesEnabled  bool
	AuditReads     bool
	MCP            MCP
	OAuth          OAuth

	sources map[string]Source
}

// MCP is how assistants reach the tools.
type MCP struct {
	Path       string   // of the flagship plate's endpoint; the others are under /mcp
	Hosts      []string // further Host headers to answer to
	Origins    []string // origins of browsers that may call
	Scopes     []string // recognised and offered
	ServerName string   // as clients show it
	Version    string   // of the server; "" = the product's
	Challenge  string   // how a missing scope is told: auto, http or result
	FastPath   bool
	MaxBody    int64 // bytes
	PerSecond  float64
	Burst      int // calls at once
}

// OAuth is how the authorization server behaves.
type OAuth struct {
	PrivateKey Secret // PEM, signs access tokens
	Redirects  string // allow-list as it was written; "" = the default
	Grace      time.Duration
	CIMD       bool     // whether a client_id may be the URL of a metadata document
	CIMDHosts  []string // that may be private, for tests
}

// Source says where a setting came from.
type Source string

// The sources, strongest first.
const (
	FromFlag    Source = "flag"
	FromEnv     Source = "environment"
	FromFile    Source = ".env"
	FromDefault Source = "default"
)

// Inputs is where Load looks.
type Inputs struct {
	Flags   map[string]string // by flag name, only those that were given
	Environ []string          // NAME=value
	File    string            // path of the .env file; it may be absent
}

// Load reads every setting. It refuses a value that makes no sense with the
// name of the setting and what it takes.
func Load(in Inputs) (Config, error) {
	c := Config{sources: map[string]Source{}}
	env := parseEnviron(in.Environ)
	file, err := readFile(in.File)
	if err != nil {
		return Config{}, err
	}
	for _, s := range Settings {
		value, from := s.Default, FromDefault
		for _, place := range []struct {
			value string
			from  Source
		}{{file[s.Env], FromFile}, {env[s.Env], FromEnv}, {in.Flags[s.Flag], FromFlag}} {
			if place.value != "" {
				value, from = place.value, place.from
			}
		}
		c.sources[s.Env] = from
		if err := s.set(&c, value); err != nil {
			return Config{}, fault.BadArgument("%s is %q: %s.", c.called(s), s.shown(value), err)
		}
	}
	return c, c.finish(env)
}

// called returns the name under which somebody set a setting: that of the flag,
// or that of the environment.
func (c *Config) called(s Setting) string {
	if c.sources[s.Env] == FromFlag {
		return "--" + s.Flag
	}
	return s.Env
}

func parseEnviron(environ []string) map[string]string {
	env := map[string]string{}
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok {
			env[name] = value
		}
	}
	return env
}

func readFile(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	values, err := godotenv.Read(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if notOpened, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fault.BadArgument("The settings file %s cannot be read: %v.", path, notOpened.Err)
	}
	if err != nil { // it quotes the file, which may hold secrets
		return nil, fault.BadArgument("The settings file %s cannot be read: one of its lines is not NAME=value.", path)
	}
	return values, nil
}

// finish works out what depends on more than one setting.
func (c *Config) finish(env map[string]string) error {
	if c.Data == "" {
		c.Data = defaultData(env)
	}
	if c.Data == "" && (c.Embedded() || !c.Tier.Careful()) {
		return fault.BadArgument("There is no data folder: TECTONIC_DATA, XDG_DATA_HOME and HOME are all unset. Name one with --data.")
	}
	if port := env["PORT"]; port != "" && c.sources["TECTONIC_LISTEN"] == FromDefault {
		if !isPort(port) {
			return fault.BadArgument("PORT is %q: it takes a number from 0 to 65535.", port)
		}
		c.Listen, c.ListenFromHost = net.JoinHostPort("0.0.0.0", port), true
	}
	return c.checkListen()
}

func defaultData(env map[string]string) string {
	if home := env["XDG_DATA_HOME"]; home != "" {
		return filepath.Join(home, "tectonic")
	}
	if home := env["HOME"]; home != "" {
		return filepath.Join(home, ".local", "share", "tectonic")
	}
	return ""
}

// checkListen refuses an address without a host: ":9292" would listen to the
// whole network without anybody having said so.
func (c *Config) checkListen() error {
	name := "TECTONIC_LISTEN"
	if c.sources[name] == FromFlag {
		name = "--listen"
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if _, number := strconv.Atoi(port); err == nil && host != "" && number == nil && !isPort(port) {
		return fault.BadArgument("%s is %q: the port is a number from 0 to 65535.", name, c.Listen)
	}
	if err != nil || host == "" || !isPort(port) {
		return fault.BadArgument("%s is %q: name the host and the port, such as 127.0.0.1:9292 or 0.0.0.0:9292.", name, c.Listen)
	}
	return nil
}

func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil
}

// SQLitePath returns the file of the embedded database.
func (c Config) SQLitePath() string { return filepath.Join(c.Data, "tectonic.db") }

// Embedded reports whether the database is the SQLite file.
func (c Config) Embedded() bool { return c.DatabaseURL == "" }

// BaseURL returns the address that links start with: the public one, else the
// one that the program listens on.
func (c Config) BaseURL() string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	return "http://" + c.Listen
}

// Secure reports whether people reach the program over https.
func (c Config) Secure() bool { return strings.HasPrefix(c.PublicURL, "https://") }

// Source returns where the setting of that environment name came from.
func (c Config) Source(env string) Source { return c.sources[env] }

func publicURL(value string) (string, error) {
	if value == "" {
		return "", nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("it takes an address such as https://log.example")
	}
	return strings.TrimRight(value, "/"), nil
}
