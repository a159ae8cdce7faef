package tools_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/plate"
	"tectonic/internal/plates/training"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/testkit"
)

func TestMain(m *testing.M) {
	p := training.New(plate.Bed{})
	testkit.Lines, testkit.Standing = []db.Line{db.Bedrock, p.Migrations}, p.Setup
	os.Exit(m.Run())
}

// monday is what every test's clock shows at first: 2026-03-02, noon in UTC.
var monday = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// gym is a database with a clock and the tools.
type gym struct {
	db    *db.DB
	tools *contract.Registry
	clock *atomic.Int64 // Unix seconds
}

// each runs fn on both engines.
func each(t *testing.T, fn func(*testing.T, *gym)) {
	t.Helper()
	registry, err := contract.NewRegistry("training", []string{"read", "write"}, tools.All("https://gym.example")...)
	if err != nil {
		t.Fatal(err)
	}
	var clock *atomic.Int64 // of the database that was opened last
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		fn(t, &gym{db: d, tools: registry, clock: clock})
	}, func(o *db.Options) {
		own := new(atomic.Int64)
		own.Store(monday.Unix())
		o.Now = func() time.Time { return time.Unix(own.Load(), 0).UTC() }
		clock = own
	})
}

// lifter is a person with a workspace of their own.
type lifter struct {
	*gym
	t   *testing.T
	who contract.Caller
}

// lifter signs a person up.
func (g *gym) lifter(t *testing.T, email string) *lifter {
	t.Helper()
	who := contract.Caller{Email: email, WorkspaceName: "Personal", Zone: time.UTC}
	err := g.db.Write(t.Context(), func(tx *db.Tx) error {
		account := tx.QueryRowContext(t.Context(),
			"INSERT INTO accounts (email, email_key, password_hash, created_at) VALUES ($1, $2, '', $3) RETURNING id", email, email, dbtype.At(tx.Now()))
		if err := account.Scan(&who.Account); err != nil {
			return err
		}
		workspace := tx.QueryRowContext(t.Context(),
			"INSERT INTO workspaces (uid, name, time_zone, created_at) VALUES ($1, 'Personal', 'UTC', $2) RETURNING id", id.UID(), dbtype.At(tx.Now()))
		return workspace.Scan(&who.Workspace)
	})
	if err != nil {
		t.Fatal(err)
	}
	return &lifter{gym: g, t: t, who: contract.LocalOperator(who, contract.OverCLI)}
}

// client lets the lifter's calls come from a connected assistant.
func (l *lifter) client(name string) *lifter {
	l.t.Helper()
	as := *l
	err := l.db.Write(l.t.Context(), func(tx *db.Tx) error {
		row := tx.QueryRowContext(l.t.Context(),
			"INSERT INTO clients (uid, kind, name, created_at) VALUES ($1, 'dcr', $2, $3) RETURNING id", id.UID(), name, dbtype.At(tx.Now()))
		return row.Scan(&as.who.Client)
	})
	if err != nil {
		l.t.Fatal(err)
	}
	as.who.ClientName = name
	return &as
}

type args = map[string]any

// call runs a tool as the gate does: checked arguments, one transaction, a
// checked answer.
func (l *lifter) call(tool string, in args) (contract.Result, error) {
	l.t.Helper()
	t, err := l.tools.Tool(tool, contract.OverCLI)
	if err != nil {
		l.t.Fatal(err)
	}
	file, _ := in["file"].(string) // stands beside the arguments of a tool that takes one
	in = maps.Clone(in)
	delete(in, "file")
	raw, err := json.Marshal(in)
	if err != nil {
		l.t.Fatal(err)
	}
	raw, err = t.Arguments(raw)
	if err != nil {
		return contract.Result{}, err
	}
	result, err := l.run(t, raw, file)
	if err != nil {
		return contract.Result{}, err
	}
	if err := t.CheckOutput(result.Structured); err != nil {
		l.t.Errorf("%s answers against its schema: %v", tool, err)
	}
	return result, nil
}

// run runs the handler, with a file where the tool takes one.
func (l *lifter) run(t *contract.Tool, raw json.RawMessage, file string) (result contract.Result, err error) {
	ctx, door := l.t.Context(), l.db.Write
	if t.ReadOnly.True() {
		door = l.db.Read
	}
	end := func(ctx context.Context, tx *db.Tx) (contract.Result, error) { return t.Run(ctx, tx, l.who, raw) }
	if t.TakesFile() {
		if end, err = t.RunImport(ctx, contract.Steps{Read: l.db.Read, Write: l.db.Write}, attachment(file), l.who, raw); err != nil {
			return result, err
		}
	}
	err = door(ctx, func(tx *db.Tx) (err error) {
		result, err = end(ctx, tx)
		return err
	})
	return result, err
}

// attachment is a file as the gate hands it on.
func attachment(file string) contract.Attachment {
	sum := sha256.Sum256([]byte(file))
	return contract.Attachment{Content: strings.NewReader(file), Size: int64(len(file)), SHA256: hex.EncodeToString(sum[:])}
}

// must runs a tool that has to succeed and returns its text.
func (l *lifter) must(tool string, in args) string {
	l.t.Helper()
	result, err := l.call(tool, in)
	if err != nil {
		l.t.Fatalf("%s %v: %v", tool, in, err)
	}
	return result.Text
}

// answer runs a tool that has to succeed and decodes its payload.
func answer[Out any](l *lifter, tool string, in args) Out {
	l.t.Helper()
	result, err := l.call(tool, in)
	if err != nil {
		l.t.Fatalf("%s %v: %v", tool, in, err)
	}
	var out Out
	if err := json.Unmarshal(result.Structured, &out); err != nil {
		l.t.Fatal(err)
	}
	return out
}

// refused runs a tool that has to be refused with exactly that kind and
// sentence.
func (l *lifter) refused(kind fault.Kind, sentence, tool string, in args) {
	l.t.Helper()
	_, err := l.call(tool, in)
	if err == nil {
		l.t.Errorf("%s %v was not refused, want %q", tool, in, sentence)
		return
	}
	if r := fault.From(err); r.Kind != kind || r.Sentence() != sentence {
		l.t.Errorf("%s %v is refused as %s: %q\nwant %s: %q", tool, in, r.Kind, r.Sentence(), kind, sentence)
	}
}

// count returns the number of rows that a query counts.
func (g *gym) count(t *testing.T, query string, a ...any) int {
	t.Helper()
	var n int
	err := g.db.Read(t.Context(), func(tx *db.Tx) error {
		return tx.QueryRowContext(t.Context(), query, a...).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// wait moves the clock.
func (g *gym) wait(d time.Duration) { g.clock.Add(int64(d / time.Second)) }

// exec changes rows behind the tools' back.
func (l *lifter) exec(query string, a ...any) {
	l.t.Helper()
	err := l.db.Write(l.t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(l.t.Context(), query, a...)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

func decode[Out any](t *testing.T, result contract.Result) Out {
	t.Helper()
	var out Out
	if err := json.Unmarshal(result.Structured, &out); err != nil {
		t.Error(err)
	}
	return out
}
