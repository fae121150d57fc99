package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/mail"
	"example.org/broadsheet/platform/paper/edition"
)

func mailCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "mail", Short: "Take in what mail servers say of emails"}
	root.AddCommand(intakeCommand(f))
	return root
}

// intake reads reports of bounces and complaints for all editions.
type intake struct {
	db       *db.DB
	registry *edition.Registry
	out      io.Writer
}

func intakeCommand(f *flags) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use: "intake", Short: "Read bounces (RFC 3464) and complaints (RFC 5965), one from stdin or all of a folder",
		Args: cobra.NoArgs,
		Long: "A mail server pipes what comes to the address that emails are sent from into this command, or leaves it in " +
			"a folder\n" +
			"(the new/ of a Maildir). An email is known by its Message-ID, so that a made-up report changes nothing.\n" +
			"Of a folder, what was read moves into done/, and what is no report into other/, where a person looks.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, r, stop, err := f.openRegistry(cmd)
			if err != nil {
				return err
			}
			defer stop()
			in := intake{d, r, cmd.OutOrStdout()}
			if folder != "" {
				return in.folder(cmd.Context(), folder)
			}
			err = in.read(cmd.Context(), "stdin", cmd.InOrStdin())
			if errors.Is(err, mail.ErrNoReport) {
				printf(in.out, "stdin: %v\n", err)
				return nil // a mail server would send our complaint back to its sender
			}
			return err
		},
	}
	cmd.Flags().StringVar(&folder, "folder", "", "folder of messages, one a file")
	return cmd
}

// read takes in one message.
func (in intake) read(ctx context.Context, name string, r io.Reader) error {
	reports, err := mail.ParseReport(r)
	if err != nil {
		return err
	}
	if len(reports) == 0 {
		printf(in.out, "%s: a delay or a success, nothing to note\n", name)
	}
	for _, rep := range reports {
		if err := in.record(ctx, name, rep); err != nil {
			return err
		}
	}
	return nil
}

// record gives a report to the edition that sent the email.
func (in intake) record(ctx context.Context, name string, rep mail.Report) error {
	for _, ed := range in.registry.All() {
		out, err := mail.Take(edition.With(ctx, ed), in.db, rep)
		if err != nil {
			return err
		}
		if !out.Known {
			continue
		}
		kind := rep.Kind
		if rep.Kind == mail.Bounce && !rep.Hard {
			kind = "soft bounce"
		}
		said := "noted"
		switch {
		case !out.New:
			said = "was noted before"
		case out.Suppressed:
			said = "noted, and the address gets no newsletters any more"
		}
		printf(in.out, "%s: %s of %s %s, %s\n", name, kind, ed.ID, rep.Status, said)
		return nil
	}
	printf(in.out, "%s: about an email that no edition has sent\n", name)
	return nil
}

// folder takes in every file of a folder. One that fails stays for the next time.
func (in intake) folder(ctx context.Context, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var failed []error
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if err := in.file(ctx, dir, e.Name()); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", e.Name(), err))
		}
	}
	return errors.Join(failed...)
}

func (in intake) file(ctx context.Context, dir, name string) error {
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	err = in.read(ctx, name, file)
	_ = file.Close() // it was read
	to := "done"
	if errors.Is(err, mail.ErrNoReport) {
		to = "other"
		printf(in.out, "%s: %v\n", name, err)
	} else if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, to), 0o750); err != nil {
		return err
	}
	return os.Rename(filepath.Join(dir, name), filepath.Join(dir, to, name))
}
