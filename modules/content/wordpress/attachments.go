package wordpress

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// attachment is what posts need to know of one.
type attachment struct {
	Line         int
	URL          string
	Alt, Caption string
	Credit       string // "" where only the caption may tell
}

// attachments keeps them in a file of its own, since any post may name any of them; memory has their places only.
type attachments struct {
	file     *os.File
	out      *bufio.Writer
	end      int64
	places   map[int64]int64
	children map[int64][]int64 // by the post they were uploaded to
}

func newAttachments(folder string) (*attachments, error) {
	f, err := scratch(folder)
	if err != nil {
		return nil, err
	}
	return &attachments{file: f, out: bufio.NewWriter(f), places: map[int64]int64{}, children: map[int64][]int64{}}, nil
}

// scratch is a file that nobody else sees and that is gone with its handle.
func scratch(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "broadsheet-import-*")
	if err != nil {
		return nil, fmt.Errorf("scratch file: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("scratch file: %w", err)
	}
	return f, nil
}

func (a *attachments) add(id, parent int64, at attachment) error {
	b, err := json.Marshal(at)
	if err != nil {
		return err
	}
	if _, err := a.out.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("scratch file: %w", err)
	}
	a.places[id] = a.end
	a.end += int64(len(b)) + 1
	if parent > 0 {
		a.children[parent] = append(a.children[parent], id)
	}
	return nil
}

// get finds an attachment; ok is false where the file has none of that id.
func (a *attachments) get(id int64) (at attachment, ok bool) {
	place, ok := a.places[id]
	if !ok {
		return at, false
	}
	err := json.NewDecoder(io.NewSectionReader(a.file, place, a.end-place)).Decode(&at)
	return at, err == nil
}
