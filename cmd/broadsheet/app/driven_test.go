package app

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/sandbox/mailbox"
	sandbox "example.org/broadsheet/platform/sandbox/stripe"
	"example.org/broadsheet/platform/testkit/wait"
)

// trackedApp is a paper whose every use is remembered.
type trackedApp struct {
	*testApp
	t      *testing.T
	k      canaries
	log    *journal
	pg     *postgres.Server
	reader *browser // signed in
	handle string   // its public handle
}

func (d *trackedApp) want(r response, status int) response {
	d.t.Helper()
	if r.Status != status {
		d.t.Errorf("status %d, want %d: %.300s", r.Status, status, r.Body)
	}
	return r
}

// logs waits for words of the log.
func (d *trackedApp) logs(words string, from int) {
	d.t.Helper()
	wait.Until(d.t, "the log says "+words, func() bool { return strings.Contains(d.log.String()[from:], words) })
}

func (d *trackedApp) ask(b *browser, address, kind string) response {
	d.t.Helper()
	return b.post("/fns/user-login",
		map[string]any{"payload": map[string]string{"email": address, "referrer": "/"}, "type": kind})
}

// wrongCode is a code that differs from the right one.
func wrongCode(code string) string {
	if code[0] == '9' {
		return "1" + code[1:]
	}
	return "9" + code[1:]
}

func (d *trackedApp) registerByCode() {
	address, asked := d.k["a reader's address"], time.Now()
	b := d.browser("standard")
	d.want(d.ask(b, address, "registration"), http.StatusOK)
	d.k.cookies("the asking browser", b)
	code, hash := d.k.rememberEmail(d.mailWithCode(address, asked))
	if code == "" || hash == "" {
		d.t.Fatal("the mail has no code or no link")
	}
	d.k["a wrong code"] = wrongCode(code)
	enter := func(code string) response {
		return b.post("/api/login-code-validation",
			map[string]string{"email": address, "code": code, "referrer": "/", "type": "registration"})
	}
	d.want(enter(wrongCode(code)), http.StatusUnprocessableEntity)
	d.want(enter(code), http.StatusOK)
	d.k.cookies("the new reader", b)
	d.want(b.get("/user/sessions"), http.StatusOK)
	d.want(b.get("/article-true-0"), http.StatusNotFound)
}

func (d *trackedApp) loginByLink() {
	address, asked := d.k["a reader's address"], time.Now()
	b, stranger := d.browser("standard"), d.browser("standard")
	d.want(b.post("/_dev/clock", map[string]string{"advance": "2m"}), http.StatusOK) // one mail a minute
	d.want(d.ask(b, address, "login"), http.StatusOK)
	_, hash := d.k.rememberEmail(d.mailWithCode(address, asked))
	open := func(b *browser, hash string) response {
		return b.post("/api/security-login", map[string]string{"user_hash": hash})
	}
	altered := strings.Repeat("A", 10) + hash[10:]
	d.k["an altered link"] = altered
	stranger.get("/security-check?hash=" + hash)
	stranger.get("/security-check%23hash=" + hash)
	stranger.get("/security-check%2523hash=" + hash)
	d.want(open(stranger, hash), http.StatusOK) // asks for a person's yes
	d.want(open(stranger, altered), http.StatusUnprocessableEntity)
	d.want(open(b, hash), http.StatusOK)
	got := d.k.cookies("the reader", b)
	d.reader, d.handle = b, got["logged_user"]
	d.want(b.get("/user/me/?user_hash="+d.handle), http.StatusOK)
	d.want(b.get("/user/me/?user_hash="+got["session"]), http.StatusOK)
	d.want(b.get("/user/exists?email="+url.QueryEscape(address)), http.StatusOK)
	d.want(b.get("/account/sent?type=thankyou-login&email="+url.QueryEscape(address)), http.StatusFound)
	// Has asked for nothing.
	d.want(stranger.get("/account/sent?type=thankyou-login&email="+url.QueryEscape(address)), http.StatusFound)
	d.want(stranger.get("/api/page?url="+
		url.QueryEscape("/account/sent?type=thankyou-login&email="+url.QueryEscape(address))), http.StatusOK)
}

func (d *trackedApp) purchase() {
	paid := time.Now()
	buy(d.t, d.reader)
	wait.Until(d.t, "the reader has what was paid for", func() bool { return subscribed(d.reader) })
	d.mailTo(d.k["a reader's address"], paid)
	d.want(d.reader.get("/payment/success?session_id="+d.k["a client secret"]), http.StatusOK)
}

// newsletters are ordered, changed and left by the links of emails, whose tokens let in.
func (d *trackedApp) newsletters() {
	address, b := d.k["a subscriber's address"], d.browser("standard")
	d.want(b.form("/fns/newsletters/subscribe", url.Values{"email": {address}, "lists": {"breaking"}}),
		http.StatusSeeOther)
	follow := func(part string) url.Values {
		u, err := url.Parse(addressIn(d.t, b, d.from("standard", address, part).Text, part))
		if err != nil {
			d.t.Fatal(err)
		}
		d.k["the token of "+part] = u.Query().Get("token")
		d.want(b.get(u.RequestURI()),
			map[bool]int{true: http.StatusFound, false: http.StatusOK}[strings.HasPrefix(part, "/fns/")])
		return url.Values{"token": {u.Query().Get("token")}}
	}
	r := d.want(b.form("/fns/newsletters/confirm", follow("/newsletters/confirm")), http.StatusSeeOther)
	d.want(b.get(r.Header.Get("Location")), http.StatusOK)
	if out, err := d.command("newsletter", "send", "breaking", "--edition", "standard", "--post", "1"); err != nil {
		d.t.Error(err, out)
	}
	d.want(b.form("/fns/newsletters/leave", follow("/fns/newsletters/leave")), http.StatusSeeOther)
}

func (d *trackedApp) discuss() {
	d.want(d.reader.post("/fns/user-comment-name", map[string]string{"comment_name": "Kanarik", "user_token": d.handle}),
		http.StatusOK)
	d.want(d.reader.post("/api/discussion/1", map[string]string{"text": d.k["a comment"], "key": "1"}), http.StatusOK)
	d.want(d.reader.post("/api/discussion/1", map[string]string{"text": d.k["a comment"], "parent": "x"}),
		http.StatusBadRequest)
	d.want(d.reader.post("/api/set-consent-metadata", map[string]any{"consent": "later"}), http.StatusOK)
	d.want(d.reader.post("/fns/update-user-metadata", map[string]any{"metadata": []any{}, "user_id": 987654}),
		http.StatusForbidden)
	d.want(d.reader.get("/account/profile"), http.StatusOK)
	if out, err := d.command("discussion", "ban", d.k["a reader's address"], "--days", "1", "--reason", "x", "--edition",
		"standard"); err != nil {
		d.t.Error(err, out)
	}
	if out, err := d.command("discussion", "unban", d.k["a reader's address"], "--edition", "standard"); err != nil {
		d.t.Error(err, out)
	}
}

func (d *trackedApp) forgedWebhook() {
	b := d.browser("standard")
	b.header.Set("Stripe-Signature", fmt.Sprintf("t=%d,v1=%s", time.Now().Unix(), d.k["a forged signature"]))
	d.want(b.post("/webhooks/stripe", map[string]any{
		"id": "evt_forged", "type": "checkout.session.completed",
		"data": map[string]any{"object": map[string]string{
			"customer_email": d.k["the payer's address"],
			"client_secret":  d.k["a client secret"],
		}},
	}), http.StatusBadRequest)
}

func (d *trackedApp) reports() {
	d.want(d.reader.post("/fns/logtail", map[string]any{"data": map[string]string{
		"message": "could not load /user/me/?user_hash=" + d.handle + " for " + d.k["a reader's address"] + " with token=" +
			d.k["a reported token"],
		"stack": `at x (logged_user=` + d.handle + `) {"email":"` + d.k["another's address"] + `","token": "` +
			d.k["a reported token"] + `"}`,
		"where": "uncaught " + url.QueryEscape(d.k["another's address"]), "path": "/1/x?token=" + d.k["a reported token"],
	}}), http.StatusOK)
	d.want(d.reader.post("/fns/logtail",
		map[string]any{"data": "text of " + d.k["another's address"] + " and hash=" + d.handle}), http.StatusOK)
	d.want(d.reader.post("/fns/logs-put", map[string]string{
		"action": "article_opened", "meta_value": "1 " + d.k["another's address"], "email": d.k["another's address"],
	}), http.StatusOK)
}

func (d *trackedApp) scan() {
	address, visitor := d.k["a searched address"], d.browser("standard")
	for _, path := range []string{
		"/no/such/page?hash=" + d.handle + "&User_Hash=" + d.handle + "&code=" + d.k["a wrong code"] + "&token=" +
			d.k["a reported token"],
		"/no/such/page?q=" + url.QueryEscape(address), "/no/such/page?x=1;email=" + address, "/no/such/page?q=%zz" + address,
		"/no/such/" + address, "/search/" + url.PathEscape(address), "/search/" + url.QueryEscape(address),
		"/api/page?url=" + url.QueryEscape("/search/"+address), "/img/" + address, "/assets/" + address,
	} {
		if r := visitor.get(path); r.Status >= http.StatusInternalServerError {
			d.t.Errorf("%s: %d", path, r.Status)
		}
	}
}

func (d *trackedApp) refusedEmail() {
	from := len(d.log.String())
	d.mail.SetFault(mailbox.Fault{Code: http.StatusGone + 140, Times: 1}) // 550: nobody there
	d.want(d.ask(d.browser("standard"), d.k["a refused address"], "login"), http.StatusOK)
	d.logs("an email was refused", from)
}

func (d *trackedApp) withoutRedis() {
	address, asked := d.k["another's address"], time.Now()
	d.redis.Pause()
	d.want(d.ask(d.browser("standard"), address, "login"), http.StatusOK)
	d.k.rememberEmail(d.mailWithCode(address, asked))
	if err := d.redis.Resume(); err != nil {
		d.t.Error(err)
	}
}

func (d *trackedApp) withoutProvider() {
	b := d.browser("standard_at")
	d.signIn(b, d.k["an address of another edition"])
	d.k.cookies("the reader of another edition", b)
	if err := d.stripe.SetFaults(sandbox.Faults{API: "500"}); err != nil {
		d.t.Fatal(err)
	}
	if r := b.post("/fns/stripe-payment",
		map[string]string{"product_type": "product_monthly"}); r.Status < http.StatusBadRequest {
		d.t.Errorf("paying: %d %s", r.Status, r.Body)
	}
	if err := d.stripe.SetFaults(sandbox.Faults{API: "none"}); err != nil {
		d.t.Fatal(err)
	}
}

func (d *trackedApp) failingStatement() {
	rename := func(from, to string) {
		if _, err := d.app.DB.Core().ExecContext(context.Background(),
			"ALTER TABLE ed_standard."+from+" RENAME TO "+to); err != nil {
			d.t.Fatal(err)
		}
	}
	b := d.browser("standard")
	rename("identity_login_attempts", "identity_gone")
	d.want(d.ask(b, d.k["a searched address"], "login"), http.StatusInternalServerError)
	d.want(b.post("/api/login-code-validation",
		map[string]string{"email": d.k["a searched address"], "code": d.k["a wrong code"]}), http.StatusInternalServerError)
	d.want(b.post("/api/security-login", map[string]string{"user_hash": d.k["an altered link"]}),
		http.StatusInternalServerError)
	rename("identity_gone", "identity_login_attempts")
}

func (d *trackedApp) dyingDatabase() {
	if err := syscall.Kill(d.pg.Pid(), syscall.SIGKILL); err != nil {
		d.t.Fatal(err)
	}
	failed := 0
	for !strings.Contains(d.log.String(), `msg="database is back"`) {
		r := d.reader.get("/user/exists?email=" + url.QueryEscape(d.k["a searched address"]))
		if r.Status >= http.StatusInternalServerError {
			failed++
		}
	}
	var last response
	d.t.Cleanup(func() {
		if d.t.Failed() {
			d.t.Logf("the last answer: %d %s", last.Status, last.Body)
		}
	})
	wait.Until(d.t, "pages are there again", func() bool {
		last = d.reader.get("/user/me/")
		return last.Status == http.StatusOK
	})
	if failed == 0 {
		d.t.Error("nobody noticed that the database died")
	}
}

func (d *trackedApp) withoutRenderer() {
	d.app.renderer.Close()
	waiting := d.browser("standard")
	d.want(waiting.form("/fns/user-login", url.Values{"email": {d.k["a reader's address"]}, "type": {"login"}}),
		http.StatusSeeOther)
	d.want(waiting.get("/account/sent?type=thankyou-login&email="+url.QueryEscape(d.k["a reader's address"])),
		http.StatusOK)
	d.want(d.browser("standard").get("/account/login?email="+url.QueryEscape(d.k["a reader's address"])), http.StatusOK)
}

// commands runs those of an operator, also with settings that are wrong: what they print is read by more people than a
// log.
func (d *trackedApp) commands() {
	print := func(out string, err error) {
		fmt.Fprintln(d.log, out, err)
	}
	d.k["a key in the settings"] = "sk_test_canary_of_the_settings"
	out, err := d.command("edition", "check")
	if print(out, err); err != nil || !strings.Contains(out, "3 editions are good") {
		d.t.Errorf("edition check: %v\n%s", err, out)
	}
	d.t.Setenv("BROADSHEET_STRIPE_STANDARD_SECRET_KEY", d.k["a key in the settings"])
	d.t.Setenv("BROADSHEET_STRIPE_API_BASE", d.stripe.BaseURL())
	if print(d.command("edition", "check", "--apply")); !strings.Contains(d.log.String(), "does not know the secret key") {
		d.t.Error("the provider knows a wrong key")
	}
	print(d.command("doctor"))
	for name, value := range map[string]string{
		"BROADSHEET_DATABASE_URL": "postgres://paper:%s@127.0.0.1:1/broadsheet|" +
			"postgres://paper:%s@127.0.0.1:port/broadsheet|mysql://paper:%s@127.0.0.1/x|host=127.0.0.1 port=1 password=%s",
		"BROADSHEET_REDIS_URL": "redis://:%s@127.0.0.1:port/0|http://:%s@127.0.0.1/|redis://:%s@127.0.0.1:1/x",
		"BROADSHEET_MAIL_URL":  "smtp://paper:%s@127.0.0.1:port|http://paper:%s@127.0.0.1|smtp://paper:%s@",
	} {
		d.t.Run("wrong "+name, func(t *testing.T) {
			t.Setenv("BROADSHEET_REDIS_URL", d.cfg.Redis.URL)
			t.Setenv("BROADSHEET_MAIL_URL", d.cfg.Mail.URL)
			for i, address := range strings.Split(value, "|") {
				secret := fmt.Sprintf("canary-of-%s-%d", strings.ToLower(name[len("BROADSHEET_"):]), i)
				d.k["the password in "+name+fmt.Sprint(i)] = secret
				t.Setenv(name, fmt.Sprintf(address, secret))
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second) // it waits for a database that is not there
				out, err := d.commandIn(ctx, "serve")
				cancel()
				if print(out, err); err == nil {
					t.Errorf("serve starts with %s", address)
				}
			}
		})
	}
}

func (d *trackedApp) logout() {
	// From nowhere.
	d.want(d.reader.get("/wp-json/standard/v1/remove-user-subscription-cookie?is_logout=false&user_hash="+d.handle),
		http.StatusForbidden)
	d.want(d.reader.post("/api/logout", map[string]string{}), http.StatusOK)
	d.want(d.reader.get("/user/me/?user_hash="+d.handle), http.StatusOK)
}
