package config

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// EnsureSecret gives a configuration without a secret the one of a data folder, making it at first: all processes of
// the folder then derive the same keys, also after a restart.
func (c *Config) EnsureSecret(dir string) error {
	if c.Secret != "" {
		return nil
	}
	file := filepath.Join(dir, "secret")
	// The embedded server's own user has to pass through.
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("secret: %w", err)
	}
	// Written whole under another name first: whoever finds the file finds all of it.
	fresh, err := os.CreateTemp(dir, "secret.*")
	if err != nil {
		return fmt.Errorf("secret: %w", err)
	}
	_, err = fresh.WriteString(rand.Text() + rand.Text() + "\n")
	err = errors.Join(err, fresh.Close())
	if err == nil {
		if err = os.Link(fresh.Name(), file); errors.Is(err, fs.ErrExist) {
			err = nil // it was made before, or by another process just now
		}
	}
	if err := errors.Join(err, os.Remove(fresh.Name())); err != nil {
		return fmt.Errorf("secret: %w", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("secret: %w", err)
	}
	secret := strings.TrimSpace(string(text))
	if len(secret) < shortestSecret {
		return fmt.Errorf("secret: %s is damaged; remove it to start with a new one, which signs everybody out", file)
	}
	c.Secret = secret
	return nil
}
