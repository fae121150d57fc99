package wordpress

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/modules/content/wordpress/blocks"
)

// desk changes a site at random, as a newsroom does.
type desk struct {
	*press
	r     *rand.Rand
	shade int
	done  int      // changes
	known []string // addresses that lead to posts here
}

func pick[T any](r *rand.Rand, of map[int64]T) (id int64, v T, ok bool) {
	if len(of) == 0 {
		return 0, v, false
	}
	ids := slices.Sorted(maps.Keys(of))
	id = ids[r.IntN(len(ids))]
	return id, of[id], true
}

func (d *desk) words(what string) string { return fmt.Sprintf("%s %d", what, d.r.IntN(1_000_000)) }

func (d *desk) bytes() []byte {
	d.shade++
	return picture(d.t, uint8(d.shade%240))
}

// compose makes a text of a few paragraphs, some with a picture.
func (d *desk) compose() string {
	var b strings.Builder
	for range 1 + d.r.IntN(3) {
		b.WriteString(paragraph(d.words("Voda v rieke stúpa o") + " cm."))
		if _, m, ok := pick(d.r, d.media); ok && d.r.IntN(3) == 0 {
			b.WriteString(imageBlock(m, d.url))
		}
	}
	return b.String()
}

func (d *desk) dress(p *pressPost) {
	p.Author, _, _ = pick(d.r, d.users)
	p.Media, _, _ = pick(d.r, d.media)
	if p.kind == "posts" {
		category, _, _ := pick(d.r, d.terms["categories"])
		p.Categories, p.Tags = []int64{category}, nil
		if tag, _, ok := pick(d.r, d.terms["tags"]); ok {
			p.Tags = []int64{tag}
		}
	}
}

// change makes one change.
func (d *desk) change() {
	d.done++
	if d.r.IntN(3) > 0 { // else within the same second
		d.pass(time.Duration(d.r.IntN(50)) * time.Second)
	}
	id, post, ok := pick(d.r, d.posts)
	kinds := []string{"posts", "posts", "posts", "pages"}
	if roll := d.r.IntN(29); !ok || roll < 4 {
		p := d.write(kinds[d.r.IntN(4)], d.words("Titulok & rieka"), d.compose())
		d.dress(p)
		if d.r.IntN(4) == 0 { // dated long ago, or to come; WordPress dates its change so, too
			p.Date = d.stamp(d.now.Add(time.Duration(d.r.IntN(400)-300) * time.Second))
			p.Modified = p.Date
			p.links = nil
			if p.Date > d.stamp(d.now) {
				p.Status = "future"
			}
			d.remember(p)
		}
		return
	} else {
		d.edit(roll, id, post)
	}
}

func (d *desk) edit(roll int, id int64, post *pressPost) {
	switch roll {
	case 4, 5, 6:
		post.text = d.compose()
		d.touch(post)
	case 7:
		post.title, post.excerpt = d.words("Nový titulok"), d.words("Perex")
		d.touch(post)
	case 8, 9:
		post.Slug = fmt.Sprintf("premenovany-%d-%d", id, d.r.IntN(1000))
		d.touch(post)
	case 10:
		post.Status = []string{"draft", "private", "trash"}[d.r.IntN(3)]
		d.touch(post)
	case 11:
		post.Status = "publish"
		d.touch(post)
	case 12, 13:
		delete(d.posts, id)
	case 14:
		if post.password = ""; d.r.IntN(2) == 0 {
			post.password = "x"
		}
		d.touch(post)
	case 15:
		d.dress(post)
		d.touch(post)
	case 16:
		post.Sticky = !post.Sticky && post.kind == "posts" // WordPress does not call it a change
	case 17:
		n := d.id()
		d.users[n] = &restUser{ID: n, Name: d.words("Redaktorka"), Slug: fmt.Sprintf("redaktorka-%d", n)}
	case 18:
		if _, u, ok := pick(d.r, d.users); ok {
			u.Name, u.Description = d.words("Premenovaný"), d.words("Píše")
		}
	case 19:
		n := d.id()
		parent, _, _ := pick(d.r, d.terms["categories"])
		d.terms["categories"][n] = &restTerm{
			ID: n, Name: d.words("Rubrika"), Slug: fmt.Sprintf("rubrika-%d", n),
			Parent: parent * int64(d.r.IntN(2)),
		}
	default:
		d.furnish(roll)
	}
}

// furnish changes what posts stand on.
func (d *desk) furnish(roll int) {
	n, c, ok := pick(d.r, d.terms["categories"])
	_, m, have := pick(d.r, d.media)
	switch {
	case roll == 20 && ok && n != 1:
		c.Name = d.words("Iná rubrika")
	case roll == 21 && ok && n != 1: // moves under another that is not below it
		if over, up, _ := pick(d.r, d.terms["categories"]); over != n && topmostOf(d.terms["categories"], up) != n {
			c.Parent = over
		}
	case roll == 22 && ok && n != 1: // goes; what was below moves up, and the posts stay, undated
		delete(d.terms["categories"], n)
		for _, other := range d.terms["categories"] {
			if other.Parent == n {
				other.Parent = c.Parent
			}
		}
		for _, p := range d.posts {
			if slices.Contains(p.Categories, n) {
				p.Categories = []int64{1}
			}
		}
	case roll == 23 && have: // replaced by another picture of the same address
		d.files[m.path], m.modified = d.bytes(), d.now
	case roll == 24 && have:
		m.alt, m.legend, m.modified = d.words("Obrázok"), d.words("Foto"), d.now
	case roll == 25 && have && d.r.IntN(2) == 0: // goes; as a head it is taken out, in texts it stays as a hole
		delete(d.media, m.id)
		delete(d.files, m.path)
		for _, p := range d.posts {
			if p.Media == m.id {
				p.Media = 0
			}
			p.text = strings.ReplaceAll(p.text, imageBlock(m, d.url), "")
			if strings.TrimSpace(p.text) == "" {
				p.text = paragraph("Nič.")
			}
		}
	case roll == 26:
		id := d.id()
		d.terms["tags"][id] = &restTerm{ID: id, Name: d.words("Téma"), Slug: fmt.Sprintf("tema-%d", id)}
	case roll == 27:
		if _, tag, ok := pick(d.r, d.terms["tags"]); ok {
			tag.Name, tag.Description = d.words("Iná téma"), d.words("O rieke")
		}
	case roll == 28:
		id, _, _ := pick(d.r, d.terms["tags"])
		delete(d.terms["tags"], id)
		for _, p := range d.posts {
			p.Tags = slices.DeleteFunc(p.Tags, func(t int64) bool { return t == id })
		}
	default:
		d.upload(fmt.Sprintf("/wp-content/uploads/obr-%d.png", d.last), d.bytes(), d.words("Obrázok"))
	}
}

func topmostOf(all map[int64]*restTerm, t *restTerm) int64 {
	byID := maps.Clone(all)
	if over := rootOf(byID, t.ID); over != 0 {
		return over
	}
	return t.ID
}

const addresses = `SELECT r.path, p.source_id || '=' || r.path FROM content_redirects r JOIN content_posts p ON p.id
	= r.post_id
	WHERE r.path <> '/' || p.source_id AND r.path NOT LIKE '/static/%'`

// leads holds that every address that was known once leads to its post for good, and none to another.
func (d *desk) leads(h *house) {
	now := strings.Fields(h.value(addresses))
	for _, a := range d.known {
		if !slices.Contains(now, a) {
			d.t.Errorf("the address %s was lost", a)
		}
	}
	d.known = now
	for _, a := range now {
		id, path, _ := strings.Cut(a, "=")
		if p := d.posts[blocks.ParseID(id)]; p != nil && !slices.Contains(p.links, d.url+path+"/") {
			d.t.Errorf("post %s never had the address %s", id, path)
		}
	}
}

// TestSyncKeepsTwoSystemsEqual makes 200 changes while rounds run, fail, are cut and are killed at any question and
// any write; then both are compared field by field, and one more round changes nothing.
func TestSyncKeepsTwoSystemsEqual(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		for _, login := range []bool{false, true} {
			t.Run(fmt.Sprintf("seed %d login %v", seed, login), func(t *testing.T) {
				t.Parallel()
				h, p, o := newSync(t)
				if login {
					o.User, o.Password = "desk", deskPassword
				}
				o.Walk, o.Emptied = 4, true
				d := &desk{press: p, r: rand.New(rand.NewPCG(seed, 7))}
				d.storm(h, o)
				p.before = nil
				p.pass(5 * time.Minute)
				h.round(o, 1)
				h.round(o, 1)
				if got, want := d.have(h), d.want(h, login); !slices.Equal(got, want) {
					t.Errorf("after %d changes %d posts are here, and %d there", d.done, len(got), len(want))
					for _, row := range differ(got, want) {
						t.Error(row)
					}
				}
				d.leads(h)
				before := h.versions()
				notices := h.listen()
				if r := h.round(o, 2); r.Moved() {
					t.Errorf("a round more: %v", r.Counts)
				}
				if after := h.versions(); after != before {
					t.Errorf("rows were written:\n%s\n%s", before, after)
				}
				if n := notices(); n != 0 {
					t.Errorf("%d notices", n)
				}
			})
		}
	}
}

func differ(got, want []string) (out []string) {
	for _, row := range got {
		if !slices.Contains(want, row) {
			out = append(out, "here  "+row)
		}
	}
	for _, row := range want {
		if !slices.Contains(got, row) {
			out = append(out, "there "+row)
		}
	}
	return out
}
