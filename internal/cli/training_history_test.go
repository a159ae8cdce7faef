package cli_test

import (
	"strings"
	"testing"
)

func TestHistoryImportAndUndo(t *testing.T) {
	t.Parallel()
	data := lifter(t)
	path := aFile(t, "strong.csv", "Date,Workout Name,Exercise Name,Set Order,Weight,Reps,RPE,Seconds\n"+
		"2024-01-15 18:30:00,Lower,Squat (Barbell),1,100,5,8,0\n2024-01-15 18:30:00,Lower,Running,1,0,8,,0\nsoon,Lower,Running,1,0,8,,0\n")
	names := aFile(t, "names.json", `{"Running": ""}`)
	for _, c := range []struct{ command, want string }{
		{"import --unit kg --dry-run " + path, "  Squat (Barbell) -> Back Squat (known, 1 sets)\n  line 2: 100 kg becomes 220 lb (1 sets)\n"},
		{"import --unit kg --map " + names + " " + path, "strong: 1 workouts, 1 sets added, 0 already there, 1 left out, 1 rejected\n  line 4: \"soon\" is no date\nImport 1; undo takes it back.\n"},
		{"import --unit kg " + path, "strong: 0 workouts, 0 sets added, 1 already there, 1 left out, 1 rejected\n"},
		{"undo 1", "Removed 1 set(s) and 1 workout(s).\n"},
	} {
		if got := must(t, "", "training history "+c.command+data); !strings.Contains(got, c.want) {
			t.Errorf("%s said %q, want %q", c.command, got, c.want)
		}
	}
	for _, c := range []struct {
		command string
		code    int
		says    string
	}{
		{"import " + path, 2, "This file does not say kg or lb. Choose a unit."},
		{"import --unit kg --map " + path + " " + path, 2, "is not a JSON object of names"},
		{"import --unit kg --map /nowhere " + path, 2, "Cannot read /nowhere"},
		{"import /nowhere", 2, "Cannot read /nowhere"},
		{"undo 99", 4, "No import with id 99 on this account."},
		{"undo all", 2, `"all" is not the number of an import.`},
	} {
		_, errs, code := run(t, "", "training history "+c.command+data)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d, %q; want %d, %q", c.command, code, errs, c.code, c.says)
		}
	}
}
