package app

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// A running `serve` answers a new host when its edition has passed the smoke test, and not before.
func TestAHostOpensAfterTheSmokeTest(t *testing.T) {
	c := testkit.NewCluster(t)
	c.CreateDatabase(t)
	starting(t, c.DSN(t), "serve")
	wait.Until(t, "serve listens", func() bool { return listens(os.Getenv("BROADSHEET_WEB_LISTEN")) })
	status := func() int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			"http://"+os.Getenv("BROADSHEET_WEB_LISTEN")+"/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "bote.test"
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	add := func(typed string, args ...string) (string, error) {
		var out bytes.Buffer
		cmd := NewCommand()
		cmd.PersistentPreRunE = nil
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetIn(strings.NewReader(typed))
		cmd.SetOut(&out)
		cmd.SetArgs(append([]string{"edition", "add"}, args...))
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	file := filepath.Join(t.TempDir(), "bote.yaml")
	answers := []string{
		"de-AT", "bote", "Der Bote", "bote.test", "", "", "", "", "Bote GmbH", "Hauptplatz 1", "6020", "Innsbruck", "",
		"FN 1", "12 345/6789", "", "", "", "", "", "9.90", "", "89.00", "no", "Talbank", "AT483200000012345864", "RLNWATWW",
		"", "", "no", "yes",
	}

	pictures := os.Getenv("BROADSHEET_MEDIA_DIR")
	t.Setenv("BROADSHEET_MEDIA_DIR", "/nowhere/pictures")
	out, err := add(strings.Join(answers, "\n"), "--interactive", file)
	if err == nil || !strings.Contains(err.Error(), "smoke test: media.dir: /nowhere/pictures is not there") {
		t.Errorf("%v:\n%s", err, out)
	}
	if got := status(); got != http.StatusMisdirectedRequest {
		t.Errorf("the host of an edition that has failed answers %d", got)
	}
	t.Setenv("BROADSHEET_MEDIA_DIR", pictures)
	answers[len(answers)-2] = "yes" // the sample's articles
	out, err = add(strings.Join(answers, "\n"), "--interactive", file+".2")
	if err != nil || !strings.Contains(out, "the smoke test has passed\nbote is live at https://bote.test") {
		t.Errorf("the next try: %v\n%s", err, out)
	}
	wait.Until(t, "the host is open", func() bool { return status() == http.StatusOK })
	d := c.Open(t)
	d.Attach("bote", "ed_bote")
	pool, err := d.Pool("bote")
	if err != nil {
		t.Fatal(err)
	}
	posts := 0
	if err := pool.NewRaw("SELECT count(*) FROM content_posts").Scan(t.Context(), &posts); err != nil || posts < 20 {
		t.Errorf("%d articles of the sample, %v", posts, err)
	}
}
