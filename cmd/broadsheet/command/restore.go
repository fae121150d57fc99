package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/backup"
	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
)

// restoration is what `restore` was asked to do.
type restoration struct {
	ids            []string
	verify         bool
	withoutDamaged bool
}

func restoreCommand(f *flags) *cobra.Command {
	var do restoration
	root := &cobra.Command{
		Use: "restore FOLDER", Short: "Bring editions of a backup back", Args: cobra.ExactArgs(1),
		Annotations: resumed,
		Long: "Compares every file of the backup with its checksum, brings the editions back and compares their rows. An " +
			"edition that is there is never overwritten. A run that was stopped can be repeated. What was to be done at the " +
			"time of the backup waits until `restore confirm`: until then no worker sends or charges anything of it.",
		RunE: func(cmd *cobra.Command, args []string) error { return do.run(cmd, f, args[0]) },
	}
	root.Flags().StringSliceVar(&do.ids, "edition", nil, "ids of the editions; all of the backup without it")
	root.Flags().BoolVar(&do.verify, "verify", false, "restore into a server that is removed again: a trial")
	root.Flags().BoolVar(&do.withoutDamaged, "without-damaged-pictures", false,
		"leave out pictures that are missing in the backup or damaged, and list them")
	root.AddCommand(restoreStatusCommand(f), restoreConfirmCommand(f))
	return root
}

func (do restoration) run(cmd *cobra.Command, f *flags, dir string) error {
	s, stop, err := f.backupSource(cmd)
	if err != nil {
		return err
	}
	defer stop()
	m, err := backup.Read(dir, s.Progress)
	var left []string
	if do.withoutDamaged && m != nil {
		left, err = m.LeaveOut(err)
	}
	if err != nil {
		return err
	}
	ids := do.ids
	if len(ids) == 0 {
		for _, p := range m.Editions {
			ids = append(ids, p.ID)
		}
	}
	if do.verify {
		err = f.verify(cmd, s, dir, m, ids, len(left))
	} else {
		err = restoreEditions(cmd, s, dir, m, ids)
	}
	for _, name := range left {
		printf(cmd.OutOrStdout(), "left out, because it is missing or damaged: %s\n", name)
	}
	return err
}

// verify tries the restore out, without the pictures that are left out.
func (f *flags) verify(cmd *cobra.Command, s backup.Source, dir string, m *backup.Manifest, ids []string,
	left int,
) error {
	cfg, err := f.load()
	if err != nil {
		return err
	}
	if err := backup.Verify(cmd.Context(), s, dir, m, ids, cfg.Database.BinDir); err != nil {
		return err
	}
	is := "is whole"
	if left > 0 {
		is = "lacks " + quantity(left, "picture", "pictures") + ", all else is whole"
	}
	printf(cmd.OutOrStdout(), "the backup of %s %s: %d editions came back equal on a server of their own\n",
		m.TakenAt.Format(time.RFC3339), is, len(ids))
	return nil
}

func restoreEditions(cmd *cobra.Command, s backup.Source, dir string, m *backup.Manifest, ids []string) error {
	restored, err := backup.Restore(cmd.Context(), s, dir, m, ids)
	for _, id := range restored {
		printf(cmd.OutOrStdout(), "%s is as it was at %s; look at `broadsheet restore status --edition %s`\n", id,
			m.TakenAt.Format(time.RFC3339), id)
	}
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.Contains(restored, id) {
			printf(cmd.OutOrStdout(), "%s came back from this backup before, and is left as it is\n", id)
		}
	}
	return nil
}

func restoreStatusCommand(f *flags) *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "status", Short: "Show what waits since a restore", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, ed *edition.Edition) error {
				out := cmd.OutOrStdout()
				if ed.RestoredFrom.IsZero() {
					fmt.Fprintln(out, "nothing waits: the edition was not restored, or the restore is confirmed")
					return nil
				}
				list, err := jobs.Held(ctx, d)
				if err != nil {
					return err
				}
				printf(out, "restored from %s; nothing periodic happens until `broadsheet restore confirm`\n",
					ed.RestoredFrom.Format(time.RFC3339))
				w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "EVENT\tOVERDUE\tDUE LATER\tOLDEST")
				for _, h := range list {
					printf(w, "%s\t%d\t%d\t%s\n", h.Event, h.Due, h.Later, h.Oldest.UTC().Format(time.RFC3339))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	return cmd
}

func restoreConfirmCommand(f *flags) *cobra.Command {
	var id, overdue string
	entry := audit.Entry{Action: jobs.ActionRestored}
	cmd := &cobra.Command{
		Use: "confirm", Short: "Let workers go on with an edition that was restored", Args: cobra.NoArgs,
		Long: "Lets the periodic jobs of the edition run again, and its work that is due later. What was due before now " +
			"was most likely done before the loss: say --overdue drop, or --overdue run to have it done again. Single rows " +
			"can be run before by `broadsheet jobs list --dead` and `broadsheet jobs requeue`.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if overdue != "run" && overdue != "drop" {
				return errors.New("say what to do with work that is overdue: --overdue run, or --overdue drop")
			}
			d, r, stop, err := f.openRegistry(cmd)
			if err != nil {
				return err
			}
			defer stop()
			ctx, ed, err := selectEdition(cmd.Context(), r, id)
			if err != nil {
				return err
			}
			if ed.RestoredFrom.IsZero() {
				return fmt.Errorf("edition %s: nothing waits for a confirmation", ed.ID)
			}
			entry.Operator, entry.Detail = operator(entry.Operator), "overdue work: "+overdue
			if err := audit.Write(ctx, d, entry); err != nil {
				return err
			}
			n, err := jobs.Release(edition.With(ctx, ed), d, overdue == "run")
			if err != nil {
				return err
			}
			if err := r.ConfirmRestored(ctx, ed.ID); err != nil {
				return err
			}
			printf(cmd.OutOrStdout(), "%s goes on; overdue work: %d rows, %s\n", ed.ID, n,
				map[string]string{"run": "run now", "drop": "dropped"}[overdue])
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().StringVar(&overdue, "overdue", "", "what to do with work that was due before now: run or drop")
	cmd.Flags().StringVar(&entry.Operator, "operator", "", "who you are, for the audit log")
	return cmd
}
