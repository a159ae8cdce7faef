package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Limits of fetching metadata documents.
const (
	documentMax     = 64 << 10 // bytes
	documentTimeout = 5 * time.Second
	documentsKept   = 1000
	freshMin        = 5 * time.Minute
	freshMax        = 24 * time.Hour
	staleMax        = 24 * time.Hour   // an old document serves so long when the fetch fails
	failureKept     = 60 * time.Second // so long a failure is not tried again
)

// document is what a client says of itself at its own address.
type document struct {
	ClientID   string   `json:"client_id"`
	Name       string   `json:"client_name"`
	Redirects  []string `json:"redirect_uris"`
	AuthMethod string   `json:"token_endpoint_auth_method"`
	Secret     any      `json:"client_secret"`

	freshFor time.Duration
}

// documents fetches and remembers metadata documents. The addresses come from
// strangers, so everything about the fetch is bounded, and it reaches public
// hosts on port 443 only.
type documents struct {
	now     func() time.Time
	client  *http.Client
	private []string // hosts that are excepted
	mu      sync.Mutex
	kept    map[string]keptDocument
}

type keptDocument struct {
	doc   document
	err   error
	until time.Time // fresh until
}

func newDocuments(o Options) *documents {
	d := &documents{now: o.DB.Now, private: o.CIMDHosts, kept: map[string]keptDocument{}}
	d.client = &http.Client{
		Timeout:       documentTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: nil, DialContext: d.dial, DisableKeepAlives: true, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: documentTimeout, MaxResponseHeaderBytes: 16 << 10,
		},
	}
	return d
}

// isDocumentURL reports whether a client_id is the address of a document.
func isDocumentURL(clientID string) bool {
	if !strings.HasPrefix(clientID, "https://") {
		return false
	}
	u, err := parseRedirect(clientID)
	return err == nil && u.Path != "" && u.Path != "/"
}

// dial connects only to addresses that anybody could reach. The check is made
// on the very address that is connected to, after the name was resolved.
func (d *documents) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: documentTimeout}
	if !d.excepted(address) {
		dialer.Control = func(_, resolved string, _ syscall.RawConn) error { return publicOnly(resolved) }
	}
	return dialer.DialContext(ctx, network, address)
}

func (d *documents) excepted(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (slices.Contains(d.private, host) || slices.Contains(d.private, address))
}

// reserved are the networks that no public server lives in, beside those that
// netip names: shared, benchmark, documentation, translation and old space.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

func publicOnly(resolved string) error {
	at, err := netip.ParseAddrPort(resolved)
	if err != nil {
		return fmt.Errorf("dial %q: %w", resolved, err)
	}
	ip := at.Addr().Unmap().WithZone("")
	if at.Port() != 443 {
		return fmt.Errorf("port %d is not 443", at.Port())
	}
	inside := func(p netip.Prefix) bool { return p.Contains(ip) }
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || slices.ContainsFunc(reserved, inside) {
		return fmt.Errorf("%s is not a public address", ip)
	}
	return nil
}

// get returns the document of a client, from memory while it is fresh. may is
// asked before the network is used.
func (d *documents) get(ctx context.Context, clientID string, may func() error) (document, error) {
	now := d.now()
	d.mu.Lock()
	old, found := d.kept[clientID]
	d.mu.Unlock()
	if found && now.Before(old.until) {
		return old.doc, old.err
	}
	if err := may(); err != nil {
		return document{}, err
	}
	doc, err := d.fetch(ctx, clientID)
	switch {
	case err == nil:
		d.keep(clientID, keptDocument{doc: doc, until: now.Add(doc.freshFor)})
	case found && old.err == nil && now.Before(old.until.Add(staleMax)):
		return old.doc, nil
	case ctx.Err() == nil:
		d.keep(clientID, keptDocument{err: err, until: now.Add(failureKept)})
	}
	return doc, err
}

func (d *documents) keep(clientID string, k keptDocument) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for old := range d.kept {
		if len(d.kept) < documentsKept {
			break
		}
		delete(d.kept, old)
	}
	d.kept[clientID] = k
}

func (d *documents) fetch(ctx context.Context, clientID string) (document, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, clientID, nil)
	if err != nil {
		return document{}, fmt.Errorf("fetch client metadata: %w", err)
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "Tectonic")
	answer, err := d.client.Do(r)
	if err != nil {
		return document{}, fmt.Errorf("fetch client metadata: %w", err)
	}
	defer answer.Body.Close()
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if answer.StatusCode != http.StatusOK || kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		return document{}, fmt.Errorf("fetch client metadata: status %d with %q, want 200 with JSON", answer.StatusCode, kind)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, documentMax+1))
	if err != nil {
		return document{}, fmt.Errorf("read client metadata: %w", err)
	}
	if len(body) > documentMax {
		return document{}, fmt.Errorf("client metadata is over %d bytes", documentMax)
	}
	doc, err := readDocument(body, clientID)
	doc.freshFor = freshFor(answer.Header.Get("Cache-Control"))
	return doc, err
}

func readDocument(body []byte, clientID string) (doc document, err error) {
	if err := json.Unmarshal(body, &doc); err != nil {
		return document{}, fmt.Errorf("read client metadata: %w", err)
	}
	doc.Name = plain(doc.Name)
	switch {
	case doc.ClientID != clientID:
		err = errors.New("its client_id is not its address")
	case doc.Name == "":
		err = errors.New("it has no client_name")
	case len(doc.Redirects) == 0:
		err = errors.New("it has no redirect_uris")
	case doc.AuthMethod != "" && doc.AuthMethod != authNone:
		err = fmt.Errorf("its token_endpoint_auth_method is %q", doc.AuthMethod)
	case doc.Secret != nil:
		err = errors.New("it holds a client_secret")
	}
	if err != nil {
		return document{}, fmt.Errorf("refuse client metadata: %w", err)
	}
	return doc, nil
}

// freshFor reads max-age, held between five minutes and a day.
func freshFor(cacheControl string) time.Duration {
	for directive := range strings.SplitSeq(cacheControl, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		if strings.EqualFold(name, "max-age") {
			if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
				return min(max(time.Duration(seconds)*time.Second, freshMin), freshMax)
			}
		}
	}
	return freshMin
}

// ownHost reports whether the redirect leads to the https host of the document.
func ownHost(clientID, redirect string) bool {
	a, errA := url.Parse(clientID)
	b, errB := parseRedirect(redirect)
	return errA == nil && errB == nil && b.Scheme == "https" && sameOrigin(a, b)
}
