package oauth

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

const (
	accessLife  = time.Hour
	accessType  = "at+jwt" // RFC 9068
	accessMax   = 8 << 10  // bytes; a longer token is refused unread
	rememberMax = 10_000   // verified signatures that are remembered
	keyBitsMin  = 2048
)

// ParseKey reads the signing key: PEM, PKCS#1 or PKCS#8, RSA of at least 2,048
// bits.
func ParseKey(text []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("read the signing key: it is no PEM text")
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, checkKey(key)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("read the signing key: it is a %T, not RSA", parsed)
	}
	return key, checkKey(key)
}

// NewKey makes a signing key. Access tokens die with it, refresh tokens do not.
func NewKey() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, keyBitsMin) }

func checkKey(key *rsa.PrivateKey) error {
	if key == nil || key.N.BitLen() < keyBitsMin {
		return fmt.Errorf("the signing key must be RSA of at least %d bits", keyBitsMin)
	}
	return nil
}

// keys holds what signs: the access tokens, the refresh tokens, the forms.
type keys struct {
	access  *rsa.PrivateKey
	kid     string // RFC 7638 thumbprint
	refresh []byte
	consent []byte
	checked *memory
}

func newKeys(access *rsa.PrivateKey, secret []byte) (keys, error) {
	if err := checkKey(access); err != nil {
		return keys{}, err
	}
	k := keys{access: access, checked: &memory{seen: map[[32]byte]claims{}}}
	n, e := k.numbers()
	k.kid = digest(fmt.Sprintf(`{"e":"%s","kty":"RSA","n":"%s"}`, e, n))
	var err error
	if k.refresh, err = hkdf.Key(sha256.New, secret, nil, "tectonic oauth refresh v1", 32); err != nil {
		return keys{}, fmt.Errorf("derive the refresh key: %w", err)
	}
	if k.consent, err = hkdf.Key(sha256.New, secret, nil, "tectonic oauth consent v1", 32); err != nil {
		return keys{}, fmt.Errorf("derive the consent key: %w", err)
	}
	return k, nil
}

func (k keys) numbers() (n, e string) {
	enc := base64.RawURLEncoding
	return enc.EncodeToString(k.access.N.Bytes()), enc.EncodeToString(big.NewInt(int64(k.access.E)).Bytes())
}

// public returns the key for others to verify with (RFC 7517).
func (k keys) public() map[string]string {
	n, e := k.numbers()
	return map[string]string{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": k.kid, "n": n, "e": e}
}

// claims are what an access token says.
type claims struct {
	jwt.RegisteredClaims
	ClientID  string         `json:"client_id"`
	Scope     string         `json:"scope"`
	Grant     id.GrantID     `json:"gid"`
	Workspace id.WorkspaceID `json:"wid"`
}

// sign makes the access token of a grant for some of its plates and scopes.
func (s *Server) sign(g store.StandingRow, plates, scopes []string, now time.Time) (string, error) {
	c := claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: s.o.BaseURL, Subject: strconv.FormatInt(int64(g.AccountID), 10), ID: id.UID(),
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(accessLife)),
		},
		ClientID: g.ClientUID, Scope: strings.Join(scopes, " "), Grant: g.ID, Workspace: g.WorkspaceID,
	}
	if g.ClientKind == kindCredentials {
		c.Subject = g.ClientUID
	}
	for _, name := range plates {
		if p, ok := s.plate(name); ok {
			c.Audience = append(c.Audience, s.Audience(p))
		}
	}
	t := jwt.NewWithClaims(jwt.SigningMethodRS256, c)
	t.Header["typ"], t.Header["kid"] = accessType, s.keys.kid
	text, err := t.SignedString(s.keys.access)
	if err != nil {
		return "", fmt.Errorf("sign the access token of grant %d: %w", g.ID, err)
	}
	return text, nil
}

// read verifies an access token without the database. The expensive part, the
// signature, is remembered; the time is looked at every time.
func (s *Server) read(token string) (claims, error) {
	if len(token) > accessMax {
		return claims{}, errors.New("the token is too long")
	}
	sum, now := sha256.Sum256([]byte(token)), s.o.DB.Now()
	if c, ok := s.keys.checked.get(sum); ok {
		if !now.Before(c.ExpiresAt.Time) {
			return claims{}, jwt.ErrTokenExpired
		}
		return c, nil
	}
	var c claims
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithIssuer(s.o.BaseURL),
		jwt.WithExpirationRequired(), jwt.WithStrictDecoding(), jwt.WithTimeFunc(func() time.Time { return now }))
	if _, err := parser.ParseWithClaims(token, &c, s.keys.forHeader); err != nil {
		return claims{}, fmt.Errorf("read the access token: %w", err)
	}
	if c.Grant == 0 {
		return claims{}, errors.New("the token names no grant")
	}
	s.keys.checked.put(sum, c)
	return c, nil
}

// forHeader returns the verification key when the header is one of ours.
func (k keys) forHeader(t *jwt.Token) (any, error) {
	if typ, _ := t.Header["typ"].(string); !strings.EqualFold(typ, accessType) {
		return nil, errors.New("the token is no access token")
	}
	if kid, _ := t.Header["kid"].(string); kid != k.kid {
		return nil, errors.New("the token was signed by another key")
	}
	if _, ok := t.Header["crit"]; ok {
		return nil, errors.New("the token asks for an extension")
	}
	return &k.access.PublicKey, nil
}

// memory remembers what was verified, by the SHA-256 of the token. When it is
// full an arbitrary one is forgotten: it costs a signature, nothing else.
type memory struct {
	mu   sync.Mutex
	seen map[[32]byte]claims
}

func (m *memory) get(sum [32]byte) (claims, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.seen[sum]
	return c, ok
}

func (m *memory) put(sum [32]byte, c claims) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for old := range m.seen {
		if len(m.seen) < rememberMax {
			break
		}
		delete(m.seen, old)
	}
	m.seen[sum] = c
}

// secret returns 256 random bits as 43 characters.
func secret() string {
	b := make([]byte, 32)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// hashed is how a secret is stored.
func hashed(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// digest is the SHA-256 of text in base64url, as PKCE and thumbprints use it.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func mac(key []byte, text string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
