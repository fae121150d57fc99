package command

import (
	"bytes"
	"strings"
	"testing"

	"example.org/broadsheet/platform/config"
)

func TestDoctorMissesTrustedProxiesBehindTLS(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		web   config.Web
		warns bool
	}{
		"TLS before it, nobody trusted": {config.Web{PublicURL: "https://{host}"}, true},
		"TLS before it, a proxy trusted": {
			config.Web{PublicURL: "https://{host}", TrustedProxies: []string{"127.0.0.1"}},
			false,
		},
		"readers come without any proxy": {config.Web{PublicURL: "http://{host}:8080"}, false},
	} {
		var out bytes.Buffer
		adviseOnProxies(&out, &config.Config{Web: tc.web})
		if warned := strings.Contains(out.String(), "BROADSHEET_WEB_TRUSTED_PROXIES"); warned != tc.warns {
			t.Errorf("%s: %q", name, &out)
		}
	}
}
