package identity

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/identity/emailaddr"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// Routes adds the calls of logging in and out.
func (m *Module) Routes(r gin.IRouter) {
	r.POST("/fns/user-login", web.Do(m.postUserLogin))
	r.POST("/fns/forgotten-email", web.Do(m.postHelpMessage))
	r.POST("/api/login-code-validation", web.Do(m.postLoginCode))
	r.POST("/api/security-login", web.Do(m.postSecurityLogin))
	r.POST("/fns/emails", web.Do(m.postEmails))
	r.POST("/api/login-approval", web.Do(m.postAwaitApproval))
	r.POST("/fns/login-approval", web.Do(m.postApproval))
	r.POST("/api/passkey-challenge", web.Do(m.postPasskeyChallenge))
	r.POST("/api/passkey-login", web.Do(m.postPasskeyLogin))
	r.POST("/fns/passkeys/challenge", web.Do(m.postNewPasskey))
	r.POST("/fns/passkeys/add", web.Do(m.postPasskey))
	r.POST("/fns/passkeys/remove", web.Do(m.postRemovePasskey))
	r.POST("/fns/passkeys/undo", web.Do(m.postUndoPasskey))
	r.POST("/fns/passkeys/decline", web.Do(m.postDeclinePasskey))
	r.GET("/user/exists", web.Do(m.getExists))
	r.GET("/user/me", web.Do(m.getMe))
	r.GET("/user/me/", web.Do(m.getMe))
	r.GET("/user/sessions", web.Do(m.getSessions))
	r.POST("/user/sessions/end", web.Do(m.postEndSession))
	r.POST("/fns/user-email", web.Do(m.postAddress))
	r.POST("/fns/user-email/confirm", web.Do(m.postConfirmAddress))
	r.POST("/fns/user-email/cancel", web.Do(m.postCancelAddress))
	r.POST("/fns/user-comment-name", web.Do(m.postCommentName))
	m.leaveRoutes(r)
	r.POST("/api/logout", web.Do(m.postLogout))
	r.GET("/wp-json/standard/v1/remove-user-subscription-cookie", web.Do(m.getRemoveCookie))
	r.GET("/wp-json/standard/v1/remove-user-subscription-cookie/", web.Do(m.getRemoveCookie))
}

// requestCookie ties a mail to the browser that asked for it.
const requestCookie = "lr"

func (m *Module) visitor(c *gin.Context) Visitor {
	v := Visitor{Network: limit.Network(c.ClientIP()), Device: web.Agent(c.Request), Token: web.SessionToken(c.Request)}
	v.Browser = m.pendingBrowser(c.Request)
	if ck, err := c.Request.Cookie(m.cookies.HostName(knownCookie)); err == nil {
		v.Known = ck.Value
	}
	return v
}

// pendingBrowser is the secret of a browser that has requested a login email, "" for any other.
func (m *Module) pendingBrowser(r *http.Request) string {
	if ck, err := r.Cookie(m.cookies.HostName(requestCookie)); err == nil && secret.Valid(ck.Value) {
		return ck.Value
	}
	return ""
}

type pendingLoginKey struct{}

// LoginPending is middleware that tells pages whether this browser has requested a login email and has not signed in
// since.
func (m *Module) LoginPending() gin.HandlerFunc {
	return func(c *gin.Context) {
		if browser := m.pendingBrowser(c.Request); browser != "" {
			c.Request = c.Request.WithContext(withPendingLogin(c.Request.Context(), browser))
		}
	}
}

func withPendingLogin(ctx context.Context, browser string) context.Context {
	return context.WithValue(ctx, pendingLoginKey{}, browser)
}

// pendingLoginOf is the secret of the browser that waits for a login email, "" where none does.
func pendingLoginOf(ctx context.Context) string {
	browser, _ := ctx.Value(pendingLoginKey{}).(string)
	return browser
}

// reply answers a script with JSON and a form with a redirect: to, or back with the refusal in ?status.
func (m *Module) reply(c *gin.Context, err error, back, to string, answer gin.H) error {
	switch {
	case !web.IsForm(c) && err != nil:
		return err
	case !web.IsForm(c):
		return web.OK(c, answer)
	case err == nil:
		return web.SeeOther(c, to)
	}
	if fault.From(err).Kind >= fault.Internal {
		return err
	}
	return m.cookies.RefuseForm(c, m.db.Now(), back, err)
}

type loginFields struct {
	Email    string `json:"email"`
	Referrer string `json:"referrer"`
	Type     string `json:"type"`
	Website  string `json:"website"` // the trap
	Agreed   string `json:"agreed"`  // documents that the form names
}

// loginContext is the rest of a login request: its types are checked, its values are not used.
type loginContext struct {
	Product   string `json:"product_type"`
	Method    string `json:"payment_method"`
	Coupon    string `json:"coupon_code"`
	ArticleID int64  `json:"article_id"`
}

func bindLogin(c *gin.Context) (f loginFields, err error) {
	if web.IsForm(c) {
		return loginFields{
			c.PostForm("email"), c.PostForm("referrer"), c.PostForm("type"), c.PostForm(web.TrapField),
			c.PostForm("agreed"),
		}, nil
	}
	var in struct {
		loginFields
		Payload struct {
			loginFields
			loginContext
		} `json:"payload"`
		Article map[string]any `json:"article_attrs"`
	}
	err = web.Bind(c, &in)
	first := func(a, b string) string {
		if a != "" {
			return a
		}
		return b
	}
	return loginFields{
		first(in.Payload.Email, in.Email), first(in.Payload.Referrer, in.Referrer), first(in.Payload.Type, in.Type),
		first(in.Payload.Website, in.Website), first(in.Payload.Agreed, in.Agreed),
	}, err
}

func (m *Module) postUserLogin(c *gin.Context) error {
	ed := web.Edition(c)
	in, err := bindLogin(c)
	if err != nil {
		return err
	}
	if web.IsForm(c) {
		in.Referrer = orderReferrer(ed, in.Referrer, c.PostForm("product_type"))
	}
	purpose, ok := ParsePurpose(in.Type)
	if !ok {
		return web.ErrInvalidArgs.On("type")
	}
	var email string
	if web.Honeypot(c, in.Website) {
		email, err = emailaddr.Parse(in.Email)
	} else {
		email, err = m.ask(c, in)
	}
	m.saveForm(c, emailForm, in.Email, err)
	form := ed.Href(edition.Route(purpose)) // the forms' routes are called login and registration too
	if r := web.LocalPath(in.Referrer); r != "/" {
		form += "?referrer=" + url.QueryEscape(r)
	}
	to := sentPath(ed, purpose, email, in.Referrer)
	return m.reply(c, err, form, to, gin.H{"success": true, "status": "sent", "data": gin.H{"redirect": to}})
}

// orderReferrer is where a login leads to whose plain form has a subscription to choose: to the payment of the chosen
// one.
func orderReferrer(ed *edition.Edition, referrer, product string) string {
	u, err := url.Parse(referrer)
	if err != nil || product == "" || product == "no_product" || u.Path != ed.Href(edition.Account) {
		return referrer
	}
	query := u.Query()
	query.Set("product_type", product)
	query.Set("pay", "1")
	u.RawQuery = query.Encode()
	return u.String()
}

// AskMail sends a login email for a form of another module; referrer is where the login leads to, agreed what the form
// names.
func (m *Module) AskMail(c *gin.Context, email, referrer, agreed string) error {
	_, err := m.ask(c, loginFields{Email: email, Referrer: referrer, Agreed: agreed})
	return err
}

func (m *Module) ask(c *gin.Context, in loginFields) (string, error) {
	v := m.visitor(c)
	if v.Browser == "" {
		v.Browser = secret.New()
	}
	email, err := m.Ask(c.Request.Context(),
		Asked{
			Email: in.Email, Referrer: in.Referrer, Browser: v.Browser, Network: v.Network, Device: v.Device,
			Known: v.Known, Agreed: in.Agreed,
		})
	if err == nil {
		m.cookies.Set(c, m.cookies.HostName(requestCookie), v.Browser, m.db.Now().Add(secret.TTL), true)
	}
	return email, err
}

// These cookies carry what somebody has typed into a plain form that was refused to the page that shows the form again.
// An address or a name has no place in an URL, which is logged and sent on.
const (
	emailForm = "typed"
	nameForm  = "typed_name"
	helpForm  = "typed_help"
)

// maxFormLengths bounds what each holds, in bytes; browsers refuse a cookie of more than 4 KiB.
var maxFormLengths = map[string]int{emailForm: 320, nameForm: 320, helpForm: 2800}

func (m *Module) saveForm(c *gin.Context, cookie, text string, err error) {
	if !web.IsForm(c) || err == nil || len(text) > maxFormLengths[cookie] {
		text = ""
	}
	m.cookies.SaveForm(c, cookie, text, m.db.Now())
}

// StickyForm is middleware that hands pages the fields of a form that was refused.
func (m *Module) StickyForm() gin.HandlerFunc { return m.cookies.StickyForm(maxFormLengths) }

// sentPath is the page that says that an email is on its way. It says the same whether or not the address is known.
func sentPath(ed *edition.Edition, p Purpose, email, referrer string) string {
	to := ed.Href(edition.Sent) + "?type=thankyou-" + string(p) + "&email=" + url.QueryEscape(email)
	if r := web.LocalPath(referrer); r != "/" {
		to += "&referrer=" + url.QueryEscape(r)
	}
	return to
}

func (m *Module) postLoginCode(c *gin.Context) error {
	var in struct {
		Email    string `json:"email"`
		Code     string `json:"code"`
		Referrer string `json:"referrer"`
		Type     string `json:"type"`
	}
	if web.IsForm(c) {
		in.Email, in.Referrer, in.Type = c.PostForm("email"), c.PostForm("referrer"), c.PostForm("type")
		in.Code = strings.Join(c.PostFormArray("code"), "") // one box, or one for each digit
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	ed := web.Edition(c)
	if strings.TrimSpace(in.Email) == "" || strings.TrimSpace(in.Code) == "" {
		return m.reply(c, web.ErrRequirement, "/", "", nil)
	}
	purpose, ok := ParsePurpose(in.Type)
	if !ok {
		purpose = Login // it says only what the page is called to which a form goes back
	}
	o, err := m.SignIn(c.Request.Context(), in.Email, in.Code, m.visitor(c))
	return m.finishLogin(c, o, err, sentPath(ed, purpose, in.Email, in.Referrer))
}

// InertCookies are those of a signed-in browser that no page depends on: a mark that forms alone read, and one that a
// script takes away.
func (m *Module) InertCookies() []string {
	return []string{m.cookies.HostName(knownCookie), welcomeCookie}
}

// welcomeCookie tells the page that a new reader is to be greeted; the page takes it away.
const (
	welcomeCookie = "welcome"
	welcomeTTL    = 10 * time.Minute
)

// Agreements keep what readers agree to.
type Agreements interface {
	// AgreedAtForm records the agreement of a new reader who went on from a form that named documents, as "id@version"
	// separated by spaces. It does nothing for a reader who has answered about documents before, or where one has changed
	// since.
	AgreedAtForm(c *gin.Context, readerID int64, documents string) error
}

// finishLogin hands a new session to the browser, or answers why there is none.
func (m *Module) finishLogin(c *gin.Context, o OpenedSession, err error, back string) error {
	if err == nil {
		m.cookies.Session(c, o.Token, o.Handle, o.Until)
		m.cookies.Set(c, m.cookies.HostName(requestCookie), "", m.db.Now(), true)
		m.cookies.Set(c, m.cookies.HostName(knownCookie), o.Known, m.db.Now().Add(knownTTL), true)
		if o.Agreed != "" {
			if err := m.agreements.AgreedAtForm(c, o.ReaderID, o.Agreed); err != nil { // then the reader is asked
				m.log.ErrorContext(c.Request.Context(), "an agreement at a form was not recorded", "reader",
					o.ReaderID, "error", err)
			}
		}
		if o.First {
			m.cookies.Set(c, welcomeCookie, "1", m.db.Now().Add(welcomeTTL), false)
		}
		m.offerPasskey(c, o.OfferPasskey)
	}
	return m.reply(c, err, back, o.Referrer, gin.H{"success": true, "data": gin.H{"redirect": o.Referrer}})
}

func (m *Module) postSecurityLogin(c *gin.Context) error {
	var in struct {
		UserHash string `json:"user_hash"`
		Confirm  bool   `json:"confirm"`
	}
	if web.IsForm(c) {
		in.UserHash, in.Confirm = c.PostForm("user_hash"), c.PostForm("confirm") != ""
	} else if err := web.Bind(c, &in); err != nil {
		return err
	}
	if in.UserHash == "" {
		return m.reply(c, web.ErrRequirement, "/", "", nil)
	}
	o, masked, err := m.OpenLink(c.Request.Context(), in.UserHash, in.Confirm, m.visitor(c))
	if err == nil && masked != "" {
		return web.OK(c, gin.H{"success": true, "data": gin.H{"confirm": true, "email": masked}})
	}
	return m.finishLogin(c, o, err, "/")
}

func (m *Module) getExists(c *gin.Context) error {
	if err := web.SameOriginRead(c); err != nil {
		return err
	}
	email := c.Query("email")
	if strings.TrimSpace(email) == "" {
		return web.ErrRequirement.On("email")
	}
	exists, err := m.Exists(c.Request.Context(), email, limit.Network(c.ClientIP()))
	if err != nil {
		return err
	}
	return web.OK(c, gin.H{"exists": exists})
}

func (m *Module) getMe(c *gin.Context) error {
	c.Header("Referrer-Policy", "no-referrer") // the handle stands in the address
	me, err := m.Me(c.Request.Context(), c.Query("user_hash"), web.SessionToken(c.Request))
	if err != nil {
		return err
	}
	return web.OK(c, me)
}

// clearSession leaves nothing of the session in the browser.
func (m *Module) clearSession(c *gin.Context) {
	m.cookies.Clear(c)
	c.Header("Clear-Site-Data", `"cache", "storage"`)
}

func (m *Module) postLogout(c *gin.Context) error {
	if _, err := web.MaybeReader(c); errors.Is(err, web.ErrForeignUserID) {
		return err
	}
	if err := m.SignOut(c.Request.Context()); err != nil {
		return err
	}
	m.clearSession(c)
	to := web.LocalPath(c.PostForm("referrer"))
	return m.reply(c, nil, "", to, gin.H{"success": true, "data": gin.H{"redirect": to}})
}

// getRemoveCookie logs out by GET, as old clients do; so nothing but our own pages' scripts may call it, and no
// prefetch.
func (m *Module) getRemoveCookie(c *gin.Context) error {
	if err := web.SameOriginCall(c); err != nil {
		return err
	}
	if c.GetHeader("Sec-Purpose") != "" || c.GetHeader("Purpose") != "" {
		return web.ErrCrossOrigin
	}
	if c.Query("is_logout") == "true" {
		if err := m.SignOut(c.Request.Context()); err != nil {
			return err
		}
		m.clearSession(c)
	}
	return web.OK(c, gin.H{"success": true})
}

// mangledLink is what mail gateways that write addresses anew make of the fragment of a login link, once its address
// was decoded.
var mangledLink = regexp.MustCompile(`^/?(?:#|\?|&|;|/|%23|%3[Ff]|%26|%3[Bb])hash(?:=|%3[Dd])([A-Za-z0-9_-]+)$`)

// LegacyLink is middleware that redirects such an address to the page and its fragment.
func (m *Module) LegacyLink() gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead {
			return
		}
		page := web.Edition(c).Href(edition.SecurityCheck)
		rest, ok := strings.CutPrefix(c.Request.URL.Path, page)
		if !ok {
			return
		}
		if c.Request.URL.RawQuery != "" {
			rest += "?" + c.Request.URL.RawQuery
		}
		hash := mangledLink.FindStringSubmatch(rest)
		if hash == nil || !secret.Valid(hash[1]) {
			return
		}
		c.Header("Cache-Control", "private, no-store")
		c.Redirect(http.StatusFound, page+"#hash="+hash[1])
		c.Abort()
	}
}
