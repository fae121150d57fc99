package postgres

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user that the server runs as; the zero value is the user of this process.
type account struct {
	name string
	cred *syscall.Credential
}

// pickAccount chooses whom to become when this process is root, since PostgreSQL refuses to run as root: the owner of
// an existing cluster, else postgres, else nobody.
func pickAccount(clusterDir, preferred string) (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	if info, err := os.Stat(clusterDir); err == nil {
		if uid := owner(info).Uid; uid != 0 {
			u, err := user.LookupId(strconv.FormatUint(uint64(uid), 10))
			if err != nil {
				return account{}, fmt.Errorf("%s belongs to user %d, who has no account here: %w", clusterDir, uid, err)
			}
			return newAccount(u)
		}
	}
	for _, name := range []string{preferred, "postgres", "nobody"} {
		if u, err := user.Lookup(name); name != "" && err == nil {
			return newAccount(u)
		}
	}
	return account{}, errors.New("PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody; " +
		"start as another user, or set BROADSHEET_DATABASE_URL")
}

func newAccount(u *user.User) (account, error) {
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("user %s: %w", u.Username, err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("user %s: %w", u.Username, err)
	}
	return account{name: u.Username, cred: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

func (a account) uid() int {
	if a.cred == nil {
		return os.Geteuid()
	}
	return int(a.cred.Uid)
}

// own hands a file or folder of this process over to the account.
func (a account) own(path string) error {
	if a.cred == nil {
		return nil
	}
	return os.Lchown(path, int(a.cred.Uid), int(a.cred.Gid))
}

// canReach fails when a folder above path is closed to the account, which the server itself reports only as "permission
// denied".
func (a account) canReach(path string) error {
	if a.cred == nil {
		return nil
	}
	for p := filepath.Dir(filepath.Clean(path)); ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it will be made, open enough
		case err != nil:
			return err
		case !a.canEnter(info):
			return fmt.Errorf("%s: user %s, who runs PostgreSQL for root, cannot enter %s (mode %04o); "+
				"choose a folder outside it, or run `chmod o+x %s`", path, a.name, p, info.Mode().Perm(), p)
		}
		if p == filepath.Dir(p) {
			return nil
		}
	}
}

func (a account) canEnter(info fs.FileInfo) bool {
	st, mode := owner(info), info.Mode().Perm()
	switch {
	case st.Uid == a.cred.Uid:
		return mode&0o100 != 0
	case st.Gid == a.cred.Gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}

func owner(info fs.FileInfo) *syscall.Stat_t {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st
	}
	return &syscall.Stat_t{}
}
