package app

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// A worker without an edition's key would take the work that a rightly configured one could do, and fail it. Who
// mistypes the name of a setting reads both: what is missing, and what belongs to nobody.
func TestWorkNeedsTheKeysOfEditionsThatSell(t *testing.T) {
	said := captureLog(t)
	c := testkit.NewCluster(t)
	founded(t, c)
	t.Setenv("BROADSHEET_STRIPE_STANDRAD_SECRET_KEY", "sk_test_mistyped")
	production(t, c.DSN(t))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	err := execute(ctx, "work")
	if err == nil || !strings.Contains(err.Error(), "BROADSHEET_STRIPE_STANDARD_SECRET_KEY: not set") ||
		strings.Contains(err.Error(), "STANDARD_AT") {
		t.Errorf("error: %v", err)
	}
	for _, want := range []string{
		"an edition that there is not\" edition=standrad",
		"BROADSHEET_STRIPE_STANDARD_WEBHOOK_SECRET",
	} {
		if !strings.Contains(said(), want) {
			t.Errorf("no %q in\n%s", want, said())
		}
	}
	t.Setenv("BROADSHEET_STRIPE_STANDARD_SECRET_KEY", "sk_test_right")
	admin := starting(t, c.DSN(t), "work")
	wait.Until(t, "it works", func() bool {
		code, _ := askAdmin(admin, "/readyz")
		return code == http.StatusOK
	})
}

// With another secret than before every page fails, so the process is not ready, and says for which edition.
func TestARefusedLoginIsNotReady(t *testing.T) {
	said := captureLog(t)
	c := testkit.NewCluster(t)
	ed := founded(t, c)
	admin := starting(t, c.DSN(t), "serve")
	ready := func(want int, word string) {
		t.Helper()
		wait.Until(t, "readyz is "+http.StatusText(want), func() bool {
			code, body := askAdmin(admin, "/readyz")
			return code == want && strings.Contains(body, word)
		})
	}
	ready(http.StatusOK, `"ready":true`)
	c.Run(t, t.TempDir(), `psql -qd broadsheet -c "ALTER ROLE `+ed.Schema+` NOLOGIN" -c "SELECT `+
		`pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '`+ed.Schema+`'"`)
	front(t, ed)
	ready(http.StatusServiceUnavailable, `"refused":["standard"]`)
	if !strings.Contains(said(), "the database refuses the edition's login") {
		t.Errorf("log: %s", said())
	}
	if err := execute(t.Context(), "migrate"); err == nil {
		t.Error("migrating without a login went well")
	}
	if err := execute(t.Context(), "migrate", "--new-secret"); err != nil {
		t.Error(err)
	}
	ready(http.StatusOK, `"ready":true`)
	if r := front(t, ed); r.Status != http.StatusOK {
		t.Errorf("the front page: %d", r.Status)
	}
}
