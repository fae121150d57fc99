package content

import (
	"context"
	"net/http"
	"slices"

	"example.org/broadsheet/modules/content/post"
	"example.org/broadsheet/modules/content/seo"
	"example.org/broadsheet/modules/content/topic"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/page"
)

// The category blocks of the front page, by key.
var frontSections = []string{"politics", "economics", "technology", "society"}

const (
	opinionKey   = "opinion"
	railLength   = 4 // beside the lead story
	secondLength = 3 // below it
	carousel     = 6
	leastSlides  = 3
	picksLength  = 6
	opinionMore  = 6
	videosLength = 20
	perSection   = 7 // a row of 4 and one of 3
	mostReadLong = 10
	mostReadPool = 40 // of them come those that stand nowhere else
	mostReadTop  = 5
	missedLength = 5
	mostReadDays = 3
)

// FrontData is what the front page shows. No post stands in it twice, but for short news and the most read. Special are
// those that many have read, then the newest, that stand nowhere else in it.
type FrontData struct {
	Minutes  []post.MinuteItem `json:"minutes"`
	Lead     []post.Card       `json:"lead"`
	Second   []post.Card       `json:"second"` // the newest, below the lead
	Featured []post.Card       `json:"featured"`
	Picks    []post.Card       `json:"picks"`
	MostRead []post.Card       `json:"mostRead"`
	Special  []post.Card       `json:"special"`
	Opinion  Opinion           `json:"opinion"`
	Videos   []post.Card       `json:"videos"`
	Sections []FrontSection    `json:"sections"`
	Topic    *topic.Block      `json:"topic,omitempty"`
}

// Opinion is the block of opinions: two against each other, and more.
type Opinion struct {
	Title  string      `json:"title"`
	Versus []post.Card `json:"versus"`
	More   []post.Card `json:"more"`
}

// FrontSection is the block of a category.
type FrontSection struct {
	Section *post.Section `json:"section"`
	Cards   []post.Card   `json:"cards"`
}

// frontLists are the posts that the front page is made of, by list.
type frontLists struct {
	module   *Module
	tree     *post.Tree
	lists    map[string][]int64
	sections [][]int64
	blocks   []*post.Category
	mostRead []int64
	posts    map[int64]*post.Post
	versus   string
	topic    *topic.Row
	essays   []int64 // of the topic
}

func (m *Module) loadFront(ctx context.Context, r *page.Request) (*page.Page, error) {
	f := frontLists{module: m}
	ed := r.Edition
	if to, tags, err := m.shortAddress(ctx, ed, r.Query); err != nil || to != "" {
		return &page.Page{Status: http.StatusMovedPermanently, Redirect: to, Tags: tags}, err
	}
	if err := m.db.Run(ctx, f.read); err != nil {
		return nil, err
	}
	data := f.compose(ed)
	p := &page.Page{
		Data: data, Meta: frontMeta(ed),
		Tags: data.tags(),
	}
	if len(data.Lead) > 0 {
		p.Preload = seo.Preload(data.Lead[0].Picture, seo.Lead)
	}
	return p, nil
}

func (f *frontLists) read(ctx context.Context, tx db.Tx) (err error) {
	if f.tree, err = post.LoadTree(ctx, tx); err != nil {
		return err
	}
	f.lists, err = post.FindLists(ctx, tx, post.Featured, post.Picked, post.Opinions, post.Versus, post.Recent,
		post.Videos, post.Minutes)
	if err != nil {
		return err
	}
	var groups [][]int64
	for _, key := range frontSections {
		if c := f.tree.ByKey[key]; c != nil {
			f.blocks = append(f.blocks, c)
			groups = append(groups, c.Subtree())
		}
	}
	const spare = 40 // posts that other blocks may have taken
	if f.sections, err = post.FindNewest(ctx, tx, groups, "article", perSection+spare, 0); err != nil {
		return err
	}
	if f.mostRead, err = post.MostRead(ctx, tx, mostReadPool, 0, mostReadDays); err != nil {
		return err
	}
	if f.topic, err = topic.FindCurrent(ctx, tx); err != nil {
		return err
	}
	if f.topic != nil {
		r, err := post.FindIn(ctx, tx, post.InTag, []int64{f.topic.ID}, "article",
			post.Window{Limit: topic.TeaserLength + spare})
		if err != nil {
			return err
		}
		f.essays = r.IDs
	}
	if f.versus, err = post.FindVersus(ctx, tx, f.lists[post.Versus.Name]); err != nil {
		return err
	}
	all := slices.Concat(f.mostRead, f.essays)
	for _, ids := range f.lists {
		all = append(all, ids...)
	}
	all = append(all, slices.Concat(f.sections...)...)
	slices.Sort(all)
	f.posts, err = post.Load(ctx, tx, f.tree, slices.Compact(all))
	return err
}

// picker deals posts out to blocks, each once.
type picker struct {
	ed       *edition.Edition
	posts    map[int64]*post.Post
	used     map[int64]bool
	pictures map[string]bool // that are shown
}

func newPicker(ed *edition.Edition, posts map[int64]*post.Post) *picker {
	return &picker{ed: ed, posts: posts, used: map[int64]bool{}, pictures: map[string]bool{}}
}

func (k *picker) take(ids []int64, n int, fits ...func(*post.Post) bool) []post.Card {
	out := []post.Card{}
next:
	for _, id := range ids {
		p := k.posts[id]
		if len(out) == n {
			break
		}
		if p == nil || k.used[id] {
			continue
		}
		for _, ok := range fits {
			if !ok(p) {
				continue next
			}
		}
		k.used[id], k.pictures[p.PictureID] = true, true
		out = append(out, p.Card(k.ed))
	}
	return out
}

// newPicture reports whether a post brings no picture that is shown already.
func (k *picker) newPicture(p *post.Post) bool { return p.PictureID == "" || !k.pictures[p.PictureID] }

func hasPicture(p *post.Post) bool { return p.PictureID != "" }
func newsStory(p *post.Post) bool {
	return p.Type != post.TypeComment && p.Type != post.TypeWeeklyTopic
}

// blocksWithLead are those in which the first card alone shows its excerpt.
func (d *FrontData) blocksWithLead() [][]post.Card {
	blocks := [][]post.Card{d.Lead, d.Second, d.Picks, d.MostRead, d.Special, d.Opinion.More, d.Videos}
	for _, s := range d.Sections {
		blocks = append(blocks, s.Cards)
	}
	if d.Topic != nil {
		blocks = append(blocks, d.Topic.Cards)
	}
	return blocks
}

// tags are the front page's own and those of all that it shows.
func (d *FrontData) tags() []string {
	tags := []string{post.FrontTag}
	for _, it := range d.Minutes {
		tags = append(tags, post.Tag(it.ID))
	}
	return post.WithCardTags(tags, append(d.blocksWithLead(), d.Featured, d.Opinion.Versus)...)
}

// trim leaves out the words that the page does not show: they were a quarter of what a phone waited for.
func (d *FrontData) trim() {
	blocks := d.blocksWithLead()
	for _, cards := range blocks {
		for i := 1; i < len(cards); i++ {
			cards[i].Excerpt = ""
		}
	}
	for _, cards := range append(blocks, d.Featured, d.Opinion.Versus) {
		for _, c := range cards {
			if c.Picture != nil {
				c.Picture.Alt = "" // beside a headline a picture is silent
			}
		}
	}
}

func (f *frontLists) compose(ed *edition.Edition) *FrontData {
	k := newPicker(ed, f.posts)
	d := &FrontData{
		Minutes: []post.MinuteItem{}, Opinion: Opinion{Title: f.versus, Versus: []post.Card{}},
		Sections: []FrontSection{},
	}
	for _, id := range f.lists[post.Minutes.Name] {
		if p := f.posts[id]; p != nil {
			d.Minutes = append(d.Minutes, p.Minute(ed))
		}
	}
	recent, featured := f.lists[post.Recent.Name], f.lists[post.Featured.Name]
	d.Lead = k.take(slices.Concat(featured, recent), 1, hasPicture)
	if len(d.Lead) == 0 {
		d.Lead = k.take(recent, 1)
	}
	d.Lead = append(d.Lead, k.take(featured, railLength)...)
	d.Featured = k.take(featured, carousel)
	opinions := f.lists[post.Opinions.Name]
	if pair := f.lists[post.Versus.Name]; len(pair) == 2 && !k.used[pair[0]] && !k.used[pair[1]] {
		d.Opinion.Versus = k.take(pair, 2)
	} else if pair := f.pair(k, opinions); pair != nil {
		d.Opinion.Versus, d.Opinion.Title = k.take(pair, 2), ""
	}
	if c := f.tree.ByKey[opinionKey]; c != nil && d.Opinion.Title == "" {
		d.Opinion.Title = c.Name
	}
	if t := f.topic.IfShown(ed); t != nil {
		if essays := k.take(f.essays, topic.TeaserLength); len(essays) > 0 {
			d.Topic = &topic.Block{Topic: *t, Cards: essays}
		}
	}
	d.Picks = k.take(f.lists[post.Picked.Name], picksLength)
	d.Lead = append(d.Lead, k.take(recent, 1+railLength-len(d.Lead), newsStory)...)
	d.Second = k.take(recent, secondLength, newsStory)
	if missing := leastSlides - len(d.Featured); missing > 0 {
		d.Featured = append(d.Featured, k.take(recent, missing, hasPicture, newsStory)...)
	}
	d.Opinion.More = k.take(opinions, opinionMore)
	d.Videos = k.take(f.lists[post.Videos.Name], videosLength)
	for i, c := range f.blocks {
		d.Sections = append(d.Sections, FrontSection{Section: c.Section(ed), Cards: k.take(f.sections[i], perSection)})
	}
	d.MostRead = post.CardsByID(ed, f.posts, f.mostRead[:min(mostReadTop, len(f.mostRead))])
	for _, c := range d.MostRead {
		k.used[c.ID] = true
	}
	missed := slices.Concat(f.mostRead, recent)
	d.Special = k.take(missed, missedLength, k.newPicture)
	d.Special = append(d.Special, k.take(missed, missedLength-len(d.Special))...)
	d.trim()
	return d
}

// pair is the two newest opinions of different authors, when no two were set against each other.
func (f *frontLists) pair(k *picker, opinions []int64) []int64 {
	var first *post.Post
	for _, id := range opinions {
		p := f.posts[id]
		if p == nil || k.used[id] || len(p.Authors) == 0 {
			continue
		}
		if first == nil {
			first = p
		} else if p.Authors[0].Slug != first.Authors[0].Slug {
			return []int64{first.ID, id}
		}
	}
	return nil
}
