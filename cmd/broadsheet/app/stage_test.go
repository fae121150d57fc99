package app

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"example.org/broadsheet/platform/sandbox/mailbox"
	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// tool runs `broadsheet sandbox` with the settings of the fleet, as a process of its own.
func (f *fleet) tool(t testing.TB, args ...string) *journal {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said := &journal{}
	cmd := exec.Command(exe, append([]string{"sandbox"}, args...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), f.settings...), said, said
	run(t, cmd)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("sandbox %v said:\n%s", args, said.String())
		}
	})
	return said
}

// A stage that is as production: serve, work, the payment simulator and the mailbox, each a process of its own, without
// `dev`. A reader logs in by the code in the mailbox, buys, and has access.
func TestAStageWithoutDev(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	pay, smtp, box := "127.0.0.1:"+testkit.FreePort(t), "127.0.0.1:"+testkit.FreePort(t), "127.0.0.1:"+testkit.FreePort(t)
	f.settings = append(f.settings, "BROADSHEET_STRIPE_API_BASE=http://"+pay, "BROADSHEET_MAIL_URL=smtp://"+smtp)
	data := t.TempDir()
	f.tool(t, "mailbox", "--smtp", smtp, "--listen", box, "--data", data)
	f.tool(t, "payments", "--listen", pay, "--data", data, "--webhooks", "127.0.0.1:"+f.port)
	serve, work := f.member(t, "serve"), f.member(t, "work")
	serve.ready()
	work.ready()
	wait.Until(t, "the simulator and the mailbox listen", func() bool { return listens(pay) && listens(box) })

	b := f.browser("standard")
	asked := b.post("/fns/user-login", map[string]any{
		"payload": map[string]string{"email": "ada@example.org", "referrer": "/"}, "type": "login",
	})
	if asked.Status != http.StatusOK {
		t.Fatalf("asking for a code: %d %s", asked.Status, asked.Body)
	}
	code := ""
	wait.Until(t, "the mailbox has the code", func() bool {
		_, body := fetch(box, "/_dev/mail.json", "")
		var mails []mailbox.Message
		_ = json.Unmarshal([]byte(body), &mails)
		i := slices.IndexFunc(mails, func(m mailbox.Message) bool { return m.Code != "" })
		if i >= 0 {
			code = mails[i].Code
		}
		return i >= 0
	})
	if r := b.post("/api/login-code-validation", map[string]string{
		"email": "ada@example.org", "code": code, "referrer": "/", "type": "login",
	}); r.Status != http.StatusOK {
		t.Fatalf("the code: %d %s", r.Status, r.Body)
	}
	checkout := order(t, b)
	if checkout.Host != pay {
		t.Errorf("the payment page is on %s, want %s: serve has none", checkout.Host, pay)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	paid, err := client.PostForm(checkout.String(), goodCard())
	if err != nil {
		t.Fatal(err)
	}
	_ = paid.Body.Close()
	back, err := client.Get(checkout.String()) // what is paid leads to the paper
	if err != nil {
		t.Fatal(err)
	}
	_ = back.Body.Close()
	if to := back.Header.Get("Location"); paid.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, b.origin) {
		t.Errorf("paying: %d, to %q, want back to %s", paid.StatusCode, to, b.origin)
	}
	wait.Until(t, "the reader has access", func() bool { return subscribed(b) })

	if policy := b.get("/").Header.Get("Content-Security-Policy"); !strings.Contains(policy, "http://"+pay) {
		t.Errorf("a form may not lead to the simulator: %s", policy)
	}
	paths := []string{"/_dev/mail", "/_dev/mail.json", "/_dev/stripe/deliveries", checkout.Path, "/v1/prices"}
	for _, path := range paths {
		if status, _ := serve.get(f.hosts()[0], path); status != http.StatusNotFound {
			t.Errorf("serve answers %s with %d", path, status)
		}
	}
	for path, address := range map[string]string{"/_dev/mail.json": box, "/_dev/stripe/deliveries": pay} {
		if status, _ := fetch(address, path, "elsewhere.example"); status != http.StatusMisdirectedRequest {
			t.Errorf("%s answers another host with %d", path, status)
		}
	}
	if said := work.log.String(); !strings.Contains(said, "payments go to "+pay) {
		t.Errorf("work does not say that its provider is a simulator: %s", said)
	}
}

// What would be taken for the real thing, or opened to others by mistake, is refused with the reason.
func TestToolsOfAStageRefuse(t *testing.T) {
	f := &fleet{}
	for name, tc := range map[string]struct {
		args, settings []string
		want           string
	}{
		"a mailbox for other machines": {
			args: []string{"mailbox", "--smtp", "0.0.0.0:0"}, want: "0.0.0.0:0 can be reached by other machines",
		},
		"pages for other machines": {
			args: []string{"mailbox", "--listen", "[::]:0"}, want: "[::]:0 can be reached by other machines",
		},
		"an address that is none": {args: []string{"mailbox", "--listen", "8025"}, want: `"8025" is not host:port`},
		"a path in the address": {
			args: []string{"mailbox", "--url", "https://mail.example.org/box"}, want: "is not like https://",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f.settings = append([]string{asProgram + "=1"}, tc.settings...)
			said := f.tool(t, append(tc.args, "--data", t.TempDir())...)
			wait.Until(t, tc.want, func() bool { return strings.Contains(said.String(), tc.want) })
		})
	}
}

// A key of the real provider is never given to what is not the provider.
func TestAStageTakesNoRealKey(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	f.settings = append(f.settings, "BROADSHEET_STRIPE_STANDARD_SECRET_KEY=sk_live_1234")
	said := f.tool(t, "payments", "--listen", "127.0.0.1:0", "--data", t.TempDir())
	wait.Until(t, "the simulator refuses the key", func() bool {
		return strings.Contains(said.String(), "STANDARD_SECRET_KEY is a key of the real provider")
	})
	m := f.member(t, "work")
	wait.Until(t, "work refuses the key", func() bool {
		return strings.Contains(m.log.String(), "the key of standard is of the real provider")
	})
}

// A folder of pictures that is not there is a typing mistake or a disk that is not mounted: none is made in its place.
func TestAMistypedFolderOfPicturesIsNotMade(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	wrong := t.TempDir() + "/pictrues"
	f.settings = append(f.settings, "BROADSHEET_MEDIA_DIR="+wrong)
	for _, role := range []string{"serve", "work"} {
		m := f.member(t, role)
		wait.Until(t, role+" says so", func() bool {
			return strings.Contains(m.log.String(), "media.dir: "+wrong+" is not there")
		})
	}
	if _, err := os.Stat(wrong); !os.IsNotExist(err) {
		t.Errorf("the folder was made: %v", err)
	}
}
