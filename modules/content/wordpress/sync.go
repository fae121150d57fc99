package wordpress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"example.org/broadsheet/modules/content/wordpress/site"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/advisory"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// SyncLibrary is where a site's posts go, and from where they go again; *content.Module is one.
type SyncLibrary interface {
	Library
	Withdraw(ctx context.Context, source string, sourceIDs []string) (int, error)
	SaveTag(ctx context.Context, t topic.Tag) (id int64, err error)
	RemoveCategory(ctx context.Context, slug string) (bool, error)
}

// SyncOptions of keeping an edition equal to a site. Library, Images, DB and URL are needed; the edition is the
// context's.
type SyncOptions struct {
	Library SyncLibrary
	Images  Images
	DB      *db.DB

	URL            string // of the site's front page
	User, Password string // an application password; "" reads what visitors may read

	Media    string    // folder with the site's pictures, read before anything is downloaded; "" for none
	Category string    // slug for posts that have no category; "" leaves them in none
	Locked   string    // as in Options
	Variants []string  // as in Options
	Lines    io.Writer // every entry of the reports as a line of JSON; nil for none
	Walk     int       // all ids are compared every so many rounds; 0: 60
	// Emptied allows a round to withdraw most of what there is; else it stops and asks.
	Emptied bool

	// Progress is called with how many posts of a kind were read and are to be read in this round; nil for nobody.
	Progress func(kind string, done, all int)

	wait func(context.Context, time.Duration) error // nil waits
}

// ErrSyncing means that another process keeps the edition equal to a site.
var ErrSyncing = errors.New("another sync writes to this edition: end it first, or let it do the work")

const (
	walkEvery = 60
	// overlap is how far each round looks back, by the site's clock: several changes of one second, and a clock that is
	// set back a little, lose nothing.
	overlap = time.Minute
)

// Syncer keeps an edition equal to a WordPress. Whatever stops it, the next one goes on from what is stored.
type Syncer struct {
	o       SyncOptions
	ed      *edition.Edition
	site    *site.Site
	source  string
	lock    *advisory.Lock
	filing  filing
	gallery *gallery
	report  *Report // of the present round

	rounds  int             // since all ids were compared
	skew    map[string]int  // how many posts a site counts that it does not list, by kind
	settled map[string]bool // by mark: posts that were read after the second of their last change was over
	terms   terms
	gone    int // withdrawn in this round
}

// OpenSync looks whether the site can be read, and takes the edition for itself. Faults: *SiteError, ErrSyncing.
func OpenSync(ctx context.Context, o SyncOptions) (*Syncer, error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return nil, err
	}
	if o.Walk <= 0 {
		o.Walk = walkEvery
	}
	filing, err := parseFiling(ed.Lang(), o.Locked, o.Variants)
	if err != nil {
		return nil, err
	}
	s := &Syncer{o: o, ed: ed, filing: filing, rounds: o.Walk, skew: map[string]int{}, settled: map[string]bool{}}
	if s.site, err = site.New(site.Options{
		URL: o.URL, User: o.User, Password: o.Password, Clock: o.DB.Clock().Now, Wait: o.wait,
	}); err != nil {
		return nil, err
	}
	if s.lock, err = lockSync(ctx, o.DB, ed.ID); err != nil {
		return nil, err
	}
	if s.lock == nil {
		return nil, ErrSyncing
	}
	if err := s.prepare(ctx); err != nil {
		s.Close(ctx)
		return nil, err
	}
	return s, nil
}

func (s *Syncer) prepare(ctx context.Context) error {
	if err := s.site.Open(ctx); err != nil {
		return err
	}
	s.source = "wordpress:" + blocks.BareHost(s.site.Home.Host) + strings.TrimSuffix(s.site.Home.Path, "/")
	s.gallery = &gallery{db: s.o.DB, library: s.o.Library, images: s.o.Images, source: s.source}
	s.gallery.fetch = s.site.Pictures()
	if s.o.Category != "" {
		err := s.view(ctx, func(ctx context.Context, tx db.Tx) error {
			known, err := findCategories(ctx, tx)
			if _, ok := known[s.o.Category]; err == nil && !ok {
				err = fmt.Errorf("the edition has no category %q for posts without one", s.o.Category)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if s.o.Media == "" {
		return nil
	}
	return s.gallery.openFolder(s.o.Media)
}

// Close lets the edition go.
func (s *Syncer) Close(ctx context.Context) {
	if s.gallery != nil && s.gallery.folder != nil {
		_ = s.gallery.folder.Close()
	}
	_ = s.lock.Release(ctx) // gone with the connection at the latest
}

// Run makes rounds until ctx ends, an interval apart; more after rounds that failed. told hears of every round.
func (s *Syncer) Run(ctx context.Context, every time.Duration, told func(*Report, error)) error {
	for failures := 0; ; {
		r, err := s.Round(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		told(r, err)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failures++
		if err == nil {
			failures = 0
		}
		if err := checkLock(ctx, s.lock); err != nil {
			return err
		}
		wait := every
		if failures > 0 {
			wait = max(every, site.BackOff(failures+2))
		}
		if err := s.site.Wait(ctx, wait); err != nil {
			return err
		}
	}
}

// Round brings the edition up to what the site is now. The report holds also what a round did that failed.
func (s *Syncer) Round(ctx context.Context) (r *Report, err error) {
	s.report = newReport(s.o.Lines)
	s.report.Site = s.site.Home.String()
	s.gallery.report, s.gallery.known, s.gone = s.report, map[string]answer{}, 0
	began := s.o.DB.Clock().Now()
	err = s.round(ctx)
	s.report.Took = s.o.DB.Clock().Now().Sub(began)
	return s.report, errors.Join(err, s.report.err)
}

func (s *Syncer) round(ctx context.Context) error {
	if err := checkLock(ctx, s.lock); err != nil {
		return err
	}
	full := s.rounds >= s.o.Walk
	if err := s.loadTerms(ctx); err != nil {
		return err
	}
	if err := s.people(ctx); err != nil {
		return err
	}
	if err := s.categories(ctx); err != nil {
		return err
	}
	if full {
		if err := s.tags(ctx); err != nil {
			return err
		}
	}
	if err := s.media(ctx, full); err != nil {
		return err
	}
	for _, k := range kinds {
		if err := s.posts(ctx, k, full); err != nil {
			return fmt.Errorf("%s: %w", k.route, err)
		}
	}
	if full {
		s.rounds = 0
	}
	s.rounds++
	return nil
}

// update is a transaction of the edition; view is none.
func (s *Syncer) update(ctx context.Context, fn func(ctx context.Context, tx db.Tx) error) error {
	return s.o.DB.InTx(ctx, fn)
}

func (s *Syncer) view(ctx context.Context, fn func(ctx context.Context, tx db.Tx) error) error {
	return s.o.DB.Run(ctx, fn)
}

// ReadPassword reads the file of an application password; the spaces that WordPress shows in it may stay.
func ReadPassword(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	p := strings.TrimSpace(string(b))
	if p == "" || strings.ContainsAny(p, "\r\n") {
		return "", fmt.Errorf("%s: one line with the application password is expected", name)
	}
	return p, nil
}

// kind is a kind of post.
type kind struct {
	route string // "posts"
	name  string // in reports
	as    post.Type
}

var kinds = []kind{{"posts", "post", post.TypeArticle}, {"pages", "page", post.TypePage}}
