package backup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ToFile writes a file that appears only when it is complete. With the name "-" it writes to out.
func ToFile(name string, out io.Writer, write func(io.Writer) error) (err error) {
	if name == "-" {
		return write(out)
	}
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s is there already", name)
	}
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.partial")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err = write(file); err != nil {
		return errors.Join(err, file.Close())
	}
	if err = file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
