package pages

import (
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"tectonic/internal/bedrock/oauth"
)

// Pages renders for the authorization server; it is an oauth.Pages.
type Pages struct{}

// Consent writes the page on which a person decides.
func (Pages) Consent(ctx context.Context, w io.Writer, c oauth.Consent) error {
	return consentPage(c).Render(ctx, w)
}

// Problem writes the page that ends a request.
func (Pages) Problem(ctx context.Context, w io.Writer, p oauth.Problem) error {
	return problemPage(p).Render(ctx, w)
}

// initial is the letter that stands for the application.
func initial(name string) string {
	r, _ := utf8.DecodeRuneInString(name)
	return strings.ToUpper(string(r))
}
