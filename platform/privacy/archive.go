package privacy

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"time"
)

// Archive writes an export as a zip: data.json with everything, and a CSV file for each table.
func Archive(w io.Writer, edition string, made time.Time, tables []Table) error {
	z := zip.NewWriter(w)
	file := func(name string) (io.Writer, error) {
		return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made})
	}
	f, err := file("data.json")
	if err != nil {
		return err
	}
	e := json.NewEncoder(f)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]any{"edition": edition, "made_at": made.UTC(), "tables": named(tables)}); err != nil {
		return err
	}
	for _, t := range tables {
		f, err := file(t.Name + ".csv")
		if err != nil {
			return err
		}
		if err := t.CSV(f); err != nil {
			return err
		}
	}
	return z.Close()
}

func named(tables []Table) map[string][]record {
	all := map[string][]record{}
	for _, t := range tables {
		for _, r := range t.Rows {
			all[t.Name] = append(all[t.Name], record{t.Columns, r})
		}
	}
	return all
}

// record is a row with its columns in their order, which a map would lose.
type record struct {
	columns []string
	values  []any
}

// MarshalJSON writes an object.
func (r record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, c := range r.columns {
		name, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(r.values[i])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%s:%s", name, value)
	}
	if b.Len() == 0 {
		return []byte("{}"), nil
	}
	return append(append([]byte("{"), b.Bytes()[1:]...), '}'), nil
}

// CSV writes columns and rows. It begins with a byte order mark: without it, spreadsheets take UTF-8 for something
// else.
func (t Table) CSV(w io.Writer) error {
	if _, err := io.WriteString(w, "\uFEFF"); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	c.UseCRLF = true
	lines := [][]string{t.Columns}
	for _, r := range t.Rows {
		line := make([]string, len(r))
		for i, v := range r {
			line[i] = cell(v)
		}
		lines = append(lines, line)
	}
	return c.WriteAll(lines)
}

// Spreadsheets take these for a formula at the beginning of a cell, and within a text: if decimals have a comma, a
// semicolon ends a cell, also in quotation marks that do not begin the line. They overlook blanks and letters that are
// never seen, and some take full-width signs.
var (
	formula       = regexp.MustCompile(`^(?:[\s\p{Z}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])`)
	formulaWithin = regexp.MustCompile(`([;\t\r\n][\s\p{Z}\p{Cc}\p{Cf}]*)([=+\-@＝＋－＠])`)
)

// Text is a text as a cell of a CSV file. What a spreadsheet would take for a formula gets a mark that makes it a text
// again.
func Text(s string) string {
	return formula.ReplaceAllString(formulaWithin.ReplaceAllString(s, "$1'$2"), "'$0")
}

// cell writes a value.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case time.Time:
		return v.Format(time.RFC3339)
	}
	if reflect.ValueOf(v).Kind() == reflect.String {
		return Text(fmt.Sprint(v))
	}
	return fmt.Sprint(v)
}
