package logging

import (
	"encoding/json"
	"strings"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/web"
)

// Routes adds the calls of the browser's log.
func (m *Module) Routes(r gin.IRouter) {
	small := web.BodyLimit(maxBody)
	r.POST("/fns/logs-put", small, web.Do(m.postEvent))
	r.POST("/fns/logtail", small, web.Do(m.postError))
}

// value is a text or a number, as its text.
type value string

// UnmarshalJSON reads a text, a number or null.
func (v *value) UnmarshalJSON(b []byte) error {
	var s *string
	if json.Unmarshal(b, &s) == nil {
		if s != nil {
			*v = value(*s)
		}
		return nil
	}
	var n json.Number
	if err := json.Unmarshal(b, &n); err != nil {
		return web.ErrInvalidArgs
	}
	*v = value(n.String())
	return nil
}

// postEvent takes user_id only to refuse another reader's, and leaves an email in the body where it is: the session
// says who it was.
func (m *Module) postEvent(c *gin.Context) error {
	var in struct {
		Action      string `json:"action"`
		MetaValue   value  `json:"meta_value"`
		PublishDate value  `json:"publish_date"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	reader, err := web.MaybeReader(c)
	if err != nil {
		return err
	}
	e := Event{Action: in.Action, MetaValue: string(in.MetaValue), PublishDate: string(in.PublishDate)}
	if err := m.Record(c.Request.Context(), reader, e, limit.Network(c.ClientIP())); err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true})
}

func (m *Module) postError(c *gin.Context) error {
	var in struct {
		Data json.RawMessage `json:"data"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	if s := strings.TrimSpace(string(in.Data)); s == "" || s == "null" {
		return web.ErrInvalidArgs.On("data")
	}
	e := parseError(in.Data)
	e.Agent = web.Agent(c.Request)
	if err := m.Report(c.Request.Context(), e, limit.Network(c.ClientIP())); err != nil {
		return err
	}
	return web.OK(c, gin.H{"success": true})
}
