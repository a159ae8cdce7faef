package app

import (
	"archive/zip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/oauth"
	"tectonic/internal/bedrock/record"
)

// aboutExport is the first file of an archive.
const aboutExport = `This archive holds everything that one workspace keeps, read at one moment.

workspace.json    its name, its time zone, when it was made
bedrock/members   who is in it and what they may do
bedrock/grants    which programs were let in, without their secrets
bedrock/record    one line for every change, the newest first, without contents
training/...      blocks, workouts, sets, readings and all that hangs on them

Every table is there twice: as JSON, a list of objects, and as CSV for a
spreadsheet. Instants are in UTC. Only owners and admins get the grants and the
record of everybody; others get their own.
`

// Export writes everything that the caller may read of its workspace into the
// file, as a zip archive. It reads one snapshot and holds no more than a page
// of rows in memory.
func (a *App) Export(ctx context.Context, who contract.Caller, file *os.File) error {
	return a.DB.Read(ctx, func(tx *db.Tx) error {
		if err := empty(file); err != nil { // the read may run again
			return err
		}
		archive := zip.NewWriter(file)
		if err := a.exportInto(ctx, tx, who, archive); err != nil {
			return fmt.Errorf("export workspace %d: %w", who.Workspace, err)
		}
		return archive.Close()
	})
}

func empty(file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.Seek(0, io.SeekStart)
	return err
}

func (a *App) exportInto(ctx context.Context, tx *db.Tx, who contract.Caller, archive *zip.Writer) error {
	steps := []func(context.Context, *db.Tx, contract.Caller, *zip.Writer) error{exportWorkspace, exportMembers, exportGrants, exportRecord}
	for _, step := range steps {
		if err := step(ctx, tx, who, archive); err != nil {
			return err
		}
	}
	for _, p := range a.Plates {
		if p.Export == nil {
			continue
		}
		if err := p.Export(ctx, tx, who.Workspace, archive); err != nil {
			return fmt.Errorf("plate %s: %w", p.Name, err)
		}
	}
	return nil
}

// seesAll reports whether the caller may read what others allowed and did.
func seesAll(who contract.Caller) bool { return account.Manages(who.Role, contract.Viewer) }

func exportWorkspace(_ context.Context, tx *db.Tx, who contract.Caller, archive *zip.Writer) error {
	f, err := archive.Create("README.txt")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(f, aboutExport); err != nil {
		return err
	}
	if f, err = archive.Create("workspace.json"); err != nil {
		return err
	}
	e := json.NewEncoder(f)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{
		"workspace_id": who.Workspace, "name": who.WorkspaceName, "time_zone": who.Zone.String(),
		"exported_at": instant(tx.Now()), "version": Version,
	})
}

func exportMembers(ctx context.Context, tx *db.Tx, who contract.Caller, archive *zip.Writer) error {
	people, err := account.Members(ctx, tx, who.Workspace)
	if err != nil {
		return err
	}
	return table(archive, "bedrock/members", []string{"member_id", "account_id", "email", "role", "since_at"}, func(row func(...any) error) error {
		for _, p := range people {
			if err := row(p.Member, p.Account, p.Email, p.Role, instant(p.Since)); err != nil {
				return err
			}
		}
		return nil
	})
}

func exportGrants(ctx context.Context, tx *db.Tx, who contract.Caller, archive *zip.Writer) error {
	grants, err := oauth.Grants(ctx, tx, who.Workspace)
	if err != nil {
		return err
	}
	columns := []string{"grant_id", "account_id", "program", "kind", "plates", "scopes", "created_at", "expires_at", "revoked_at", "revoke_reason", "last_used_at"}
	return table(archive, "bedrock/grants", columns, func(row func(...any) error) error {
		for _, g := range grants {
			if !seesAll(who) && g.Account != who.Account {
				continue
			}
			err := row(g.ID, g.Account, g.Program, g.Kind, g.Plates, g.Scopes, instant(g.Created), instant(g.Expires), instant(g.Revoked), g.Reason, instant(g.Used))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func exportRecord(ctx context.Context, tx *db.Tx, who contract.Caller, archive *zip.Writer) error {
	columns := []string{
		"sequence", "ref", "phase", "at", "plate", "tool", "event", "transport", "actor_type", "account_id", "client_id", "grant_id",
		"outcome", "error_code", "object_refs", "cost_micro", "count",
	}
	return table(archive, "bedrock/record", columns, func(row func(...any) error) error {
		return record.Each(ctx, tx, who.Workspace, func(l record.Line) error {
			if !seesAll(who) && (l.Account == nil || *l.Account != who.Account) {
				return nil
			}
			return row(l.Sequence, l.Ref, l.Phase, instant(l.At), l.Plate, l.Tool, l.Event, l.Transport, l.Actor,
				number(l.Account), number(l.Client), number(l.Grant), l.Outcome, l.ErrorCode, l.Refs, l.CostMicro, l.Count)
		})
	})
}

// instant is a time as JSON and CSV have it, nil for none.
func instant(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000Z")
}

func number[N ~int64](n *N) any {
	if n == nil {
		return nil
	}
	return *n
}

// table writes rows twice, as JSON and as CSV. rows is called for each and
// hands over one row at a time, in the order of the columns.
func table(archive *zip.Writer, name string, columns []string, rows func(row func(...any) error) error) error {
	f, err := archive.Create(name + ".json")
	if err != nil {
		return err
	}
	if err := jsonRows(f, columns, rows); err != nil {
		return fmt.Errorf("write %s.json: %w", name, err)
	}
	if f, err = archive.Create(name + ".csv"); err != nil {
		return err
	}
	if err := csvRows(f, columns, rows); err != nil {
		return fmt.Errorf("write %s.csv: %w", name, err)
	}
	return nil
}

func jsonRows(w io.Writer, columns []string, rows func(row func(...any) error) error) error {
	before := "["
	err := rows(func(values ...any) error {
		object := make(map[string]any, len(columns))
		for i, c := range columns {
			object[c] = values[i]
		}
		text, err := json.Marshal(object)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n%s", before, text)
		before = ","
		return err
	})
	if err != nil {
		return err
	}
	if before == "[" {
		_, err = io.WriteString(w, "[]\n")
		return err
	}
	_, err = io.WriteString(w, "\n]\n")
	return err
}

func csvRows(w io.Writer, columns []string, rows func(row func(...any) error) error) error {
	c := csv.NewWriter(w)
	if err := c.Write(columns); err != nil {
		return err
	}
	err := rows(func(values ...any) error {
		cells := make([]string, len(values))
		for i, v := range values {
			cells[i] = cell(v)
		}
		return c.Write(cells)
	})
	c.Flush()
	if err != nil {
		return err
	}
	return c.Error()
}

// cell writes a value for a spreadsheet. A text that a spreadsheet would run as
// a formula gets an apostrophe before it.
func cell(v any) string {
	if v == nil {
		return ""
	}
	text := fmt.Sprint(v)
	if _, isText := v.(string); isText && text != "" && (text[0] == '=' || text[0] == '+' || text[0] == '-' || text[0] == '@') {
		return "'" + text
	}
	return text
}
