package mcp

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// hosts says which Host headers this server answers to. A page that resolves
// its own name to this machine (DNS rebinding) sends one that is not listed.
type hosts struct {
	names []string // any port
	exact []string // host:port
}

// newHosts allows this machine, the host of the public base URL, and the
// entries: a bare name stands for any port, host:port for that one.
func newHosts(baseURL string, entries []string) hosts {
	h := hosts{names: []string{"localhost", "127.0.0.1", "::1"}}
	if u, err := url.Parse(baseURL); err == nil && u.Hostname() != "" {
		h.names = append(h.names, strings.ToLower(u.Hostname()))
	}
	for _, entry := range entries {
		entry = strings.ToLower(entry)
		if host, port, err := net.SplitHostPort(entry); err == nil && port != "" {
			h.exact = append(h.exact, net.JoinHostPort(host, port))
		} else {
			h.names = append(h.names, strings.Trim(entry, "[]"))
		}
	}
	return h
}

// allow reports whether the Host header is one of ours. HTTP/1.0 has none.
func (h hosts) allow(header string) bool {
	if header == "" {
		return true
	}
	header = strings.ToLower(header)
	if slices.Contains(h.exact, header) {
		return true
	}
	name := header
	if host, _, err := net.SplitHostPort(header); err == nil {
		name = host
	}
	return slices.Contains(h.names, strings.Trim(name, "[]"))
}

// sameOrigin reports whether the Origin header names the server that the Host
// header names, with the default port of its scheme written or not.
func sameOrigin(origin, host string) bool {
	scheme, authority, ok := strings.Cut(strings.ToLower(origin), "://")
	if !ok {
		return false
	}
	port, known := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return known && strings.TrimSuffix(authority, port) == strings.TrimSuffix(strings.ToLower(host), port)
}
