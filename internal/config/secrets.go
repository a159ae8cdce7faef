package config

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tectonic/internal/bedrock/fault"
)

// EnsureSecrets fills in the secrets that were not given. On the embedded
// database, and outside production, they are made once in <data>/secrets; made
// names those that are new. Production on PostgreSQL refuses instead: two
// nodes with secrets of their own would not know each other's tokens.
func (c *Config) EnsureSecrets() (made []string, err error) {
	for _, wanted := range []struct {
		to         *Secret
		env, file  string
		make       func() (string, error)
		makeByHand string
	}{
		{&c.SessionSecret, "SESSION_SECRET", "session_secret", randomText, "openssl rand -base64 48"},
		{&c.OAuth.PrivateKey, "OAUTH_JWT_PRIVATE_KEY", "oauth_jwt_key.pem", signingKey, "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048"},
	} {
		if *wanted.to != "" {
			continue
		}
		if c.Tier.Careful() && !c.Embedded() {
			return made, fault.BadArgument("%s is not set. Make one with: %s", wanted.env, wanted.makeByHand)
		}
		value, isNew, err := secretFile(filepath.Join(c.Data, "secrets"), wanted.file, wanted.make)
		if err != nil {
			return made, err
		}
		*wanted.to = value
		if isNew {
			made = append(made, wanted.env)
		}
	}
	return made, nil
}

func randomText() (string, error) {
	random := make([]byte, 48)
	rand.Read(random)
	return base64.StdEncoding.EncodeToString(random), nil
}

func signingKey() (string, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return "", fmt.Errorf("make a signing key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return "", fmt.Errorf("encode a signing key: %w", err)
	}
	return strings.TrimSpace(string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))), nil
}

// secretFile reads a secret, or makes it when there is none. Two processes
// that start at once agree: only one can create the file.
func secretFile(folder, name string, produce func() (string, error)) (value Secret, isNew bool, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", false, fault.BadArgument("The folder of secrets %s cannot be made: %v. Choose another data folder with --data.", folder, err).Because(err)
	}
	path := filepath.Join(folder, name)
	value, err = readSecret(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return value, false, err
	}
	text, err := produce()
	if err != nil {
		return "", false, err
	}
	err = createWhole(path, text)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", false, fault.BadArgument("The secret %s cannot be written: %v. Choose another data folder with --data.", path, err).Because(err)
	}
	isNew = err == nil
	value, err = readSecret(path)
	return value, isNew, err
}

// readSecret refuses an empty file: an empty key would be known to everybody.
func readSecret(path string) (Secret, error) {
	held, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read secret: %w", err)
	}
	value := Secret(strings.TrimSpace(string(held)))
	if value == "" {
		return "", fault.BadArgument("The secret in %s is empty. Remove the file to have a new one made.", path)
	}
	return value, nil
}

// createWhole makes the file appear with all of its contents, or not at all.
func createWhole(path, text string) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if _, err := temp.WriteString(text + "\n"); err != nil {
		return errors.Join(err, temp.Close())
	}
	if err := errors.Join(temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Link(temp.Name(), path)
}
