// Command gen writes the licences and notices of the Go modules that the program is linked from, and of its fonts, to
// go.txt. It ends with an error if a module has no licence, or one that is not in the list of allowed ones.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	program = "example.org/broadsheet/cmd/broadsheet"
	fonts   = "../../../platform/lettering/fonts"
	rule    = "================================================================================"
)

func main() {
	text, err := text(context.Background())
	if err == nil {
		err = os.WriteFile("go.txt", []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// notice is a file about one or more works.
type notice struct {
	works []string
	text  string
}

// text is go.txt. Works whose licences are equal to the letter share one.
func text(ctx context.Context) (string, error) {
	modules, err := linked(ctx)
	if err != nil {
		return "", err
	}
	var head strings.Builder
	head.WriteString("This program contains the following works of others. Their licences and notices follow.\n\n")
	var notices []notice
	var failed []error
	for _, m := range modules {
		kinds, err := m.kinds()
		failed = append(failed, err)
		fmt.Fprintf(&head, "%s (%s)\n", m, strings.Join(kinds, ", "))
		for _, f := range m.files {
			notices = add(notices, m.String()+", "+f.name, f.text)
		}
	}
	if err := errors.Join(failed...); err != nil {
		return "", err
	}
	if notices, err = addFonts(&head, notices); err != nil {
		return "", err
	}
	for _, n := range notices {
		fmt.Fprintf(&head, "\n%s\n%s\n\n%s\n", rule, strings.Join(n.works, "\n"), n.text)
	}
	return head.String(), nil
}

func add(notices []notice, work, text string) []notice {
	at := slices.IndexFunc(notices, func(n notice) bool { return n.text == text })
	if at < 0 {
		return append(notices, notice{[]string{work}, text})
	}
	notices[at].works = append(notices[at].works, work)
	return notices
}

// addFonts adds the copyright files of Debian that came with the fonts.
func addFonts(head *strings.Builder, notices []notice) ([]notice, error) {
	names, err := filepath.Glob(fonts + "/*.txt")
	if err != nil || len(names) == 0 {
		return nil, errors.Join(fmt.Errorf("no copyright files in %s", fonts), err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text := ofFonts(tidy(raw))
		if err := allowed(text); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		work := strings.TrimSuffix(filepath.Base(name), ".txt")
		fmt.Fprintln(head, work)
		notices = add(notices, work, text)
	}
	return notices, nil
}

// ofFonts leaves out of a copyright file of Debian the stanzas about the packaging, which is not in the program, and
// the licences that only these name.
func ofFonts(copyright string) string {
	var kept []string
	for stanza := range strings.SplitSeq(copyright, "\n\n") {
		field, rest, _ := strings.Cut(strings.TrimSpace(stanza), ":")
		first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		packaging := field == "Files" && strings.HasPrefix(first, "debian/")
		unnamed := field == "License" && !slices.ContainsFunc(kept, func(s string) bool {
			return strings.Contains(s+"\n", "\nLicense: "+first+"\n")
		})
		if !packaging && !unnamed {
			kept = append(kept, stanza)
		}
	}
	return strings.Join(kept, "\n\n")
}

// tidy makes texts alike that differ in spaces at the ends of lines.
func tidy(raw []byte) string {
	lines := strings.Split(string(bytes.TrimPrefix(raw, []byte("\ufeff"))), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
