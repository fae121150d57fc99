package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/cmd/broadsheet/backup"
	"example.org/broadsheet/cmd/broadsheet/progress"
	"example.org/broadsheet/platform/embedded/postgres"
	"example.org/broadsheet/platform/paper/edition"
)

// backupSource is what backup, restore and export work on; stop lets go of it.
func (f *flags) backupSource(cmd *cobra.Command) (s backup.Source, stop func(), err error) {
	cfg, err := f.load()
	if err != nil {
		return s, nil, err
	}
	d, r, closeDB, err := f.openRegistry(cmd)
	if err != nil {
		return s, nil, err
	}
	store, err := app.OpenMedia(cmd.Context(), cfg, nil)
	if err != nil {
		closeDB()
		return s, nil, err
	}
	parts := progress.NewParts(cmd.ErrOrStderr())
	s = backup.Source{
		DB: d, Registry: r, Store: store,
		Tools: postgres.Tools(cmd.Context(), cfg.Database.BinDir), Program: cmd.Root().Version,
		Progress: parts.At,
	}
	return s, func() { parts.End(); _ = store.Close(); closeDB() }, nil
}

// chosen are the editions of a flag, or all.
func chosen(r *edition.Registry, ids []string) (list []*edition.Edition, err error) {
	if len(ids) == 0 {
		return r.All(), nil
	}
	for _, id := range ids {
		ed, ok := r.Get(id)
		if !ok {
			return nil, fmt.Errorf("there is no edition %q", id)
		}
		list = append(list, ed)
	}
	return list, nil
}

func backupCommand(f *flags) *cobra.Command {
	var ids []string
	cmd := &cobra.Command{
		Use: "backup FOLDER", Short: "Write editions to a folder that is made for it", Args: cobra.ExactArgs(1),
		Long: "Writes the databases of editions, as of one moment, and their pictures to a folder that does not exist yet, " +
			"with checksums of all of it. It has its name when it is complete; a run that was stopped is begun anew. The " +
			"secret (BROADSHEET_SECRET) is not part of it: keep it in a place of its own.",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, stop, err := f.backupSource(cmd)
			if err != nil {
				return err
			}
			defer stop()
			editions, err := chosen(s.Registry, ids)
			if err != nil {
				return err
			}
			if len(editions) == 0 {
				return errors.New("there is no edition to back up")
			}
			m, err := backup.Write(cmd.Context(), s, args[0], editions)
			if err != nil {
				return err
			}
			for _, p := range m.Editions {
				printf(cmd.OutOrStdout(), "%s: %d rows, %d files\n", p.ID, p.Rows(), p.Pictures)
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&ids, "edition", nil, "ids of the editions; all without it")
	return cmd
}

func exportCommand(f *flags) *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "export FILE", Short: "Write everything that an edition has as JSON, one object a line",
		Args: cobra.ExactArgs(1),
		Long: "Writes all rows of all tables, for other programs: {\"table\": \"content_posts\", \"row\": {…}}. Hashes, " +
			"nonces and keys are left out. FILE may be - for the standard output; another is there when it is complete.",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, stop, err := f.backupSource(cmd)
			if err != nil {
				return err
			}
			defer stop()
			ctx, ed, err := selectEdition(cmd.Context(), s.Registry, id)
			if err != nil {
				return err
			}
			n := 0
			err = backup.ToFile(args[0], cmd.OutOrStdout(), func(out io.Writer) error {
				n, err = backup.Export(ctx, s, ed, out)
				return err
			})
			if err == nil {
				printf(cmd.ErrOrStderr(), "%s: %d rows\n", ed.ID, n)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	return cmd
}
