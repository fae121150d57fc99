package command

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var errFull = errors.New("the disk is full")

func TestWriteNewLosesNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "books.zip")
	write := func(text string, fails error) error {
		return writeNew(file, func(f *os.File) error {
			_, err := f.WriteString(text)
			return errors.Join(err, fails)
		})
	}
	if err := write("half", errFull); !errors.Is(err, errFull) {
		t.Error(err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a part of a file is left: %v", err)
	}
	if err := write("whole", nil); err != nil {
		t.Fatal(err)
	}
	if err := write("another", nil); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Errorf("what was there is written over: %v", err)
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "whole" {
		t.Errorf("%q, %v", b, err)
	}
}
