package mailbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const extension = ".eml"

// store keeps every mail as a file that any mail program opens. Without a folder it keeps nothing.
type store struct {
	dir  string
	keep int
}

func formatID(n int64) string { return fmt.Sprintf("%016x", n) }

// load reads the mails of earlier runs, oldest first. Files that are no mails of ours are left alone.
func (s store) load() ([]Message, error) {
	if s.dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(s.dir) // sorted by name, which is the order of arrival
	if err != nil {
		return nil, err
	}
	var messages []Message
	for _, entry := range entries {
		id, isMail := strings.CutSuffix(entry.Name(), extension)
		if n, err := strconv.ParseInt(id, 16, 64); !isMail || err != nil || formatID(n) != id {
			continue
		}
		raw, err := os.ReadFile(s.path(id))
		if err != nil {
			return nil, err
		}
		messages = append(messages, parse(id, raw))
	}
	for ; len(messages) > s.keep; messages = messages[1:] {
		if err := s.remove(messages[0].ID); err != nil {
			return nil, err
		}
	}
	return messages, nil
}

// save writes the whole file or none.
func (s store) save(id string, raw []byte) (err error) {
	if s.dir == "" {
		return nil
	}
	temp := s.path(id) + ".part"
	if err := os.WriteFile(temp, raw, 0o600); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return os.Rename(temp, s.path(id))
}

func (s store) remove(id string) error {
	if s.dir == "" {
		return nil
	}
	if err := os.Remove(s.path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (s store) path(id string) string { return filepath.Join(s.dir, id+extension) }
