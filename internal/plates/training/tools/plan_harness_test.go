package tools_test

import (
	"encoding/json"
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/plates/training/tools"
)

// forecast tells the top set and the reason of a lift of a week's first day.
func (l *lifter) forecast(program int64, week, place int) string {
	l.t.Helper()
	said := ""
	err := l.db.Read(l.t.Context(), func(tx *db.Tx) error {
		p, err := tools.ReadProgram(l.t.Context(), tx, l.who, program)
		if err != nil {
			return err
		}
		ahead, err := tools.ReadForecast(l.t.Context(), tx, l.who, p)
		if err != nil {
			return err
		}
		f := ahead[p.Weeks[week-1].Days[0].Lifts[place].ID]
		said = strength.SetLabel(f.Generated.Top(), false) + " " + f.Generated.Reason + f.Refused
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return said
}

func decodeArgs(t *testing.T, text string) args {
	t.Helper()
	var in args
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		t.Fatal(err)
	}
	return in
}
