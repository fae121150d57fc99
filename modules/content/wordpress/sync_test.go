package wordpress

import (
	"testing"
)

func TestSyncSmoke(t *testing.T) {
	t.Parallel()
	h, p, o := newSync(t)
	m := p.upload("/wp-content/uploads/most.png", picture(t, 10), "Most")
	a := p.write("posts", "Most & rieka", paragraph("Voda stúpa.")+imageBlock(m, p.url))
	a.Author, a.Categories, a.Media = 5, []int64{1}, m.id
	p.write("pages", "O nás", paragraph("My."))
	r := h.round(o, 1)
	t.Log(r.Counts, r.Groups, p.asked)
	t.Log(h.value("SELECT id, source || source_id || slug || title || status || excerpt || caption FROM content_posts"))
	t.Log(h.value("SELECT 1, html FROM content_bodies"))
	o.User, o.Password = "desk", deskPassword
	r = h.round(o, 1)
	t.Log(r.Counts)
	t.Log(h.value("SELECT 1, html FROM content_bodies"))
}
