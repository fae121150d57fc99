package config

import (
	"fmt"
	"net/url"
	"os"
	"strings"
)

// LiveKey reports whether a key is of the real payment provider, where it moves money.
func LiveKey(key string) bool {
	return strings.HasPrefix(key, "sk_live_") || strings.HasPrefix(key, "rk_live_")
}

// adviseOnFile warns of a file with a secret that every user of the machine may read or change.
func adviseOnFile(name, file string) []string {
	found, err := os.Stat(file)
	if err != nil || found.Mode().Perm()&0o006 == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: everybody on this machine may read or change %s (mode %04o): chmod 0600", name, file,
		found.Mode().Perm())}
}

// Simulated reports whether payments go elsewhere than to the provider's own address.
func (c *Config) Simulated() bool { return c.Stripe.APIBase != "" }

// Advice lists what is allowed and most likely not meant.
func (c *Config) Advice() (list []string) {
	list = append(list, c.openFiles...)
	if c.Simulated() {
		u, err := url.Parse(c.Stripe.APIBase)
		if err == nil {
			list = append(list, fmt.Sprintf("stripe.api_base: payments go to %s and not to the provider; a simulator takes no "+
				"money", u.Host))
		}
	}
	return list
}
