package command

import (
	"errors"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/cmd/broadsheet/doctor"
	"example.org/broadsheet/platform/db"
)

// doctorCommand looks for what an operator can get wrong.
func doctorCommand(f *flags) *cobra.Command {
	var asJSON, offline bool
	c := &cobra.Command{
		Use: "doctor", Short: "Look for mistakes in the settings and services, and say what to do", Args: cobra.NoArgs,
		Long: "Looks at settings, Postgres, Redis, the mail server, the pictures, the payment provider, DNS and this\n" +
			"machine. It changes nothing and sends no email. The exit code is 1 where something keeps the paper from\n" +
			"working (✗); warnings (!) may be meant so. Run it as the user of serve and work, with their environment.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			found := f.examine(cmd, offline)
			out := plainWriter{cmd.OutOrStdout()}
			print := doctor.Print
			if asJSON {
				print = doctor.PrintJSON
			}
			problems, err := print(out, found)
			if err == nil && problems > 0 {
				err = errors.New(quantity(problems, "thing needs care", "things need care"))
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON: ok, and findings with check, status, text and advice")
	c.Flags().BoolVar(&offline, "offline", false, "ask no mail server, payment provider, name server and bucket of "+
		"pictures")
	return c
}

// examine runs the checks on as much of the paper as there is.
func (f *flags) examine(cmd *cobra.Command, offline bool) []doctor.Finding {
	cfg, err := f.load()
	if err != nil {
		return []doctor.Finding{{
			Check: "settings", Status: doctor.Problem, Text: err.Error(), Advice: "docs/configuration.md",
		}}
	}
	found := []doctor.Finding{{Check: "settings", Status: doctor.OK, Text: "can be read"}}
	p := &doctor.Paper{Config: cfg, Offline: offline}
	if p.MediaDir, err = app.MediaDir(cfg); err != nil {
		found = append(found, doctor.Finding{Check: "media", Status: doctor.Problem, Text: err.Error()})
	}
	d, r, stop, err := f.openRegistry(cmd)
	if err != nil {
		advice := "Is Postgres running, and is BROADSHEET_DATABASE_URL right?"
		if errors.Is(err, db.ErrPooler) {
			advice = "database.pooler_url is for the pooler: docs/scaling.md."
		}
		found = append(found, doctor.Finding{
			Check: "database", Status: doctor.Problem, Text: err.Error(),
			Advice: advice,
		})
	} else {
		defer stop()
		found = append(found, doctor.Finding{Check: "database", Status: doctor.OK, Text: "answers"})
		p.Database, p.Registry = d, r
	}
	if p.Keys, err = f.providerKeys(); err != nil {
		return append(found, doctor.Finding{Check: "payment keys", Status: doctor.Problem, Text: err.Error()})
	}
	return append(found, doctor.Examine(cmd.Context(), p)...)
}
