package newsletter

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/event"
	"example.org/broadsheet/platform/signedlink"
	"example.org/broadsheet/platform/web"
)

// Contacts is what newsletters ask of identity.
type Contacts interface {
	// Contact returns a reader's proven address and the language to write in, or event.ErrReaderLeft.
	Contact(ctx context.Context, readerID int64) (email, lang string, err error)
}

// Stories is what newsletters ask of content. None of them tells a text that is for subscribers.
type Stories interface {
	// Since returns what was published after an instant, the editors' choice first.
	Since(ctx context.Context, since time.Time, stories, minutes int) (list, short []Story, err error)
	// Topic returns the weekly topic and its articles; its URL is "" when there is none.
	Topic(ctx context.Context, articles int) (topic Story, list []Story, err error)
	// Post returns one article; its URL is "" when it is not out.
	Post(ctx context.Context, id int64) (Story, error)
}

// Mailer sends emails, each once for its key.
type Mailer interface {
	Send(ctx context.Context, l mail.Message) error
	// Bulk sends emails of a list; not more than mail.BulkMost.
	Bulk(ctx context.Context, messages []mail.Message) error
}

// Deps are what the module works with. All fields but Log are required.
type Deps struct {
	DB       *db.DB
	Key      signedlink.Key // secret of the installation, at least 32 bytes: links are derived from it
	Mailer   Mailer
	Contacts Contacts
	Stories  Stories
	// ParseEmail reads an address as readers type it, or says what is wrong.
	ParseEmail func(string) (string, error)
	Cookies    web.Cookies // keep what was typed into a form that was refused
	Log        *slog.Logger
}

// Module is the newsletter module.
type Module struct {
	db         *db.DB
	key        signedlink.Key
	mailer     Mailer
	contacts   Contacts
	stories    Stories
	parseEmail func(string) (string, error)
	cookies    web.Cookies
	log        *slog.Logger
}

// New makes the module; an error means that something it needs is missing.
func New(d Deps) (*Module, error) {
	if d.DB == nil || d.Mailer == nil || d.Contacts == nil || d.Stories == nil || d.ParseEmail == nil {
		return nil, errors.New("newsletter: a dependency is missing")
	}
	if len(d.Key) < 32 {
		return nil, errors.New("newsletter: the key is shorter than 32 bytes")
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Module{
		db: d.DB, key: d.Key, mailer: d.Mailer, contacts: d.Contacts, stories: d.Stories, parseEmail: d.ParseEmail,
		cookies: d.Cookies, log: d.Log,
	}, nil
}

// Listen subscribes to what the module acts upon.
func (m *Module) Listen(r event.Registry) {
	event.On(r, event.NewsletterAsked, m.askToConfirm)
	event.On(r, event.NewsletterLinkAsked, m.mailLink)
	event.On(r, event.NewsletterDue, m.prepare)
	event.On(r, event.NewsletterBatch, m.deliver)
	event.On(r, event.MailComplained, m.complained)
	event.On(r, event.ReaderSignedIn, event.UnlessLeft(m.signedIn))
}

// Ticks hands the module's repeated work to a worker, as jobs.Worker.Every takes it.
func (m *Module) Ticks(every func(name string, interval time.Duration, fn func(context.Context) error)) {
	every("newsletter.issues", 30*time.Second, m.Schedule)
}
