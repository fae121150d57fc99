package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// run runs one of PostgreSQL's tools against the database of s.
func (s Source) run(ctx context.Context, program string, args ...string) error {
	path := filepath.Join(s.Tools, program)
	if s.Tools == "" {
		found, err := exec.LookPath(program)
		if err != nil {
			return fmt.Errorf("%s is missing: install PostgreSQL's client programs (Debian: apt-get install "+
				"postgresql-client), or name their folder in BROADSHEET_PG_BIN", program)
		}
		path = found
	}
	cmd := exec.CommandContext(ctx, path, args...) // #nosec G204 -- the server's own tools
	cmd.Env = append(append(os.Environ(), s.environment()...), "PGAPPNAME="+sessionOf(program))
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("%s: %w: %s", program, err, lastLines(said.String())))
	}
	return nil
}

// sessionOf is what the server calls the session of one of the tools.
func sessionOf(program string) string { return "broadsheet " + program }

// environment is how the tools reach the database; a password in an argument could be read by everybody.
func (s Source) environment() []string {
	c := s.DB.Config()
	env := []string{
		"PGHOST=" + c.Host, "PGPORT=" + strconv.Itoa(int(c.Port)), "PGUSER=" + c.User, "PGPASSWORD=" + c.Password,
		"PGDATABASE=" + c.Database, "LC_ALL=C",
	}
	given, err := url.Parse(c.ConnString())
	if err == nil && strings.HasPrefix(given.Scheme, "postgres") {
		for _, name := range []string{"sslmode", "sslrootcert", "sslcert", "sslkey"} {
			if value := given.Query().Get(name); value != "" {
				env = append(env, "PG"+strings.ToUpper(name)+"="+value)
			}
		}
	} else if c.TLSConfig != nil {
		env = append(env, "PGSSLMODE=require")
	}
	return env
}

func lastLines(text string) string {
	const most = 1000
	text = strings.TrimSpace(text)
	return text[max(0, len(text)-most):]
}
