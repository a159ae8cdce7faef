package account

import (
	"errors"
	"testing"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
)

const password = "correct horse"

var (
	page  = Door{Transport: contract.OverWeb, Correlator: "trace-1", Address: "192.0.2.1"}
	shell = Door{Transport: contract.OverCLI}
)

func newAccount(email string) NewAccount { return NewAccount{Email: email, Password: password} }

func mustCreate(t *testing.T, s *Service, in NewAccount) Started {
	t.Helper()
	started, err := s.Create(t.Context(), page, in)
	if err != nil {
		t.Fatal(err)
	}
	return started
}

func refused(t *testing.T, err error) *fault.Refusal {
	t.Helper()
	r, ok := errors.AsType[*fault.Refusal](err)
	if !ok {
		t.Fatalf("got %v, want a refusal", err)
	}
	return r
}

func wantSentence(t *testing.T, err error, code fault.Code, sentence string) {
	t.Helper()
	if r := refused(t, err); r.Code != code || r.Sentence() != sentence {
		t.Errorf("got  %s: %s\nwant %s: %s", r.Code, r.Sentence(), code, sentence)
	}
}

// one reads a single value.
func one[T any](t *testing.T, d *db.DB, query string, args ...any) (v T) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) error { return tx.QueryRowContext(t.Context(), query, args...).Scan(&v) })
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

func exec(t *testing.T, d *db.DB, statement string) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), statement)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
