package command

import (
	"os"
	"runtime/debug"

	"example.org/broadsheet/platform/config"
)

// garbagePercent is how much garbage there may be before it is collected, in hundredths of what is in use. That is
// little, a dozen megabytes for three editions: with Go's own 100, collecting took 5 % of the CPU time of an answer
// from memory. The limit of the settings bounds both.
const garbagePercent = 300

// collectGarbage says when the process collects garbage, as far as the environment does not say it.
func collectGarbage(p config.Process) {
	if p.MemoryMB == 0 {
		return
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(p.MemoryMB) << 20)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}
