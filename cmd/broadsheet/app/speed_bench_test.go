package app

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.org/broadsheet/platform/testkit"
	"example.org/broadsheet/platform/testkit/wait"
)

// asBare makes the test's binary a plain net/http server on an address, of the answers in the folder asBareFolder: what
// is below it cannot be had from net/http.
const (
	asBare       = "BROADSHEET_TEST_AS_BARE"
	asBareFolder = "BROADSHEET_TEST_AS_BARE_FOLDER"
)

// serveBare answers with the files of a folder from memory: the body of /x is in x, its head in x.head.
func serveBare(address, folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.head"))
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	for _, name := range names {
		head, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file := strings.TrimSuffix(name, ".head")
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(head)), nil)
		if err != nil {
			return err
		}
		mux.HandleFunc("/"+filepath.Base(file), func(w http.ResponseWriter, _ *http.Request) {
			h := w.Header()
			for name, values := range res.Header {
				h[name] = values
			}
			_, _ = w.Write(body)
		})
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return server(mux).Serve(l)
}

// measured is a process that answers, and the address it does so at.
type measured struct {
	address string
	pid     int
}

// cpu is the time that the process and its children have used. The kernel counts it in hundredths of a second.
func (m measured) cpu(tb testing.TB) (sum time.Duration) {
	tb.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		id, parent := filepath.Base(filepath.Dir(name)), fields[1]
		if self := strconv.Itoa(m.pid); id != self && (parent != self || !strings.Contains(string(text), "(nginx)")) {
			continue
		}
		for _, field := range fields[11:13] {
			ticks, _ := strconv.ParseInt(field, 10, 64)
			sum += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	return sum
}

// settle waits until the process has done what its start brings: it uses a hundredth of a processor at most.
func (m measured) settle(tb testing.TB) {
	tb.Helper()
	for range 24 {
		before := m.cpu(tb)
		time.Sleep(5 * time.Second)
		if m.cpu(tb)-before <= 50*time.Millisecond {
			return
		}
	}
	tb.Fatal("the process is still busy after two minutes")
}

const connections = 16

// run sends n requests over sixteen connections and returns the time of each. It reads no more of an answer than its
// length, so that the machine is left to the server.
func (m measured) run(tb testing.TB, request []byte, n int) []time.Duration {
	tb.Helper()
	var left atomic.Int64
	left.Store(int64(n))
	took := make([][]time.Duration, connections)
	var all sync.WaitGroup
	for i := range connections {
		conn, err := net.Dial("tcp", m.address)
		if err != nil {
			tb.Fatal(err)
		}
		all.Go(func() {
			defer conn.Close() //nolint:errcheck // all was read
			in := bufio.NewReaderSize(conn, 64<<10)
			for left.Add(-1) >= 0 {
				start := time.Now()
				if _, err := conn.Write(request); err != nil {
					tb.Error(err)
					return
				}
				if err := skipAnswer(in); err != nil {
					tb.Error(err)
					return
				}
				took[i] = append(took[i], time.Since(start))
			}
		})
	}
	all.Wait()
	return slices.Concat(took...)
}

// skipAnswer reads one answer that must be a 200 with a length.
func skipAnswer(in *bufio.Reader) error {
	length := -1
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.Contains(line, []byte(" 200 ")) {
			return fmt.Errorf("got %q, want 200", line)
		}
		if len(line) <= 2 {
			break
		}
		if name, value, _ := bytes.Cut(line, []byte(":")); bytes.EqualFold(name, []byte("Content-Length")) {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
		}
	}
	if length < 0 {
		return fmt.Errorf("an answer without a length")
	}
	_, err := in.Discard(length)
	return err
}

// kind is an answer that is kept.
type kind struct {
	name, path string
	cookies    []*http.Cookie
}

func (k kind) request(host, path string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"+
		"Accept-Encoding: gzip, br\r\n", path, host)
	var pairs []string
	for _, c := range k.cookies {
		pairs = append(pairs, c.Name+"="+c.Value)
	}
	if len(pairs) > 0 {
		fmt.Fprintf(&b, "Cookie: %s\r\n", strings.Join(pairs, "; "))
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// BenchmarkKept compares answers from memory with nginx and with a bare handler, which send the same bytes from a file
// and from memory. All run on this machine at the same time, one of them busy; the table at the end has the ratios.
func BenchmarkKept(b *testing.B) {
	p := &process{
		t: b, dir: dataFolder(b), port: testkit.FreePort(b), sample: true,
		env: []string{"BROADSHEET_LOG_LEVEL=info", "BROADSHEET_RENDER_TIMEOUT=10s"},
	}
	p.start()
	subscriber := p.subscriber()
	visitor := p.browser()
	const host = "sk.localhost"
	article, locked := p.posts(visitor)
	kinds := []kind{
		{"front page", "/", nil},
		{"article", article.path(), nil},
		{"article of a subscriber", locked.path(), cookies(subscriber)},
		{"category", "/category/politika", nil},
		{"JSON of a page", "/api/page?url=" + article.path(), nil},
		{"JSON of an article", fmt.Sprint("/content/post/", article.ID), nil},
		{"JSON of a list", "/content/posts/latest", nil},
		{"feed", "/rss", nil},
		{"search", "/search/vlada", nil},
		{"JSON of a search", "/content/search/vlada", nil},
	}
	ours := measured{"127.0.0.1:" + p.port, p.cmd.Process.Pid}
	ours.settle(b)
	folder := b.TempDir()
	for i, k := range kinds {
		saveAnswer(b, ours.address, k.request(host, k.path), filepath.Join(folder, strconv.Itoa(i)))
	}
	servers := []struct {
		name string
		measured
	}{{"Broadsheet", ours}, {"net/http", startBare(b, folder)}, {"nginx", startStatic(b, folder, len(kinds))}}
	var table strings.Builder
	table.WriteString("\n| Answer | CPU µs | × net/http | × nginx | req/s | of nginx | net/http of nginx | p50 ms | " +
		"p99 ms |\n|---|---|---|---|---|---|---|---|---|\n")
	for i, k := range kinds {
		var got [3]tally // of the last round of the benchmark, the longest
		b.Run(k.name, func(b *testing.B) {
			got = [3]tally{}
			for range b.N {
				for j, s := range servers {
					path := "/" + strconv.Itoa(i)
					if s.measured == ours {
						path = k.path
					}
					got[j].add(b, s.measured, k.request(host, path))
				}
			}
			for j, s := range servers {
				b.ReportMetric(got[j].cpu(), s.name+"-cpu-µs")
				b.ReportMetric(got[j].rate(), s.name+"-req/s")
			}
			percentiles(b, got[0].took)
		})
		us, bare, nginx := &got[0], &got[1], &got[2]
		if len(us.took) == 0 {
			continue // it was not asked for
		}
		fmt.Fprintf(&table, "| %s | %.0f | %.2f | %.2f | %.0f | %.2f | %.2f | %.2f | %.2f |\n", k.name, us.cpu(),
			us.cpu()/bare.cpu(), us.cpu()/nginx.cpu(), us.rate(), us.rate()/nginx.rate(), bare.rate()/nginx.rate(),
			us.quantile(.50), us.quantile(.99))
	}
	fmt.Println(table.String())
}

// slice is how many requests one server gets before it is another's turn, so that a machine which is slow for a while
// is so for all of them.
const slice = 4000

// tally is what one server has taken for its slices.
type tally struct {
	used   time.Duration
	slices []time.Duration
	took   []time.Duration // for each request
}

func (t *tally) add(b *testing.B, s measured, request []byte) {
	b.Helper()
	before, start := s.cpu(b), time.Now()
	t.took = append(t.took, s.run(b, request, slice)...)
	t.slices = append(t.slices, time.Since(start))
	t.used += s.cpu(b) - before
}

// cpu is the CPU time of one request in microseconds.
func (t *tally) cpu() float64 { return float64(t.used.Nanoseconds()) / 1000 / float64(len(t.took)) }

// rate is in requests per second, of the median slice: a machine that stands still for a moment does not count.
func (t *tally) rate() float64 {
	slices.Sort(t.slices)
	return slice / t.slices[len(t.slices)/2].Seconds()
}

// quantile is in milliseconds.
func (t *tally) quantile(q float64) float64 { return quantile(t.took, q) }

// listedPost is what the calls for lists say of a post.
type listedPost struct {
	ID     int64  `json:"post_id"`
	URL    string `json:"post_url"`
	Locked bool   `json:"post_locked"`
}

func (l listedPost) path() string {
	_, rest, _ := strings.Cut(l.URL, "://")
	_, path, _ := strings.Cut(rest, "/")
	return "/" + path
}

// posts are an article that everybody may read and one for subscribers.
func (p *process) posts(b *browser) (open, locked listedPost) {
	p.t.Helper()
	var list []listedPost
	b.get("/content/posts/latest?per_page=40").json(p.t, &list)
	for _, l := range list {
		if l.Locked {
			locked = l
		} else {
			open = l
		}
	}
	if open.ID == 0 || locked.ID == 0 {
		p.t.Fatalf("%d posts, want an open one and a locked one among them", len(list))
	}
	return open, locked
}

// subscriber is a browser of a reader who may read everything.
func (p *process) subscriber() *browser {
	p.t.Helper()
	const address = "subscriber@example.org"
	c := NewCommand()
	c.SetOut(io.Discard)
	c.SetArgs([]string{"reader", "promise", address, "--edition", "standard", "--data", p.dir, "--reason", "a benchmark"})
	if err := c.Execute(); err != nil {
		p.t.Fatal(err)
	}
	b := p.browser()
	if r := b.post("/fns/user-login", map[string]any{
		"payload": map[string]string{"email": address, "referrer": "/"}, "type": "login",
	}); r.Status != http.StatusOK {
		p.t.Fatalf("asking for a code: %d %s", r.Status, r.Body)
	}
	var code string
	wait.Until(p.t, "the code is in the mailbox", func() bool {
		for _, m := range emailsTo(p.t, b, address) {
			code = m.Code
		}
		return code != ""
	})
	if r := b.post("/api/login-code-validation", map[string]string{
		"email": address, "code": code, "referrer": "/", "type": "login",
	}); r.Status != http.StatusOK {
		p.t.Fatalf("the code: %d %s", r.Status, r.Body)
	}
	return b
}

// saveAnswer writes the body of an answer into a file and its head into another, once the answer is kept.
func saveAnswer(tb testing.TB, address string, request []byte, file string) {
	tb.Helper()
	var head, body []byte
	for range 3 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			tb.Fatal(err)
		}
		_, err = conn.Write(bytes.Replace(request, []byte("\r\n\r\n"), []byte("\r\nConnection: close\r\n\r\n"), 1))
		var all []byte
		if err == nil {
			all, err = io.ReadAll(conn)
		}
		if err != nil {
			tb.Fatal(err)
		}
		head, body, _ = bytes.Cut(all, []byte("\r\n\r\n"))
		_ = conn.Close()
	}
	if !bytes.Contains(head, []byte(" 200 OK")) || !bytes.Contains(head, []byte("X-Cache: hit")) {
		tb.Fatalf("%s\n%s\nwant an answer that is kept", request, head)
	}
	head = bytes.Replace(head, []byte("\r\nConnection: close"), nil, 1)
	if err := os.WriteFile(file+".head", append(head, "\r\n\r\n"...), 0o600); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(file, body, 0o600); err != nil {
		tb.Fatal(err)
	}
}

// startBare starts the plain server.
func startBare(tb testing.TB, folder string) measured {
	tb.Helper()
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	address := "127.0.0.1:" + testkit.FreePort(tb)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), asBare+"="+address, asBareFolder+"="+folder)
	cmd.Stderr = os.Stderr
	return startMeasured(tb, cmd, address)
}

// startStatic starts an nginx that sends the files with their heads, and writes its own access log.
func startStatic(tb testing.TB, folder string, n int) measured {
	tb.Helper()
	dir, address := tb.TempDir(), "127.0.0.1:"+testkit.FreePort(tb)
	if os.Getuid() == 0 { // its workers change their user
		for _, name := range []string{dir, filepath.Dir(dir), folder} {
			if err := os.Chmod(name, 0o755); err != nil {
				tb.Fatal(err)
			}
		}
	}
	var locations strings.Builder
	for i := range n {
		head, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(i, ".head")))
		if err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(&locations, "location = /%d { ", i)
		for _, line := range strings.Split(string(head), "\r\n")[1:] {
			name, value, _ := strings.Cut(line, ": ")
			switch name {
			case "", "Date", "Content-Length", "Etag", "Last-Modified":
			case "Content-Type":
				fmt.Fprintf(&locations, "default_type %q; ", value)
			default:
				fmt.Fprintf(&locations, "add_header %s %q; ", name, value)
			}
		}
		locations.WriteString("}\n")
		if err := os.Chmod(filepath.Join(folder, strconv.Itoa(i)), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	user := ""
	if os.Getuid() == 0 {
		user = "user root; "
	}
	conf := fmt.Sprintf(`%[5]sdaemon off; worker_processes 2; pid %[1]s/pid; error_log %[1]s/error.log;
events { }
http {
	types { }
	sendfile on; tcp_nopush on; keepalive_requests 100000000; access_log %[1]s/access.log;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; `+
		`scgi_temp_path %[1]s/s;
	server { listen %[2]s; root %[3]s;
%[4]s	}
}
`, dir, address, folder, locations.String(), user)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(programPath(tb, "nginx"), "-p", dir, "-c", file, "-e", filepath.Join(dir, "start.log"))
	return startMeasured(tb, cmd, address)
}

func startMeasured(tb testing.TB, cmd *exec.Cmd, address string) measured {
	tb.Helper()
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	wait.Until(tb, address+" listens", func() bool { return listens(address) })
	return measured{address, cmd.Process.Pid}
}
