//go:build unix && !linux

package postgres

import "syscall"

type deathSignal = syscall.Signal

const (
	killNow  = syscall.SIGKILL
	stopFast = syscall.SIGINT // PostgreSQL's fast shutdown
)

// Only Linux can tie a child to its parent; elsewhere the next start ends a server that was left behind.
func childAttributes(cred *syscall.Credential, _ deathSignal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: cred, Setpgid: true}
}
