package record_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/record"
	"tectonic/internal/testkit"
)

// counts returns how many denials have a row and how many they stand for.
func counts(t *testing.T, d *db.DB) (rows, denials int64) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		return tx.QueryRowContext(t.Context(), "SELECT COUNT(*), COALESCE(SUM(count), 0) FROM record_rows WHERE phase = 'denial'").Scan(&rows, &denials)
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, denials
}

func knock(address string) record.Row {
	return record.Row{
		Ref: id.Ref(), Phase: record.Denial, Plate: "training", Tool: "create_set",
		Refusal: fault.Deny(fault.CodeScopeMissing, "no"),
		Caller:  contract.Caller{Address: address, Transport: contract.OverMCPHTTP},
	}
}

func TestAFloodOfDenialsFoldsIntoOneRowAMinute(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 8, 3, 12, 0, 0, 0, time.UTC)
		denials := record.NewDenials(d, slog.New(slog.DiscardHandler), func() time.Time { return now })
		own := 0
		for range 130 {
			wrote, err := denials.Append(t.Context(), knock("192.0.2.1"))
			if err != nil {
				t.Fatal(err)
			}
			if wrote {
				own++
			}
		}
		if own != 100 {
			t.Errorf("got %d rows of their own, want 100", own)
		}
		if wrote, err := denials.Append(t.Context(), knock("192.0.2.2")); !wrote || err != nil {
			t.Errorf("another address: got %v, %v, want its own row", wrote, err)
		}
		now = now.Add(time.Minute)
		if wrote, err := denials.Append(t.Context(), knock("192.0.2.1")); !wrote || err != nil {
			t.Errorf("the next minute: got %v, %v, want its own row", wrote, err)
		}
		denials.Flush(t.Context())
		rows, all := counts(t, d)
		if rows != 103 || all != 132 {
			t.Errorf("got %d rows for %d denials, want 103 for 132", rows, all)
		}
	})
}

func TestKnocksWithoutACredentialShareARow(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		denials := record.NewDenials(d, slog.New(slog.DiscardHandler), time.Now)
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() { denials.Fold(t.Context(), knock("192.0.2.1")) })
		}
		all.Wait()
		if rows, _ := counts(t, d); rows != 0 {
			t.Errorf("got %d rows before the minute ends, want none", rows)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		denials.Run(ctx) // writes what is left
		if rows, n := counts(t, d); rows != 1 || n != 40 {
			t.Errorf("got %d rows for %d knocks, want 1 for 40", rows, n)
		}
	})
}
