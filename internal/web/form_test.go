package web

import (
	"errors"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/web/ui"
)

func TestARefusedFormKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("POST", "/", strings.NewReader(url.Values{"weight": {"0"}, "password": {"secret"}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if err := ParseForm(r); err != nil {
		t.Fatal(err)
	}
	f, ok := Refused(r, fault.BadArgument("Weight 0 is out of range.").At("weight"))
	if !ok {
		t.Fatal("a refusal of a value is for the form")
	}
	weight := f.Field(ui.FieldProps{Name: "weight", Value: "155"})
	if weight.Value != "0" || weight.Error != "Weight 0 is out of range." || !weight.Autofocus {
		t.Errorf("weight = %+v", weight)
	}
	if reps := f.Field(ui.FieldProps{Name: "reps", Value: "5"}); reps.Value != "5" || reps.Error != "" || reps.Autofocus {
		t.Errorf("reps = %+v", reps)
	}
	if p := f.Field(ui.FieldProps{Name: "password", Type: "password"}); p.Value != "" {
		t.Error("the password came back")
	}
	if f.Checked("barbell", true) {
		t.Error("a box that was not ticked came back ticked")
	}
	if f.Sentence() != "" {
		t.Error("a problem of a field is said twice")
	}
}

func TestWhatIsForTheFormAndWhatForThePage(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("POST", "/", nil)
	for name, c := range map[string]struct {
		err  error
		form bool
	}{
		"a rule of the product": {fault.Refuse("No."), true},
		"a name that is taken":  {fault.Clash("Taken."), true},
		"the database is gone":  {fault.NotReachable(nil), false},
		"the caller may not":    {fault.Deny(fault.CodeScopeMissing, "No."), false},
		"an error that is ours": {errors.New("boom"), false},
		"no error":              {nil, false},
	} {
		if _, got := Refused(r, c.err); got != c.form {
			t.Errorf("%s: for the form = %v, want %v", name, got, c.form)
		}
	}
}
