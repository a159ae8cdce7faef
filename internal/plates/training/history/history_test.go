package history_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"

	"tectonic/internal/plates/training/history"
)

// look returns the sets of a file as sentences, and what was rejected.
func look(t *testing.T, content string, f history.File) (sets, rejected []string, got history.File, err error) {
	t.Helper()
	got, err = f.Read(strings.NewReader(content), &history.Reader{
		Add: func(s history.Set) error {
			sets = append(sets, fmt.Sprintf("%d %s %s: %d lb x %d, %d s, w=%v rpe=%d %q", s.Line, s.Start.Format("2006-01-02 15:04"), s.Exercise, s.Weight, s.Reps, s.Seconds, s.Warmup, s.RPE, s.Note))
			return nil
		},
		Reject: func(line int, why string) { rejected = append(rejected, fmt.Sprintf("%d: %s", line, why)) },
	})
	return sets, rejected, got, err
}

func sample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestExports(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file     string
		in       history.File
		format   history.Format
		unit     string
		want     []string
		rejected []string
	}{
		{"strong_comma.csv", history.File{Unit: "lb"}, history.Strong, "lb", []string{
			`2 2024-01-15 18:30 Squat (Barbell): 45 lb x 5, 0 s, w=true rpe=0 ""`,
			`3 2024-01-15 18:30 Squat (Barbell): 185 lb x 5, 0 s, w=false rpe=8 "belt\non"`,
			`6 2024-01-15 18:30 Squat (Barbell): 188 lb x 5, 0 s, w=false rpe=9 ""`,
			`8 2024-01-15 18:30 Plank: 0 lb x 0, 60 s, w=false rpe=0 ""`,
			`10 2024-01-15 19:50 Pull Up (Assisted): 0 lb x 6, 0 s, w=false rpe=0 "Assisted by 40 lb\nDrop set"`,
		}, []string{"9: the line has only a distance, which is not kept"}},
		{"strong_semicolon.csv", history.File{}, history.Strong, "kg", []string{
			`2 2024-01-15 18:30 Bench Press (Barbell): 94 lb x 5, 0 s, w=false rpe=0 ""`,
			`3 2024-01-15 18:30 Bench Press (Barbell): 220 lb x 3, 0 s, w=false rpe=10 "To failure"`,
		}, nil},
		{"hevy.csv", history.File{}, history.Hevy, "kg", []string{
			`2 2025-03-28 07:05 Deadlift (Barbell): 132 lb x 5, 0 s, w=true rpe=0 "double overhand"`,
			`3 2025-03-28 07:05 Deadlift (Barbell): 226 lb x 5, 0 s, w=false rpe=7 ""`,
			`4 2025-03-28 07:05 Deadlift (Barbell): 176 lb x 8, 0 s, w=false rpe=0 "Drop set"`,
			`5 2025-03-28 07:05 Plank: 0 lb x 0, 45 s, w=false rpe=0 ""`,
		}, nil},
		{"fitnotes.csv", history.File{}, history.FitNotes, "kg", []string{
			`2 2023-05-01 12:00 Barbell Squat: 220 lb x 5, 0 s, w=false rpe=0 "easy"`,
			`3 2023-05-01 12:00 Barbell Squat: 220 lb x 5, 0 s, w=false rpe=0 ""`,
			`4 2023-05-01 12:00 Plank: 0 lb x 0, 90 s, w=false rpe=0 ""`,
		}, []string{"5: the line has only a distance, which is not kept"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			plain := sample(t, c.file)
			wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(plain)
			if err != nil {
				t.Fatal(err)
			}
			for name, content := range map[string]string{
				"as it is": plain, "with a mark": "\ufeff" + plain, "in UTF-16": wide,
			} {
				sets, rejected, got, err := look(t, content, c.in)
				if err != nil || got.Format != c.format || got.Unit != c.unit {
					t.Errorf("%s: %s in %q, %v", name, got.Format, got.Unit, err)
				}
				if diff := cmp.Diff(c.want, sets); diff != "" {
					t.Errorf("%s: sets (-want +got)\n%s", name, diff)
				}
				if diff := cmp.Diff(c.rejected, rejected); diff != "" {
					t.Errorf("%s: rejected (-want +got)\n%s", name, diff)
				}
			}
		})
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	for written, want := range map[string]string{
		"2024-01-15 6:30:00\u202fPM":   "2024-01-15T18:30:00-05:00",
		"2024-01-15 12:05:00 AM":       "2024-01-15T00:05:00-05:00",
		"15 janv. 2024, 18:30":         "2024-01-15T18:30:00-05:00",
		"15. Mär 2024, 18:30":          "2024-03-15T18:30:00-04:00",
		"Jan 15, 2024, 6:30 PM":        "2024-01-15T18:30:00-05:00",
		"15 de jul. de 2024, 18:30":    "2024-07-15T18:30:00-04:00",
		"2024-01-15T18:30:00Z":         "2024-01-15T13:30:00-05:00",
		"2024-01-15T18:30:00.5+02:00":  "2024-01-15T11:30:00-05:00",
		"15/01/2024":                   "2024-01-15T12:00:00-05:00",
		"1/15/2024 18:30":              "2024-01-15T18:30:00-05:00",
		"03.04.2024":                   "2024-04-03T12:00:00-04:00",
		"03/04/2024":                   "",
		"2024-02-30":                   "",
		"yesterday":                    "",
		"2024-01-15 25:00":             "",
		"0001-01-01":                   "",
		"99999999999999999999-01-01":   "",
		"15 Foo 2024":                  "",
		"13:00 PM 2024-01-15 no, 13PM": "",
	} {
		var got string
		_, err := history.File{Zone: zone}.Read(strings.NewReader("date;exercise;reps\n"+written+";Squat;5\n"), &history.Reader{
			Add:    func(s history.Set) error { got = s.Start.Format(time.RFC3339); return nil },
			Reject: func(int, string) {},
		})
		if err != nil || got != want {
			t.Errorf("%q is %q (%v), want %q", written, got, err, want)
		}
	}
	for first, want := range map[*bool]string{&yes: "2024-04-03", &no: "2024-03-04"} {
		sets, _, _, err := look(t, "date,exercise,reps\n03/04/2024,Squat,5\n", history.File{DayFirst: first})
		if err != nil || len(sets) != 1 || !strings.Contains(sets[0], want) {
			t.Errorf("%v: %v, %v", *first, sets, err)
		}
	}
}

func TestRejectedLines(t *testing.T) {
	t.Parallel()
	_, rejected, _, err := look(t, strings.Join([]string{
		"date,exercise,weight,unit,reps,seconds", "2024-01-01,,100,kg,5,", "2024-01-01,Squat,100,stone,5,", "2024-01-01,Squat,heavy,kg,5,", "2024-01-01,Squat,100,kg,many,",
		"2024-01-01,Squat,100,kg,500,", "2024-01-01,Squat,100,kg,,9000", "2024-01-01,Squat,100,kg,,", "2024-01-01,Squat,5000,lb,5,", "soon,Squat,100,kg,5,",
		"2024-01-01,Squat,100,,5,", "2024-01-01," + strings.Repeat("x", 121) + ",100,kg,5,",
	}, "\n"), history.File{})
	want := []string{
		"2: the line names no movement", `3: "stone" is no unit of weight`, `4: "heavy" is no weight`, `5: "many" is no number of reps`,
		"6: 500 reps are out of range; use 1-100", "7: 9000 seconds are out of range; use 1-3600", "8: the line has neither reps nor a time",
		"9: weight 5000 lb is out of range; use 1-2000 lb", `10: "soon" is no date`, "11: the line does not say kg or lb", "12: the name of the movement is longer than 120 characters",
	}
	if diff := cmp.Diff(want, rejected); diff != "" || err != nil {
		t.Errorf("%v, -want +got\n%s", err, diff)
	}
}

func TestFilesThatAreNoExport(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]error{
		"": history.ErrEmpty, " \n\r\n": history.ErrEmpty, "hello": history.ErrUnknown, "\x00\x01\x02PK": history.ErrUnknown,
		"title,start_time,end_time": history.ErrUnknown, "Date,Workout Name,Exercise Name,Set Order,Weight,Reps\n": history.ErrNoUnit,
		"date,exercise,reps\n\"" + strings.Repeat("x", 4<<20): history.ErrLine,
	} {
		if _, _, _, err := look(t, content, history.File{}); !errors.Is(err, want) {
			t.Errorf("%.30q: %v, want %v", content, err, want)
		}
	}
	if _, _, _, err := look(t, "a,b\n", history.File{Columns: map[string]string{"date": "When"}}); err == nil || err.Error() != `The file has no column "When".` {
		t.Errorf("a column that is not there: %v", err)
	}
	sets, _, _, err := look(t, "When;What;Kilos;Times\n1.2.2024;Squat;\"102,5\";5\n", history.File{Unit: "kg", Columns: map[string]string{"date": "when", "exercise": "What", "weight": "Kilos", "reps": "Times"}})
	if err != nil || len(sets) != 1 || !strings.Contains(sets[0], "2024-02-01 12:00 Squat: 226 lb x 5") {
		t.Errorf("named columns: %v, %v", sets, err)
	}
}

// A longer file names the sets of the shorter one alike.
func TestKeysStayWhenAFileGrows(t *testing.T) {
	t.Parallel()
	keys := func(content string) (list []string) {
		if _, err := (history.File{}).Read(strings.NewReader(content), &history.Reader{
			Add: func(s history.Set) error { list = append(list, s.WorkoutKey+s.Key); return nil }, Reject: func(int, string) {},
		}); err != nil {
			t.Error(err)
		}
		return list
	}
	short := sample(t, "hevy.csv")
	long := short + `"Evening","29 Mar 2025, 07:05","","","Deadlift (Barbell)",,"",0,"normal",60,5,,,` + "\n"
	before, after := keys(short), keys(long)
	if diff := cmp.Diff(before, after[:len(before)]); diff != "" || len(after) != len(before)+1 {
		t.Errorf("-before +after\n%s", diff)
	}
	distinct := map[string]bool{}
	for _, k := range after {
		distinct[k] = true
	}
	if len(distinct) != len(after) {
		t.Errorf("two sets share a key: %v", after)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Squat (Barbell)": "Back Squat", "Bench Press (Barbell)": "Bench Press", "Hip Thrust (Barbell)": "Barbell Hip Thrust", "Flat Barbell Bench Press": "Bench Press"} {
		found := false
		for _, c := range history.Candidates(name) {
			found = found || c == want
		}
		if !found {
			t.Errorf("%s may be %v, want %s among them", name, history.Candidates(name), want)
		}
	}
	if got := history.Close("Bench Pres", []string{"Deadlift", "Bench Press", "Incline Bench Press", "Plank"}, 2); len(got) == 0 || got[0] != "Bench Press" {
		t.Errorf("close to Bench Pres: %v", got)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"strong_comma.csv", "strong_semicolon.csv", "hevy.csv", "fitnotes.csv"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("date,exercise,reps\n1/1/2024 1:1,\xff,-5\n")
	f.Fuzz(func(t *testing.T, content string) {
		_, err := history.File{Unit: "kg"}.Read(strings.NewReader(content), &history.Reader{
			Reject: func(_ int, why string) {
				if why == "" {
					t.Error("a line is rejected without a reason")
				}
			},
			Add: func(s history.Set) error {
				counted := (s.Reps >= 1 && s.Reps <= 100) != (s.Seconds >= 1 && s.Seconds <= 3600)
				if s.Exercise == "" || s.Weight < 0 || s.Weight > 2000 || !counted || s.RPE < 0 || s.RPE > 10 || len(s.Key) != 32 || len([]rune(s.Notes())) > 2000 || strings.ContainsRune(s.Note+s.Notes()+s.Exercise, 0) {
					t.Errorf("%+v", s)
				}
				return nil
			},
		})
		var no history.Unreadable
		if err != nil && !errors.As(err, &no) {
			t.Errorf("%v is no sentence", err)
		}
	})
}
