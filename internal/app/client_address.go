package app

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientAddress replaces RemoteAddr by the address that limits are kept for:
// that of the client, without its port. When the connection comes from a
// trusted proxy it is the last hop of X-Forwarded-For that is no such proxy
// itself; from anybody else the header is not read, since anybody can write
// it. An IPv6 address stands for its network of 64 bits, which one customer
// has to itself.
func clientAddress(trusted []netip.Prefix, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(r.Context()) // a copy, so that the server's own stays as it is
		r.RemoteAddr = limitedAs(realAddress(trusted, r))
		next.ServeHTTP(w, r)
	})
}

func realAddress(trusted []netip.Prefix, r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	for _, hop := range slices.Backward(hops(r)) {
		if !within(trusted, host) {
			break
		}
		if withPort, err := netip.ParseAddrPort(hop); err == nil {
			hop = withPort.Addr().String()
		}
		if _, err := netip.ParseAddr(hop); err != nil {
			break
		}
		host = hop
	}
	return host
}

// hops returns what the proxies wrote, the nearest last.
func hops(r *http.Request) []string {
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i, hop := range list {
		list[i] = strings.TrimSpace(hop)
	}
	return list
}

func within(list []netip.Prefix, host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(address.Unmap().WithZone("")) })
}

func limitedAs(host string) string {
	address, err := netip.ParseAddr(host)
	if err != nil || address.Unmap().Is4() {
		return host
	}
	prefix, _ := address.WithZone("").Prefix(64) // 64 bits always fit an IPv6 address
	return prefix.String()
}
