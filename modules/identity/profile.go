package identity

import (
	"context"
	"time"

	"example.org/broadsheet/modules/identity/legacy"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// profileLogin is ProfileLogin of openapi.yaml.
type profileLogin struct {
	Email       string `json:"email"`
	Type        string `json:"type"`
	CommentName string `json:"commentName"`

	Change *profileChange `json:"change,omitempty"`
}

// Profile are the sections of a reader's profile that this module fills.
func (m *Module) Profile() []page.Part {
	return []page.Part{
		{Name: "login", Load: m.profileLogin},
		{Name: "leave", Load: m.profileLeave},
		{Name: "loginRequests", Load: m.profileRequests},
		{Name: "passkeys", Load: m.profilePasskeys},
		{Name: "sessions", Load: m.profileSessions},
	}
}

func (m *Module) profileLogin(ctx context.Context, readerID int64) (any, error) {
	r, err := reader.Load(ctx, m.db, readerID)
	if err != nil {
		return nil, err
	}
	change, err := m.profileAddressChange(ctx, readerID)
	return profileLogin{Email: r.Email, Type: r.Type, CommentName: r.CommentName, Change: change}, err
}

func (m *Module) profilePasskeys(ctx context.Context, readerID int64) (any, error) {
	return m.passkeys.List(ctx, readerID)
}

func (m *Module) profileSessions(ctx context.Context, _ int64) (any, error) {
	return m.Sessions.List(ctx)
}

// profileLeave is ProfileLeave of openapi.yaml.
type profileLeave struct {
	Fresh  bool   `json:"fresh"`
	Asked  bool   `json:"asked"`
	Access string `json:"access"`
	Years  int    `json:"years"` // for which the law has the invoices kept
}

func (m *Module) profileLeave(ctx context.Context, readerID int64) (any, error) {
	st, err := m.entitlements.Entitlement(ctx, readerID)
	if err != nil {
		return nil, err
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	p := profileLeave{Years: ed.YearsOfAccounts()}
	if st.Until.After(m.db.Now()) {
		p.Access = st.Until.UTC().Format(time.RFC3339)
	}
	p.Fresh, p.Asked, err = m.Data.Status(ctx)
	return p, err
}

// ImportLegacy makes accounts of the legacy site readers of this one.
func (m *Module) ImportLegacy(ctx context.Context, list []legacy.Account, dry bool) (legacy.Result, error) {
	return legacy.Import(ctx, m.db, m.secrets, list, dry)
}

// CommentNames are the discussion names of readers, by id; who has none is not among them.
func (m *Module) CommentNames(ctx context.Context, readerIDs []int64) (map[int64]string, error) {
	return m.names.List(ctx, readerIDs)
}

// Legacy reports whether a reader's account is one of the legacy site.
func (m *Module) Legacy(ctx context.Context, readerID int64) (bool, error) {
	r, err := reader.Load(ctx, m.db, readerID)
	return err == nil && r.Type == legacy.Type, err
}

// profilePage is put together of what all modules have for it. An account of the legacy site has one too: its reader's
// data, sessions and the way to delete it are there.
func (m *Module) profilePage(ctx context.Context, r *page.Request) (*page.Page, error) {
	data := map[string]any{}
	for _, part := range m.profile() {
		value, err := part.Load(ctx, session.ReaderID(ctx))
		if err != nil {
			return nil, err
		}
		if value != nil {
			data[part.Name] = value
		}
	}
	return privatePage(r, "profile", data), nil
}

// focusCommentName is the form of the focus page that this module fills.
const focusCommentName = "comment_name"

// focusName is FocusCommentName of openapi.yaml.
type focusName struct {
	Value string `json:"value"` // as it was typed last, or as it is
	Has   bool   `json:"has"`   // there is a name already
}

// Focus are the forms of a reader's account that this module fills.
func (m *Module) Focus() []page.Part {
	return []page.Part{{Name: focusCommentName, Load: m.focusCommentName}}
}

func (m *Module) focusCommentName(ctx context.Context, readerID int64) (any, error) {
	r, err := reader.Load(ctx, m.db, readerID)
	if err != nil {
		return nil, err
	}
	d := focusName{r.CommentName, r.CommentName != ""}
	if typed := web.SavedForm(ctx, nameForm); typed != "" {
		d.Value = typed
	}
	return d, nil
}

// focusPage is one form on a page of its own; without one of that type, the profile has them all.
func (m *Module) focusPage(ctx context.Context, r *page.Request) (*page.Page, error) {
	for _, part := range m.focus() {
		if part.Name != r.Query.Get("type") {
			continue
		}
		value, err := part.Load(ctx, session.ReaderID(ctx))
		if err != nil {
			return nil, err
		}
		return privatePage(r, "focus."+part.Name, map[string]any{"type": part.Name, part.Name: value}), nil
	}
	ed := r.Edition
	return redirectTo(ed.Href(edition.Profile)), nil
}
