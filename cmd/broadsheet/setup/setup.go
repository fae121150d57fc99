// Package setup asks for what a new edition needs and makes its document of the answers. It starts from the document of
// another edition, and checks each answer at once, as the whole document will be. Start at Dialogue.Run; questions.go
// lists what is asked, question.go the kinds of questions, change.go writes answers into YAML.
package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/platform/strictyaml"
)

// Template is a document to start from.
type Template struct {
	Name string
	ID   string // of the edition that it is the document of
	Text []byte
	// Sample marks one that ships: its companies and addresses are made up, so that they are suggested to nobody.
	Sample bool
}

// Dialogue asks one operator.
type Dialogue struct {
	Lines <-chan string // of what is typed; closed at its end
	Out   io.Writer
	// Clashes says what of a document is that of another edition: "key: reason" on each line.
	Clashes func(context.Context, *edition.Document) error
}

// ErrEnded means that the answers ended before the questions did.
var ErrEnded = errors.New("the input has ended before the last answer; nothing was changed")

// Run asks all questions, and returns the document that the answers make of the template.
func (d *Dialogue) Run(ctx context.Context, t Template) (text []byte, doc *edition.Document, err error) {
	fmt.Fprintf(d.Out, "Starting from %s. Enter takes what stands in brackets; Ctrl-C changes nothing.\n\n", t.Name)
	if text, err = change(t.Text, changes{"redirects": nil, "menus.editions": nil}); err != nil {
		return nil, nil, err
	}
	if doc, err = edition.Parse(t.Name, text); err != nil {
		return nil, nil, err
	}
	begun := doc
	if t.Sample {
		if text, err = change(text, changes{"supplier.register": nil, "supplier.vat_id": nil}); err != nil {
			return nil, nil, err
		}
	}
	all := questions(begun)
	for i, q := range all {
		if q.only != nil && !q.only(doc) {
			continue
		}
		if text, doc, err = d.settle(ctx, q, all[i+1:], text, doc, t.Sample); err != nil {
			return nil, nil, err
		}
	}
	return text, doc, nil
}

// settle asks one question until its answer is good.
func (d *Dialogue) settle(ctx context.Context, q question, later []question, text []byte, doc *edition.Document,
	sample bool,
) ([]byte, *edition.Document, error) {
	preset := ""
	if q.preset != nil && (!q.own || !sample) {
		preset = q.preset(doc)
	}
	for {
		answer, err := d.Ask(ctx, q.words, preset)
		if err != nil {
			return nil, nil, err
		}
		var next []byte
		var after *edition.Document
		c, err := q.answer(answer)
		if err == nil {
			next, err = change(text, c)
		}
		if err == nil {
			after, err = d.check(ctx, next, doc, later)
		}
		if err == nil {
			return next, after, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		fmt.Fprintf(d.Out, "  %s\n", strings.ReplaceAll(err.Error(), "\n", "\n  "))
	}
}

// check reads the document that an answer has made. What is wrong in it is the answer's fault, unless one of the
// questions that come is about it.
func (d *Dialogue) check(ctx context.Context, text []byte, before *edition.Document, later []question,
) (*edition.Document, error) {
	doc, err := edition.Parse("", text)
	var problems *strictyaml.FileError
	switch {
	case errors.As(err, &problems):
		var wrong []error
		for _, p := range problems.List {
			if !asked(later, p.Key) {
				wrong = append(wrong, fmt.Errorf("%s: %s", p.Key, p.Text))
			}
		}
		if len(wrong) > 0 {
			return nil, errors.Join(wrong...)
		}
		return before, nil // what cannot be read as a whole yet is asked next
	case err != nil:
		return nil, err
	}
	clashes := d.Clashes(ctx, doc)
	if clashes == nil {
		return doc, nil
	}
	var wrong []error
	for line := range strings.Lines(clashes.Error()) {
		key, _, _ := strings.Cut(line, ": ")
		if !asked(later, key) {
			wrong = append(wrong, errors.New(strings.TrimSpace(line)))
		}
	}
	return doc, errors.Join(wrong...)
}

// asked reports whether one of the questions is about a key of the document, or one above it.
func asked(list []question, key string) bool {
	return slices.ContainsFunc(list, func(q question) bool {
		return slices.ContainsFunc(q.keys, func(k string) bool {
			return key == k || strings.HasPrefix(key, k+".") || strings.HasPrefix(key, k+"[")
		})
	})
}

// Confirm asks for a truth.
func (d *Dialogue) Confirm(ctx context.Context, words string, preset bool) (yes bool, err error) {
	q := yesNo(words, "yes", func(*edition.Document) bool { return preset })
	for {
		answer, err := d.Ask(ctx, q.words, q.preset(nil))
		if err != nil {
			return false, err
		}
		c, err := q.answer(answer)
		if err == nil {
			return c["yes"] == true, nil
		}
		fmt.Fprintf(d.Out, "  %v\n", err)
	}
}

// Ask asks for one line, and returns preset for an empty one.
func (d *Dialogue) Ask(ctx context.Context, words, preset string) (string, error) {
	if preset != "" {
		words += " [" + preset + "]"
	}
	fmt.Fprint(d.Out, words+": ")
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line, ok := <-d.Lines:
		if !ok {
			fmt.Fprintln(d.Out)
			return "", ErrEnded
		}
		if line = strings.TrimSpace(line); line != "" {
			return line, nil
		}
		return preset, nil
	}
}
