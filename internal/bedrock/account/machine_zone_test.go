package account

import (
	"testing"
	"time"
)

func TestMachineZone(t *testing.T) {
	for tz, want := range map[string]string{"Europe/Kyiv": "Europe/Kyiv", ":America/Denver": "America/Denver", "Local": "", "nonsense": "", "": ""} {
		t.Setenv("TZ", tz)
		got := MachineZone()
		if _, err := time.LoadLocation(got); err != nil || got == "" || got == "Local" || want != "" && got != want {
			t.Errorf("TZ=%q: got %q, %v", tz, got, err)
		}
	}
}
