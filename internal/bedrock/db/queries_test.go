package db_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit"
)

// root is the top of the repository, seen from this package.
const root = "../../.."

// query is one named statement of a queries folder.
type query struct{ file, name, text string }

var (
	queryHead = regexp.MustCompile(`(?m)^-- name: (\w+) :\w+$`)
	lineNote  = regexp.MustCompile(`--[^\n]*`)
	parameter = regexp.MustCompile(`sqlc\.n?arg\(\w+\)|@\w+`)
)

// split cuts a queries file into its statements, without comments and with
// every parameter written $1.
func split(file, text string) []query {
	heads := queryHead.FindAllStringSubmatchIndex(text, -1)
	var all []query
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		body := lineNote.ReplaceAllString(text[h[1]:end], "")
		body = parameter.ReplaceAllString(body, "$$1")
		all = append(all, query{file, text[h[2]:h[3]], strings.TrimSpace(body)})
	}
	return all
}

// everyQuery reads the queries of bedrock and of every plate.
func everyQuery(t *testing.T) []query {
	t.Helper()
	var all []query
	for _, pattern := range []string{"internal/bedrock/*/queries/*.sql", "internal/plates/*/store/queries/*.sql"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, split(strings.TrimPrefix(file, root+"/"), string(text))...)
		}
	}
	return all
}

// everyLine returns bedrock's line and that of every plate.
func everyLine(t *testing.T) []db.Line {
	t.Helper()
	lines := []db.Line{db.Bedrock}
	folders, err := filepath.Glob(filepath.Join(root, "internal/plates/*/migrations"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		lines = append(lines, db.Line{
			Name:     filepath.Base(filepath.Dir(folder)),
			Postgres: os.DirFS(filepath.Join(folder, "postgres")),
			SQLite:   os.DirFS(filepath.Join(folder, "sqlite")),
		})
	}
	return lines
}

func TestEveryQueryIsPortable(t *testing.T) {
	t.Parallel()
	nullable := nullableColumns(t)
	all := everyQuery(t)
	if len(all) < 20 {
		t.Fatalf("found only %d queries", len(all))
	}
	for _, q := range all {
		for _, problem := range append(portability(q.text), nullOrder(q.text, nullable)...) {
			t.Errorf("%s: %s: %s", q.file, q.name, problem)
		}
	}
}

func TestEveryQueryNamesItsWorkspace(t *testing.T) {
	t.Parallel()
	for _, q := range everyQuery(t) {
		if !namesWorkspace(q) {
			t.Errorf("%s: %s names no workspace after WHERE:\n%s", q.file, q.name, q.text)
		}
	}
}

// Generated queries are prepared on both engines: a parameter of the wrong
// type fails on PostgreSQL only, a construct it alone knows on SQLite only.
func TestEveryQueryPrepares(t *testing.T) {
	t.Parallel()
	statements := generatedStatements(t)
	if len(statements) < 20 {
		t.Fatalf("found only %d generated statements", len(statements))
	}
	testkit.EachWith(t, everyLine(t), nil, func(t *testing.T, d *db.DB) {
		for name, text := range statements {
			err := d.Write(t.Context(), func(tx *db.Tx) error {
				s, err := tx.PrepareContext(t.Context(), text)
				if err == nil {
					s.Close()
				}
				return err
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// generatedStatements reads the constants of the generated packages.
func generatedStatements(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"internal/bedrock/*/store/*.sql.go", "internal/plates/*/store/*.sql.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				spec, ok := n.(*ast.ValueSpec)
				if !ok || len(spec.Values) != 1 {
					return true
				}
				if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil && strings.HasPrefix(text, "-- name:") {
						all[file+" "+spec.Names[0].Name] = text
					}
				}
				return true
			})
		}
	}
	return all
}

// forbidden holds what only one engine understands, or both understand
// differently, with what to write instead.
var forbidden = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`::`), "CAST(x AS type)"},
	{regexp.MustCompile(`(?i)\bANY\s*\(|sqlc\.slice`), "IN (SELECT CAST(value AS BIGINT) FROM json_each(CAST($1 AS TEXT)))"},
	{regexp.MustCompile(`(?i)\bILIKE\b|~`), "LIKE on a _key column that is folded in Go"},
	{regexp.MustCompile(`(?i)\b(now|date_trunc|extract|generate_series|age|strftime|datetime|julianday)\s*\(|\bCURRENT_(DATE|TIME|TIMESTAMP)\b|\bINTERVAL\b`), "a parameter from the clock in Go"},
	{regexp.MustCompile(`(?i)\bFOR\s+(UPDATE|SHARE)\b|SKIP\s+LOCKED|advisory`), "a write that locks"},
	{regexp.MustCompile(`(?i)\bDISTINCT\s+ON\b|\bLATERAL\b|\bFETCH\s+FIRST\b|\bDELETE\b[^;]*\bUSING\b`), "row_number() or IN (SELECT …)"},
	{regexp.MustCompile(`(?i)\b(greatest|least|bool_or|bool_and|json_agg|json_build_object|json_object|array_agg|ifnull|iif|group_concat)\s*\(`), "CASE, max(CASE …), string_agg, or Go"},
	{regexp.MustCompile(`(?i)\bOFFSET\b`), "paging by row value (sort, id) < ($1, $2)"},
	{regexp.MustCompile(`(?i)\bINSERT\s+OR\b`), "ON CONFLICT"},
	{regexp.MustCompile(`(?i)\bposition\s*\(|\bsubstring\s*\([^)]*\bFROM\b`), "substr, replace"},
}

var (
	castTo    = regexp.MustCompile(`(?i)\bAS\s+([A-Z]+(?:\s+PRECISION)?)\s*\)`)
	likeOn    = regexp.MustCompile(`(?i)(\w+)\s+(?:NOT\s+)?LIKE\b`)
	aggregate = regexp.MustCompile(`(?i)\b(sum|avg)\s*\(`)
	wrapped   = regexp.MustCompile(`(?i)(CAST|COALESCE)\s*\(\s*$`)
)

// castable are the types that mean the same on both engines.
var castable = []string{"TEXT", "BIGINT", "DOUBLE PRECISION", "TIMESTAMPTZ"}

func portability(text string) []string {
	var problems []string
	for _, f := range forbidden {
		if hit := f.pattern.FindString(text); hit != "" {
			problems = append(problems, fmt.Sprintf("%q is not portable; write %s", hit, f.instead))
		}
	}
	if strings.Contains(strings.ToUpper(text), "CAST") {
		for _, m := range castTo.FindAllStringSubmatch(text, -1) {
			if kind := strings.Join(strings.Fields(strings.ToUpper(m[1])), " "); !slices.Contains(castable, kind) {
				problems = append(problems, fmt.Sprintf("CAST to %s; only %s mean the same", kind, strings.Join(castable, ", ")))
			}
		}
	}
	for _, m := range likeOn.FindAllStringSubmatch(text, -1) {
		if !strings.HasSuffix(m[1], "_key") {
			problems = append(problems, "LIKE on "+m[1]+", which is no _key column")
		}
	}
	for _, at := range aggregate.FindAllStringIndex(text, -1) {
		if !wrapped.MatchString(text[:at[0]]) {
			problems = append(problems, text[at[0]:at[1]]+"…) is not cast; PostgreSQL makes it NUMERIC")
		}
	}
	return problems
}

var (
	orderBy  = regexp.MustCompile(`(?is)\bORDER\s+BY\s+(.*?)(?:\bLIMIT\b|\bRETURNING\b|\bROWS\b|\bRANGE\b|\bUNION\b|\)|;|$)`)
	sortTerm = regexp.MustCompile(`(?is)^(?:\w+\.)?(\w+)(\s+(?:ASC|DESC))?$`)
	tableRef = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)`)
)

// nullOrder finds sort keys that may be NULL without saying where NULLs go.
func nullOrder(text string, nullable map[string]bool) []string {
	var problems []string
	tables := tableRef.FindAllStringSubmatch(text, -1)
	for _, list := range orderBy.FindAllStringSubmatch(text, -1) {
		for term := range strings.SplitSeq(list[1], ",") {
			m := sortTerm.FindStringSubmatch(strings.TrimSpace(term))
			if m == nil {
				continue // an expression, or one that says NULLS
			}
			for _, table := range tables {
				if nullable[table[1]+"."+m[1]] {
					problems = append(problems, "ORDER BY "+m[1]+", which may be NULL; say NULLS FIRST or NULLS LAST")
				}
			}
		}
	}
	return problems
}

// nullableColumns returns "table.column" of every column that may be NULL.
func nullableColumns(t *testing.T) map[string]bool {
	t.Helper()
	nullable := map[string]bool{}
	d := openOne(t, db.Options{Path: filepath.Join(t.TempDir(), "test.db"), Sync: "normal"})
	if err := d.Migrate(t.Context(), everyLine(t), nil); err != nil {
		t.Fatal(err)
	}
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		columns, err := db.Columns(t.Context(), tx)
		for _, c := range columns {
			nullable[c.Table+"."+c.Name] = c.Nullable
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return nullable
}

var (
	comparesWorkspace = regexp.MustCompile(`(?s)WHERE.*workspace_id = (\$[0-9]+|CAST\(\$[0-9]+)`)
	insertsWorkspace  = regexp.MustCompile(`INSERT INTO [a-z_]+ \([^)]*workspace_id`)
	libraryOnly       = regexp.MustCompile(`(?s)INSERT INTO training_exercises \(|FROM training_exercises\b.*workspace_id IS NULL`)
	namedTable        = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE) ([a-z_]+)`)
)

// global lists the tables that belong to no workspace; library the one whose
// rows may; everyWorkspace the queries that must look past workspaces.
var (
	global         = []string{"accounts", "workspaces", "sessions", "clients"}
	library        = []string{"training_exercises", "json_each"}
	everyWorkspace = []string{
		"RowsByRef",           // the operator asks by reference
		"DeleteKeysBefore",    // housekeeping
		"DeleteGrantsBefore",  // housekeeping
		"UnusedClients",       // housekeeping
		"DeleteClient",        // housekeeping
		"Standing",            // a token names its grant, the grant its workspace
		"GrantByCode",         // the code names its grant
		"GrantOfClient",       // the credentials name their grant
		"StandingByToken",     // the token names its grant
		"TokenInAddress",      // so does this
		"InviteByHash",        // the link names its workspace
		"DeleteInvitesBefore", // housekeeping
		"DeleteKeysOf",        // an account that goes
		"CountTokensOf",       // the tokens of one account
		"HideClientsOf",       // an account that goes
		"WorkspacesOf",        // the workspaces of one account
		"FirstMembership",     // the workspaces of one account
		"Memberships",         // the workspaces of one account
		"WorkspacesWithOwner", // the operator of this machine
	}
	everyWorkspaceOfAPlate = []string{
		"DeleteBinBefore", // housekeeping
	}
)

func namesWorkspace(q query) bool {
	if comparesWorkspace.MatchString(q.text) || insertsWorkspace.MatchString(q.text) {
		return true
	}
	if strings.HasPrefix(q.file, "internal/bedrock/") && slices.Contains(everyWorkspace, q.name) {
		return true
	}
	if slices.Contains(everyWorkspaceOfAPlate, q.name) {
		return true
	}
	return onlyTables(q.text, global) || libraryOnly.MatchString(q.text) && onlyTables(q.text, library)
}

// onlyTables reports whether the statement touches nothing but the tables.
func onlyTables(text string, tables []string) bool {
	for _, m := range namedTable.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(tables, m[1]) {
			return false
		}
	}
	return true
}

func TestTenantRuleCatchesLeaks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"SELECT workspace_id, name FROM grants WHERE id = $1":                                                         false,
		"SELECT g.name FROM grants AS g JOIN workspaces AS w ON w.id = g.workspace_id WHERE g.id = $1":                false,
		"SELECT g.name FROM grants AS g JOIN members AS m ON m.workspace_id = g.workspace_id WHERE m.account_id = $1": false,
		"UPDATE grants SET workspace_id = $1":                                                                         false,
		"DELETE FROM grants":                                                                                          false,
		"SELECT name FROM training_exercises WHERE id = $1":                                                           false,
		"SELECT * FROM grants WHERE workspace_id = $1 AND id = $2":                                                    true,
		"SELECT * FROM grants WHERE id = $2 AND workspace_id = CAST($1 AS BIGINT)":                                    true,
		"INSERT INTO grants (workspace_id, name) VALUES ($1, $2)":                                                     true,
		"SELECT * FROM accounts WHERE id = $1":                                                                        true,
		"SELECT name FROM training_exercises WHERE workspace_id IS NULL":                                              true,
	} {
		if got := namesWorkspace(query{text: text}); got != want {
			t.Errorf("got %v, want %v for %s", got, want, text)
		}
	}
}

func TestPortabilityRules(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{
		"SELECT day::text FROM t":                           false,
		"SELECT CAST(day AS DATE) FROM t":                   false,
		"SELECT CAST(day AS TEXT) FROM t AS d":              true,
		"SELECT CAST(avg(x) AS DOUBLE PRECISION) FROM t":    true,
		"SELECT avg(x) FROM t":                              false,
		"SELECT CAST(COALESCE(sum(x), 0) AS BIGINT) FROM t": true,
		"SELECT id FROM t WHERE name LIKE $1":               false,
		"SELECT id FROM t WHERE name_key LIKE $1":           true,
		"SELECT id FROM t WHERE at > now()":                 false,
		"SELECT id FROM t WHERE id = ANY($1)":               false,
		"SELECT id FROM t ORDER BY weight_lb":               false,
		"SELECT id FROM t ORDER BY id, t.weight_lb DESC":    false,
		"SELECT id FROM t ORDER BY weight_lb NULLS LAST":    true,
		"SELECT id FROM t ORDER BY id LIMIT $1":             true,
	} {
		got := append(portability(text), nullOrder(text, map[string]bool{"t.weight_lb": true})...)
		if (len(got) == 0) != good {
			t.Errorf("got %q for %s", got, text)
		}
	}
}
