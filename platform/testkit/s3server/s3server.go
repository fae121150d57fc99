// Package s3server runs an S3-compatible server in a test: a library's, in memory, over HTTP. It knows one key, and
// can be told to fail.
package s3server

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Bucket is the one that is there; Key and Secret are what the server knows.
const (
	Bucket = "pictures"
	Key    = "newsroom"
	Secret = "never-to-be-printed"
)

// Server is a running server.
type Server struct {
	*httptest.Server
	fault atomic.Pointer[Fault]

	mu       sync.Mutex
	requests []string
}

// Fault answers in place of the server, or reports false.
type Fault func(http.ResponseWriter, *http.Request) bool

// Start runs a server until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket(Bucket); err != nil {
		t.Fatal(err)
	}
	s := &Server{}
	s.Server = httptest.NewServer(s.guard(gofakes3.New(backend).Server()))
	t.Cleanup(s.Close)
	return s
}

// Address is the setting that leads to a folder of the bucket; "" is the whole of it.
func (s *Server) Address(folder string) string {
	return fmt.Sprintf("s3://%s:%s@%s/%s/%s?tls=false", Key, Secret, s.Listener.Addr(), Bucket, folder)
}

// Break has requests answered by a fault from now on, or by the server again with nil.
func (s *Server) Break(f Fault) {
	if f == nil {
		s.fault.Store(nil)
		return
	}
	s.fault.Store(&f)
}

// Requests are those since the last call, "GET /pictures/a.txt", a listing with "?list".
func (s *Server) Requests() (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, s.requests = s.requests, nil
	return list
}

func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		line := r.Method + " " + r.URL.Path
		if r.URL.Query().Has("list-type") {
			line += "?list"
		}
		s.mu.Lock()
		s.requests = append(s.requests, line)
		s.mu.Unlock()
		if f := s.fault.Load(); f != nil && (*f)(w, r) {
			return
		}
		if !strings.Contains(r.Header.Get("Authorization"), "Credential="+Key+"/") {
			Refuse(w, http.StatusForbidden, "InvalidAccessKeyId")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Refuse answers with an error as the service words it.
func Refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_ = xml.NewEncoder(w).Encode(struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
		Message string
	}{Code: code, Message: "refused for a test"})
}
