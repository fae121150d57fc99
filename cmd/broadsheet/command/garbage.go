package command

import (
	"os"
	"runtime/debug"

	"example.org/broadsheet/platform/config"
)

// garbage is how much may lie about before it is collected, in hundredths of what is in use: that is little, a dozen
// megabytes for three editions, and collecting it as often as Go does costs a twentieth of each answer from memory. The
// limit of the settings bounds both.
const garbage = 300

// collectGarbage says when the process collects garbage, as far as the environment does not say it.
func collectGarbage(p config.Process) {
	if p.MemoryMB == 0 {
		return
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(p.MemoryMB) << 20)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}
