package app

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"example.org/broadsheet/platform/config"
)

const root = "../../.."

// read is a file of the project.
func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var settingName = regexp.MustCompile(`BROADSHEET_[A-Z0-9_]+`)

// A setting in an example that the program does not have would end it at its start.
func TestExamplesNameSettingsThatThereAre(t *testing.T) {
	t.Parallel()
	files := []string{"Dockerfile", "docs/install.md"}
	err := filepath.WalkDir(root+"/configs", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && filepath.Ext(path) != ".go" {
			files = append(files, strings.TrimPrefix(filepath.ToSlash(path), root+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, file := range files {
		for _, name := range settingName.FindAllString(read(t, file), -1) {
			if named++; !config.Known(name) {
				t.Errorf("%s: %s is no setting", file, name)
			}
		}
	}
	if named < 40 || len(files) < 12 {
		t.Errorf("%d names in %d files", named, len(files))
	}
}

// hasCommand reports an error where the program has no such command and flags.
func hasCommand(args []string) error {
	c, rest, err := NewCommand().Find(args)
	if err == nil {
		if err = c.ParseFlags(rest); err == nil {
			err = c.ValidateArgs(c.Flags().Args())
		}
	}
	if err == nil && !c.Runnable() {
		err = errors.New("it only groups others")
	}
	return err
}

// unitKeys are the directives that the units use; systemd ignores one that is mistyped.
var unitKeys = map[string][]string{
	"Unit": {"Description", "After", "Wants", "StartLimitIntervalSec"},
	"Service": {
		"Type", "RemainAfterExit", "User", "Group", "EnvironmentFile", "LoadCredential", "Environment", "ExecStart",
		"Restart", "RestartSec", "TimeoutStartSec", "TimeoutStopSec", "LimitNOFILE", "StateDirectory", "UMask",
		"NoNewPrivileges", "ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices", "ProtectKernelTunables",
		"ProtectKernelModules", "ProtectKernelLogs", "ProtectControlGroups", "ProtectClock", "ProtectHostname",
		"ProtectProc", "RestrictAddressFamilies", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID",
		"LockPersonality", "SystemCallArchitectures", "SystemCallFilter", "CapabilityBoundingSet",
	},
	"Install": {"WantedBy"},
}

func TestUnitsOfSystemdAreGood(t *testing.T) {
	t.Parallel()
	units, err := filepath.Glob(root + "/configs/systemd/*.service")
	if err != nil || len(units) != 5 {
		t.Fatal(units, err)
	}
	for _, unit := range units {
		name := filepath.Base(unit)
		section, values := "", map[string][]string{}
		for line := range strings.Lines(read(t, "configs/systemd/"+name)) {
			line = strings.TrimSpace(line)
			switch key, value, ok := strings.Cut(line, "="); {
			case line == "" || strings.HasPrefix(line, "#"):
			case strings.HasPrefix(line, "["):
				section = strings.Trim(line, "[]")
			case !ok || !slices.Contains(unitKeys[section], key):
				t.Errorf("%s: %q is not known in [%s]", name, line, section)
			default:
				values[key] = append(values[key], value)
			}
		}
		for key, want := range map[string]string{
			"RestartSec": "2", "StartLimitIntervalSec": "0", "User": "broadsheet", "ProtectSystem": "strict",
			"NoNewPrivileges": "yes", "CapabilityBoundingSet": "",
		} {
			if got := values[key]; len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s is %q, want %q", name, key, got, want)
			}
		}
		program, args, _ := strings.Cut(strings.Join(values["ExecStart"], ""), " ")
		if program != "/usr/local/bin/broadsheet" {
			t.Errorf("%s starts %q", name, program)
		}
		if err := hasCommand(strings.Fields(args)); err != nil {
			t.Errorf("%s: %s: %v", name, args, err)
		}
		credentials := map[string]bool{}
		for _, c := range values["LoadCredential"] {
			id, _, _ := strings.Cut(c, ":")
			credentials[id] = true
		}
		for _, e := range values["Environment"] {
			if _, file, ok := strings.Cut(e, "=%d/"); ok && !credentials[file] {
				t.Errorf("%s: %s is no credential", name, file)
			}
		}
		if strings.Contains(name, "serve") {
			limit, err := time.ParseDuration(strings.Join(values["TimeoutStopSec"], "") + "s")
			c, errConfig := config.Load("")
			if err != nil || errConfig != nil || limit < c.Web.StopDelay+drainTimeout {
				t.Errorf("%s: it is killed after %v, and needs %v and %v: %v %v", name, limit, c.Web.StopDelay, drainTimeout, err,
					errConfig)
			}
		}
	}
}

func TestTheDockerfileIsGood(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(read(t, "Dockerfile"), "\\\n", " ")
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))
	if version == nil || !strings.Contains(text, "FROM golang:"+version[1]+"-") {
		t.Errorf("the program is not built with Go %v", version)
	}
	parts := strings.Split(text, "\nFROM ")
	last := parts[len(parts)-1]
	if !strings.HasPrefix(last, "scratch\n") || !strings.Contains(last, "\nUSER 65532:65532\n") ||
		strings.Contains(last, "\nRUN ") {
		t.Errorf("the last stage:\n%s", last)
	}
	if !strings.Contains(text, " version --licenses >/out/root/usr/share/doc/broadsheet/licenses.txt ") {
		t.Error("the image has no licences of its parts")
	}
	copied := 0
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "COPY" || strings.HasPrefix(words[1], "--from") {
			continue
		}
		for _, source := range words[1 : len(words)-1] {
			copied++
			if _, err := os.Stat(filepath.Join(root, source)); err != nil {
				t.Error(err)
			}
		}
	}
	if copied < 8 {
		t.Errorf("%d files are copied", copied)
	}
}

// decode reads YAML into a value, and fails on a name that the value does not have.
func decode(t *testing.T, what, text string, into any) {
	t.Helper()
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		t.Errorf("%s: there is more: %v", what, err)
	}
}

// documents are those of one file of YAML.
func documents(text string) (list []string) {
	for part := range strings.SplitSeq(text, "\n---\n") {
		if len(bytes.TrimSpace([]byte(part))) > 0 {
			list = append(list, part)
		}
	}
	return list
}
