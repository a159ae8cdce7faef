package web

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// part is one fragment of a page.
type part struct {
	page templ.Component
	name string
}

// Render writes the fragment and drops the rest of the page.
func (p part) Render(ctx context.Context, w io.Writer) error {
	return templ.RenderFragments(ctx, w, p.page, p.name)
}
