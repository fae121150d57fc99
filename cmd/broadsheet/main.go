// Command broadsheet is a newspaper with several editions in one program: web, workers, and the tools of its operators.
// What operators type is in package command; what runs is put together in package app.
package main

import (
	"os"
	_ "time/tzdata" // a container has no time zones of its own

	"example.org/broadsheet/cmd/broadsheet/command"
)

// version is set by the linker for releases.
var version = "development"

func main() { os.Exit(command.Main(version)) }
