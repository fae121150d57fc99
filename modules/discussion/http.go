package discussion

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// Routes adds what can be done in a discussion. Each call takes a script's JSON and a plain form, which is led back.
func (m *Module) Routes(r gin.IRouter) {
	r.POST("/api/discussion/:articleId", web.Do(m.postComment))
	r.POST("/api/comment/:commentId/edit", web.Do(m.change((*Module).edit)))
	r.POST("/api/comment/:commentId/remove", web.Do(m.change((*Module).remove)))
	r.POST("/api/comment/:commentId/like", web.Do(m.change((*Module).like)))
	r.POST("/api/comment/:commentId/report", web.Do(m.change((*Module).report)))
	r.POST("/api/comment/:commentId/hide", web.Do(m.change((*Module).hide)))
	r.POST("/api/comment/:commentId/restore", web.Do(m.change((*Module).restore)))
	r.POST("/api/comment/:commentId/ban", web.Do(m.change((*Module).ban)))
	r.POST("/api/comment/:commentId/unban", web.Do(m.change((*Module).unban)))
}

// Streams adds the word that something has changed. It stays open, so it stands behind no deadline.
func (m *Module) Streams(r gin.IRouter) {
	r.GET("/api/discussion/:articleId/live", web.Do(m.getLive))
}

// fields are those of all forms of a discussion.
type fields struct {
	Text   string `json:"text"`
	Parent int64  `json:"parent"`
	Key    string `json:"key"`
	Liked  bool   `json:"liked"`
	Reason string `json:"reason"`
	Note   string `json:"note"`
	Days   int    `json:"days"`
	Back   string `json:"-"` // the page that a form stands on
}

func bind(c *gin.Context) (f fields, err error) {
	if !web.IsForm(c) {
		return f, web.Bind(c, &f)
	}
	for name, into := range map[string]*string{
		"text": &f.Text, "key": &f.Key, "reason": &f.Reason, "note": &f.Note,
		"back": &f.Back,
	} {
		*into = c.PostForm(name)
	}
	f.Liked = c.PostForm("liked") == "true"
	f.Parent, _ = strconv.ParseInt(c.PostForm("parent"), 10, 64) // absent or odd: a new thread
	f.Days, _ = strconv.Atoi(c.PostForm("days"))                 // absent or odd: refused as 0
	return f, nil
}

// answer leads a form back to the comment that it was about, or to the form with what is wrong in ?status.
func (m *Module) answer(c *gin.Context, f fields, err error, comment int64, ok gin.H) error {
	if !web.IsForm(c) {
		if err != nil {
			return err
		}
		ok["success"] = true
		return web.OK(c, ok)
	}
	back := web.LocalPath(f.Back)
	if err != nil {
		refused := fault.From(err)
		if refused.Kind >= fault.Internal || refused.Kind == fault.NotFound {
			return err
		}
		if !refused.Is(web.ErrNotSignedIn) {
			return web.SeeOther(c, web.WithStatus(back, refused.Code)+"#write")
		}
		return m.cookies.RefuseForm(c, m.db.Now(), back, err)
	}
	return web.SeeOther(c, plain(back)+"#comment-"+strconv.FormatInt(comment, 10))
}

// plain is an address without the forms that it has open.
func plain(path string) string {
	base, query, _ := strings.Cut(path, "?")
	q, err := url.ParseQuery(query)
	if err != nil {
		return base
	}
	for _, name := range append([]string{"status"}, forms...) {
		q.Del(name)
	}
	if len(q) == 0 {
		return base
	}
	return base + "?" + q.Encode()
}

func (m *Module) postComment(c *gin.Context) error {
	post, err := web.ID(c, "articleId")
	if err != nil {
		return err
	}
	f, err := bind(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	in := Comment{PostID: post, ParentID: f.Parent, ReaderID: session.ReaderID(ctx), Text: f.Text, Key: f.Key}
	id, err := m.Write(ctx, in)
	if web.IsForm(c) && in.ReaderID != 0 {
		if kept := m.keepDraft(ctx, in, err); kept != nil && err == nil {
			err = kept
		}
	}
	return m.answer(c, f, err, id, gin.H{"id": id})
}

// change makes a handler of something that is done with one comment.
func (m *Module) change(do func(*Module, context.Context, int64, int64, fields, gin.H) error) func(*gin.Context) error {
	return func(c *gin.Context) error {
		id, err := web.ID(c, "commentId")
		if err != nil {
			return ErrNoComment // not a missing page: browsers would take a 404 for one
		}
		f, err := bind(c)
		if err != nil {
			return err
		}
		ctx, out := c.Request.Context(), gin.H{}
		return m.answer(c, f, do(m, ctx, session.ReaderID(ctx), id, f, out), id, out)
	}
}

func (m *Module) edit(ctx context.Context, reader, id int64, f fields, _ gin.H) error {
	return m.Edit(ctx, reader, id, f.Text)
}

func (m *Module) remove(ctx context.Context, reader, id int64, _ fields, _ gin.H) error {
	return m.Remove(ctx, reader, id)
}

func (m *Module) like(ctx context.Context, reader, id int64, f fields, out gin.H) error {
	likes, err := m.Like(ctx, reader, id, f.Liked)
	out["likes"] = likes
	return err
}

func (m *Module) report(ctx context.Context, reader, id int64, f fields, _ gin.H) error {
	return m.Report(ctx, reader, id, f.Reason, f.Note)
}

func (m *Module) hide(ctx context.Context, reader, id int64, f fields, _ gin.H) error {
	return m.moderate(ctx, reader, func() error { _, err := m.Hide(ctx, id, by(reader, f)); return err })
}

func (m *Module) restore(ctx context.Context, reader, id int64, f fields, _ gin.H) error {
	return m.moderate(ctx, reader, func() error { _, err := m.Restore(ctx, id, by(reader, f)); return err })
}

func (m *Module) ban(ctx context.Context, reader, id int64, f fields, out gin.H) error {
	return m.moderate(ctx, reader, func() error {
		author, err := m.AuthorOf(ctx, id)
		if err != nil {
			return err
		}
		if f.Days <= 0 || f.Days > int(maxBan/(24*time.Hour)) {
			return web.ErrInvalidArgs.On("days")
		}
		o, err := m.Ban(ctx, author, m.db.Now().AddDate(0, 0, f.Days), by(reader, f))
		out["until"] = o.Until
		return err
	})
}

func (m *Module) unban(ctx context.Context, reader, id int64, f fields, _ gin.H) error {
	return m.moderate(ctx, reader, func() error {
		author, err := m.AuthorOf(ctx, id)
		if err != nil {
			return err
		}
		_, err = m.Unban(ctx, author, by(reader, f))
		return err
	})
}

func (m *Module) moderate(ctx context.Context, reader int64, do func() error) error {
	if err := m.mustModerate(ctx, reader); err != nil {
		return err
	}
	return do()
}

func by(reader int64, f fields) ModerationAction {
	return ModerationAction{Actor: Byline(reader), Reason: f.Reason}
}

// getLive says "change" whenever a discussion has changed (Server-Sent Events).
func (m *Module) getLive(c *gin.Context) error {
	post, err := web.ID(c, "articleId")
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	ed := web.Edition(c)
	if !ed.Flags[Flag] {
		return web.ErrNotFound
	}
	changed, closeStream, ok := m.live.open(streamKey{ed.ID, post}, limit.Network(c.ClientIP()))
	if !ok {
		return web.ErrOverloaded
	}
	defer closeStream()
	c.Header("Content-Type", "text/event-stream")
	c.Header("Cache-Control", "no-store")
	c.Header("X-Accel-Buffering", "no")
	c.Status(http.StatusOK)
	conn := http.NewResponseController(c.Writer)
	_ = conn.SetWriteDeadline(time.Time{}) // the server's is for answers that end
	say := func(text string) bool {
		_, err := c.Writer.WriteString(text)
		return err == nil && conn.Flush() == nil
	}
	end, beat := time.NewTimer(streamTTL), time.NewTicker(heartbeat)
	defer end.Stop()
	defer beat.Stop()
	for open := say("retry: 5000\nevent: open\ndata: \n\n"); open; {
		select {
		case <-changed:
			open = say("event: change\ndata: \n\n")
		case <-beat.C:
			open = say(": \n\n")
		case <-end.C:
			return nil
		case <-m.live.done:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}
