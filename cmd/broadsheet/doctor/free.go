package doctor

import "golang.org/x/sys/unix"

// freeBytes is what a user may still write to the file system of a folder.
func freeBytes(folder string) (uint64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
