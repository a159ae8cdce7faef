package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base32"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

const staticPrefix = "/static/"

//go:embed static/app.css static/app.js static/waiting.js static/session.js static/worker.js static/htmx.min.js
//go:embed static/favicon.svg static/icon-192.png static/icon-512.png static/icon-maskable-512.png static/archivo-70.woff2 static/OFL.txt
var embedded embed.FS

// asset is one file as it is served.
type asset struct {
	body []byte
	kind string // MIME type
}

// assets maps the served name (app.k3j2….css) to the file, served maps the
// plain name (app.css) to the served one.
var assets, served = load()

var assetNames = []string{
	"app.js", "waiting.js", "session.js", "htmx.min.js", "favicon.svg",
	"icon-192.png", "icon-512.png", "icon-maskable-512.png", "archivo-70.woff2", "OFL.txt", "app.css",
}

// load hashes every embedded file. The stylesheet comes last, since it names
// the font: the hash of the font is part of its bytes.
func load() (map[string]asset, map[string]string) {
	files, names := map[string]asset{}, map[string]string{}
	for _, name := range assetNames {
		body, err := fs.ReadFile(embedded, "static/"+name)
		if err != nil {
			panic("web: embedded file: " + err.Error())
		}
		if name == "app.css" {
			body = bytes.ReplaceAll(body, []byte("archivo-70.woff2"), []byte(names["archivo-70.woff2"]))
		}
		names[name] = hashed(name, body)
		files[names[name]] = asset{body: body, kind: kindOf(name)}
	}
	return files, names
}

func hashed(name string, body []byte) string {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	mark := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
	return strings.TrimSuffix(name, ext) + "." + mark + ext
}

func kindOf(name string) string {
	switch path.Ext(name) {
	case ".woff2":
		return "font/woff2"
	case ".js":
		return "text/javascript; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// Asset returns the address of an embedded file by its plain name, such as
// "app.css". It panics on a name that is not embedded.
func Asset(name string) string {
	n, ok := served[name]
	if !ok {
		panic("web: no embedded file " + name)
	}
	return staticPrefix + n
}

// Static serves the embedded files under /static/. A name holds a hash of its
// bytes, so a browser may keep the file for a year without asking.
func Static() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := assets[strings.TrimPrefix(r.URL.Path, staticPrefix)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		w.Write(a.body)
	})
}
