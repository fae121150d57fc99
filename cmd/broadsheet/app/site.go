package app

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/paper/brand"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
	"example.org/broadsheet/platform/web"
)

// envVars is the public part of the settings, member by member: nothing gets here by being added elsewhere.
func envVars(c *gin.Context) error {
	ed := web.Edition(c)
	return web.Shared(c, gin.H{"ENV_HOST": ed.ID, "ENV_LOCALE": ed.Locale})
}

// How long others may keep what follows from an edition's document alone.
const (
	textMaxAge  = time.Hour
	imageMaxAge = 24 * time.Hour
)

// files are all files that an edition answers: those of the modules, and what the paper as a whole says of itself.
func (a *App) files() page.Files {
	all := page.Files{
		"/robots.txt":               a.textFile("text/plain; charset=utf-8", a.robots),
		"/.well-known/security.txt": a.textFile("text/plain; charset=utf-8", a.security),
		"/manifest.webmanifest":     a.textFile("application/manifest+json", a.manifest),
		"/favicon.svg":              imageFile("image/svg+xml", a.brand.SVG),
		"/favicon.ico":              imageFile("image/x-icon", a.brand.Favicon),
		"/apple-touch-icon.png":     imageFile("image/png", icon(a.brand, 180, brand.Square)),
		brand.FeedIconPath:          imageFile("image/png", icon(a.brand, 144, brand.Square)),
		brand.CardPath:              imageFile("image/png", a.brand.Card),
	}
	for _, i := range icons {
		all[i.path] = imageFile("image/png", icon(a.brand, i.side, i.shape))
	}
	maps.Copy(all, a.content.Files())
	return all
}

// icons are those that the manifest names.
var icons = []struct {
	path    string
	side    int
	shape   brand.Shape
	purpose string
}{
	{"/icon-192.png", 192, brand.Rounded, "any"},
	{brand.LogoPath, 512, brand.Rounded, "any"},
	{"/icon-maskable-192.png", 192, brand.Maskable, "maskable"},
	{"/icon-maskable-512.png", 512, brand.Maskable, "maskable"},
}

func icon(k *brand.Kit, side int, shape brand.Shape) func(*edition.Edition) ([]byte, error) {
	return func(ed *edition.Edition) ([]byte, error) { return k.Icon(ed, side, shape) }
}

func imageFile(media string, draw func(*edition.Edition) ([]byte, error)) page.FileSource {
	return func(ctx context.Context, _ map[string]string) (*page.File, error) {
		ed, err := edition.From(ctx)
		if err != nil {
			return nil, err
		}
		b, err := draw(ed)
		return &page.File{Type: media, Body: b, MaxAge: imageMaxAge}, err
	}
}

func (a *App) textFile(media string, write func(*edition.Edition) (string, error)) page.FileSource {
	return func(ctx context.Context, _ map[string]string) (*page.File, error) {
		ed, err := edition.From(ctx)
		if err != nil {
			return nil, err
		}
		text, err := write(ed)
		return &page.File{Type: media, Body: []byte(text), MaxAge: textMaxAge}, err
	}
}

// robots keeps crawlers out of what belongs to one reader, and shows them the rest.
func (a *App) robots(ed *edition.Edition) (string, error) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, r := range []edition.Route{
		edition.Account, edition.Logout, edition.SecurityCheck, edition.PaymentSuccess,
		edition.PaymentFailure,
	} {
		b.WriteString("Disallow: " + ed.Href(r) + "\n")
	}
	b.WriteString("Disallow: /api/\nDisallow: /fns/\nDisallow: /user/\n\n")
	for _, path := range a.content.Maps() {
		b.WriteString("Sitemap: " + ed.URL(path) + "\n")
	}
	return b.String(), nil
}

// security names the contact for reports of weaknesses (RFC 9116). The date is always more than eleven months away: the
// contact is the one that the edition's document names, and that is in force for as long as this process answers.
func (a *App) security(ed *edition.Edition) (string, error) {
	y, m, _ := a.clock.Now().UTC().Date()
	until := time.Date(y+1, m, 1, 0, 0, 0, 0, time.UTC)
	languages := ed.Lang()
	if languages != "en" {
		languages += ", en"
	}
	return fmt.Sprintf("Contact: mailto:%s\nExpires: %s\nPreferred-Languages: %s\nCanonical: %s\n",
		ed.SupportEmail, until.Format(time.RFC3339), languages, ed.URL("/.well-known/security.txt")), nil
}

// manifest lets a phone keep the edition among its programs (www.w3.org/TR/appmanifest).
func (a *App) manifest(ed *edition.Edition) (string, error) {
	type entry struct {
		Source  string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	pictures := []entry{{"/favicon.svg", "any", "image/svg+xml", "any"}}
	for _, i := range icons {
		pictures = append(pictures, entry{i.path, fmt.Sprintf("%dx%d", i.side, i.side), "image/png", i.purpose})
	}
	accent, paper := a.brand.Colours(ed)
	front := ed.Href(edition.Front)
	b, err := json.Marshal(map[string]any{
		"id": front, "start_url": front, "scope": "/", "name": ed.Name, "short_name": ed.Name, "description": ed.Description,
		"lang": ed.IntlLocale, "dir": "ltr",
		"display": "minimal-ui", "theme_color": accent, "background_color": paper, "categories": []string{"news"},
		"icons": pictures,
	})
	return string(b), err
}
