package sandbox

import (
	"errors"
	"fmt"
	"net/http"
)

// apiError is an error as the API answers it.
type apiError struct {
	Status        int            `json:"-"`
	Type          string         `json:"type"`
	Code          string         `json:"code,omitempty"`
	DeclineCode   string         `json:"decline_code,omitempty"`
	Message       string         `json:"message"`
	Param         string         `json:"param,omitempty"`
	Charge        string         `json:"charge,omitempty"`
	PaymentIntent map[string]any `json:"payment_intent,omitempty"`

	keep bool // what happened on the way to this error is kept, as a declined charge is
}

func (e *apiError) Error() string { return e.Message }

// keeps reports whether the transaction that ended in err is to be committed.
func keeps(err error) bool {
	var e *apiError
	return errors.As(err, &e) && e.keep
}

func invalid(param, format string, args ...any) *apiError {
	return &apiError{
		Status: http.StatusBadRequest, Type: "invalid_request_error", Param: param,
		Message: fmt.Sprintf(format, args...),
	}
}

func (e *apiError) coded(code string) *apiError {
	e.Code = code
	return e
}

// missing is the answer to an id that names nothing of this account.
func missing(kind, id, param string) *apiError {
	e := invalid(param, "No such %s: '%s'", kind, id).coded("resource_missing")
	if param == "id" {
		e.Status = http.StatusNotFound
	}
	return e
}

// wrongState refuses a request that the object's status does not allow.
func wrongState(code, format string, args ...any) *apiError {
	return invalid("", format, args...).coded(code)
}
