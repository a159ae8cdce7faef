package web

import (
	"testing"
	"time"
)

func TestFormats(t *testing.T) {
	t.Parallel()
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{Day("2026-03-02"), "Mar 02, 2026"},
		{LongDay("2026-03-02"), "Monday March 2, 2026"},
		{WeekDay("2026-03-02"), "Monday Mar 2"},
		{Day(""), ""},
		{When(time.Date(2026, 3, 2, 13, 3, 0, 0, time.UTC), oslo), "Mar 02, 2026 14:03"},
		{When(time.Time{}, oslo), ""},
		{Count(0), "0"},
		{Count(999), "999"},
		{Count(-12285), "−12,285"},
		{Count(int64(1234567)), "1,234,567"},
		{Lb(1165), "1,165 lb"},
		{Plural(1, "set"), "1 set"},
		{Plural(1200, "set"), "1,200 sets"},
		{Plural(2, "entry", "entries"), "2 entries"},
		{USD(4204180), "$4.204180"},
		{USD(-1500), "−$0.001500"},
		{Bytes(1 << 20), "1 MiB"},
		{Bytes(1536), "1.5 KiB"},
		{Bytes(20), "20 bytes"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestInitials(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Mira Okafor": "MO", "Mira": "M", "Ana de la Cruz": "AC", "": "MO"} {
		who := Identity{Name: name}
		who.Caller.Email = "mira.okafor@example.com"
		if got := who.Initials(); got != want {
			t.Errorf("Initials of %q = %q, want %q", name, got, want)
		}
	}
}
