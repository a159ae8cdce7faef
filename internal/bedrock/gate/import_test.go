package gate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
)

// send calls a tool over the command line with a file; "" is none.
func (b *bench) send(tool, content, requestID string) (contract.Wire, error) {
	who := b.who
	who.Transport = contract.OverCLI
	r := gate.Request{Plate: "bench", Tool: tool, RequestID: requestID}
	if content != "" {
		r.File = &contract.Attachment{Content: strings.NewReader(content), Size: int64(len(content))}
	}
	return b.gate.Call(context.WithoutCancel(b.t.Context()), who, r)
}

func TestAFileIsTakenInBatches(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		first, err := b.send("take_file", "a\nb", "k1")
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.send("take_file", "a\nb", "k1")
		first.Replayed = true
		if diff := cmp.Diff(first, again); err != nil || diff != "" {
			t.Errorf("repeated: %v, -want +got\n%s", err, diff)
		}
		_, err = b.send("take_file", "a\nc", "k1")
		if r := refusal(t, err); r.Code != fault.CodeConflict {
			t.Errorf("another file under the same request id: %v", err)
		}
		if got := b.added(); b.marks() != 3 || !cmp.Equal(got, []string{"outcome ok", "outcome error conflict"}) {
			t.Errorf("got %d marks, record %v", b.marks(), got)
		}
	})
}

func TestAnImportThatStopsKeepsItsBatchesAndIsRepeatable(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		for range 2 { // the request id is no obstacle
			_, err := b.send("take_file", "a\nstop", "k1")
			want := "The import stopped before its end. Send the file again: what came in already is not added twice."
			if r := refusal(t, err); r.Code != fault.CodeInternal || r.Sentence() != want {
				t.Errorf("got %s: %s", r.Code, r.Sentence())
			}
		}
		if got := b.added(); b.marks() != 2 || !cmp.Equal(got, []string{"outcome error internal", "outcome error internal"}) {
			t.Errorf("got %d marks, record %v", b.marks(), got)
		}
	})
}

func TestFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		for _, c := range []struct{ tool, content, want string }{
			{"take_file", "", "Choose a file."},
			{"take_file", strings.Repeat("a", 65), "The file is 65 bytes and the limit for take_file is 64. Import it in parts."},
			{"list", "a", "list takes no file."},
		} {
			_, err := b.send(c.tool, c.content, "")
			if r := refusal(t, err); r.Sentence() != c.want {
				t.Errorf("%s: %q, want %q", c.tool, r.Sentence(), c.want)
			}
		}
		if wire, err := b.send("look_at_file", "a", ""); err != nil || wire.Text != `{"names":["looked"]}` {
			t.Errorf("a look: %q, %v", wire.Text, err)
		}
		if b.marks() != 0 {
			t.Errorf("%d marks", b.marks())
		}
	})
}
