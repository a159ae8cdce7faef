package config

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Setting is one row of the table of settings.
type Setting struct {
	Env     string // name in the environment and in .env
	Flag    string // name on the command line; "" = none
	Default string
	Doc     string // one or two sentences
	Secret  bool
	Make    string // the command that makes a value, for secrets
	Live    bool   // a running server takes a new value on SIGHUP

	set func(*Config, string) error
	get func(Config) string
}

func (s Setting) shown(value string) string {
	if s.Secret {
		return Secret(value).String()
	}
	return value
}

// Value returns the effective value as it may be printed.
func (s Setting) Value(c Config) string { return s.shown(s.get(c)) }

// Settings is the table, in the order in which it is printed.
var Settings = []Setting{
	{
		Env: "TECTONIC_ENV", Flag: "env", Default: "development",
		Doc: "How careful the program is: development, test, staging or production. Staging behaves as production.",
		set: func(c *Config, v string) error {
			c.Tier = Tier(v)
			return oneOf(v, string(Development), string(Test), string(Staging), string(Production))
		},
		get: func(c Config) string { return string(c.Tier) },
	},
	{
		Env: "TECTONIC_DATA", Flag: "data",
		Doc: "Folder of the embedded database, of secrets and of backups. Default: $XDG_DATA_HOME/tectonic, else ~/.local/share/tectonic.",
		set: text(func(c *Config) *string { return &c.Data }),
		get: func(c Config) string { return c.Data },
	},
	{
		Env: "TECTONIC_LISTEN", Flag: "listen", Default: "127.0.0.1:9292",
		Doc: "Host and port to listen on. When it is unset and the host sets PORT, the program listens on 0.0.0.0 at that port.",
		set: text(func(c *Config) *string { return &c.Listen }),
		get: func(c Config) string { return c.Listen },
	},
	{
		Env: "TECTONIC_TRUSTED_PROXIES", Default: "127.0.0.0/8 ::1/128",
		Doc: "Addresses or networks of reverse proxies, separated by spaces or commas. Only from these is X-Forwarded-For believed when sign-ins are limited per client.",
		set: func(c *Config, v string) (err error) { c.TrustedProxies, err = prefixes(v); return err },
		get: func(c Config) string { return joined(c.TrustedProxies) },
	},
	{
		Env: "MCP_PUBLIC_BASE_URL",
		Doc: "The address under which people and assistants reach this server, such as https://log.example. Links start with it; with https, cookies are Secure.",
		set: func(c *Config, v string) (err error) { c.PublicURL, err = publicURL(v); return err },
		get: func(c Config) string { return c.PublicURL },
	},
	{
		Env: "DATABASE_URL", Secret: true,
		Doc:  "PostgreSQL as postgres://user:password@host/database. Unset: SQLite in the data folder.",
		Make: "createdb tectonic",
		set:  secret(func(c *Config) *Secret { return &c.DatabaseURL }),
		get:  func(c Config) string { return string(c.DatabaseURL) },
	},
	{
		Env: "TECTONIC_DATABASE_DIRECT_URL", Secret: true,
		Doc: "PostgreSQL past a connection pooler, for migrations. Unset: DATABASE_URL.",
		set: secret(func(c *Config) *Secret { return &c.DirectURL }),
		get: func(c Config) string { return string(c.DirectURL) },
	},
	{
		Env: "TECTONIC_DB_POOL", Default: "0",
		Doc: "Database connections. 0: four, or one per core when there are more. A request waits for one until its own deadline.",
		set: func(c *Config, v string) (err error) { c.Pool, err = atLeast(v, 0); return err },
		get: func(c Config) string { return strconv.Itoa(c.Pool) },
	},
	{
		Env: "TECTONIC_SQLITE_SYNC", Default: "full",
		Doc: "full: an acknowledged set survives a power cut. normal: faster, the last commits may be lost, the file stays whole.",
		set: func(c *Config, v string) error { c.SQLiteSync = v; return oneOf(v, "full", "normal") },
		get: func(c Config) string { return c.SQLiteSync },
	},
	{
		Env: "TECTONIC_MIGRATE", Default: "auto",
		Doc: "auto: the server brings the database up to date when it starts. off: it refuses to start when the database is behind.",
		set: func(c *Config, v string) error { c.Migrate = v == "auto"; return oneOf(v, "auto", "off") },
		get: func(c Config) string {
			if c.Migrate {
				return "auto"
			}
			return "off"
		},
	},
	{
		Env: "DB_LOG",
		Doc: "Set to anything: every statement is logged with its values, which include addresses and training numbers; to stdout under serve, to stderr elsewhere.",
		set: func(c *Config, v string) error { c.StatementLog = v != ""; return nil },
		get: func(c Config) string { return onOff(c.StatementLog) },
	},
	{
		Env: "TECTONIC_REQUEST_TIMEOUT", Default: "20s",
		Doc: "Longest time for one request. 0 switches it off; streams are not cut.",
		set: func(c *Config, v string) (err error) { c.RequestTimeout, err = duration(v); return err },
		get: func(c Config) string { return c.RequestTimeout.String() },
	},
	{
		Env: "TECTONIC_SIGNUP", Default: "open",
		Doc: "Who may create an account: open, invite or closed.",
		set: func(c *Config, v string) error { c.SignUp = v; return oneOf(v, "open", "invite", "closed") },
		get: func(c Config) string { return c.SignUp },
	},
	{
		Env: "MCP_WRITES_ENABLED", Default: "true", Live: true,
		Doc: "false: assistants and the JSON API can only read. Pages and the command line keep writing. A running server reads a new value from .env on SIGHUP.",
		set: boolean(func(c *Config) *bool { return &c.WritesEnabled }),
		get: func(c Config) string { return strconv.FormatBool(c.WritesEnabled) },
	},
	{
		Env: "MCP_AUDIT_READS", Default: "false",
		Doc: "true: every read over any door is recorded, not only writes and refusals.",
		set: boolean(func(c *Config) *bool { return &c.AuditReads }),
		get: func(c Config) string { return strconv.FormatBool(c.AuditReads) },
	},
	{
		Env: "MCP_ENDPOINT_PATH", Default: "/mcp",
		Doc: "Path of the training plate's MCP endpoint. Those of the other plates are /mcp/<plate>.",
		set: func(c *Config, v string) (err error) { c.MCP.Path, err = endpointPath(v); return err },
		get: func(c Config) string { return c.MCP.Path },
	},
	{
		Env: "MCP_ALLOWED_HOSTS",
		Doc: "Further Host headers that the MCP endpoints answer to, separated by spaces or commas: a name for any port, or host:port. This machine and the public address are always allowed.",
		set: list(func(c *Config) *[]string { return &c.MCP.Hosts }),
		get: func(c Config) string { return strings.Join(c.MCP.Hosts, " ") },
	},
	{
		Env: "MCP_ALLOWED_ORIGINS",
		Doc: "Origins of browsers that may call the MCP endpoints, such as http://localhost:6274 for the MCP Inspector.",
		set: list(func(c *Config) *[]string { return &c.MCP.Origins }),
		get: func(c Config) string { return strings.Join(c.MCP.Origins, " ") },
	},
	{
		Env: "MCP_SCOPES", Default: "read write",
		Doc: "Scopes that are recognised and offered to assistants.",
		set: list(func(c *Config) *[]string { return &c.MCP.Scopes }),
		get: func(c Config) string { return strings.Join(c.MCP.Scopes, " ") },
	},
	{
		Env: "MCP_SCOPE_CHALLENGE", Default: "auto",
		Doc: "How a missing scope is told. auto: 403 to clients that can ask for more, a readable result to the others. http: always 403. result: always a result.",
		set: func(c *Config, v string) error { c.MCP.Challenge = v; return oneOf(v, "auto", "http", "result") },
		get: func(c Config) string { return c.MCP.Challenge },
	},
	{
		Env: "MCP_FAST_PATH", Default: "on",
		Doc: "off: every call goes through the MCP library, which is slower. For finding faults.",
		set: boolean(func(c *Config) *bool { return &c.MCP.FastPath }),
		get: func(c Config) string { return onOff(c.MCP.FastPath) },
	},
	{
		Env: "MCP_MAX_BODY_BYTES", Default: "1048576",
		Doc: "Largest request to an MCP endpoint, in bytes.",
		set: func(c *Config, v string) error { n, err := atLeast(v, 1024); c.MCP.MaxBody = int64(n); return err },
		get: func(c Config) string { return strconv.FormatInt(c.MCP.MaxBody, 10) },
	},
	{
		Env: "MCP_RATE_LIMIT", Default: "20/60",
		Doc: "Calls per second and at once that each connection may make, as 20/60. 0: no limit.",
		set: func(c *Config, v string) (err error) { c.MCP.PerSecond, c.MCP.Burst, err = rateLimit(v); return err },
		get: func(c Config) string {
			if c.MCP.PerSecond == 0 {
				return "0"
			}
			return strconv.FormatFloat(c.MCP.PerSecond, 'g', -1, 64) + "/" + strconv.Itoa(c.MCP.Burst)
		},
	},
	{
		Env: "MCP_SERVER_NAME", Default: "Tectonic",
		Doc: "Name of the server as assistants show it.",
		set: text(func(c *Config) *string { return &c.MCP.ServerName }),
		get: func(c Config) string { return c.MCP.ServerName },
	},
	{
		Env: "MCP_SERVER_VERSION",
		Doc: "Version of the server as assistants show it. Unset: that of the program.",
		set: text(func(c *Config) *string { return &c.MCP.Version }),
		get: func(c Config) string { return c.MCP.Version },
	},
	{
		Env: "OAUTH_JWT_PRIVATE_KEY", Secret: true,
		Doc:  "RSA key in PEM, of at least 2048 bits, that signs access tokens; line breaks may be written as \\n. Made once in the data folder, except in production on PostgreSQL.",
		Make: "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048",
		set:  secret(func(c *Config) *Secret { return &c.OAuth.PrivateKey }),
		get:  func(c Config) string { return string(c.OAuth.PrivateKey) },
	},
	{
		Env: "OAUTH_REDIRECT_URI_ALLOWLIST",
		Doc: "Where assistants may be sent back to after consent; replaces the built-in list. The words defaults, preset:cursor and preset:vscode stand for lists.",
		set: text(func(c *Config) *string { return &c.OAuth.Redirects }),
		get: func(c Config) string { return c.OAuth.Redirects },
	},
	{
		Env: "OAUTH_REFRESH_GRACE_SECONDS", Default: "30",
		Doc: "How long a refresh token that was just used still gets its successor again, in seconds. 0: never.",
		set: func(c *Config, v string) error {
			n, err := atLeast(v, 0)
			c.OAuth.Grace = time.Duration(n) * time.Second
			return err
		},
		get: func(c Config) string { return strconv.Itoa(int(c.OAuth.Grace / time.Second)) },
	},
	{
		Env: "OAUTH_CIMD", Default: "on",
		Doc: "off: an assistant cannot identify itself by the address of a metadata document.",
		set: boolean(func(c *Config) *bool { return &c.OAuth.CIMD }),
		get: func(c Config) string { return onOff(c.OAuth.CIMD) },
	},
	{
		Env: "OAUTH_CIMD_ALLOW_HOSTS",
		Doc: "Hosts, or host:port, of metadata documents that may have private addresses. For tests.",
		set: list(func(c *Config) *[]string { return &c.OAuth.CIMDHosts }),
		get: func(c Config) string { return strings.Join(c.OAuth.CIMDHosts, " ") },
	},
	{
		Env: "SESSION_SECRET", Secret: true,
		Doc:  "Key of refresh tokens and pending confirmations. Made once in the data folder, except in production on PostgreSQL.",
		Make: "openssl rand -base64 48",
		set:  secret(func(c *Config) *Secret { return &c.SessionSecret }),
		get:  func(c Config) string { return string(c.SessionSecret) },
	},
	{
		Env: "SENTRY_DSN", Secret: true,
		Doc: "Where unexpected errors are reported in staging and production. Unset: they are only logged.",
		set: secret(func(c *Config) *Secret { return &c.SentryDSN }),
		get: func(c Config) string { return string(c.SentryDSN) },
	},
}

func text(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error { *field(c) = v; return nil }
}

func secret(field func(*Config) *Secret) func(*Config, string) error {
	return func(c *Config, v string) error { *field(c) = Secret(v); return nil }
}

// boolean reads false, 0, no and off as off and anything else as on.
func boolean(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, v string) error {
		*field(c) = !slices.Contains([]string{"false", "0", "no", "off"}, strings.ToLower(v))
		return nil
	}
}

// list reads words that are separated by white space or commas.
func list(field func(*Config) *[]string) func(*Config, string) error {
	return func(c *Config, v string) error { *field(c) = words(v); return nil }
}

func words(v string) []string {
	if v == "" {
		return nil
	}
	return strings.FieldsFunc(v, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func endpointPath(v string) (string, error) {
	v = "/" + strings.Trim(v, "/")
	if v == "/" || strings.ContainsAny(v, "{}?# \t") {
		return "", errors.New("it takes a path such as /mcp")
	}
	return v, nil
}

// rateLimit reads "20/60": calls per second, and at once.
func rateLimit(v string) (perSecond float64, burst int, err error) {
	if v == "0" {
		return 0, 0, nil
	}
	left, right, _ := strings.Cut(v, "/")
	perSecond, err = strconv.ParseFloat(left, 64)
	burst, err2 := strconv.Atoi(right)
	if err != nil || err2 != nil || !(perSecond > 0 && perSecond <= 1e6) || burst < 1 {
		return 0, 0, errors.New("it takes calls per second and at once, such as 20/60, or 0")
	}
	return perSecond, burst, nil
}

func oneOf(v string, allowed ...string) error {
	if slices.Contains(allowed, v) {
		return nil
	}
	return fmt.Errorf("it takes one of %s", strings.Join(allowed, ", "))
}

func atLeast(v string, least int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < least {
		return 0, fmt.Errorf("it takes a whole number from %d", least)
	}
	return n, nil
}

// duration reads "20s" and also a bare number of seconds.
func duration(v string) (time.Duration, error) {
	if n, err := strconv.Atoi(v); err == nil && n >= 0 {
		return time.Duration(n) * time.Second, nil
	}
	d, err := time.ParseDuration(v)
	if err != nil || d < 0 {
		return 0, errors.New("it takes a time such as 20s, or 0")
	}
	return d, nil
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

// prefixes reads a list of networks; a single address is a network of one.
func prefixes(v string) ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, word := range words(v) {
		prefix, err := netip.ParsePrefix(word)
		if address, notOne := netip.ParseAddr(word); notOne == nil {
			prefix, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no address or network such as 10.0.0.0/8", word)
		}
		list = append(list, prefix.Masked())
	}
	return list, nil
}

func joined[T fmt.Stringer](list []T) string {
	words := make([]string, len(list))
	for i, item := range list {
		words[i] = item.String()
	}
	return strings.Join(words, " ")
}
