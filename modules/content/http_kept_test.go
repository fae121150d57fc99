package content

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"

	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/testkit"
)

// What everybody gets is loaded for nobody, whoever asks first.
func TestKeptAnswersKnowNoReader(t *testing.T) {
	t.Parallel()
	ctx, d := testkit.Edition(t)
	m := New(Deps{DB: d})
	asked := int64(-1)
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequest(http.MethodGet, "/content/author/jana", nil).
		WithContext(session.With(ctx, session.Session{ID: 1, ReaderID: 7}))
	err := m.kept(c, nil, func(ctx context.Context) (reply, error) {
		asked = session.ReaderID(ctx)
		return reply{value: "same for all"}, nil
	})
	if err != nil || asked != 0 {
		t.Errorf("got reader %d and %v, want an answer that was loaded for nobody", asked, err)
	}
}
