package render

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"modernc.org/quickjs"
)

// engine is one JavaScript runtime that holds the bundle. Only interrupt may
// be called while another call runs. The pool needs nothing else, so another
// engine takes this one's place by a constructor like newQuickJS.
type engine interface {
	setEdition(editionJSON string) error
	renderPage(editionID, pageJSON string) (string, error)
	limit(d time.Duration) // of each later call
	interrupt()
	close()
}

// errInterrupted is a call that ran into its limit or was interrupted.
var errInterrupted = errors.New("render: interrupted")

const (
	loadLimit   = 10 * time.Second // of evaluating the bundle
	logLines    = 20               // of the console per page; a page that loops must not fill the log
	hostLog     = "__log"
	hostEdition = "__setEdition"
	hostPage    = "__renderPage"
)

// before gives the bundle the console that the bare language lacks.
const before = `
globalThis.console = Object.fromEntries(["debug", "log", "info", "warn", "error"].map(
  (level) => [level, (...words) => ` + hostLog + `(level, words.map(String).join(" "))]));`

// after checks the contract and gives the two functions names that a call finds quickly.
const after = `
for (const [own, theirs] of [["` + hostEdition + `", "setEdition"], ["` + hostPage + `", "renderPage"]]) {
  const ssr = globalThis.__ssr;
  if (!ssr || typeof ssr[theirs] !== "function") throw new TypeError("the bundle defines no __ssr." + theirs);
  globalThis[own] = (...args) => ssr[theirs](...args);
}`

type quickJS struct {
	vm    *quickjs.VM
	lines int // written to the log during this call
}

// newQuickJS compiles the bundle once and returns what starts runtimes from it.
func newQuickJS(cfg Config) (func() (engine, error), error) {
	compiler, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	defer func() { _ = compiler.Close() }()
	scripts := append([]Script{{"before", before}}, cfg.Scripts...)
	scripts = append(scripts, Script{"contract", after})
	code := make([][]byte, len(scripts))
	for i, s := range scripts {
		if code[i], err = compiler.Compile(s.Source, quickjs.EvalGlobal); err != nil {
			return nil, fmt.Errorf("render: compile %s: %w", s.Name, err)
		}
	}
	return func() (engine, error) {
		vm, err := quickjs.NewVM()
		if err != nil {
			return nil, fmt.Errorf("render: %w", err)
		}
		q := &quickJS{vm: vm}
		vm.SetMemoryLimit(cfg.MemoryLimit)
		q.limit(loadLimit)
		if err := vm.RegisterHostFunc(hostLog, q.logger(cfg)); err != nil {
			q.close()
			return nil, fmt.Errorf("render: %w", err)
		}
		for i, c := range code {
			if _, err := vm.EvalBytecode(c); err != nil {
				q.close()
				return nil, fmt.Errorf("render: load %s: %w", scripts[i].Name, translate(err))
			}
		}
		return q, nil
	}, nil
}

func (q *quickJS) logger(cfg Config) quickjs.HostFunc {
	return func(args []any) (any, error) {
		if q.lines++; q.lines <= logLines && len(args) == 2 {
			cfg.Log.Warn("console of the server bundle", "level", args[0], "message", args[1])
		}
		return nil, nil
	}
}

func (q *quickJS) setEdition(editionJSON string) error {
	q.lines = 0
	_, err := q.vm.Call(hostEdition, editionJSON)
	return translate(err)
}

func (q *quickJS) renderPage(editionID, pageJSON string) (string, error) {
	q.lines = 0
	out, err := q.vm.Call(hostPage, editionID, pageJSON)
	if err != nil {
		return "", translate(err)
	}
	html, ok := out.(string)
	if !ok {
		return "", &JSError{Message: fmt.Sprintf("renderPage gave a %T instead of a string", out)}
	}
	return html, nil
}

func (q *quickJS) limit(d time.Duration) {
	// Zero would mean no limit at all.
	_ = q.vm.SetEvalTimeout(max(d, time.Millisecond))
}

func (q *quickJS) interrupt() { q.vm.Interrupt() }

func (q *quickJS) close() {
	// A runtime that an engine panic has left half-way may panic again.
	defer func() { _ = recover() }()
	_ = q.vm.Close()
}

// translate tells what the application threw from what the engine could not do.
func translate(err error) error {
	var thrown *quickjs.Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &thrown):
		return fmt.Errorf("render: engine: %w", err)
	case thrown.Name == "InternalError" && thrown.Message == "interrupted":
		return errInterrupted
	case thrown.Name == "InternalError": // out of memory, stack overflow
		return fmt.Errorf("render: engine: %w", err)
	default:
		return &JSError{Message: err.Error(), Stack: strings.TrimSpace(thrown.Stack)}
	}
}
