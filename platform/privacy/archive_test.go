package privacy_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"example.org/broadsheet/platform/privacy"
)

func open(t *testing.T, raw []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(b)
	}
	return files
}

// word is a text with a name for its type.
type word string

// What readers have written opens as text in a spreadsheet, never as a formula, and is unchanged in the JSON.
func TestArchive(t *testing.T) {
	t.Parallel()
	texts := []string{
		"=1+1", "+49 1", "-1", "@sum(a1)", "\t=1", "  =cmd()", " +1", "\u00a0-1", "\uFEFF=1", "\u200B@a", "＝1+1", "－1",
		"\x00=1", "a;=1+1", "a; -1", "a\t=1", "a\n+1", "a\n\u200b@sum(a1)", "\";=1", "a;;=1", "ďakujem;＝1", "a ; b = c - d",
		"plain, \"quoted\"\nčeština", "",
	}
	at := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	table := privacy.Table{Name: "comments", Columns: []string{"id", "text", "at", "word"}}
	for i, s := range texts {
		table.Rows = append(table.Rows, []any{int64(-i), s, at, word(s)})
	}
	var b bytes.Buffer
	if err := privacy.Archive(&b, "standard", at, []privacy.Table{table}); err != nil {
		t.Fatal(err)
	}
	files := open(t, b.Bytes())
	var data struct {
		Tables map[string][]struct {
			ID   int64
			Text string
			At   time.Time
		}
	}
	if err := json.Unmarshal([]byte(files["data.json"]), &data); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(files["comments.csv"], "\uFEFF"))).ReadAll()
	if err != nil || len(lines) != len(texts)+1 {
		t.Fatal(lines, err)
	}
	for i, s := range texts {
		if row := data.Tables["comments"][i]; row.Text != s || row.ID != int64(-i) || !row.At.Equal(at) {
			t.Errorf("the JSON has %+v, not %q", row, s)
		}
		got := lines[i+1][1]
		if strings.ReplaceAll(got, "'", "") != s || lines[i+1][3] != got {
			t.Errorf("the CSV has %q and %q, not %q", got, lines[i+1][3], s)
		}
		// Where decimals have a comma, spreadsheets read a semicolon as the end of a cell.
		for cell := range strings.FieldsFuncSeq(got, func(r rune) bool { return strings.ContainsRune(";\t\r\n", r) }) {
			if f := strings.TrimLeft(cell, " \u00a0\u200b\ufeff\x00"); f != "" && strings.ContainsAny(f[:1], "=+-@") {
				t.Errorf("%q runs", got)
			}
		}
	}
}
