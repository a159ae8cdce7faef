package training

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/store"
)

// exportFormat is the name and the version of the export's shape.
const exportFormat = "tectonic-training/1"

// Export writes everything of the workspace into an archive: a CSV for each
// table, and training/training.json with all of them.
func Export(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, into *zip.Writer) error {
	if err := ExportCSV(ctx, tx, ws, into); err != nil {
		return err
	}
	file, err := into.Create("training/training.json")
	if err != nil {
		return fmt.Errorf("begin training.json: %w", err)
	}
	return ExportJSON(ctx, tx, ws, file)
}

// ExportCSV writes a CSV for each table into an archive. That of the readings
// can be imported again as it is.
func ExportCSV(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, into *zip.Writer) error {
	for _, t := range store.ExportedTables() {
		file, err := into.Create("training/" + t.Name + ".csv")
		if err != nil {
			return fmt.Errorf("begin %s.csv: %w", t.Name, err)
		}
		if err := writeCSV(ctx, tx, ws, t, file); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, t store.ExportedTable, to io.Writer) error {
	w := csv.NewWriter(to)
	columns := t.Columns()
	if err := w.Write(columns); err != nil {
		return fmt.Errorf("write %s.csv: %w", t.Name, err)
	}
	cells := make([]string, len(columns))
	err := t.Each(ctx, tx, ws, func(row []any) error {
		for i, v := range row {
			if cells[i] = ""; v != nil {
				cells[i] = fmt.Sprint(v)
			}
		}
		return w.Write(cells)
	})
	if err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// ExportJSON writes all tables as one JSON object: the format, and under
// "tables" a list of rows for each, whose properties are in the order of the
// columns.
func ExportJSON(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "{\"format\":%q,\"tables\":{", exportFormat)
	for n, t := range store.ExportedTables() {
		if n > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(w, "\n%q:[", t.Name)
		if err := writeRows(ctx, tx, ws, t, w); err != nil {
			return err
		}
		w.WriteByte(']')
	}
	w.WriteString("}}\n")
	return w.Flush() // the first error of all the writes
}

func writeRows(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, t store.ExportedTable, w *bufio.Writer) error {
	columns, first := t.Columns(), true
	return t.Each(ctx, tx, ws, func(row []any) error {
		if !first {
			w.WriteByte(',')
		}
		first = false
		w.WriteString("\n{")
		for i, v := range row {
			if i > 0 {
				w.WriteByte(',')
			}
			text, err := contract.Encode(v)
			if err != nil {
				return fmt.Errorf("write %s: %w", t.Name, err)
			}
			fmt.Fprintf(w, "%q:%s", columns[i], text)
		}
		return w.WriteByte('}')
	})
}

// WriteExport writes everything of a workspace, as "json" or as "csv": a zip
// with a table in each file. What it reads is one snapshot.
func WriteExport(ctx context.Context, d *db.DB, ws id.WorkspaceID, format string, to io.Writer) error {
	return d.Read(ctx, func(tx *db.Tx) error {
		if format == "json" {
			return ExportJSON(ctx, tx, ws, to)
		}
		archive := zip.NewWriter(to)
		if err := ExportCSV(ctx, tx, ws, archive); err != nil {
			return err
		}
		return archive.Close()
	})
}
