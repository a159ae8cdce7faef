package strength

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// NameKey returns the form in which names are compared: compatibility
// characters unified (NFKC), case folded, runs of blanks collapsed and the
// ends trimmed. It is worked out here rather than in SQL so that both database
// engines agree on what is the same name.
func NameKey(name string) string {
	// Folding can undo the normal form, so it is restored afterwards.
	folded := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
	return strings.Join(strings.Fields(folded), " ")
}

// perSideNames are fragments of names of movements done one side at a time.
var perSideNames = []string{
	"bulgarian",
	"single-arm", "single arm", "one-arm", "one arm",
	"single-leg", "single leg",
	"pistol", "per side",
}

// PerSideByName reports whether a movement of that name is counted per side
// unless somebody says otherwise.
func PerSideByName(name string) bool {
	key := NameKey(name)
	for _, fragment := range perSideNames {
		if strings.Contains(key, fragment) {
			return true
		}
	}
	return false
}
