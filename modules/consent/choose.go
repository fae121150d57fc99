package consent

import (
	"context"
	"time"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/web"
)

// visitor is the browser that answers.
type visitor struct {
	readerID int64  // 0 for a visitor
	id       string // random id that connects the choices of one browser
	ip       string
	agent    string // web.Agent
}

// entry is one line of the log.
type entry struct {
	kind, action, policy string
	categories           []string
	text                 text
	documents            []Document // that stood in the question
}

// answersOfNetwork bounds what one network may write into the log.
var answersOfNetwork = limit.Budget{Name: "consent.network", Max: 60, Window: time.Hour}

// Choose logs a choice about cookies and returns what the browser's cookie says from now on, and until when.
func (m *Module) Choose(ctx context.Context, c Choice, v visitor) (value string, until time.Time, err error) {
	allowed, ok := categories[c]
	if !ok {
		return "", until, web.ErrInvalidArgs.On("consent")
	}
	ed, err := edition.From(ctx)
	if err != nil {
		return "", until, err
	}
	question, err := cookieText(ed)
	if err != nil {
		return "", until, err
	}
	e := entry{kind: "cookies", action: string(c), policy: ed.Consent.CookieVersion, categories: allowed, text: question}
	if err := m.write(ctx, v, e); err != nil {
		return "", until, err
	}
	return string(c) + "." + ed.Consent.CookieVersion, m.db.Now().Add(asksAgainAfter), nil
}

// Agree logs an answer to the documents: "true", "false", "later", or the accepted ones. It returns what the browser's
// cookie says from now on, and until when. shown are the hashes of the texts that were read, where the browser tells
// them: an answer to texts that have changed since is refused.
func (m *Module) Agree(ctx context.Context, values, shown []string,
	v visitor,
) (value string, until time.Time, err error) {
	ed, err := edition.From(ctx)
	if err != nil {
		return "", until, err
	}
	t, ok := parseTerms(ed, values)
	if !ok {
		return "", until, web.ErrInvalidArgs.On("consent")
	}
	documents, err := m.Documents(ctx)
	if err != nil {
		return "", until, err
	}
	if len(shown) > 0 && !sameTexts(documents, shown) {
		return "", until, web.ErrInvalidArgs.On("shown")
	}
	dialog, err := spoken(ed, "consent", dialogWords(ed))
	if err != nil {
		return "", until, err
	}
	if v.readerID != 0 {
		v.id = ""
	}
	e := entry{
		kind: "terms", action: t.action, policy: versions(ed), categories: t.documents,
		text: statement(ed, dialog, documents), documents: documents,
	}
	return t.cookie(ed), m.db.Now().Add(asksAgainAfter), m.write(ctx, v, e)
}

// agreedAtForm logs the agreement of a reader who went on from a form that named documents. recorded is false where
// there was nothing to log: the reader has answered before, or the form did not name the documents as they are now.
func (m *Module) agreedAtForm(ctx context.Context, named string,
	v visitor,
) (value string, until time.Time, recorded bool, err error) {
	ed, err := edition.From(ctx)
	if err != nil || !covers(ed, named) {
		return "", until, false, err
	}
	answered := false
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		answered, err = hasAnswered(ctx, tx, v.readerID)
		return err
	})
	if err != nil || answered {
		return "", until, false, err
	}
	documents, err := m.Documents(ctx)
	if err != nil {
		return "", until, false, err
	}
	sentence, err := spoken(ed, "account", []string{"account.legal"})
	if err != nil {
		return "", until, false, err
	}
	v.id = ""
	t := terms{action: "documents"}
	for _, d := range documents {
		t.documents = append(t.documents, d.ID)
	}
	e := entry{
		kind: "terms", action: t.action, policy: versions(ed), categories: t.documents,
		text: statement(ed, sentence, documents), documents: documents,
	}
	return t.cookie(ed), m.db.Now().Add(asksAgainAfter), true, m.write(ctx, v, e)
}

func (m *Module) write(ctx context.Context, v visitor, e entry) error {
	within := false
	err := m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		within, err = limit.Spend(ctx, tx, answersOfNetwork, limit.Network(v.ip))
		return err
	})
	if err != nil {
		return err
	}
	if !within {
		return web.ErrTooMany
	}
	return m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		if err := insertText(ctx, tx, e.text); err != nil {
			return err
		}
		for _, d := range e.documents {
			if d.Hash == "" {
				continue
			}
			if err := insertDocument(ctx, tx, d); err != nil {
				return err
			}
		}
		return insertEntry(ctx, tx, v, e)
	})
}

// Agreed tells a reader's answer to the documents as they are now: "true", "false", "later", the accepted documents
// separated by commas, or "undefined" if there is none, a document has changed since, or "later" has come.
func (m *Module) Agreed(ctx context.Context, readerID int64) (answer string, err error) {
	answer = undefined
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		last, err := findAnswer(ctx, tx, readerID, versions(tx.Edition), tx.Now.Add(-laterTTL))
		if last != "" {
			answer = last
		}
		return err
	})
	return answer, err
}
