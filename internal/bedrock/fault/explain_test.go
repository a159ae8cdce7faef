package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"tectonic/internal/bedrock/fault"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	hidden := fault.Refuse("No.").Next("Stop.").Because(errors.New("dial postgres://u:secret@h/d: refused"))
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("password=secret is wrong"), "password=xxxxx is wrong"},
		{fault.Refuse("No."), "No."},
		{fmt.Errorf("start: %w", hidden), "start: No. Stop. (dial postgres://u:xxxxx@h/d: refused)"},
	} {
		if got := fault.Explain(c.err); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
