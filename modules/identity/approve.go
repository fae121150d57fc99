package identity

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/modules/identity/secret"
	"example.org/broadsheet/modules/identity/sessions"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/fault"
	"example.org/broadsheet/platform/limit"
	"example.org/broadsheet/platform/session"
	"example.org/broadsheet/platform/web"
)

// What a browser that waits for an approval can be answered.
var (
	ErrApprovalPending = fault.New(fault.Conflict, "APPROVAL_PENDING")
	ErrLoginDenied     = fault.New(fault.Forbidden, "LOGIN_DENIED")
	ErrWrongNumber     = fault.New(fault.Conflict, "WRONG_NUMBER")
)

// Answers to browsers that wait, but for "not yet", which costs no write.
var (
	awaitsOfNetwork  = limit.Budget{Name: "identity.await.network", Max: 600, Window: 5 * time.Minute}
	answersOfSession = limit.Budget{Name: "identity.approve.session", Max: 30, Window: time.Hour}
)

// LoginRequest is a login on another device that its reader is asked about.
type LoginRequest struct {
	ID      int64     `json:"id"`
	Device  string    `json:"device"` // "Firefox, Linux"; may be empty
	At      time.Time `json:"at"`
	Choices []int     `json:"choices" bun:"-"` // one of them is on the screen of that device
	Nonce   []byte    `json:"-"`
}

// approvalNumbers returns the numbers that the reader of a login chooses from, and the one that its browser shows. They
// follow from the nonce of the login, as its code does, so they are the same each time.
func approvalNumbers(s secret.Key, editionID string, nonce []byte) (choices []int, right int) {
	random := s.Derive("number", editionID, nonce)
	draw := func(n int) int {
		i := binary.BigEndian.Uint64(random) % uint64(n)
		random = random[8:]
		return int(i)
	}
	var all []int
	for n := 10; n < 100; n++ {
		all = append(all, n)
	}
	for range 3 {
		i := draw(len(all))
		choices = append(choices, all[i])
		all = slices.Delete(all, i, i+1)
	}
	return choices, choices[draw(len(choices))]
}

// approvalRefusal returns why the reader's answer does not let a browser in, ErrApprovalPending while there is no
// answer. An address that nobody has gets the same answer, so that it reveals nothing.
func (a *attempt) approvalRefusal(now time.Time) error {
	switch {
	case a == nil:
		return secret.ErrInvalidHash
	case a.DeniedAt != nil:
		return ErrLoginDenied
	case a.LinkUsedAt != nil || a.CodeUsedAt != nil:
		return secret.ErrTokenUsed
	case a.SupersededAt != nil:
		return secret.ErrNotLastToken
	case !now.Before(a.ExpiresAt):
		return secret.ErrExpiredToken
	case a.ApprovedAt == nil:
		return ErrApprovalPending
	}
	return nil
}

func (m *Module) profileRequests(ctx context.Context, readerID int64) (any, error) {
	r, err := reader.Load(ctx, m.db, readerID)
	if err != nil {
		return nil, err
	}
	var list []LoginRequest
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		list, err = listLoginRequests(ctx, tx, r.Email)
		for i := range list {
			list[i].Choices, _ = approvalNumbers(m.secrets, tx.Edition.ID, list[i].Nonce)
		}
		return err
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list, nil
}

// AnswerLogin lets the browser of a login in, or not, for the reader of ctx whose login it is. A yes needs the number
// that this browser shows, so that a reader who confirms without looking lets no stranger in. A wrong number is a no,
// and a no makes the link and the code void too. A login that does not wait for this reader is INVALID_ARGS.
func (m *Module) AnswerLogin(ctx context.Context, attemptID int64, yes bool, number int) error {
	s, ok := session.From(ctx)
	if !ok {
		return web.ErrNotSignedIn
	}
	if yes && number == 0 {
		return web.ErrRequirement.On("number")
	}
	var refusal error
	err := m.db.InTx(ctx, func(ctx context.Context, tx db.Tx) error {
		within, err := limit.Spend(ctx, tx, answersOfSession, reader.Key(s.ID))
		if err != nil {
			return err
		}
		if !within {
			refusal = web.ErrTooMany
			return nil
		}
		nonce, err := lockWaitingAttempt(ctx, tx, attemptID, s.ReaderID)
		if err != nil {
			return err
		}
		if nonce == nil {
			refusal = web.ErrInvalidArgs.On("id")
			return nil
		}
		if _, right := approvalNumbers(m.secrets, tx.Edition.ID, nonce); yes && number != right {
			yes, refusal = false, ErrWrongNumber
		}
		return answerAttempt(ctx, tx, attemptID, s.ID, yes)
	})
	if errors.Is(refusal, ErrWrongNumber) && err == nil {
		m.log.WarnContext(ctx, "login approval answered with a wrong number", "security", true,
			"reader", s.ReaderID)
	}
	if err := cmp.Or(err, refusal); err != nil {
		return err
	}
	m.log.InfoContext(ctx, "login approval answered", "security", true, "reader", s.ReaderID, "yes", yes)
	return nil
}

// PendingNumber is the number that a browser shows while its login waits for an answer elsewhere, 0 where none waits.
func (m *Module) PendingNumber(ctx context.Context, browser string) (number int, err error) {
	if browser == "" {
		return 0, nil
	}
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		a, err := findAttemptOfBrowser(ctx, tx, secret.Hash(browser), false)
		if err == nil && errors.Is(a.approvalRefusal(tx.Now), ErrApprovalPending) {
			_, number = approvalNumbers(m.secrets, tx.Edition.ID, a.Nonce)
		}
		return err
	})
	return number, err
}

// AwaitApproval opens a session in the browser that asked for a login, once its reader has said yes on another device.
// Until then it is ErrApprovalPending, with the number that this browser shows.
func (m *Module) AwaitApproval(ctx context.Context, v Visitor) (o OpenedSession, number int, err error) {
	if v.Browser == "" {
		return OpenedSession{}, 0, secret.ErrInvalidHash
	}
	var state error
	err = m.db.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		a, err := findAttemptOfBrowser(ctx, tx, secret.Hash(v.Browser), false)
		if err == nil {
			state = a.approvalRefusal(tx.Now)
		}
		if err == nil && errors.Is(state, ErrApprovalPending) {
			_, number = approvalNumbers(m.secrets, tx.Edition.ID, a.Nonce)
		}
		if err != nil || number != 0 {
			return err // who has the cookie of a login that waits guesses nothing, and asks every few seconds
		}
		within, err := limit.Spend(ctx, tx, awaitsOfNetwork, v.Network)
		if err == nil && !within {
			state = web.ErrTooMany
		}
		return err
	})
	if err := cmp.Or(err, state); err != nil {
		return OpenedSession{}, number, err
	}
	t := &loginTrace{way: "approval"}
	o, err = m.logIn(ctx, v, t, func(ctx context.Context, tx db.Tx) (outcome, error) {
		a, err := findAttemptOfBrowser(ctx, tx, secret.Hash(v.Browser), true)
		if err != nil {
			return outcome{}, err
		}
		t.about(a)
		if refusal := a.approvalRefusal(tx.Now); refusal != nil {
			return refused(refusal), nil
		}
		lives, err := sessions.IsLive(ctx, tx, a.ApprovedBy, a.Email)
		if err != nil {
			return outcome{}, err
		}
		if !lives { // who said yes has been logged out since: perhaps because it was somebody else
			return refused(ErrLoginDenied), nil
		}
		return a.accepted(v.Browser), spendAttempt(ctx, tx, a.ID)
	})
	return o, 0, err
}
