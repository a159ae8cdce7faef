package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit"
)

func TestParseKey(t *testing.T) {
	t.Parallel()
	key := testKey()
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	elliptic8, err := x509.MarshalPKCS8PrivateKey(curve)
	if err != nil {
		t.Fatal(err)
	}
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, der []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	}
	for name, c := range map[string]struct {
		text []byte
		good bool
	}{
		"PKCS#1":    {text("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)), true},
		"PKCS#8":    {text("PRIVATE KEY", pkcs8), true},
		"elliptic":  {text("PRIVATE KEY", elliptic8), false},
		"too small": {text("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(small)), false},
		"no PEM":    {[]byte("hello"), false},
		"no key":    {text("PRIVATE KEY", []byte("hello")), false},
	} {
		got, err := ParseKey(c.text)
		if (err == nil) != c.good || c.good && !got.Equal(key) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	m := &memory{seen: map[[32]byte]claims{}}
	for i := range rememberMax + 10 {
		m.put([32]byte{byte(i), byte(i >> 8), byte(i >> 16)}, claims{})
	}
	if len(m.seen) != rememberMax {
		t.Errorf("%d remembered, want %d", len(m.seen), rememberMax)
	}
}

// BenchmarkVerify is what every call of a program pays for knowing who calls.
func BenchmarkVerify(b *testing.B) {
	testkit.EachBench(b, testkit.Lines, nil, func(b *testing.B, d *db.DB) {
		w := newWorld(b, d, &clock{at: d.Now()})
		token := w.tokens(w.newClient()).text("access_token")
		b.ReportAllocs()
		for b.Loop() {
			if _, err := w.Verify(b.Context(), token, "training"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
