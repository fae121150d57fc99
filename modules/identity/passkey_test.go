package identity

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/identity/passkey"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/testkit"
)

// device is an authenticator as the protocol knows it: it makes keys, counts and signs.
type device struct {
	key    *ecdsa.PrivateKey
	id     []byte
	handle string // of the reader, as it was told
	count  uint32
	origin string
	rp     string
}

func newDevice(b *browser) *device {
	b.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		b.t.Fatal(err)
	}
	d := &device{key: key, id: make([]byte, 16)}
	_, _ = rand.Read(d.id)
	ed, _ := edition.From(b.ctx)
	rp, err := passkey.RelyingParty(ed)
	if err != nil {
		b.t.Fatal(err)
	}
	d.origin, d.rp = rp.Config.RPOrigins[0], rp.Config.RPID
	return d
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// cborBytes is a byte string of CBOR (RFC 8949), of less than 64 KiB.
func cborBytes(b []byte) []byte {
	return append([]byte{0x59, byte(len(b) >> 8), byte(len(b))}, b...)
}

func (d *device) clientData(kind, challenge string) []byte {
	text, _ := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": d.origin, "crossOrigin": false})
	return text
}

func (d *device) authData(flags byte) []byte {
	hash := sha256.Sum256([]byte(d.rp))
	return binary.BigEndian.AppendUint32(append(hash[:], flags), d.count)
}

// create answers the options of a registration.
func (d *device) create(challenge, handle string) string {
	d.handle = handle
	public, _ := d.key.PublicKey.ECDH()
	point := public.Bytes() // 4, x, y
	cose := []byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}
	cose = append(append(append(cose, point[1:33]...), 0x22, 0x58, 32), point[33:]...)
	auth := append(d.authData(0x45), make([]byte, 16)...) // present, verified, with a key of no known model
	auth = append(append(append(auth, 0, byte(len(d.id))), d.id...), cose...)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData"), cborBytes(auth)...)
	return fmt.Sprintf(`{"credential":{"id":%q,"rawId":%q,"type":"public-key","response":{"clientDataJSON":%q,`+
		`"attestationObject":%q}}}`,
		b64(d.id), b64(d.id), b64(d.clientData("webauthn.create", challenge)), b64(object))
}

// sign answers the options of a login.
func (d *device) sign(challenge string) string {
	d.count++
	auth, client := d.authData(0x05), d.clientData("webauthn.get", challenge)
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(append(append([]byte{}, auth...), hash[:]...))
	signature, _ := ecdsa.SignASN1(rand.Reader, d.key, sum[:])
	return fmt.Sprintf(`{"referrer":"/7/clanok","credential":{"id":%q,"rawId":%q,"type":"public-key",`+
		`"response":{"clientDataJSON":%q,"authenticatorData":%q,"signature":%q,"userHandle":%q}}}`,
		b64(d.id), b64(d.id), b64(client), b64(auth), b64(signature), d.handle)
}

func (b *browser) newPasskey() (challenge, handle string) {
	b.t.Helper()
	a := b.do("POST", "/fns/passkeys/challenge", "{}")
	if a.Code != 200 {
		b.t.Fatal(a.Body)
	}
	challenge, _ = a.at("data.publicKey.challenge").(string)
	handle, _ = a.at("data.publicKey.user.id").(string)
	return challenge, handle
}

func (b *browser) challenge() string {
	b.t.Helper()
	s, _ := b.do("POST", "/api/passkey-challenge", "{}").at("data.publicKey.challenge").(string)
	return s
}

func (b *browser) add(body string) answer     { return b.do("POST", "/fns/passkeys/add", body) }
func (b *browser) passkey(body string) answer { return b.do("POST", "/api/passkey-login", body) }

func (b *browser) passkeys() []any {
	b.t.Helper()
	l, _ := b.profileOf()["passkeys"].([]any)
	return l
}

func TestPasskeys(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	phone := newDevice(b)
	for _, path := range []string{"challenge", "add", "remove"} {
		if a := b.do("POST", "/fns/passkeys/"+path, "{}"); a.at("error") != "INVALID_TOKEN" &&
			a.at("error") != "PASSKEY_INVALID" || a.Code < 400 {
			t.Errorf("a visitor: %s %s", path, a.Body)
		}
	}
	b.login(jana)
	if l := b.passkeys(); l == nil || len(l) != 0 {
		t.Fatal(l)
	}
	a := b.do("POST", "/fns/passkeys/challenge", "{}")
	for at, want := range map[string]any{
		"data.publicKey.authenticatorSelection.residentKey":      "required",
		"data.publicKey.authenticatorSelection.userVerification": "preferred",
		"data.publicKey.rp.id":                                   phone.rp, "data.publicKey.user.name": jana,
	} {
		if a.at(at) != want {
			t.Errorf("%s: %v", at, a.at(at))
		}
	}
	made := phone.create(b.newPasskey())
	if a := b.add(made); a.Code != 200 || len(b.passkeys()) != 1 {
		t.Fatal(a.Body)
	}
	if a := b.add(made); a.Code != 410 || a.at("error") != "EXPIRED_TOKEN" || len(b.passkeys()) != 1 {
		t.Error("a challenge was used twice", a.Body)
	}

	home := b.another()
	signed := phone.sign(home.challenge())
	if a := home.passkey(signed); a.Code != 200 || a.at("data.redirect") != "/7/clanok" || home.email() != jana {
		t.Fatal(a.Body)
	}
	if a := b.another().passkey(signed); a.at("error") != "EXPIRED_TOKEN" {
		t.Error("signed once, two sessions", a.Body)
	}
	if key := b.passkeys()[0].(map[string]any); key["used_at"] == nil || key["cloned"] != false {
		t.Error(key)
	}
	before := home.cookies["__Host-session"]
	if a := home.passkey(phone.sign(home.challenge())); a.Code != 200 || home.cookies["__Host-session"] == before {
		t.Error("the session was not changed", a.Body)
	}
	if _, lives, _ := b.Sessions.Authenticate(b.ctx, before); lives {
		t.Error("the session before lives on")
	}

	boris := b.another()
	boris.login("boris@example.org")
	if a := boris.do("POST", "/fns/passkeys/remove", `{"id":1}`); a.Code != 400 || len(b.passkeys()) != 1 {
		t.Error("a stranger removed it", a.Body)
	}
	if a := b.form("/fns/passkeys/remove", "id", "1"); a.Header().Get("Location") != "/account/profile" ||
		len(b.passkeys()) != 0 {
		t.Error(a.Header())
	}
	if a := b.another().passkey(phone.sign(b.challenge())); a.Code != 422 || a.at("error") != "PASSKEY_INVALID" {
		t.Error("a removed passkey", a.Body)
	}
}

func TestPasskeysThatOpenNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sign func(b *browser, d *device) string
		want string
	}{
		"no challenge of ours": {func(_ *browser, d *device) string { return d.sign(secret.New()) }, "EXPIRED_TOKEN"},
		"too late": {func(b *browser, d *device) string {
			s := d.sign(b.challenge())
			b.wait(passkey.ChallengeTTL)
			return s
		}, "EXPIRED_TOKEN"},
		"of a registration": {func(b *browser, d *device) string {
			challenge, _ := b.newPasskey()
			return d.sign(challenge)
		}, "EXPIRED_TOKEN"},
		"another site": {func(b *browser, d *device) string {
			d.origin = "https://evil.example"
			return d.sign(b.challenge())
		}, "PASSKEY_INVALID"},
		"another host": {func(b *browser, d *device) string {
			d.rp = "evil.example"
			return d.sign(b.challenge())
		}, "PASSKEY_INVALID"},
		"another key": {func(b *browser, d *device) string {
			d.key = newDevice(b).key
			return d.sign(b.challenge())
		}, "PASSKEY_INVALID"},
		"another reader": {func(b *browser, d *device) string {
			d.handle = b64([]byte("somebody else"))
			return d.sign(b.challenge())
		}, "PASSKEY_INVALID"},
		"unknown": {func(b *browser, d *device) string {
			d.id = []byte("not a known key!")
			return d.sign(b.challenge())
		}, "PASSKEY_INVALID"},
		"nothing": {func(*browser, *device) string { return `{}` }, "PASSKEY_INVALID"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBrowser(newEnv(t))
			b.t = t
			d := newDevice(b)
			b.login(jana)
			if a := b.add(d.create(b.newPasskey())); a.Code != 200 {
				t.Fatal(a.Body)
			}
			home := b.another()
			if a := home.passkey(c.sign(b, d)); a.at("error") != c.want || home.cookies["__Host-session"] != "" {
				t.Errorf("%s, not %s", a.Body, c.want)
			}
		})
	}
}

// A count that does not grow says that there are two of a key: neither opens anything any more.
func TestAClonedPasskey(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	d := newDevice(b)
	b.login(jana)
	b.add(d.create(b.newPasskey()))
	d.count = 5
	if a := b.another().passkey(d.sign(b.challenge())); a.Code != 200 {
		t.Fatal(a.Body)
	}
	d.count = 2
	if a := b.another().passkey(d.sign(b.challenge())); a.at("error") != "PASSKEY_INVALID" {
		t.Error("the copy", a.Body)
	}
	d.count = 9
	if a := b.another().passkey(d.sign(b.challenge())); a.at("error") != "PASSKEY_INVALID" {
		t.Error("the other one, afterwards", a.Body)
	}
	if key := b.passkeys()[0].(map[string]any); key["cloned"] != true {
		t.Error(key)
	}
}

func TestMakingPasskeysIsBounded(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	d := newDevice(b)
	b.login(jana)
	boris := b.another()
	boris.login("boris@example.org")
	if a := boris.add(d.create(b.newPasskey())); a.at("error") != "EXPIRED_TOKEN" {
		t.Error("somebody else's challenge", a.Body)
	}
	made := d.create(b.newPasskey())
	b.wait(passkey.ChallengeTTL)
	if a := b.add(made); a.at("error") != "EXPIRED_TOKEN" {
		t.Error("too late", a.Body)
	}
	if a := b.add(d.create(b.newPasskey())); a.Code != 200 {
		t.Fatal(a.Body)
	}
	if a := b.add(d.create(b.newPasskey())); a.at("error") != "PASSKEY_INVALID" {
		t.Error("the same key twice", a.Body)
	}
	b.wait(time.Hour)
	for i := range 21 {
		if a := b.do("POST", "/fns/passkeys/challenge", "{}"); (a.Code == 429) != (i == 20) {
			t.Errorf("challenge %d: %s", i+1, a.Body)
		}
	}
}

// A session that is old, as a stolen one may be, makes no passkey, and neither does one that grows old meanwhile.
func TestPasskeys_FreshLogin(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	phone := newDevice(b)
	b.login(jana)
	b.wait(sessions.FreshLogin - 2*time.Minute)
	made := phone.create(b.newPasskey())
	b.wait(3 * time.Minute)
	if a := b.add(made); a.Code != 403 || a.at("error") != "LOGIN_TOO_OLD" || len(b.passkeys()) != 0 {
		t.Error("begun in time, and added too late:", a.Body)
	}
	if a := b.do("POST", "/fns/passkeys/challenge", "{}"); a.Code != 403 || a.at("error") != "LOGIN_TOO_OLD" {
		t.Error("begun too late:", a.Body)
	}
	b.login(jana)
	if a := b.add(phone.create(b.newPasskey())); a.Code != 200 {
		t.Error("after a new login:", a.Body)
	}
}

// Who logs out everywhere else, or changes the address, loses the passkeys too, unless they are kept: a stranger may
// have added one.
func TestPasskeys_LogOutElsewhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(b *browser) int
		left int
	}{
		"removed by a call": {func(b *browser) int {
			return b.do("POST", "/user/sessions/end", `{"others":true}`).Code
		}, 0},
		"kept by a call": {func(b *browser) int {
			return b.do("POST", "/user/sessions/end", `{"others":true,"keep_passkeys":true}`).Code
		}, 1},
		"removed by a form": {func(b *browser) int { return b.form("/user/sessions/end", "others", "1").Code - 103 }, 0},
		"kept by a form": {func(b *browser) int {
			return b.form("/user/sessions/end", "others", "1", "keep_passkeys", "1").Code - 103
		}, 1},
		"removed by a new address": {func(b *browser) int { return b.moves(false) }, 0},
		"kept by a new address":    {func(b *browser) int { return b.moves(true) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBrowser(newEnv(t))
			phone := newDevice(b)
			b.login(jana)
			if a := b.add(phone.create(b.newPasskey())); a.Code != 200 {
				t.Fatal(a.Body)
			}
			if code := c.do(b); code != 200 || len(b.passkeys()) != c.left {
				t.Errorf("%d, %d passkeys are left, want %d", code, len(b.passkeys()), c.left)
			}
			home := b.another()
			if a := home.passkey(phone.sign(home.challenge())); (a.Code == 200) != (c.left == 1) {
				t.Errorf("the passkey afterwards: %d %s", a.Code, a.Body)
			}
		})
	}
}

// moves changes the reader's address, and returns 200 if that was done.
func (b *browser) moves(keep bool) int {
	b.t.Helper()
	a, mails := b.change("moved@example.org")
	for _, of := range []string{"addressOld", "addressNew"} {
		a = b.do("POST", "/fns/user-email/confirm", fmt.Sprintf(`{"code":%q,"keep_passkeys":%t}`, mails[of].code, keep))
	}
	return a.Code
}

// The email about a new passkey has a link to a page whose button removes it and ends all sessions; to open the page
// changes nothing, and a second click neither.
func TestPasskeys_Undo(t *testing.T) {
	t.Parallel()
	b := newBrowser(newEnv(t))
	b.login(jana)
	thief := newDevice(b)
	before := len(b.emails)
	if a := b.add(thief.create(b.newPasskey())); a.Code != 200 {
		t.Fatal(a.Body)
	}
	b.work()
	var link string
	for _, l := range b.emails[before:] {
		for _, block := range l.Blocks {
			if l.Kind == "passkeyAdded" && strings.Contains(block.URL, "?passkey=") {
				link = block.URL
			}
		}
	}
	u, err := url.Parse(link)
	if err != nil || link == "" {
		t.Fatalf("the email has no link: %q, %v", link, err)
	}
	token := u.Query().Get("passkey")
	step := func(token string) string {
		t.Helper()
		p, err := b.Pages()[edition.EmailChange].Load(b.ctx, &page.Request{
			Edition: testkit.EditionOf(b.ctx, b.t), Path: "/account/email", Query: url.Values{"passkey": {token}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return p.Data.(addressData).Step
	}
	for range 3 {
		if got := step(token); got != "passkey" || len(b.passkeys()) != 1 {
			t.Fatalf("the page is at %q, %d passkeys", got, len(b.passkeys()))
		}
	}
	mailbox := b.another() // nobody is signed in where the mail is read
	for _, bad := range []string{"x", "1-1-1.x", token[:len(token)-1] + "-", strings.Replace(token, "1-", "2-", 1)} {
		if a := mailbox.do("POST", "/fns/passkeys/undo", fmt.Sprintf(`{"token":%q}`, bad)); a.at("error") != "INVALID_HASH" {
			t.Errorf("%q: %s", bad, a.Body)
		}
		if got := step(bad); got != "broken" {
			t.Errorf("%q: the page is at %q", bad, got)
		}
	}
	if a := mailbox.form("/fns/passkeys/undo", "token", token); a.Code != 303 {
		t.Fatal(a.Code, a.Body)
	}
	if email := b.email(); email != nil {
		t.Error("a session is left:", email)
	}
	home := b.another()
	if a := home.passkey(thief.sign(home.challenge())); a.Code != 422 {
		t.Error("the passkey opens something:", a.Body)
	}
	b.login(jana)
	if a := mailbox.do("POST", "/fns/passkeys/undo", fmt.Sprintf(`{"token":%q}`, token)); a.Code != 200 ||
		b.email() != jana || step(token) != "passkeyGone" {
		t.Error("a second click has ended a session:", a.Body, b.email(), step(token))
	}
}
