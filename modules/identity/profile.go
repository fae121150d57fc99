package identity

import (
	"context"

	"example.org/broadsheet/platform/page"
	"example.org/broadsheet/platform/session"
)

// profileLogin is ProfileLogin of openapi.yaml.
type profileLogin struct {
	Email       string `json:"email"`
	Type        string `json:"type"`
	CommentName string `json:"commentName"`
}

// Profile are the sections of a reader's profile that this module fills.
func (m *Module) Profile() []page.Part {
	return []page.Part{
		{Name: "login", Load: m.profileLogin},
	}
}

func (m *Module) profileLogin(ctx context.Context, readerID int64) (any, error) {
	r, err := m.readerOf(ctx, readerID)
	if err != nil {
		return nil, err
	}
	return profileLogin{Email: r.Email, Type: r.Type, CommentName: r.CommentName}, nil
}

// profilePage is put together of what all modules have for it.
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
	return own(ctx, r, "profile", data)
}
