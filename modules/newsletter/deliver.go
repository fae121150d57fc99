package newsletter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/paper/event"
)

// deliver sends an issue to a part of its recipients. What was sent is in the log of emails under a key of issue and
// reader, so that it may run again after any interruption.
func (m *Module) deliver(ctx context.Context, e event.IssueBatch) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var i *issue
	var to []*subscriber
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if i, err = findIssue(ctx, tx, e.IssueID); err != nil || i == nil {
			return err
		}
		to, err = listRecipients(ctx, tx, i, e.After, e.Last)
		return err
	})
	if err != nil || i == nil {
		return err
	}
	n := ed.Newsletter(i.List)
	if n == nil {
		return nil // the edition has the list no more
	}
	var c content
	if err := json.Unmarshal(i.Content, &c); err != nil {
		return jobs.Skip(fmt.Errorf("newsletter: the text of issue %d: %w", i.ID, err))
	}
	sheet := m.issueEmail(ed, n, i, &c)
	for len(to) > 0 {
		part := to[:min(len(to), mail.BulkMost)]
		to = to[len(part):]
		messages := make([]mail.Message, len(part))
		for k, s := range part {
			messages[k] = m.addressed(ed, sheet, i, s)
		}
		if err := m.mailer.Bulk(ctx, messages); err != nil {
			return fmt.Errorf("newsletter %s %s: %w", i.List, i.Name, err)
		}
	}
	return nil
}

// addressed is the email of one reader: the same text, with links of their own.
func (m *Module) addressed(ed *edition.Edition, sheet mail.Message, i *issue, s *subscriber) mail.Message {
	list := *sheet.List
	list.Leave = ed.URL(LeavePath + "?token=" + url.QueryEscape(m.token(ed, toLeave, link{id: s.ID, list: i.List})))
	list.Settings = ed.URL(address(ed, stepSettings,
		m.token(ed, toSettings, link{id: s.ID, until: i.DueAt.Add(settingsTTL)})))
	sheet.List, sheet.To = &list, s.Email
	sheet.Key = fmt.Sprintf("newsletter:%d:%d", i.ID, s.ID)
	return sheet
}

// askToConfirm sends the mail with the link that confirms.
func (m *Module) askToConfirm(ctx context.Context, e event.Subscription) error {
	ed, err := edition.From(ctx)
	if err != nil {
		return jobs.Skip(err)
	}
	var r *request
	var s *subscriber
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if r, err = findRequest(ctx, tx, e.RequestID); err != nil || r == nil {
			return err
		}
		s, err = findSubscriber(ctx, tx, r.SubscriberID)
		return err
	})
	if err != nil || r == nil || s == nil || !r.UsedAt.IsZero() {
		return err
	}
	err = m.mailer.Send(ctx, m.confirmation(ed, r, s.Email))
	if errors.Is(err, mail.ErrInFlight) {
		return fmt.Errorf("newsletter: %w", err)
	}
	return err
}
