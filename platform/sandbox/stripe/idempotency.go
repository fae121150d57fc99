package sandbox

import (
	"errors"
	"net/http"
)

// answer is what was answered to an idempotency key, kept for a day.
type answer struct {
	Meta
	Request     string `json:"request"`
	Fingerprint string `json:"fingerprint"`
	Status      int    `json:"status"`
	Body        string `json:"body"`
}

func (*answer) kind() string { return kindAnswer }

// once carries out a change; with an idempotency key it does so one time and then repeats the first answer.
// Requests that were refused before they changed anything are not remembered, so they can be corrected.
func (a *account) once(by origin, fingerprint string, fn func(*tx) (reply, error)) (reply, error) {
	var out reply
	if a.box.faults.api() == faultKept { // what is wrong is still told
		if err := a.rehearse(by, fn); err != nil {
			return out, err
		}
	}
	err := a.update(by, func(t *tx) error {
		var err error
		if by.IdempotencyKey == "" {
			out, err = a.attempt(t, fn)
			return err
		}
		if len(by.IdempotencyKey) > 255 {
			return invalid("", "Idempotency keys have up to 255 characters")
		}
		id := "idem_" + string(by.IdempotencyKey)
		if old := load[answer](t, text(id)); old != nil && old.Created > t.now.Unix()-keepSeconds[kindAnswer] {
			out, err = old.replay(fingerprint)
			return err
		}
		out, err = a.attempt(t, fn)
		status := out
		if err != nil {
			status = failure(err)
		}
		if err == nil || keeps(err) {
			add(t, "", &answer{
				Meta: Meta{ID: id}, Request: string(by.Request), Fingerprint: fingerprint, Status: status.status,
				Body: string(status.body),
			})
		}
		return err
	})
	return out, err
}

// rehearse says what a change would be refused with, and leaves nothing of it.
func (a *account) rehearse(by origin, fn func(*tx) (reply, error)) (refusal error) {
	_ = a.update(by, func(t *tx) error {
		_, refusal = fn(t)
		return errors.New("a rehearsal")
	})
	return refusal
}

// attempt carries out a change, or fails as it was told to.
func (a *account) attempt(t *tx, fn func(*tx) (reply, error)) (out reply, err error) {
	fault := a.box.faults.api()
	if fault != faultKept {
		out, err = fn(t)
	}
	if err == nil && (fault == faultKept || fault == faultDone) {
		err = &apiError{
			Status: http.StatusInternalServerError, Type: "api_error",
			Message: "The payment sandbox was told to fail (fault api=" + fault + ").", keep: true,
		}
	}
	return out, err
}

func (a *answer) replay(fingerprint string) (reply, error) {
	if a.Fingerprint != fingerprint {
		return reply{}, &apiError{
			Status: http.StatusBadRequest, Type: "idempotency_error",
			Message: "This idempotency key was used with other parameters or another endpoint; use a new key for a new request.",
		}
	}
	return reply{
		status: a.Status, body: []byte(a.Body),
		header: map[string]string{"Idempotent-Replayed": "true", "Original-Request": a.Request},
	}, nil
}
