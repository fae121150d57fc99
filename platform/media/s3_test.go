package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"example.org/broadsheet/platform/testkit/s3server"
)

// testPatience is for answers that never come.
const testPatience = 300 * time.Millisecond

// bucketOf opens a folder of the server's bucket, as another process would.
func bucketOf(t testing.TB, server *s3server.Server, folder string) *S3 {
	t.Helper()
	s, err := openS3(server.Address(folder), nil, testPatience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestS3Addresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"s3://k:hunter2@s3.eu-west-1.amazonaws.com/news":                   "https s3.eu-west-1.amazonaws.com news eu-west-1",
		"s3://key:hunter2@minio:9000/photos?tls=false":                     "http minio:9000 photos us-east-1",
		"s3://key:hunter2@minio:9000/photos/paper/one/?region=eu&tls=true": "https minio:9000 photos paper/one/ eu",
		"s3://key:hunter2%2F%2B%25@minio:9000/photos":                      "https minio:9000 photos us-east-1",
		"s3://key:hunter2/+@minio:9000/photos":                             "", // a slash that is not encoded
		"s3://key:hunter2@minio:9000":                                      "",
		"s3://key:hunter2@minio:9000/UP":                                   "",
		"s3://key:hunter2@minio:9000/photos/../up":                         "",
		"s3://key:hunter2@minio:9000/photos?tls=perhaps":                   "",
		"s3://key:hunter2@minio:9000/photos?secret=hunter2":                "",
		"s3://key:hunter2@minio:9000/photos#part":                          "",
		"s3://key:hunter2@min io/photos":                                   "",
		"s3://minio:9000/photos":                                           "",
		"s3://key@minio:9000/photos":                                       "",
		"s3://key:hunter2@/photos":                                         "",
		"https://key:hunter2@minio:9000/photos":                            "",
	} {
		s, err := OpenS3(address, nil)
		if err != nil {
			if want != "" || !strings.Contains(err.Error(), "media.url") || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: %v", address, err)
			}
			continue
		}
		region, err := s.core.GetBucketLocation(t.Context(), s.bucket) // no request where the region is known
		if err != nil {
			t.Fatal(err)
		}
		parts := []string{s.core.EndpointURL().Scheme, s.host, s.bucket, s.prefix, region}
		got := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
		if strings.Contains(s.String(), "hunter2") {
			t.Errorf("%s holds the secret", s)
		}
	}
}

// A process finds what another one has written, and no longer what that one has deleted; it never lists the bucket to
// answer a reader.
func TestTwoProcessesShareABucket(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	one := NewImages(bucketOf(t, server, "paper"), slog.New(slog.DiscardHandler))
	two := NewImages(bucketOf(t, server, "paper"), slog.New(slog.DiscardHandler))
	pic, err := one.Ingest(in(t, "north"), bytes.NewReader(encoded(t, "jpeg", corner(1200, 900))))
	if err != nil {
		t.Fatal(err)
	}
	if found, err := two.Find(in(t, "north"), pic.ID); err != nil || found != pic {
		t.Errorf("found %+v, %v", found, err)
	}
	variant := URL(pic.ID, Variant{Width: 320})
	server.Requests()
	first := ask(t, two, "north", http.MethodGet, variant)
	if first.Code != http.StatusOK {
		t.Fatal(first.Code)
	}
	object := "/" + s3server.Bucket + "/paper/north/img/" + pic.ID
	made := []string{
		"GET " + object + "/r" + revision + "/320.jpg", "GET " + object + "/original.jpg",
		"PUT " + object + "/r" + revision + "/320.jpg",
	}
	if got := server.Requests(); !slices.Equal(got, made) {
		t.Errorf("to make a variant: %q", got)
	}
	if again := ask(t, one, "north", http.MethodGet, variant); !bytes.Equal(again.Body.Bytes(), first.Body.Bytes()) {
		t.Errorf("the other process delivers %d, %d bytes", again.Code, again.Body.Len())
	}
	if got := server.Requests(); !slices.Equal(got, made[:1]) {
		t.Errorf("to deliver a variant: %q", got)
	}
	if err := one.Delete(in(t, "north"), pic.ID); err != nil {
		t.Fatal(err)
	}
	if w := ask(t, two, "north", http.MethodGet, variant); w.Code != http.StatusNotFound {
		t.Errorf("deleted: %d", w.Code)
	}
}

// A range of a recording is asked of the service as a range.
func TestARangeIsReadFromItsBeginning(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	im := NewImages(bucketOf(t, server, ""), slog.New(slog.DiscardHandler))
	upload := []byte("\x00\x00\x00\x20ftypisom...." + strings.Repeat("frame", 100_000))
	address, err := im.IngestVideo(in(t, "north"), bytes.NewReader(upload))
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	server.Break(func(_ http.ResponseWriter, r *http.Request) bool {
		if encoding := r.Header.Get("Accept-Encoding"); strings.Contains(encoding, "gzip") {
			t.Errorf("asked for %s, which has no length", encoding)
		}
		asked = append(asked, r.Header.Get("Range"))
		return false
	})
	if w := watch(t, im, "north", address, "Range", "bytes=400000-400099"); w.Code != http.StatusPartialContent ||
		!bytes.Equal(w.Body.Bytes(), upload[400_000:400_100]) {
		t.Errorf("%d, %d bytes", w.Code, w.Body.Len())
	}
	if want := []string{"", "bytes=400000-"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q", asked)
	}
}

// What others have put into the bucket is not the paper's: it is neither backed up nor deleted.
func TestForeignObjectsAreNotListed(t *testing.T) {
	t.Parallel()
	s := bucketOf(t, s3server.Start(t), "paper")
	put(t, s, "a.txt", "ours")
	for _, key := range []string{"paper/Thumbs.db", "paper/.incoming/b.txt", "paper/a b.txt", "paperback/c.txt"} {
		_, err := s.core.Client.PutObject(t.Context(), s.bucket, key, strings.NewReader("x"), 1, minio.PutObjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := keys(t, s, ""); got != "a.txt" {
		t.Errorf("listed: %s", got)
	}
}

// A service that knows no ranges answers with the whole object, whose beginning is not what was asked for.
func TestAnotherRangeIsAnError(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	s := bucketOf(t, server, "")
	put(t, s, "a.txt", "0123456789")
	server.Break(func(_ http.ResponseWriter, r *http.Request) bool {
		r.Header.Del("Range")
		return false
	})
	r, _, err := s.Get(t.Context(), "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if _, err := r.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(r); !errors.Is(err, ErrUnavailable) || len(b) > 0 {
		t.Errorf("%q, %v", b, err)
	}
}

// refusing answers every request with an error.
func refusing(status int, code string) s3server.Fault {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		s3server.Refuse(w, status, code)
		return true
	}
}

// hanging answers nothing until the client has gone.
func hanging(_ http.ResponseWriter, r *http.Request) bool {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	return true
}

// Every call says what is wrong, with the bucket and without the secret, and whether trying again can help.
func TestS3Faults(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault  s3server.Fault
		change func(address string) string
		want   string // in the error
		later  bool   // the same call may succeed later
	}{
		"it fails":       {fault: refusing(http.StatusInternalServerError, "InternalError"), want: "for a test", later: true},
		"it is busy":     {fault: refusing(http.StatusServiceUnavailable, "SlowDown"), want: "for a test", later: true},
		"it is slow":     {fault: hanging, want: "timeout", later: true},
		"it hangs up":    {fault: func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }, later: true},
		"no permission":  {fault: refusing(http.StatusForbidden, "AccessDenied"), want: "AccessDenied"},
		"wrong secret":   {fault: refusing(http.StatusForbidden, "SignatureDoesNotMatch"), want: "SignatureDoesNotMatch"},
		"another region": {fault: refusing(http.StatusMovedPermanently, "PermanentRedirect"), want: "PermanentRedirect"},
		"a key that it does not know": {
			change: func(a string) string { return strings.Replace(a, s3server.Key, "somebody", 1) }, want: "InvalidAccessKeyId",
		},
		"no such bucket": {
			change: func(a string) string { return strings.Replace(a, "/"+s3server.Bucket, "/photos", 1) },
			want:   "NoSuchBucket",
		},
		"TLS where there is none": {
			change: func(a string) string { return strings.Replace(a, "tls=false", "tls=true", 1) }, want: "HTTP response",
		},
		"nobody listens": {
			change: func(a string) string { return "s3://k:" + s3server.Secret + "@127.0.0.1:1/photos?tls=false" },
			want:   "refused", later: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := s3server.Start(t)
			server.Break(tc.fault)
			address := server.Address("paper")
			if tc.change != nil {
				address = tc.change(address)
			}
			s, err := openS3(address, nil, testPatience)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			_, _, getErr := s.Get(t.Context(), "a.jpg")
			for call, err := range map[string]error{
				"check": s.Check(t.Context()),
				"put":   s.Put(t.Context(), "a.jpg", strings.NewReader("x"), 1, jpegType),
				"get":   getErr,
				"list":  listed(t.Context(), s),
				"probe": Probe(t.Context(), s),
			} {
				if err == nil || errors.Is(err, ErrNotFound) || errors.Is(err, ErrUnavailable) != tc.later ||
					!strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "bucket "+s.bucket) ||
					strings.Contains(err.Error(), s3server.Secret) {
					t.Errorf("%s: %v", call, err)
				}
			}
		})
	}
}

func listed(ctx context.Context, s Store) error {
	for _, err := range s.List(ctx, "") {
		if err != nil {
			return err
		}
	}
	return nil
}

// One failure is not a reader's: the request is made again.
func TestS3TriesAgain(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	s := bucketOf(t, server, "")
	once := func() {
		failed := false
		server.Break(func(w http.ResponseWriter, r *http.Request) bool {
			if failed {
				return false
			}
			failed = true
			_, _ = io.CopyN(io.Discard, r.Body, 3)
			return refusing(http.StatusServiceUnavailable, "SlowDown")(w, r)
		})
	}
	once()
	put(t, s, "a.txt", "text")
	once()
	if got := read(t, s, "a.txt"); got != "text" {
		t.Errorf("read %q", got)
	}
}

// truncated answers requests for objects with a part of what it promises, and hangs up or falls silent.
func truncated(silent bool) s3server.Fault {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet {
			return false
		}
		w.Header().Set("Content-Length", strconv.Itoa(1000))
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		_, _ = w.Write(bytes.Repeat([]byte("x"), 500))
		_ = http.NewResponseController(w).Flush()
		if silent {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler)
	}
}

// Half an object is never taken for all of it.
func TestATruncatedObjectIsAnError(t *testing.T) {
	t.Parallel()
	for name, silent := range map[string]bool{"it hangs up": false, "it falls silent": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := s3server.Start(t)
			server.Break(truncated(silent))
			s := bucketOf(t, server, "")
			r, info, err := s.Get(t.Context(), "a.jpg")
			if err != nil || info.Size != 1000 {
				t.Fatal(info, err)
			}
			defer func() { _ = r.Close() }()
			began := time.Now()
			b, err := io.ReadAll(r)
			if len(b) != 500 || !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "a.jpg") {
				t.Errorf("%d bytes, %v", len(b), err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("after %s", took)
			}
		})
	}
}

// What was half written is not there: the server has not got all that was promised to it.
func TestAWriteThatEndsHalfwayIsNotThere(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	s := bucketOf(t, server, "")
	put(t, s, "a.txt", "old")
	text := strings.Repeat("n", 8<<20)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	server.Break(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut {
			_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
			cancel()
		}
		return false // the server reads on, to where the client has hung up
	})
	err := s.Put(ctx, "a.txt", strings.NewReader(text), int64(len(text)), "text/plain")
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
		t.Errorf("put: %v", err)
	}
	server.Break(nil)
	if got := read(t, s, "a.txt"); got != "old" {
		t.Errorf("there are %d bytes", len(got))
	}
}

// The caller's time limit is an error of its own, and is kept to.
func TestS3KeepsToTheCallersTime(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	server.Break(hanging)
	s, err := OpenS3(server.Address(""), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, _, getErr := s.Get(ctx, "a.jpg")
	_, headErr := s.Head(ctx, "a.jpg")
	for call, err := range map[string]error{
		"get": getErr, "head": headErr, "delete": s.Delete(ctx, "a.jpg"), "list": listed(ctx, s),
		"put": s.Put(ctx, "a.jpg", strings.NewReader("x"), 1, jpegType),
	} {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", call, err)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("after %s", took)
	}
}

// Readers are asked to come again while the storage does not answer; a mistake of ours is one of the server.
func TestReadersWhileTheStorageFails(t *testing.T) {
	t.Parallel()
	server := s3server.Start(t)
	im := NewImages(bucketOf(t, server, ""), slog.New(slog.DiscardHandler))
	id := strings.Repeat("a", 32)
	for name, tc := range map[string]struct {
		fault s3server.Fault
		want  int
	}{
		"fails":   {refusing(http.StatusInternalServerError, "InternalError"), http.StatusServiceUnavailable},
		"refuses": {refusing(http.StatusForbidden, "AccessDenied"), http.StatusInternalServerError},
		"is well": {nil, http.StatusNotFound},
	} {
		server.Break(tc.fault)
		for what, w := range map[string]interface {
			Result() *http.Response
		}{
			"picture":   ask(t, im, "north", http.MethodGet, URL(id, Variant{Width: 320})),
			"recording": watch(t, im, "north", VideoPath+id+".mp4"),
		} {
			res := w.Result()
			if res.StatusCode != tc.want || res.Header.Get("Cache-Control") != "no-store" ||
				(tc.want == http.StatusServiceUnavailable) != (res.Header.Get("Retry-After") != "") {
				t.Errorf("%s, %s: %d %v", name, what, res.StatusCode, res.Header)
			}
		}
	}
}
