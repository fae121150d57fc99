package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/discussion"
	"example.org/broadsheet/modules/identity"
	"example.org/broadsheet/modules/identity/reader"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// moderation is one command's work on an edition's discussions.
type moderation struct {
	f       *flags
	edition string
	measure discussion.ModerationAction
}

func discussionCommand(f *flags) *cobra.Command {
	m := &moderation{f: f}
	root := &cobra.Command{
		Use: "discussion", Short: "Look after an edition's discussions",
		Long: "What is done here stands in the discussion's log, under the name of the machine's user. Readers see it " +
			"within a second.\n" +
			"A reader is named by the address, or by the number of a comment.",
	}
	root.PersistentFlags().StringVar(&m.edition, "edition", "", "id of the edition")
	root.AddCommand(m.hide(), m.restore(), m.ban(), m.unban(), m.moderator(), m.reports())
	return root
}

// open gives the edition's context, the database and the module to fn.
func (m *moderation) open(cmd *cobra.Command, fn func(context.Context, *db.DB, *discussion.Module) error) error {
	return m.f.withModules(cmd, m.edition, func(ctx context.Context, a *app.App, _ *edition.Edition) error {
		m.measure.Actor = operator("")
		return fn(ctx, a.DB, a.Discussion)
	})
}

// say tells what was done, or what would be.
func (m *moderation) say(cmd *cobra.Command, changed bool, done, already string) {
	text := done
	if !changed {
		text = already
	}
	if m.measure.DryRun {
		text = "dry run, nothing is changed: " + text
	}
	printf(cmd.OutOrStdout(), "%s\n", text)
}

func (m *moderation) flags(cmd *cobra.Command, reason string) *cobra.Command {
	cmd.Flags().StringVar(&m.measure.Reason, "reason", "", reason)
	cmd.Flags().BoolVar(&m.measure.DryRun, "dry-run", false, "say what would be done, and do nothing")
	return cmd
}

func commentID(s string) (int64, error) {
	id, err := strconv.ParseInt(s, 10, 64)
	if err != nil || id <= 0 {
		return 0, fmt.Errorf("%q is not the number of a comment", s)
	}
	return id, nil
}

func (m *moderation) hide() *cobra.Command {
	return m.flags(&cobra.Command{
		Use: "hide COMMENT", Short: "Take a comment out of sight", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return m.show(cmd, args[0], (*discussion.Module).Hide, "is hidden now")
		},
	}, "why, for the log")
}

func (m *moderation) restore() *cobra.Command {
	return m.flags(&cobra.Command{
		Use: "restore COMMENT", Short: "Show a hidden comment again, and settle what was reported about it",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return m.show(cmd, args[0], (*discussion.Module).Restore, "is shown now")
		},
	}, "why, for the log")
}

func (m *moderation) show(cmd *cobra.Command, number string,
	do func(*discussion.Module, context.Context, int64, discussion.ModerationAction) (discussion.Outcome, error),
	done string,
) error {
	id, err := commentID(number)
	if err != nil {
		return err
	}
	return m.open(cmd, func(ctx context.Context, _ *db.DB, d *discussion.Module) error {
		o, err := do(d, ctx, id, m.measure)
		if err != nil {
			return fmt.Errorf("comment %d: %w", id, err)
		}
		what := fmt.Sprintf("comment %d under post %d, by reader %d, ", o.CommentID, o.PostID, o.ReaderID)
		m.say(cmd, o.Changed, what+done, what+strings.Replace(done, "now", "already", 1))
		return nil
	})
}

// findReader finds the reader of an address or of a comment.
func findReader(ctx context.Context, d *db.DB, m *discussion.Module, name string) (int64, error) {
	if strings.Contains(name, "@") {
		return identity.Find(ctx, d, name)
	}
	id, err := commentID(name)
	if err != nil {
		return 0, fmt.Errorf("%q is neither an address nor the number of a comment", name)
	}
	return m.AuthorOf(ctx, id)
}

func (m *moderation) ban() *cobra.Command {
	var days int
	cmd := m.flags(&cobra.Command{
		Use: "ban EMAIL|COMMENT", Short: "Keep a reader from writing for some days", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return m.open(cmd, func(ctx context.Context, d *db.DB, module *discussion.Module) error {
				id, err := findReader(ctx, d, module, args[0])
				if err != nil {
					return err
				}
				o, err := module.Ban(ctx, id, d.Now().AddDate(0, 0, days), m.measure)
				if err != nil {
					return fmt.Errorf("nobody was banned: %w", err)
				}
				m.say(cmd, true, fmt.Sprintf("reader %d may not write until %s", o.ReaderID, o.Until.Format(time.RFC3339)), "")
				return nil
			})
		},
	}, "why; the reader is told (needed)")
	cmd.Flags().IntVar(&days, "days", 0, "for how long, 1 to 3650 (needed)")
	return cmd
}

func (m *moderation) unban() *cobra.Command {
	return m.flags(&cobra.Command{
		Use: "unban EMAIL|COMMENT", Short: "Let a reader write again", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return m.open(cmd, func(ctx context.Context, d *db.DB, module *discussion.Module) error {
				id, err := findReader(ctx, d, module, args[0])
				if err != nil {
					return err
				}
				o, err := module.Unban(ctx, id, m.measure)
				if err != nil {
					return err
				}
				m.say(cmd, o.Changed, fmt.Sprintf("reader %d may write again", id), fmt.Sprintf("reader %d was not banned", id))
				return nil
			})
		},
	}, "why, for the log")
}

func (m *moderation) moderator() *cobra.Command {
	var remove bool
	cmd := m.flags(&cobra.Command{
		Use: "moderator EMAIL", Short: "Let a reader moderate in the page, or no longer",
		Long: "Who is made a moderator is logged out everywhere and logs in anew.", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return m.open(cmd, func(ctx context.Context, d *db.DB, module *discussion.Module) error {
				id, err := identity.Find(ctx, d, args[0])
				if err != nil {
					return err
				}
				changed := true
				if !m.measure.DryRun {
					if changed, err = identity.SetRole(ctx, d, id, reader.Moderator, !remove); err != nil {
						return err
					}
					if changed {
						err = module.Noted(ctx, id, !remove, m.measure)
					}
				}
				words := map[bool][2]string{
					false: {"is a moderator now", "is a moderator already"},
					true:  {"is no moderator any more", "was no moderator"},
				}[remove]
				m.say(cmd, changed, fmt.Sprintf("reader %d %s", id, words[0]), fmt.Sprintf("reader %d %s", id, words[1]))
				return err
			})
		},
	}, "why, for the log")
	cmd.Flags().BoolVar(&remove, "remove", false, "take the role away")
	return cmd
}

func (m *moderation) reports() *cobra.Command {
	var most int
	cmd := &cobra.Command{
		Use: "reports", Short: "List the comments that readers have reported and no moderator has answered",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return m.open(cmd, func(ctx context.Context, _ *db.DB, module *discussion.Module) error {
				list, err := module.Reports(ctx, most)
				if err != nil {
					return err
				}
				for _, r := range list {
					printf(cmd.OutOrStdout(), "%d\tpost %d\treader %d\t%d × %s\t%s\t%q\n", r.CommentID, r.PostID, r.ReaderID,
						r.Count, r.Reasons, r.First.Format(time.RFC3339), r.Text)
				}
				printf(cmd.OutOrStdout(), "%s\n", quantity(len(list), "comment waits", "comments wait"))
				return nil
			})
		},
	}
	cmd.Flags().IntVar(&most, "most", 100, "how many to list")
	return cmd
}
