package account

import (
	"net/mail"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"tectonic/internal/bedrock/fault"
)

// emailMax is the longest address in bytes, as the mail standards have it.
const emailMax = 254

// Email checks an address as it was typed and returns it trimmed, with the
// folded key under which it is unique.
func Email(typed string) (address, key string, err error) {
	address = strings.TrimSpace(typed)
	if len(address) > emailMax {
		return "", "", fault.BadArgument("An e-mail address has at most %d characters.", emailMax).At("email")
	}
	parsed, perr := mail.ParseAddress(address)
	if perr != nil || parsed.Address != address {
		return "", "", fault.BadArgument("That does not look like an e-mail address; it should be like you@example.com.").At("email")
	}
	return address, emailKey(address), nil
}

// emailKey folds an address so that upper and lower case are one. What no
// database can store is replaced, so that such an address is merely unknown.
func emailKey(address string) string {
	storable := strings.ReplaceAll(strings.ToValidUTF8(address, "\uFFFD"), "\x00", "\uFFFD")
	return cases.Fold().String(norm.NFKC.String(strings.TrimSpace(storable)))
}
