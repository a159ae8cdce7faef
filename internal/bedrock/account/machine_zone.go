package account

import (
	"os"
	"strings"
	"time"
)

// MachineZone returns the IANA name of this machine's time zone, "UTC" when it
// cannot be told. Go knows the local zone only as "Local", so the name comes
// from where the system keeps it.
func MachineZone() string {
	candidates := []string{strings.TrimPrefix(os.Getenv("TZ"), ":")}
	if link, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(link, "zoneinfo/"); ok {
			candidates = append(candidates, name)
		}
	}
	if text, err := os.ReadFile("/etc/timezone"); err == nil {
		candidates = append(candidates, strings.TrimSpace(string(text)))
	}
	for _, name := range candidates {
		if zone, err := time.LoadLocation(name); err == nil && name != "" && name != "Local" {
			return zone.String()
		}
	}
	return "UTC"
}
