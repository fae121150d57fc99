package postgres

import "syscall"

type deathSignal = syscall.Signal

const (
	killNow  = syscall.SIGKILL
	stopFast = syscall.SIGINT // PostgreSQL's fast shutdown
)

func childAttributes(cred *syscall.Credential, onDeath deathSignal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: cred, Setpgid: true, Pdeathsig: onDeath}
}
