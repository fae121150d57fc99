package app

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"example.org/broadsheet/platform/paper/edition"
)

// holdsForeignText reports whether bytes hold a paragraph or a headline of another edition.
func holdsForeignText(body, id string) bool {
	if strings.Count(body, "of [") != strings.Count(body, "of ["+id+"]") {
		return true
	}
	own := strings.ReplaceAll(id, "_", "-")
	for _, m := range tokenPattern.FindAllString(body, -1) {
		rest := strings.TrimPrefix(m, "TOKEN-"+own+"-")
		if rest == m || strings.Count(rest, "-") != 1 {
			return true
		}
	}
	return false
}

// workers are the addresses of the readers among a thousand requests.
var workers = regexp.MustCompile(`worker\d+-[a-z-]+@example\.org`)

// Three editions with equal ids, slugs and addresses of readers never mix: not under load, not with a
// foreign cookie, not with a Host that is nearly right.
func TestEditionsStayApart(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	p.publish(5, false)
	all := p.app.registry.All()
	if len(all) != 3 {
		t.Fatalf("%d editions", len(all))
	}

	t.Run("a thousand requests in any order", func(t *testing.T) {
		var wg sync.WaitGroup
		for worker := range 8 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(1, uint64(worker)))
				browsers, owners := map[string]*browser{}, map[string]string{}
				for _, ed := range all {
					browsers[ed.ID] = p.browser(ed.ID)
					if worker%2 == 0 { // half of the requests are readers'
						owners[ed.ID] = fmt.Sprintf("worker%d-%s@example.org", worker, strings.ReplaceAll(ed.ID, "_", "-"))
						p.enter(edition.With(context.Background(), ed), browsers[ed.ID], owners[ed.ID])
					}
				}
				for range 125 {
					ed := all[r.IntN(len(all))]
					path := []string{
						"/", fmt.Sprintf("/content/post/%d", 1+r.IntN(5)), fmt.Sprintf("/%d", 1+r.IntN(5)),
						"/category/" + ed.Categories[0].Slug, "/content/carousel/index", "/user/me/",
					}[r.IntN(6)]
					a := browsers[ed.ID].get(path)
					if a.Status == http.StatusMovedPermanently {
						a = browsers[ed.ID].get(a.Header.Get("Location"))
					}
					if a.Status != http.StatusOK || holdsForeignText(a.Body, ed.ID) {
						t.Errorf("%s%s: %d, foreign text: %t", ed.ID, path, a.Status, holdsForeignText(a.Body, ed.ID))
					}
					for _, named := range workers.FindAllString(a.Body, -1) {
						if path != "/user/me/" || named != owners[ed.ID] {
							t.Errorf("%s%s names %s to %q", ed.ID, path, named, owners[ed.ID])
						}
					}
					if path == "/user/me/" && !strings.Contains(a.Body, owners[ed.ID]) {
						t.Errorf("%s: %q is not known: %s", ed.ID, owners[ed.ID], a.Body)
					}
				}
			})
		}
		wg.Wait()
	})

	t.Run("a session opens one edition", func(t *testing.T) {
		home := p.browser(all[0].ID)
		p.signIn(home, "same@example.org")
		req, _ := http.NewRequest(http.MethodGet, all[0].Origin+"/", nil)
		cookies := home.client.Jar.Cookies(req.URL)
		if len(cookies) == 0 {
			t.Fatal("no cookie was set")
		}
		for _, ed := range all[1:] {
			abroad := p.browser(ed.ID)
			var pairs []string
			for _, c := range cookies {
				pairs = append(pairs, c.Name+"="+c.Value)
			}
			abroad.header.Set("Cookie", strings.Join(pairs, "; "))
			var me struct {
				ID any `json:"user_id"`
			}
			abroad.get("/user/me/").json(t, &me)
			for _, path := range []string{
				"/user/sessions", "/user/me/extended/", "/fns/user-data",
				"/fns/newsletters/settings",
			} {
				if a := abroad.get(path); a.Status != http.StatusUnauthorized {
					t.Errorf("%s: %s answers a session of %s: %d", ed.ID, path, all[0].ID, a.Status)
				}
			}
			if me.ID != nil && me.ID != "" && me.ID != float64(0) {
				t.Errorf("the cookie of %s is reader %v of %s", all[0].ID, me.ID, ed.ID)
			}
		}
	})

	t.Run("an answer counts in one edition", func(t *testing.T) {
		answers := []string{"later", "false", "privacy"}
		for i, ed := range all {
			b := p.browser(ed.ID)
			p.signIn(b, "answers-"+strconv.Itoa(i)+"@example.org") // another address each: all mails lie in one box
			var me struct {
				Agreed string `json:"user_agreed_to_terms"`
			}
			if b.get("/user/me/").json(t, &me); me.Agreed != "undefined" {
				t.Errorf("%s: %q before an answer", ed.ID, me.Agreed)
			}
			b.post("/api/set-consent-metadata", map[string]any{"consent": answers[i]})
			if b.get("/user/me/").json(t, &me); me.Agreed != answers[i] {
				t.Errorf("%s: %q, want %q", ed.ID, me.Agreed, answers[i])
			}
			if a := b.get("/api/consent-documents"); a.Status != http.StatusOK || holdsForeignText(a.Body, ed.ID) {
				t.Errorf("%s: %d %s", ed.ID, a.Status, a.Body)
			}
		}
	})

	t.Run("hosts", func(t *testing.T) {
		b := p.browser(all[0].ID)
		name := all[0].Hosts[0]
		for host, want := range map[string]int{
			strings.ToUpper(name): http.StatusOK, name + ".": http.StatusOK, name + ":1": http.StatusOK,
			"evil.example": http.StatusMisdirectedRequest, name + ".evil.example": http.StatusMisdirectedRequest, "x" +
				name: http.StatusMisdirectedRequest,
		} {
			req, err := http.NewRequest(http.MethodGet, p.url+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			req.Header.Set("X-Forwarded-Host", all[1].Hosts[0])
			res, err := b.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("host %q: %d, want %d", host, res.StatusCode, want)
			}
		}
	})
}
