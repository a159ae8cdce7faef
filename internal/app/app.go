package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"tectonic/internal/bedrock/account"
	accountpages "tectonic/internal/bedrock/account/pages"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/bedrock/oauth"
	oauthpages "tectonic/internal/bedrock/oauth/pages"
	"tectonic/internal/bedrock/plate"
	"tectonic/internal/bedrock/record"
	"tectonic/internal/config"
	"tectonic/internal/web"
)

// Version is the product's; a release sets it when it links.
var Version = "0.1.0-dev"

// App is the product, put together. Close it.
type App struct {
	Config   config.Config
	DB       *db.DB
	Gate     *gate.Gate
	Accounts *account.Service
	Denials  *record.Denials
	OAuth    *oauth.Server // nil in a program without secrets
	Troubles *Troubles
	rates    *gate.Rates // of programs, over all their doors
	Plates   []plate.Plate
	Site     *web.Site
	Uploads  *web.Uploads

	writes   atomic.Bool // MCP_WRITES_ENABLED, which may change while the server runs
	log      *slog.Logger
	owned    *db.DB // the database that Close closes
	errors   *reporter
	handler  http.Handler
	routes   []web.Route
	draining chan struct{}
}

// Options are the parts of an App that tests replace.
type Options struct {
	Config config.Config
	Log    *slog.Logger
	Now    func() time.Time // nil = time.Now
	DB     *db.DB           // nil = opened from Config; one that is handed in stays the caller's to close
	Look   bool             // only look: a database that is not there is refused and not made

	// Statements is where every statement is logged with its values, when
	// DB_LOG asks for that. It must not be nil then.
	Statements *slog.Logger
}

// New opens the database and puts the product together. It changes nothing in
// the database; Prepare does.
func New(ctx context.Context, o Options) (*App, error) {
	a := &App{Config: o.Config, log: o.Log, draining: make(chan struct{})}
	a.writes.Store(o.Config.WritesEnabled)
	now := o.Now
	if now == nil {
		now = time.Now
	}
	var err error
	if a.errors, err = newReporter(a.Config, a.log); err != nil {
		return nil, err
	}
	if a.DB = o.DB; a.DB == nil {
		if a.DB, err = open(ctx, o, now); err != nil {
			return nil, err
		}
		a.owned = a.DB
	}
	a.Denials = record.NewDenials(a.DB, a.log, now)
	a.Accounts = account.New(account.Options{DB: a.DB, Log: a.log, SignUp: account.SignUp(a.Config.SignUp), Denials: a.Denials, Hooks: hooks, Now: now})
	a.Gate = gate.New(gate.Options{
		DB: a.DB, Log: a.log, Denials: a.Denials, AuditReads: a.Config.AuditReads, CheckOutput: !a.Config.Tier.Careful(),
		WritesEnabled: a.writes.Load, Timeout: unlimited(a.Config.RequestTimeout), Report: a.errors.report,
	})
	a.Uploads = uploads(a.Config)
	a.Plates = plates(plate.Bed{DB: a.DB, Gate: a.Gate, Accounts: a.Accounts, Log: a.log, Now: now, BaseURL: a.Config.BaseURL(), Uploads: a.Uploads})
	if err := a.register(); err != nil {
		a.Close()
		return nil, err
	}
	a.Troubles = &Troubles{now: now}
	a.rates = gate.NewRates(gate.Rate{PerSecond: a.Config.MCP.PerSecond, Burst: a.Config.MCP.Burst})
	if err := a.connect(); err != nil {
		a.Close()
		return nil, err
	}
	a.Site = a.site(now)
	if a.handler, err = a.mount(); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

func open(ctx context.Context, o Options, now func() time.Time) (*db.DB, error) {
	c := o.Config
	to := db.Options{
		URL: string(c.DatabaseURL), Path: c.SQLitePath(), MustExist: o.Look, DirectURL: string(c.DirectURL),
		Sync: c.SQLiteSync, Pool: c.Pool, Now: now,
	}
	if c.StatementLog {
		to.StatementLog = o.Statements
	}
	return db.Open(ctx, to)
}

// register hands the tools to the gate. A plate without a name, or a tool
// that breaks its contract, stops the start.
func (a *App) register() error {
	for _, p := range a.Plates {
		registry, err := Registry(p)
		if err != nil {
			return err
		}
		if err := a.Gate.Register(registry); err != nil {
			return err
		}
	}
	return nil
}

// uploads keep their files in the data folder, where there is one.
func uploads(c config.Config) *web.Uploads {
	if c.Data == "" {
		return &web.Uploads{}
	}
	return &web.Uploads{Dir: filepath.Join(c.Data, "uploads")}
}

// Registry checks the tools of a plate and returns them.
func Registry(p plate.Plate) (*contract.Registry, error) {
	if p.Name == "" || p.Title == "" {
		return nil, fmt.Errorf("a plate needs a name and a title: %q, %q", p.Name, p.Title)
	}
	return contract.NewRegistry(p.Name, p.Scopes, p.Tools...)
}

// Catalog returns the plates without a database, for help texts and
// documents. Their tools and pages must not be called.
func Catalog() []plate.Plate { return plates(plate.Bed{Gate: gate.New(gate.Options{})}) }

func (a *App) site(now func() time.Time) *web.Site {
	o := web.Options{
		Origin: a.Config.PublicURL, Secure: a.Config.Secure(), Dev: !a.Config.Tier.Careful(),
		Timeout: unlimited(a.Config.RequestTimeout), Log: a.log, Now: now,
		Store: a.Accounts.Sessions(), Identities: identities{a.Accounts}, Report: a.errors.report, Denied: a.denied,
		Bedrock: append(oauthpages.Nav(), accountpages.Nav()...), Version: Version,
	}
	for _, p := range a.Plates {
		o.Sections = append(o.Sections, p.Nav)
	}
	return web.New(o)
}

// denied writes down a request that was turned away before anybody was known.
func (a *App) denied(ctx context.Context, who contract.Caller, r *fault.Refusal) {
	a.deniedToken(ctx, who, "", r, false)
}

// unlimited translates the setting's 0 (off) into the packages' negative.
func unlimited(d time.Duration) time.Duration {
	if d == 0 {
		return -1
	}
	return d
}

// Lines returns the migration lines, bedrock first.
func (a *App) Lines() []db.Line { return Lines(a.Plates) }

// Lines returns the migration lines of bedrock and the plates, in order.
func Lines(plates []plate.Plate) []db.Line {
	lines := []db.Line{db.Bedrock}
	for _, p := range plates {
		if p.Migrations.Name != "" {
			lines = append(lines, p.Migrations)
		}
	}
	return lines
}

// Setup loads the standing data of all plates, inside tx.
func Setup(plates []plate.Plate) func(context.Context, *db.Tx) error {
	return func(ctx context.Context, tx *db.Tx) error {
		for _, p := range plates {
			if p.Setup == nil {
				continue
			}
			if err := p.Setup(ctx, tx); err != nil {
				return fmt.Errorf("set up plate %s: %w", p.Name, err)
			}
		}
		return nil
	}
}

// Migrate brings the database up to date and loads the standing data.
func (a *App) Migrate(ctx context.Context) error {
	return a.DB.Migrate(ctx, a.Lines(), Setup(a.Plates))
}

// Prepare makes the database usable: it migrates, or refuses when that is
// switched off and the database is behind. A database that a newer program has
// migrated is only reported, since in the middle of an upgrade older nodes go
// on working.
func (a *App) Prepare(ctx context.Context) error {
	if a.Config.Migrate {
		if err := a.Migrate(ctx); err != nil {
			return err
		}
	}
	lines, err := a.DB.Status(ctx, a.Lines())
	if err != nil {
		return err
	}
	var behind []string
	for _, l := range lines {
		for _, name := range l.Pending {
			behind = append(behind, l.Line+" "+name)
		}
		if len(l.Unknown) > 0 {
			a.log.WarnContext(ctx, "the database was migrated by a newer program", "line", l.Line, "versions", l.Unknown)
		}
	}
	if len(behind) > 0 {
		return fault.Refuse("The database is behind by %d migration(s): %s.", len(behind), contract.Or(behind)).
			Next("Run: tectonic db migrate")
	}
	return nil
}

// Backup writes a checked copy of the database into file, which must not
// exist. A database that was never migrated is refused: its copy would only
// look like a backup.
func (a *App) Backup(ctx context.Context, file string) error {
	if a.DB.Dialect == db.Postgres {
		return a.DB.Backup(ctx, file)
	}
	lines, err := a.DB.Status(ctx, a.Lines())
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(lines, func(l db.LineStatus) bool { return len(l.Applied)+len(l.Unknown) > 0 }) {
		return fault.Refuse("The database %s is empty, so there is nothing to back up.", a.Config.SQLitePath()).
			Next("Name the data folder that is in use with --data.")
	}
	return a.DB.Backup(ctx, file)
}

// Reload takes over the settings that may change while the server runs.
func (a *App) Reload(c config.Config) { a.writes.Store(c.WritesEnabled) }

// Handler returns everything that is served over HTTP.
func (a *App) Handler() http.Handler { return a.handler }

// Close releases the database and sends what is left to report.
func (a *App) Close() {
	a.Denials.Flush(context.Background())
	a.errors.flush()
	if a.owned != nil {
		a.owned.Close()
	}
}
