package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// WhoHeader is on every answer: for which account and workspace it was made,
// as "account.workspace", "0" for nobody. The service worker keeps pages for
// one of them at a time. A change that waited on the device says in it whom it
// was made by; see CheckWorkspace.
const WhoHeader = "X-Tectonic-Who"

// who is the reader as WhoHeader says it.
func (v *visit) who() string {
	if !v.signedIn {
		return "0"
	}
	return fmt.Sprintf("%d.%d", v.identity.Caller.Account, v.identity.Caller.Workspace)
}

const offlinePath = "/offline"

// manifest describes the installed product to the device.
func manifest(w http.ResponseWriter, _ *http.Request) {
	type icon struct {
		Src     string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose,omitempty"`
	}
	body, _ := json.Marshal(map[string]any{ // text and numbers always encode
		"id": "/", "name": "Tectonic", "short_name": "Tectonic", "description": "Barbell training, planned beside done.",
		"start_url": "/", "scope": "/", "display": "standalone", "background_color": "#191b16", "theme_color": "#191b16",
		"icons": []icon{
			{Src: Asset("favicon.svg"), Sizes: "any", Type: "image/svg+xml"},
			{Src: Asset("icon-192.png"), Sizes: "192x192", Type: "image/png"},
			{Src: Asset("icon-512.png"), Sizes: "512x512", Type: "image/png"},
			{Src: Asset("icon-maskable-512.png"), Sizes: "512x512", Type: "image/png", Purpose: "maskable"},
		},
	})
	w.Header().Set("Content-Type", "application/manifest+json")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(body)
}

//go:embed static/worker.js
var workerScript []byte

// worker serves the service worker from the root, so that every page is in its
// reach. What it keeps is written on top: the browser takes a new worker when
// a byte of it changes, which a new hash of any asset does.
func (s *Site) worker(w http.ResponseWriter, _ *http.Request) {
	var keep []string
	for _, name := range assetNames {
		if name != "OFL.txt" {
			keep = append(keep, Asset(name))
		}
	}
	slices.Sort(keep)
	facts, _ := json.Marshal(map[string]any{ // text always encodes
		"version": markOf(strings.Join(keep, " ") + string(workerScript)), "assets": keep, "script": Asset("waiting.js"),
		"offline": offlinePath, "signOut": s.o.SignOutPath, "whoHeader": WhoHeader,
	})
	w.Header().Set("Content-Type", kindOf("worker.js"))
	w.Header().Set("Cache-Control", "no-cache")
	fmt.Fprintf(w, "const made = %s;\n%s", facts, workerScript)
}

func markOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}

// offline is the page for every address that the device has no copy of. It is
// the same for everybody, since the worker keeps it for all accounts.
func offline(w http.ResponseWriter, r *http.Request) error {
	v := *visitOf(r.Context())
	v.signedIn, v.identity = false, Identity{}
	return Render(w, enter(r, &v), http.StatusOK, offlinePage())
}
