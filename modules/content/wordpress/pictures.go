package wordpress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"

	"example.org/broadsheet/modules/content/wordpress/site"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/wordpress/blocks"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/media"
)

// gallery brings pictures of the old site into the paper's library, each once.
type gallery struct {
	db      *db.DB
	library Library
	images  Images
	source  string
	index   pictureIndex
	folder  *os.Root // nil: none was named
	byName  map[string]string
	fetch   *site.Pictures // nil: nothing is fetched
	dry     bool
	report  *Report
	known   map[string]answer // the last ones asked for, and all that failed
	unsure  bool              // one did not come through that may the next time
}

// pictureIndex knows the pictures of a site by their ids.
type pictureIndex interface {
	get(id int64) (at attachment, ok bool)
}

type answer struct {
	picture post.Picture
	reason  string
	unsure  bool
}

// maxKnown bounds the answers that are kept at hand.
const maxKnown = 20_000

var sized = regexp.MustCompile(`(?i)-(?:\d+x\d+|scaled|rotated|e\d{10,})(\.[a-z]+)$`)

// take returns the picture of a reference, or the reason why it cannot be had. An error is the database's, the
// library's or the context's.
func (g *gallery) take(ctx context.Context, ref blocks.PictureRef) (post.Picture, string, error) {
	a, found := g.index.get(ref.ID)
	addresses := candidates(a.URL, ref.Src)
	if len(addresses) == 0 {
		if ref.ID > 0 && !found {
			g.unsure = true
			return post.Picture{}, fmt.Sprintf("attachment %d is named, but not there", ref.ID), nil
		}
		return post.Picture{}, "it has no address", nil
	}
	key := addresses[0]
	if k, ok := g.known[key]; ok {
		g.unsure = g.unsure || k.unsure
		return k.picture, k.reason, nil
	}
	before := g.unsure
	g.unsure = false
	p, reason, err := g.load(ctx, key, addresses, a)
	unsure := g.unsure
	g.unsure = before || unsure
	if err != nil {
		return p, "", fmt.Errorf("picture %s: %w", key, err)
	}
	if len(g.known) >= maxKnown {
		clear(g.known)
	}
	g.known[key] = answer{p, reason, unsure}
	return p, reason, nil
}

// candidates are the addresses to try, the original first, without repetition.
func candidates(attachment, src string) (out []string) {
	for _, a := range []string{attachment, sized.ReplaceAllString(trimQuery(src), "$1"), trimQuery(src)} {
		if strings.HasPrefix(a, "//") {
			a = "https:" + a
		}
		if a != "" && !strings.HasPrefix(a, "data:") && (len(out) == 0 || out[0] != a && out[len(out)-1] != a) {
			out = append(out, a)
		}
	}
	return out
}

func trimQuery(s string) string {
	s, _, _ = strings.Cut(s, "?")
	s, _, _ = strings.Cut(s, "#")
	return strings.TrimSpace(s)
}

func (g *gallery) load(ctx context.Context, key string, addresses []string,
	a attachment,
) (p post.Picture, reason string, err error) {
	ok := false
	err = g.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		p, ok, err = findPicture(ctx, tx, g.source, key)
		return err
	})
	if err != nil {
		return p, "", err
	}
	if ok {
		p.Alt = cmp.Or(a.Alt, p.Alt) // of equal files each has its own words
		g.note(a, key, Unchanged, "")
		return p, "", nil
	}
	img, reason, err := g.ingest(ctx, addresses)
	if err != nil || reason != "" {
		if err == nil {
			g.note(a, key, Left, reason)
		}
		return p, reason, err
	}
	p = post.Picture{ID: img.ID, Width: img.Width, Height: img.Height, Alt: a.Alt}
	if p.Caption, p.Credit = blocks.SplitCredit(blocks.Plain(a.Caption)); a.Credit != "" {
		p.Credit = a.Credit
	}
	g.note(a, key, Taken, "")
	if g.dry {
		return p, "", nil
	}
	if err := g.library.SavePicture(ctx, p); err != nil {
		return p, "", err
	}
	return p, "", g.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		return rememberPicture(ctx, tx, g.source, key, p.ID)
	})
}

func (g *gallery) note(a attachment, address string, o Outcome, reason string) {
	g.report.add(Entry{Line: a.Line, Kind: "picture", Title: blocks.FileName(address), Outcome: o, Reason: reason})
}

// ingest reads a picture from the folder, else from the net.
func (g *gallery) ingest(ctx context.Context, addresses []string) (media.Image, string, error) {
	for _, address := range addresses {
		f, err := g.open(address)
		if err != nil {
			continue
		}
		img, err := g.images.Ingest(ctx, f)
		_ = f.Close()
		return refusal(img, err)
	}
	where := "no folder of pictures was named (--media), and fetching is off (--fetch)"
	if g.folder != nil {
		where = "it is not in the folder of pictures, and fetching is off (--fetch)"
	}
	if g.fetch == nil {
		return media.Image{}, where, nil
	}
	for _, address := range addresses {
		body, err := g.fetch.Open(ctx, address)
		if ctx.Err() != nil {
			return media.Image{}, "", ctx.Err()
		}
		if err != nil {
			where = err.Error()
			g.unsure = g.unsure || site.IsTemporary(err)
			continue
		}
		img, err := g.images.Ingest(ctx, body)
		_ = body.Close()
		if err != nil && ctx.Err() == nil && fault.From(err).Kind == fault.Internal {
			where, g.unsure = "it could not be read to its end", true // the line broke
			continue
		}
		return refusal(img, err)
	}
	return media.Image{}, where, nil
}

// openFolder has pictures read from a folder first.
func (g *gallery) openFolder(name string) (err error) {
	if g.folder, err = os.OpenRoot(name); err != nil {
		return fmt.Errorf("folder of pictures: %w", err)
	}
	if g.byName, err = listFolder(g.folder); err != nil {
		_ = g.folder.Close()
		return fmt.Errorf("folder of pictures: %w", err)
	}
	return nil
}

// refusal tells a picture that is bad from a library that is.
func refusal(img media.Image, err error) (media.Image, string, error) {
	switch {
	case err == nil:
		return img, "", nil
	case errors.Is(err, media.ErrTooLarge):
		return img, "the picture is too large", nil
	case errors.Is(err, media.ErrUnsupported):
		return img, "not a picture of a kind that can be shown (JPEG, PNG, GIF, WebP)", nil
	case errors.Is(err, media.ErrBroken):
		return img, "the picture is damaged", nil
	}
	return img, "", err
}

// open finds the file of an address: by its path below the uploads, by what follows them, or by its name alone.
func (g *gallery) open(address string) (io.ReadCloser, error) {
	if g.folder == nil {
		return nil, fs.ErrNotExist
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	p := strings.TrimPrefix(path.Clean("/"+u.Path), "/")
	tries := []string{p}
	if _, below, ok := strings.Cut(p, "wp-content/uploads/"); ok {
		tries = append(tries, below, "uploads/"+below)
	} else if _, below, ok := strings.Cut(p, "files/"); ok { // how networks of sites spell it
		tries = append(tries, below)
	}
	if name, ok := g.byName[strings.ToLower(path.Base(p))]; ok {
		tries = append(tries, name)
	}
	for _, name := range tries {
		info, err := g.folder.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		return g.folder.Open(name)
	}
	return nil, fs.ErrNotExist
}

// listFolder maps names of files to where they lie; a name that is there twice names none.
func listFolder(root *os.Root) (map[string]string, error) {
	names := map[string]string{}
	err := fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name := strings.ToLower(path.Base(p))
		if _, twice := names[name]; twice {
			p = "" // no file has that name, so it is found by its path or not at all
		}
		names[name] = p
		return nil
	})
	return names, err
}
