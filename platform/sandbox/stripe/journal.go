package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// A journal is a file of JSON lines, one per committed transaction. A crash can only tear the last line, which was
// not answered yet and is dropped when the file is opened again.
type journal struct {
	path string
	file *os.File
	size int64
}

// entry is one transaction.
type entry struct {
	Put  []stored `json:"put,omitempty"`
	Drop []string `json:"drop,omitempty"`
}

type stored struct {
	ID   string          `json:"id"`
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data"`

	created int64 // Unix seconds, as in Data
}

// lockDir makes dir and holds it against a second process until the file is closed or the process ends.
func lockDir(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("payment sandbox: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("payment sandbox: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("payment sandbox: %s is in use by another process: %w", dir, err), lock.Close())
	}
	return lock, nil
}

// unlockDir gives dir back. It unlocks before it closes: a child that is being forked right now holds a copy of the
// descriptor until it executes its program, and closing ours alone would leave the lock with it.
func unlockDir(lock *os.File) error {
	return errors.Join(syscall.Flock(int(lock.Fd()), syscall.LOCK_UN), lock.Close())
}

// openJournal hands every whole transaction of the file to replay. Compact it before the first append: that drops
// what a crash has torn.
func openJournal(path string, replay func(entry)) (*journal, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("payment sandbox: %w", err)
	}
	j := &journal{path: path, file: file}
	if err := j.read(replay); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

func (j *journal) read(replay func(entry)) error {
	lines := bufio.NewReader(j.file)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // what has no line end was torn by a crash
		}
		if err != nil {
			return fmt.Errorf("payment sandbox: read %s: %w", j.path, err)
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("payment sandbox: %s line %d is damaged: %w", j.path, number, err)
		}
		replay(e)
		j.size += int64(len(line))
	}
	return nil
}

// cut drops everything after the last whole transaction.
func (j *journal) cut() error {
	if err := j.file.Truncate(j.size); err != nil {
		return fmt.Errorf("payment sandbox: %w", err)
	}
	_, err := j.file.Seek(j.size, io.SeekStart)
	return err
}

// append returns when the transaction is written, and, if it is to be durable, on disk.
func (j *journal) append(e entry, durable bool) error {
	var line bytes.Buffer
	if err := json.NewEncoder(&line).Encode(e); err != nil {
		return err
	}
	_, err := j.file.Write(line.Bytes())
	if err == nil && durable {
		err = j.file.Sync()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("payment sandbox: write %s: %w", j.path, err), j.cut())
	}
	j.size += int64(line.Len())
	return nil
}

// compact replaces the file by one that holds only e, whole or not at all.
func (j *journal) compact(e entry) error {
	next, err := os.Create(j.path + ".new")
	if err != nil {
		return fmt.Errorf("payment sandbox: %w", err)
	}
	fresh := &journal{path: next.Name(), file: next}
	if err := fresh.append(e, true); err != nil {
		return errors.Join(err, next.Close())
	}
	if err := os.Rename(next.Name(), j.path); err != nil {
		return errors.Join(fmt.Errorf("payment sandbox: %w", err), next.Close())
	}
	old := j.file
	j.file, j.size = next, fresh.size
	return errors.Join(old.Close(), syncDir(filepath.Dir(j.path)))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func (j *journal) close() error { return j.file.Close() }
