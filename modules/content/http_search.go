package content

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/search"
	"example.org/broadsheet/platform/web"
)

// getSearch answers with the posts alone, as all lists do; how many there are in all, and what may have been meant,
// stand in headers. It counts what is searched for, also where the answer is kept.
func (m *Module) getSearch(c *gin.Context) error {
	term, limit, offset, err := searchArgs(c)
	if err != nil {
		return err
	}
	err = m.kept(c, windowQuery(limit, offset), func(ctx context.Context) (reply, error) {
		list, total, suggestion, err := m.search.Find(ctx, term, limit, offset)
		r := reply{value: list, tags: []string{post.FrontTag}, until: m.db.Now().Add(search.Kept)}
		r.header = http.Header{"X-Total-Count": {strconv.Itoa(total)}}
		if suggestion != "" {
			r.header.Set("X-Suggestion", url.PathEscape(suggestion))
		}
		return r, err
	})
	if err != nil || offset > 0 || web.IsPrefetch(c.Request) {
		return err
	}
	m.search.Searched(c.Request.Context(), term)
	return nil
}

func (m *Module) getSearchAuthors(c *gin.Context) error {
	term, limit, offset, err := searchArgs(c)
	if err != nil {
		return err
	}
	return m.kept(c, windowQuery(limit, offset), func(ctx context.Context) (reply, error) {
		list, err := m.search.FindAuthors(ctx, term, limit, offset)
		return reply{value: list, until: m.db.Now().Add(search.Kept)}, err
	})
}

func (m *Module) getMostReadAuthors(c *gin.Context) error {
	return m.kept(c, nil, func(ctx context.Context) (reply, error) {
		list, err := m.search.MostReadAuthors(ctx, search.MaxAuthors)
		return reply{value: list, tags: []string{post.FrontTag}}, err
	})
}

// foundPerCall is how many posts or authors a call gets, unless it asks for fewer.
const foundPerCall = 52

func searchArgs(c *gin.Context) (term string, limit, offset int, err error) {
	if term, err = search.ParseTerm(c.Param("term")); err != nil {
		return "", 0, 0, err
	}
	limit, offset, err = window(c, foundPerCall, foundPerCall)
	return term, limit, offset, err
}
