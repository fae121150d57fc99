package content

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/platform/db"
)

// postRow is a row of content_posts; the generated column "list" is the database's own.
type postRow struct {
	bun.BaseModel `bun:"table:content_posts"`
	ID            int64 `bun:",pk,autoincrement"`
	Type          post.Type
	Status        post.Status
	Slug          string
	Title         string
	Excerpt       string
	Paragraphs    int
	Locked        bool
	PublishedAt   time.Time
	ModifiedAt    time.Time
	PictureID     string `bun:",nullzero"`
	Alt           string
	Caption       string
	VideoURL      string
	VideoSeconds  int
	Featured      int
	Pick          int
	Versus        string
	Source        string
	SourceID      string
	SourceHash    string
	Hash          string
	Comments      int
}

type bodyRow struct {
	bun.BaseModel `bun:"table:content_bodies"`
	PostID        int64
	HTML          string `bun:"html"`
}

type redirectRow struct {
	bun.BaseModel `bun:"table:content_redirects"`
	Path          string
	PostID        int64
}

func findSource(ctx context.Context, tx db.Tx, source string) (map[string]int64, error) {
	var rows []struct {
		ID       int64
		SourceID string
	}
	err := tx.NewRaw("SELECT id, source_id FROM content_posts WHERE source = ? AND source <> ''", source).Scan(ctx, &rows)
	ids := make(map[string]int64, len(rows))
	for _, r := range rows {
		ids[r.SourceID] = r.ID
	}
	return ids, err
}

func savePosts(ctx context.Context, tx db.Tx, all []*preparedPost) error {
	if err := post.LockWriting(ctx, tx); err != nil {
		return err
	}
	if err := findStored(ctx, tx, all); err != nil {
		return err
	}
	var todo []*preparedPost
	for _, s := range all {
		if s.was != nil {
			s.row.ID, s.row.Slug = s.was.ID, s.was.Slug
			if s.Comments == 0 {
				s.row.Comments = s.was.Comments
			}
			if s.Source == "" {
				s.row.Source, s.row.SourceID, s.row.SourceHash = s.was.Source, s.was.SourceID, s.was.SourceHash
			}
			s.changed = s.hash != s.was.Hash
			if s.Source != "" {
				s.changed = s.hash != s.was.SourceHash
			}
		} else {
			s.changed = true
		}
		if s.changed {
			s.setTimes(tx.Now)
			todo = append(todo, s)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	if err := chooseSlugs(ctx, tx, todo); err != nil {
		return err
	}
	if err := checkPictures(ctx, tx, todo); err != nil {
		return err
	}
	before, err := findRanks(ctx, tx, todo)
	if err != nil {
		return err
	}
	if err := writePosts(ctx, tx, todo); err != nil {
		return err
	}
	if err := writeRelations(ctx, tx, todo); err != nil {
		return err
	}
	if err := schedule(ctx, tx, todo); err != nil {
		return err
	}
	after, err := findRanks(ctx, tx, todo)
	if err != nil {
		return err
	}
	return announce(ctx, tx, todo, before, after)
}

// findStored sets what is in the store of each draft.
func findStored(ctx context.Context, tx db.Tx, all []*preparedPost) error {
	var ids []int64
	bySource := map[string][]string{}
	for _, s := range all {
		switch {
		case s.ID != 0:
			ids = append(ids, s.ID)
		case s.Source != "":
			bySource[s.Source] = append(bySource[s.Source], s.SourceID)
		}
	}
	var rows []*postRow
	if len(ids) > 0 {
		if err := tx.NewSelect().Model(&rows).Where("id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
			return err
		}
	}
	for source, sourceIDs := range bySource {
		var more []*postRow
		err := tx.NewSelect().Model(&more).Where("source = ? AND source <> '' AND source_id IN (?)", source,
			bun.List(sourceIDs)).Scan(ctx)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	byID, byOrigin := map[int64]*postRow{}, map[[2]string]*postRow{}
	for _, r := range rows {
		byID[r.ID], byOrigin[[2]string{r.Source, r.SourceID}] = r, r
	}
	for _, s := range all {
		switch {
		case s.ID != 0:
			if s.was = byID[s.ID]; s.was == nil {
				return post.ErrInvalid.On("id").Becausef("there is no post %d", s.ID)
			}
		case s.Source != "":
			s.was = byOrigin[[2]string{s.Source, s.SourceID}]
		}
	}
	return nil
}

// findScheduled returns a post that is to appear at an instant; nil when it has another time or was taken back.
func findScheduled(ctx context.Context, tx db.Tx, id int64, at time.Time) (*postRow, error) {
	var rows []*postRow
	err := tx.NewSelect().Model(&rows).Where("id = ? AND status = ? AND published_at = ?", id, post.StatusPublished, at).
		Scan(ctx)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// chooseSlugs gives each post a slug that nobody else has: the one it has, the one it wants, or that with a number.
func chooseSlugs(ctx context.Context, tx db.Tx, todo []*preparedPost) error {
	var wanted []string
	for _, s := range todo {
		wanted = append(wanted, s.wanted)
	}
	owner := map[string]int64{}
	if err := findSlugs(ctx, tx, owner, "slug IN (?)", bun.List(wanted)); err != nil {
		return err
	}
	const mine = -1 // taken by an earlier draft of this batch
	for _, s := range todo {
		if s.was != nil && (s.Slug == "" || s.was.Slug == s.wanted) {
			continue
		}
		if id, taken := owner[s.wanted]; !taken || (s.was != nil && id == s.was.ID) {
			s.row.Slug, owner[s.wanted] = s.wanted, mine
			continue
		}
		if err := findSlugs(ctx, tx, owner, "slug LIKE ?", s.wanted+"-%"); err != nil {
			return err
		}
		for n := 2; ; n++ {
			next := fmt.Sprintf("%s-%d", s.wanted, n)
			if id, taken := owner[next]; !taken || (s.was != nil && id == s.was.ID) {
				s.row.Slug, owner[next] = next, mine
				break
			}
		}
	}
	return nil
}

func findSlugs(ctx context.Context, tx db.Tx, owner map[string]int64, where string, args ...any) error {
	var rows []struct {
		ID   int64
		Slug string
	}
	if err := tx.NewRaw("SELECT id, slug FROM content_posts WHERE "+where, args...).Scan(ctx, &rows); err != nil {
		return err
	}
	for _, r := range rows {
		if owner[r.Slug] == 0 {
			owner[r.Slug] = r.ID
		}
	}
	return nil
}

func checkPictures(ctx context.Context, tx db.Tx, todo []*preparedPost) error {
	var ids []string
	for _, s := range todo {
		ids = append(ids, s.Page.Pictures()...)
		if s.Picture != "" {
			ids = append(ids, s.Picture)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var known []string
	if err := tx.NewRaw("SELECT id FROM content_pictures WHERE id IN (?)", bun.List(ids)).Scan(ctx, &known); err != nil {
		return err
	}
	have := map[string]bool{}
	for _, id := range known {
		have[id] = true
	}
	for _, s := range todo {
		if s.Picture != "" && !have[s.Picture] {
			return s.refuse("picture", "there is no picture %q", s.Picture)
		}
		for _, id := range s.Page.Pictures() {
			if !have[id] {
				return s.refuse("blocks", "there is no picture %q", id)
			}
		}
	}
	return nil
}

func writePosts(ctx context.Context, tx db.Tx, todo []*preparedPost) error {
	var fresh []*postRow
	for _, s := range todo {
		if s.was == nil {
			fresh = append(fresh, s.row)
			continue
		}
		if _, err := tx.NewUpdate().Model(s.row).WherePK().Exec(ctx); err != nil {
			return err
		}
	}
	if len(fresh) > 0 {
		var made []struct {
			ID   int64
			Slug string
		}
		if _, err := tx.NewInsert().Model(&fresh).ExcludeColumn("id").Returning("id, slug").Exec(ctx, &made); err != nil {
			return err
		}
		ids := map[string]int64{} // by slug: the order of what RETURNING returns is nobody's promise
		for _, r := range made {
			ids[r.Slug] = r.ID
		}
		for _, r := range fresh {
			r.ID = ids[r.Slug]
		}
	}
	bodies := make([]bodyRow, len(todo))
	for i, s := range todo {
		bodies[i] = bodyRow{PostID: s.row.ID, HTML: s.Body}
	}
	_, err := tx.NewInsert().Model(&bodies).On("CONFLICT (post_id) DO UPDATE").Set("html = EXCLUDED.html").Exec(ctx)
	return err
}

// analyzePosts leaves the texts out: they are long to read, and only ever found by their post.
func analyzePosts(ctx context.Context, tx db.Tx) error {
	ctx, err := db.SetStatementTimeout(ctx, tx, 10*time.Minute)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "SELECT content_analyze()")
	return err
}
