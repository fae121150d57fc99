package media

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Path is where Handler expects to be mounted, for GET and HEAD.
const Path = "/img/"

// URL returns the address of a variant on its edition's host.
func URL(id string, v Variant) string {
	u := Path + id + "?w=" + strconv.Itoa(v.Width)
	if v.Ratio != "" {
		u += "&r=" + v.Ratio
	}
	return u
}

// SrcSet is the variants of a picture up to a width, as the attribute of that name lists them.
func SrcSet(id, ratio string, widest int) string {
	var set []string
	for _, w := range Widths {
		if w <= widest {
			set = append(set, fmt.Sprintf("%s %dw", URL(id, Variant{Width: w, Ratio: ratio}), w))
		}
	}
	return strings.Join(set, ", ")
}

// Handler answers GET /img/{id}?w=640&r=3x2 for the edition of the request's
// context. Widths and ratios that are not on the lists are 400, unknown
// pictures 404, and 503 asks to come again when too many have to be made or
// the storage does not answer.
func (im *Images) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed)
			return
		}
		v, ok := readVariant(r)
		if !ok {
			refuse(w, http.StatusBadRequest)
			return
		}
		id := strings.TrimPrefix(r.URL.Path, Path)
		f, info, err := im.Open(r.Context(), id, v)
		if err != nil {
			im.fail(w, r, err)
			return
		}
		defer func() { _ = f.Close() }()
		h := w.Header()
		h.Set("Content-Type", info.ContentType)
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("Etag", `"`+id+"-"+revision+"-"+v.String()+`"`)
		h.Set("X-Content-Type-Options", "nosniff")
		http.ServeContent(w, r, "", time.Time{}, f)
	})
}

func readVariant(r *http.Request) (Variant, bool) {
	q := r.URL.Query()
	v := Variant{Ratio: q.Get("r")}
	v.Width, _ = strconv.Atoi(q.Get("w"))
	if q.Get("w") != strconv.Itoa(v.Width) || !slices.Contains(Widths, v.Width) {
		return v, false // also "0640" and "+640", which would be second addresses of the same picture
	}
	_, known := Ratios[v.Ratio]
	return v, known || !q.Has("r")
}

func (im *Images) fail(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, ErrNotFound):
		refuse(w, http.StatusNotFound)
	case errors.Is(err, context.Canceled) && r.Context().Err() != nil:
		// The client has gone.
	case errors.Is(err, ErrUnavailable):
		im.log.ErrorContext(r.Context(), "picture not served", "path", r.URL.Path, "err", err)
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable)
	case errors.Is(err, ErrBusy), errors.Is(err, context.DeadlineExceeded):
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable)
	default:
		im.log.ErrorContext(r.Context(), "picture not served", "path", r.URL.Path, "err", err)
		refuse(w, http.StatusInternalServerError)
	}
}

func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, http.StatusText(status), status)
}
