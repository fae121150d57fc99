package content

import (
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/modules/content/search"
	"example.org/broadsheet/platform/web"
)

// getSearch answers with the posts alone, as all lists do; how many there are in all, and what may have been meant,
// stand in headers.
func (m *Module) getSearch(c *gin.Context) error {
	term, limit, offset, err := searchArgs(c)
	if err != nil {
		return err
	}
	list, total, suggestion, err := m.search.Find(c.Request.Context(), term, limit, offset)
	if err != nil {
		return err
	}
	if offset == 0 && !web.IsPrefetch(c.Request) {
		m.search.Searched(c.Request.Context(), term, total)
	}
	c.Header("X-Total-Count", strconv.Itoa(total))
	if suggestion != "" {
		c.Header("X-Suggestion", url.PathEscape(suggestion))
	}
	return answer(c, list, nil)
}

func (m *Module) getSearchAuthors(c *gin.Context) error {
	term, limit, offset, err := searchArgs(c)
	if err != nil {
		return err
	}
	list, err := m.search.FindAuthors(c.Request.Context(), term, limit, offset)
	return answer(c, list, err)
}

func (m *Module) getMostSearched(c *gin.Context) error {
	list, err := m.search.MostSearched(c.Request.Context())
	return answer(c, list, err)
}

func (m *Module) getMostReadAuthors(c *gin.Context) error {
	list, err := m.search.MostReadAuthors(c.Request.Context(), search.MaxAuthors)
	return answer(c, list, err)
}

func searchArgs(c *gin.Context) (term string, limit, offset int, err error) {
	if term, err = search.ParseTerm(c.Param("term")); err != nil {
		return "", 0, 0, err
	}
	limit, offset, err = window(c, search.PageSize, search.PageSize)
	return term, limit, offset, err
}
