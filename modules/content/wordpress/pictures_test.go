package wordpress

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"example.org/broadsheet/modules/content/wordpress/site"

	"example.org/broadsheet/modules/content/wordpress/blocks"
)

// bomb is a PNG that says that it is a hundred thousand pixels wide and high.
func bomb() []byte {
	b := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	head := append([]byte("IHDR"), 0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0, 8, 2, 0, 0, 0)
	_ = binary.Write(b, binary.BigEndian, uint32(13))
	b.Write(head)
	_ = binary.Write(b, binary.BigEndian, crc32.ChecksumIEEE(head))
	return b.Bytes()
}

func TestPicturesFromAFolder(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	up := "https://kurier.example/wp-content/uploads/"
	h.o.Media = folder(t, map[string][]byte{
		"2019/05/a.png": picture(t, 10), "flat.png": picture(t, 30), "wp-content/uploads/whole.png": picture(t, 50),
		"2018/twin.png": picture(t, 70), "2019/twin.png": picture(t, 90),
		"bomb.png": bomb(), "torn.png": picture(t, 110)[:60], "words.jpg": []byte("slová"),
	})
	show := func(names ...string) string {
		var s strings.Builder
		for _, n := range names {
			s.WriteString(`<figure><img src="` + n + `"/></figure>`)
		}
		return s.String()
	}
	r := h.take(
		export(one(1, "post", "Obrázky",
			show(up+"2019/05/a-300x200.png", up+"2020/01/flat.png", up+"whole.png", up+"2019/twin.png",
				up+"2017/twin.png", up+"bomb.png",
				up+"torn.png", up+"words.jpg", up+"../../../../etc/passwd", "data:image/png;base64,AAAA", up+"2019/05/a.png?w=3"))))
	if r.Counts["picture"][Taken] != 4 {
		t.Errorf("%v", r.Counts["picture"])
	}
	if n := strings.Count(h.value("SELECT 1, html FROM content_bodies"), "<img"); n != 5 {
		t.Errorf("%d pictures in the text", n)
	}
	for _, part := range []string{
		"too large", "damaged", "of a kind that can be shown", "not in the folder",
		"no address",
	} {
		if reason(r, "image", part) == nil {
			t.Errorf("nothing is said of one that is %s", part)
		}
	}
}

func TestFetchingReachesThePublicNetOnly(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"93.184.215.14": true, "2606:2800:21f::1": true, "127.0.0.1": false, "10.0.0.1": false, "172.16.3.4": false,
		"192.168.1.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "0.0.0.0": false, "224.0.0.1": false, "255.255.255.255": false, "::1": false, "fe80::1": false,
		"fc00::1": false, "::": false,
		"64:ff9b::7f00:1": false, "2002:7f00:1::": false, "2001:db8::1": false,
	} {
		if got := site.IsPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer s.Close()
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	for _, address := range []string{
		s.URL + "/a.png", "http://localhost" + port + "/a.png",
		"http://[::ffff:127.0.0.1]" + port + "/a.png", "file:///etc/passwd", "ftp://a.example/a.png", "http:///a.png",
		"http://u:p@a.example/", ":",
	} {
		if body, err := site.NewPictures().Open(t.Context(), address); err == nil {
			_ = body.Close()
			t.Errorf("%s was fetched", address)
		}
	}
	if asked != 0 {
		t.Errorf("%d requests came through", asked)
	}
}

func TestFetching(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/wp-content/uploads/a.png", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(picture(t, 10))
	})
	mux.HandleFunc("/moved.png", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/wp-content/uploads/a.png", http.StatusFound)
	})
	mux.HandleFunc("/round.png", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/round.png", http.StatusFound)
	})
	mux.HandleFunc("/out.png", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
	})
	mux.HandleFunc("/long.png", func(w http.ResponseWriter, _ *http.Request) {
		for range 30 {
			_, _ = w.Write(bytes.Repeat([]byte{7}, 1<<20))
		}
	})
	mux.HandleFunc("/torn.png", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5000")
		_, _ = w.Write(picture(t, 10)[:60])
	})
	mux.HandleFunc("/page.png", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) })
	s := httptest.NewServer(mux)
	defer s.Close()
	g := &gallery{
		db: h.db, library: h.module, images: h.o.Images, source: "x", index: &attachments{}, report: newReport(nil),
		known: map[string]answer{},
		fetch: site.PicturesFrom(func(netip.Addr) bool { return true }, ""),
	}
	for name, want := range map[string]string{
		"/wp-content/uploads/a-300x200.png": "", "/moved.png": "", "/round.png": "does not answer",
		"/out.png": "does not answer", "/long.png": "too large",
		"/torn.png": "could not be read", "/page.png": "not a picture", "/none.png": "answered 404",
	} {
		p, reason, err := g.take(h.ctx, blocks.PictureRef{Src: s.URL + name})
		if err != nil || (want == "") != (reason == "") || !strings.Contains(reason, want) || (want == "") != (p.ID != "") {
			t.Errorf("%s: %v, %q, %v", name, p, reason, err)
		}
	}
	s.Close()
	g.known = map[string]answer{}
	if p, reason, err := g.take(h.ctx, blocks.PictureRef{Src: s.URL + "/moved.png"}); p.ID == "" ||
		reason != "" || err != nil {
		t.Errorf("what was fetched once is asked for again: %q, %v", reason, err)
	}
}
