package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/billing/access"
	"example.org/broadsheet/modules/identity"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/paper/edition"
)

// support is one command's work on a reader's account.
type support struct {
	f       *flags
	edition string
	email   string
	id      int64
	dry     bool
	entry   audit.Entry
}

// account is what a command of support works with.
type account struct {
	*app.App
	*identity.Account
	ed *edition.Edition
}

func supportCommands(f *flags) []*cobra.Command {
	return []*cobra.Command{
		(&support{f: f}).show(), (&support{f: f}).endSessions(), (&support{f: f}).grant(), (&support{f: f}).
			export(), (&support{f: f}).erase(),
	}
}

func (s *support) flags(cmd *cobra.Command, action audit.Action) *cobra.Command {
	s.entry.Action = action
	cmd.Args = cobra.NoArgs
	cmd.Long += "\nIt stands in the audit log: who, what, when and why."
	cmd.Flags().StringVar(&s.edition, "edition", "", "id of the edition")
	cmd.Flags().StringVar(&s.email, "email", "", "address of the reader")
	cmd.Flags().Int64Var(&s.id, "id", 0, "number of the reader, instead of the address")
	cmd.Flags().BoolVar(&s.dry, "dry-run", false, "say what would be done, and do nothing")
	cmd.Flags().StringVar(&s.entry.Reason, "reason", "", "why, for the audit log; grant and erase must have one")
	cmd.Flags().StringVar(&s.entry.Operator, "operator", "", "who, for the audit log; otherwise the machine's user")
	return cmd
}

// operator is who does something by a command, as the audit log names them: who is named, otherwise the machine's user.
func operator(named string) string {
	if named == "" {
		if u, err := user.Current(); err == nil {
			named = u.Username
		}
	}
	return "command:" + named
}

// run finds the reader and gives the account to fn.
func (s *support) run(cmd *cobra.Command, fn func(context.Context, account) error) error {
	if (s.email == "") == (s.id == 0) {
		return errors.New("name the reader with --email ADDRESS or with --id NUMBER")
	}
	s.entry.Operator = operator(s.entry.Operator)
	return s.f.withModules(cmd, s.edition, func(ctx context.Context, a *app.App, ed *edition.Edition) (err error) {
		id := s.id
		if s.email != "" {
			if id, err = identity.Find(ctx, a.DB, s.email); err != nil {
				return err
			}
		}
		found, err := identity.FindAccount(ctx, a.DB, id)
		if err != nil {
			return err
		}
		s.entry.ReaderID = found.ID
		if err := s.entry.Check(); err != nil {
			return err
		}
		return fn(ctx, account{a, found, ed})
	})
}

// dryRun tells a dry run from an action, and says what it would have been.
func (s *support) dryRun(w io.Writer, format string, args ...any) bool {
	if s.dry {
		printf(w, "dry run, nothing is changed: "+format+"\n", args...)
	}
	return s.dry
}

func (s *support) show() *cobra.Command {
	return s.flags(&cobra.Command{
		Use: "show", Short: "Show what an account is and what access it has", Long: "Shows an account. A dry run says only " +
			"whose it would be.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.run(cmd, func(ctx context.Context, a account) error {
				out := cmd.OutOrStdout()
				if s.dryRun(out, "reader %d would be shown", a.ID) {
					return nil
				}
				if err := audit.Write(ctx, a.DB, s.entry); err != nil {
					return err
				}
				end, err := a.Billing.Access.End(ctx, a.ID)
				if err != nil {
					return err
				}
				printf(out, "reader\t%d\naddress\t%s\nname\t%s\ntype\t%s\nroles\t%s\ncreated\t%s\nfirst login\t%s\nlast "+
					"login\t%s\nerased\t%s\nsessions\t%d\n",
					a.ID, a.Email, a.CommentName, a.Type, a.Roles, a.CreatedAt.Format(time.RFC3339), formatTime(a.FirstLoginAt),
					formatTime(a.LastLoginAt), formatTime(a.ErasedAt), a.Sessions)
				if end.At.IsZero() {
					fmt.Fprintln(out, "access\tnone")
				} else {
					printf(out, "access\tuntil %s, %s, trial %t\n", end.At.Format(time.RFC3339), end.Product, end.Trial())
				}
				return nil
			})
		},
	}, identity.ActionShow)
}

func formatTime(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format(time.RFC3339)
}

func (s *support) endSessions() *cobra.Command {
	return s.flags(&cobra.Command{
		Use: "end-sessions", Short: "Log a reader out everywhere", Long: "Ends all sessions of a reader, within a second " +
			"in every process.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.run(cmd, func(ctx context.Context, a account) error {
				if s.dryRun(cmd.OutOrStdout(), "%d sessions of reader %d would end", a.Sessions, a.ID) {
					return nil
				}
				n, err := identity.EndSessions(ctx, a.DB, s.entry)
				if err != nil {
					return err
				}
				printf(cmd.OutOrStdout(), "%d sessions of reader %d have ended\n", n, a.ID)
				return nil
			})
		},
	}, identity.ActionEndSessions)
}

func (s *support) grant() *cobra.Command {
	var until string
	cmd := s.flags(&cobra.Command{
		Use: "grant", Short: "Give a reader access until the end of a day", Long: "Gives access in addition to what was " +
			"bought; " +
			"the latest end counts. Two years at most.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.run(cmd, func(ctx context.Context, a account) error {
				day, err := time.ParseInLocation(time.DateOnly, until, a.ed.Location)
				if err != nil {
					return fmt.Errorf("--until is a day such as 2027-01-31, not %q", until)
				}
				g := access.Grant{ReaderID: a.ID, Until: day.AddDate(0, 0, 1), Reason: s.entry.Reason}
				if err := g.Check(a.DB.Now()); err != nil {
					return err
				}
				if a.ErasedAt != nil {
					return fmt.Errorf("reader %d was erased", a.ID)
				}
				if s.dryRun(cmd.OutOrStdout(), "reader %d would have access until the end of %s", a.ID, until) {
					return nil
				}
				s.entry.Detail = "until " + until
				if err := audit.Write(ctx, a.DB, s.entry); err != nil {
					return err
				}
				if err := access.Give(ctx, a.DB, g); err != nil {
					return err
				}
				printf(cmd.OutOrStdout(), "reader %d has access until the end of %s\n", a.ID, until)
				return nil
			})
		},
	}, access.ActionGrant)
	cmd.Flags().StringVar(&until, "until", "", "last day of the access, 2027-01-31")
	return cmd
}

func (s *support) export() *cobra.Command {
	var file string
	cmd := s.flags(&cobra.Command{
		Use: "export", Short: "Write down all that is kept of a reader", Long: "Writes the archive that readers can " +
			"download in their profile.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.run(cmd, func(ctx context.Context, a account) error {
				if s.dryRun(cmd.OutOrStdout(), "what is kept of reader %d would be written", a.ID) {
					return nil
				}
				if err := audit.Write(ctx, a.DB, s.entry); err != nil {
					return err
				}
				name, zip, err := a.Identity.Data.ExportOf(ctx, a.ID)
				if err != nil {
					return err
				}
				if file == "" {
					file = fmt.Sprintf("reader-%d-%s", a.ID, name)
				}
				out, err := os.OpenFile(filepath.Clean(file), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
				if err != nil {
					return err
				}
				_, err = out.Write(zip)
				if err = errors.Join(err, out.Close()); err != nil {
					return err
				}
				printf(cmd.OutOrStdout(), "what is kept of reader %d is in %s\n", a.ID, file)
				return nil
			})
		},
	}, identity.ActionExport)
	cmd.Flags().StringVar(&file, "file", "", "where to write it; one that is there is not written over")
	return cmd
}

func (s *support) erase() *cobra.Command {
	return s.flags(&cobra.Command{
		Use: "erase", Short: "Delete a reader's account, as the reader can in the profile",
		Long: "Takes address, name and sessions from the account at once; the workers have every part forget the reader, " +
			"cancel what is paid for and send a receipt.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.run(cmd, func(ctx context.Context, a account) error {
				end, err := a.Billing.Access.End(ctx, a.ID)
				if err != nil {
					return err
				}
				loss := "no access"
				if !end.At.IsZero() {
					loss = fmt.Sprintf("access until %s (%s)", end.At.Format(time.RFC3339), end.Product)
				}
				if s.dryRun(cmd.OutOrStdout(), "reader %d would be erased and lose %s", a.ID, loss) {
					return nil
				}
				begun, err := a.Identity.EraseAccount(ctx, s.entry)
				if err != nil {
					return err
				}
				if !begun {
					printf(cmd.OutOrStdout(), "reader %d was erased before\n", a.ID)
					return nil
				}
				printf(cmd.OutOrStdout(), "reader %d is being erased, and loses %s\n", a.ID, loss)
				return nil
			})
		},
	}, identity.ActionErase)
}
