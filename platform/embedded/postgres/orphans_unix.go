//go:build unix && !linux

package postgres

import (
	"os/exec"
	"strconv"
	"strings"
)

// usersOf finds the postmaster of a cluster's folder. Without /proc its children cannot be told apart, so a doubt
// stays.
func usersOf(dir string, postmaster int) (pids []int, unsure bool) {
	if postmaster == 0 {
		return nil, true
	}
	line, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(postmaster)).
		Output() //nolint:noctx // answers at once
	if err == nil && strings.Contains(string(line), "postgres") && strings.Contains(string(line), "-D "+dir) {
		return []int{postmaster}, false
	}
	return nil, true
}
