package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/testkit"
)

// What keeps readers from an edition is found before it is opened to them.
func TestSmokeTest(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		document func(*edition.Document)
		settings func(*config.Config)
		sql      string
		want     string // "" where all is well
	}{
		"all is well": {},
		"a page cannot be rendered": {
			settings: func(c *config.Config) { c.Render.Timeout = 1 },
			want:     "pages: /: it cannot be rendered",
		},
		"the login may not write": {
			sql:  "REVOKE INSERT ON content_categories FROM " + edition.SchemaOf(testkit.Document(0).ID),
			want: "permission denied for table content_categories",
		},
		"a table is gone": {sql: "DROP TABLE content_posts CASCADE", want: "is answered with 500"},
		"a price without words": {
			document: func(d *edition.Document) { d.Billing.Products[0].Interval.Unit = "century" },
			want:     "offer.every.century",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change := tc.document
			if change == nil {
				change = func(*edition.Document) {}
			}
			ctx, d := testkit.Edition(t, change)
			if tc.sql != "" {
				testkit.Alter(ctx, t, d, tc.sql)
			}
			cfg, err := config.Load("")
			if err != nil {
				t.Fatal(err)
			}
			cfg.Data.Dir, cfg.Secret = t.TempDir(), "a secret that is good for tests, 0123456789"
			if tc.settings != nil {
				tc.settings(cfg)
			}
			limit, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			err = SmokeTest(limit, cfg, d, testkit.EditionOf(ctx, t))
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}
