package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// maxBody bounds the body of a request.
const maxBody = 1 << 20

// call is one request to the API.
type call struct {
	params
	path string
	id   text // of the object in the path
}

// handler answers a call with an object, a list, or a map.
type handler func(*tx, *call) (any, error)

// APIHandler answers the Stripe API. It is what listens on BaseURL.
func (s *Sandbox) APIHandler() http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range endpoints {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, h) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, func(*tx, *call) (any, error) {
			e := invalid("", "Unrecognized request URL (%s: %s).", r.Method, r.URL.Path)
			e.Status = http.StatusNotFound
			return nil, e
		})
	})
	return mux
}

// reply is an answer before it is written.
type reply struct {
	status int
	body   []byte
	header map[string]string
}

func (s *Sandbox) serve(w http.ResponseWriter, r *http.Request, h handler) {
	by := origin{Request: text("req_" + randomText(14)), IdempotencyKey: text(r.Header.Get("Idempotency-Key"))}
	if s.faults.api() == "500" {
		writeReply(w, by,
			failure(&apiError{
				Status: http.StatusInternalServerError, Type: "api_error",
				Message: "The payment sandbox was told to fail (fault api=500).",
			}))
		return
	}
	answer, err := s.respond(r, by, h)
	if err != nil {
		answer = failure(err)
		if answer.status == http.StatusInternalServerError {
			s.log.ErrorContext(r.Context(), "payment sandbox: request failed", "request", by.Request, "method", r.Method,
				"path", r.URL.Path, "error", err)
		}
	}
	if s.faults.api() == "timeout" {
		s.faults.hang(r.Context(), s.ctx)
		panic(http.ErrAbortHandler) // the work is done, the caller never learns of it
	}
	writeReply(w, by, answer)
}

func (s *Sandbox) respond(r *http.Request, by origin, h handler) (reply, error) {
	acc, err := s.authenticate(r)
	if err != nil {
		return reply{}, err
	}
	if v := r.Header.Get("Stripe-Version"); v != "" && v != apiVersion {
		return reply{}, invalid("", "Invalid Stripe API version: %s. The payment sandbox speaks %s alone.", v, apiVersion)
	}
	form, err := readForm(r)
	if err != nil {
		return reply{}, err
	}
	if r.Method == http.MethodGet {
		if err := acc.settle(s.opts.Clock.Now()); err != nil {
			return reply{}, err
		}
		return acc.read(func(t *tx) (reply, error) { return run(t, r, form, h) })
	}
	return acc.once(by, fingerprint(r, form), func(t *tx) (reply, error) { return run(t, r, form, h) })
}

// authenticate finds the account by the secret key, sent as a bearer token or as the user of basic authentication.
func (s *Sandbox) authenticate(r *http.Request) (*account, error) {
	refuse := func(message string) error {
		return &apiError{Status: http.StatusUnauthorized, Type: "invalid_request_error", Message: message}
	}
	key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer {
		key, _, _ = r.BasicAuth()
	}
	if key == "" {
		return nil, refuse("You did not provide an API key: send it as a bearer token in the Authorization header.")
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	acc := s.accounts[accountID(key)]
	if acc == nil {
		return nil, refuse("Invalid API Key provided: " + masked(key))
	}
	return acc, nil
}

func masked(key string) string {
	if len(key) < 12 {
		return strings.Repeat("*", len(key))
	}
	return key[:8] + strings.Repeat("*", len(key)-12) + key[len(key)-4:]
}

func readForm(r *http.Request) (url.Values, error) {
	query := r.URL.Query()
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if err != nil {
		return nil, invalid("", "The body of the request could not be read: %v", err)
	}
	if len(body) == 0 {
		return query, nil
	}
	if kind := r.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/x-www-form-urlencoded") {
		return nil, invalid("", "Send the parameters form-encoded, not as %q", kind)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, invalid("", "The body is not form-encoded: %v", err)
	}
	for k, v := range query {
		form[k] = append(form[k], v...)
	}
	return form, nil
}

func fingerprint(r *http.Request, form url.Values) string {
	sum := sha256.Sum256([]byte(r.Method + " " + r.URL.Path + "?" + form.Encode()))
	return hex.EncodeToString(sum[:])
}

// run reads the parameters, lets the handler work and renders what it answers.
func run(t *tx, r *http.Request, form url.Values, h handler) (reply, error) {
	c := &call{params: parseParams(form), path: r.URL.Path, id: text(r.PathValue("id"))}
	expansions := c.strings("expand")
	result, err := h(t, c)
	if bad := c.err(); bad != nil {
		return reply{}, bad
	}
	if err != nil {
		return reply{}, err
	}
	if err := c.unread(); err != nil {
		return reply{}, err
	}
	object, err := t.expand(t.render(result), expansions)
	if err != nil {
		return reply{}, err
	}
	body, err := json.Marshal(object)
	return reply{status: http.StatusOK, body: body}, err
}

// failure is the answer to an error; one that is not an apiError says nothing about itself.
func failure(err error) reply {
	var e *apiError
	if !errors.As(err, &e) {
		e = &apiError{
			Status: http.StatusInternalServerError, Type: "api_error",
			Message: "An unknown error occurred in the payment sandbox; its log says more.",
		}
	}
	body, encodeErr := json.Marshal(map[string]any{"error": e})
	if encodeErr != nil {
		panic(encodeErr)
	}
	return reply{status: e.Status, body: body}
}

func writeReply(w http.ResponseWriter, by origin, out reply) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Stripe-Version", apiVersion)
	h.Set("Request-Id", string(by.Request))
	if by.IdempotencyKey != "" {
		h.Set("Idempotency-Key", string(by.IdempotencyKey))
	}
	for k, v := range out.header {
		h.Set(k, v)
	}
	w.WriteHeader(out.status)
	_, _ = w.Write(out.body)
}
