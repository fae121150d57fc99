// Package doctor looks for what an operator can get wrong, and says what to do. It changes nothing, and sends nothing
// to anybody.
package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"time"

	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/config"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// Status says how grave a finding is.
type Status string

// A problem keeps the paper, or a part of it, from working. A warning is worth a look, and may be meant so.
const (
	OK      Status = "ok"
	Warning Status = "warning"
	Problem Status = "problem"
)

// Finding is what one check has found.
type Finding struct {
	Check  string `json:"check"`
	Status Status `json:"status"`
	Text   string `json:"text"`
	Advice string `json:"advice,omitempty"` // what to do
}

// Paper is what is looked at. Database and Registry are nil where there is no connection.
type Paper struct {
	Config   *config.Config
	Database *db.DB
	Registry *edition.Registry
	Keys     func(editionID string) (stripe.Keys, error) // at the payment provider
	Offline  bool                                        // asks nobody but Postgres and Redis
	MediaDir string                                      // "" where pictures are in a bucket
	Resolver *net.Resolver                               // of names; nil for that of the machine
}

// check looks at one thing. What it finds in order, it says too.
type check struct {
	name   string
	online bool // asks other machines
	run    func(context.Context, *Paper) []Finding
}

// checks are all, in the order in which a start needs them.
var checks = []check{
	{"secrets", false, secretFiles},
	{"proxies", false, proxies},
	{"settings", false, settings},
	{"rights in Postgres", false, ownerRights},
	{"other databases", false, otherDatabases},
	{"connections", false, connections},
	{"pooler", false, pooler},
	{"clock", false, clocks},
	{"logins of editions", false, logins},
	{"editions", false, states},
	{"schemas", false, schemas},
	{"roles of editions", false, owners},
	{"migrations", false, migrations},
	{"invoices", false, documents},
	{"redis", false, queue},
	{"media", false, pictures},
	{"disk", false, disk},
	{"file descriptors", false, descriptors},
	{"payment keys", false, paymentKeys},
	{"payment provider", true, paymentAccounts},
	{"mail server", true, mailServer},
	{"mail records", true, mailRecords},
	{"hosts", true, hosts},
}

// patience bounds one check: whatever hangs is a finding.
const patience = 20 * time.Second

// Examine runs all checks. What needs a database is left out where there is none.
func Examine(ctx context.Context, p *Paper) []Finding {
	var all []Finding
	for _, c := range checks {
		if c.online && p.Offline {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, patience)
		found := c.run(ctx, p)
		cancel()
		for i := range found {
			found[i].Check = c.name
		}
		all = append(all, found...)
	}
	return all
}

func fine(format string, args ...any) []Finding {
	return []Finding{{Status: OK, Text: fmt.Sprintf(format, args...)}}
}

func warn(advice, format string, args ...any) Finding {
	return Finding{Status: Warning, Text: fmt.Sprintf(format, args...), Advice: advice}
}

func problem(advice, format string, args ...any) Finding {
	return Finding{Status: Problem, Text: fmt.Sprintf(format, args...), Advice: advice}
}

// or is what was found, or that all is fine.
func or(found []Finding, format string, args ...any) []Finding {
	if len(found) > 0 {
		return found
	}
	return fine(format, args...)
}

// marks stand before the lines of each status.
var marks = map[Status]string{OK: "✓", Warning: "!", Problem: "✗"}

// Print writes findings for people, and returns how many are problems.
func Print(w io.Writer, all []Finding) (problems int, err error) {
	for _, f := range all {
		line := fmt.Sprintf("%s %s: %s\n", marks[f.Status], f.Check, f.Text)
		if f.Advice != "" {
			line += "    " + f.Advice + "\n"
		}
		if _, err := io.WriteString(w, line); err != nil {
			return 0, err
		}
	}
	return countProblems(all), nil
}

// report is the JSON of all findings.
type report struct {
	OK       bool      `json:"ok"` // no problem
	Findings []Finding `json:"findings"`
}

// PrintJSON writes findings for programs, and returns how many are problems.
func PrintJSON(w io.Writer, all []Finding) (problems int, err error) {
	problems = countProblems(all)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return problems, e.Encode(report{problems == 0, all})
}

func countProblems(all []Finding) (n int) {
	for _, f := range all {
		if f.Status == Problem {
			n++
		}
	}
	return n
}
