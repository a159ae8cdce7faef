package fault

// clipAt is how many characters of a foreign text a sentence repeats: enough
// for the longest name that a row holds.
const clipAt = 100

// Clip returns a text that somebody sent as a refusal may repeat it: at most a
// hundred characters, with an ellipsis where the rest was.
func Clip(text string) string {
	n := 0
	for at := range text {
		if n == clipAt {
			return text[:at] + "…"
		}
		n++
	}
	return text
}
