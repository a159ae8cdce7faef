// Package web is what every page stands on: the chain of middleware, the
// session, the layout, the way a page or a part of it is rendered, the way an
// error is shown, the form helpers and the assets.
//
// A request runs through Site.Handler: reference, recovery, headers, deadline,
// body limit, cross-site check, session, identity. A page handler is a
// Handler, which returns its error; Handle turns the error into a page, or
// for an htmx request into the page's problem panel, so that what was typed
// stays. RequireLogin asks for a session first. Render answers with the whole
// page, or with one templ.Fragment of it when the htmx target names one.
//
// What a request carries (the caller, the flash, the colour scheme) travels in
// its context, so that pages take nothing but their own view model: CallerOf,
// FormTokens, Layout and Heading read it from there.
//
// Everything works without a script. htmx and app.js only shorten the trip.
// All assets are embedded and served under names that hold a hash of their
// bytes; the pages allow no inline script and no inline style.
//
// Owns no tables: sessions are kept by the scs.CtxStore that the caller hands
// in. Reason to be a package: one look and one set of rules for the pages of
// bedrock and of every plate.
package web
