package archtest

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// policy says who may import whom inside the module. The first matching line
// wins; a package without a line fails. * is one path element, {p} the same
// plate on both sides, {noun} a plate's rules package. Everybody may also
// import bedrock/fault, bedrock/id and bedrock/dbtype.
const policy = `
bedrock/fault          : -
bedrock/id             : -
bedrock/dbtype         : -
bedrock/db             : -
bedrock/*/store        : bedrock/db
bedrock/contract       : bedrock/db
bedrock/record         : bedrock/db bedrock/contract bedrock/record/store
bedrock/account        : bedrock/db bedrock/contract bedrock/record bedrock/account/store
bedrock/oauth          : bedrock/db bedrock/oauth/store
bedrock/gate           : bedrock/db bedrock/contract bedrock/account bedrock/record bedrock/gate/store
bedrock/plate          : bedrock/db bedrock/contract bedrock/account bedrock/gate web
bedrock/*/pages        : bedrock/* web web/ui
web/ui                 : -
web                    : bedrock/contract bedrock/account bedrock/db web/ui
transport/*            : bedrock/contract bedrock/gate
transport/mcp/conformance : bedrock/contract transport/mcp
plates/{p}             : bedrock/* plates/{p}/* web
plates/{p}/pages       : bedrock/contract bedrock/gate bedrock/db web web/ui plates/{p}/tools plates/{p}/store plates/{p}/{noun}
plates/{p}/tools       : bedrock/db bedrock/contract plates/{p}/store plates/{p}/{noun}
plates/{p}/jobs        : bedrock/db bedrock/contract bedrock/gate plates/{p}/store plates/{p}/{noun}
plates/{p}/store       : bedrock/db plates/{p}/{noun}
plates/{p}/{noun}      : plates/{p}/{noun}
config                 : -
config/generate        : config
probe                  : -
app                    : config bedrock/* bedrock/*/pages transport/* transport/mcp/conformance plates/* web
cli                    : app config probe bedrock/contract bedrock/account bedrock/oauth bedrock/gate bedrock/plate transport/* plates/*
testkit                : app config bedrock/* plates/* web transport/*
testkit/product        : testkit app config bedrock/* plates/* web transport/*
archtest               : -
benchmark              : -
contracttest           : -
resilience             : -
journey                : -
peers                  : -
`

// homes says where third-party packages may be imported. A module that is not
// named here is free.
const homes = `
net/http                                    : web transport/* transport/mcp/conformance bedrock/oauth bedrock/*/pages plates/*/pages plates/relay/upstream probe app cli testkit testkit/product
database/sql                                : bedrock/* bedrock/*/store plates/*/store testkit
github.com/jackc/pgx                        : bedrock/db testkit
modernc.org/sqlite                          : bedrock/db
github.com/pressly/goose                    : bedrock/db
github.com/a-h/templ                        : web web/ui bedrock/*/pages plates/*/pages
github.com/alexedwards/scs                  : web
github.com/alexedwards/argon2id             : bedrock/account
github.com/modelcontextprotocol/go-sdk      : transport/mcp transport/mcp/conformance
github.com/golang-jwt/jwt                   : bedrock/oauth
github.com/spf13/cobra                      : cli
github.com/getsentry/sentry-go              : app
github.com/santhosh-tekuri/jsonschema       : bedrock/contract
`

const module = "tectonic/internal/"

var shared = []string{"bedrock/fault", "bedrock/id", "bedrock/dbtype"}

type rule struct {
	pkg     string
	allowed []string
}

func rules(text string) []rule {
	var list []rule
	for line := range strings.Lines(text) {
		name, allowed, ok := strings.Cut(line, ":")
		if ok {
			list = append(list, rule{strings.TrimSpace(name), strings.Fields(strings.ReplaceAll(allowed, " - ", ""))})
		}
	}
	return list
}

// match compares a pattern with a path; bound fixes what {p} stands for.
func match(pattern, path string, bound map[string]string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, w := range want {
		switch w {
		case "*":
		case "{noun}":
			if slices.Contains([]string{"pages", "tools", "store", "jobs"}, got[i]) {
				return false
			}
		case "{p}":
			if known, ok := bound["{p}"]; ok && known != got[i] {
				return false
			}
			bound["{p}"] = got[i]
		default:
			if w != got[i] {
				return false
			}
		}
	}
	return true
}

// verdict returns "" when pkg may import imported, else the reason why not.
func verdict(list []rule, pkg, imported string) string {
	for _, r := range list {
		bound := map[string]string{}
		if !match(r.pkg, pkg, bound) {
			continue
		}
		for _, a := range append(slices.Clone(r.allowed), shared...) {
			if match(a, imported, map[string]string{"{p}": bound["{p}"]}) {
				return ""
			}
		}
		return fmt.Sprintf("%s may not import %s (its line allows: %s)", pkg, imported, strings.Join(r.allowed, " "))
	}
	return fmt.Sprintf("%s has no line in the import policy", pkg)
}

func mayUse(list []rule, pkg, imported string) bool {
	for _, r := range list {
		if imported != r.pkg && !strings.HasPrefix(imported, r.pkg+"/") {
			continue
		}
		return slices.ContainsFunc(r.allowed, func(a string) bool { return match(a, pkg, map[string]string{}) })
	}
	return true
}

type source struct {
	pkg, file string
	imports   []string
}

// sources parses the imports of every non-test Go file under internal.
func sources(t *testing.T) []source {
	t.Helper()
	var list []source
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		s := source{pkg: filepath.ToSlash(rel), file: path}
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, name)
		}
		list = append(list, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestImports(t *testing.T) {
	t.Parallel()
	list, third := rules(policy), rules(homes)
	for _, s := range sources(t) {
		if why := verdict(list, s.pkg, "bedrock/fault"); strings.Contains(why, "no line") {
			t.Errorf("%s: %s", s.file, why)
		}
		for _, name := range s.imports {
			if own, ok := strings.CutPrefix(name, module); ok {
				if why := verdict(list, s.pkg, own); why != "" {
					t.Errorf("%s: %s", s.file, why)
				}
			} else if !mayUse(third, s.pkg, name) {
				t.Errorf("%s: %s has no home in %s", s.file, name, s.pkg)
			}
		}
	}
}

// The policy itself is tested: a change that lets too much through is seen.
func TestPolicyVectors(t *testing.T) {
	t.Parallel()
	list := rules(policy)
	for _, v := range []struct {
		pkg, imported string
		allowed       bool
	}{
		{"plates/training", "plates/training/pages", true},
		{"plates/training/tools", "plates/training/store", true},
		{"app", "plates/memory", true},
		{"bedrock/oauth/pages", "web", true},
		{"plates/training/strength", "bedrock/fault", true},
		{"plates/memory/store", "plates/training/strength", false},
		{"plates/memory/tools", "plates/memory/pages", false},
		{"bedrock/db", "web", false},
		{"web", "testkit", false},
		{"bedrock/misc", "bedrock/db", false},
		{"plates/ops", "plates/tasks", false},
	} {
		if got := verdict(list, v.pkg, v.imported) == ""; got != v.allowed {
			t.Errorf("%s -> %s: allowed %v, want %v", v.pkg, v.imported, got, v.allowed)
		}
	}
	third := rules(homes)
	if mayUse(third, "plates/ops/store", "net/http") || !mayUse(third, "plates/relay/upstream", "net/http") {
		t.Error("net/http is at home in plates/relay/upstream and not in plates/ops/store")
	}
}

func TestEachPackageHasOneDocument(t *testing.T) {
	t.Parallel()
	folders := map[string]bool{}
	for _, s := range sources(t) {
		folders[filepath.Dir(s.file)] = true
	}
	for folder := range folders {
		if strings.HasSuffix(folder, "store") && generatedOnly(t, folder) {
			continue // sqlc writes these; the owner's document covers them
		}
		documented := 0
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			if f.Doc != nil && !strings.HasPrefix(f.Doc.Text(), "Code generated") {
				documented++
			}
		}
		if documented != 1 {
			t.Errorf("%s has %d package documents, want one, in doc.go", folder, documented)
		}
	}
}

func generatedOnly(t *testing.T, folder string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(folder, "doc.go"))
	return os.IsNotExist(err) && strings.Count(filepath.ToSlash(folder), "/bedrock/") == 1
}

func TestGoModHasNoReplace(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	direct := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "replace") {
			t.Errorf("a replace would break go install: %s", line)
		}
		if strings.HasPrefix(line, "\t") && !strings.Contains(line, "// indirect") {
			direct++
		}
	}
	const most = 25
	if direct > most {
		t.Errorf("%d direct dependencies, at most %d: raise it by an ADR", direct, most)
	}
}
