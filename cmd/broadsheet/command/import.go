package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/cmd/broadsheet/progress"
	"example.org/broadsheet/modules/content/wordpress"
	"example.org/broadsheet/modules/identity/legacy"
	"example.org/broadsheet/platform/paper/edition"
)

func importCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "import", Short: "Take over content from another system"}
	root.AddCommand(wordpressCommand(f))
	return root
}

func wordpressCommand(f *flags) *cobra.Command {
	var id, pictures, category, report, readers, locked string
	var variants []string
	var fetch, dry, watch bool
	cmd := &cobra.Command{
		Use: "wordpress FILE", Short: "Take the export of a WordPress site into an edition", Args: cobra.MaximumNArgs(1),
		Annotations: resumed,
		Long: "Reads the file twice: a file that is broken changes nothing. A run that was stopped is completed by the " +
			"next; a second run changes nothing.\n" +
			"With --readers it takes its readers as well, or alone without FILE: who is here already stays as they are, who " +
			"has left does not come back.",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if readers != "" {
				if err := importReaders(f, cmd, id, readers, dry); err != nil || len(args) == 0 {
					return err
				}
			}
			if len(args) == 0 {
				return errors.New("name the file of the export, or one with readers by --readers FILE")
			}
			in, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer in.Close() //nolint:errcheck // read only
			t, err := f.contentTools(cmd, id)
			if err != nil {
				return err
			}
			defer t.stop()
			var lines io.Writer
			if report != "" {
				out, err := os.Create(report)
				if err != nil {
					return err
				}
				defer func() {
					if cerr := out.Close(); err == nil {
						err = cerr
					}
				}()
				lines = out
			}
			var tell func(done, all int)
			if watch || (!cmd.Flags().Changed("progress") && progress.IsTerminal(os.Stderr)) {
				line := progress.New(cmd.ErrOrStderr(), "items")
				defer line.End()
				tell = line.At
			}
			r, err := wordpress.Import(t.ctx, in, wordpress.Options{
				Library: t.content, Images: t.images, DB: t.db, Media: pictures, Fetch: fetch, DryRun: dry, Category: category,
				Locked: locked, Variants: variants, Lines: lines, Progress: tell,
			})
			if r != nil {
				if _, werr := r.WriteTo(plainWriter{cmd.OutOrStdout()}); werr != nil {
					return werr
				}
			}
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().StringVar(&pictures, "media", "", "folder with the pictures, like wp-content/uploads")
	cmd.Flags().BoolVar(&fetch, "fetch", false, "download pictures that the folder does not have")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "write nothing, report what would be done")
	cmd.Flags().StringVar(&category, "category", "", "slug for posts without a category")
	cmd.Flags().StringVar(&readers, "readers", "", "CSV with the readers, as 'wp user list --format=csv' writes it: "+
		"user_email, and display_name, user_registered, type")
	cmd.Flags().StringVar(&locked, "locked", "", "the site's categories and tags whose posts are for subscribers: "+
		"category:premium,tag:club")
	cmd.Flags().StringArrayVar(&variants, "variant", nil, "what posts of categories and tags become, "+
		"comment=category:opinion: article, comment, weekly_topic, salon, minute or video; may be repeated, the first that "+
		"fits counts")
	cmd.Flags().StringVar(&report, "report", "", "file for the whole report, one line of JSON an entry")
	cmd.Flags().BoolVar(&watch, "progress", false, "say how far it is on the standard error; so it does on a terminal, "+
		"unless --progress=false")
	return cmd
}

// importReaders takes the accounts of the former site.
func importReaders(f *flags, cmd *cobra.Command, id, file string, dry bool) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // read only
	list, err := legacy.Parse(in)
	if err != nil {
		return fmt.Errorf("%s, no reader was taken: %w", file, err)
	}
	return f.withModules(cmd, id, func(ctx context.Context, a *app.App, _ *edition.Edition) error {
		done, err := a.Identity.ImportLegacy(ctx, list, dry)
		if err != nil {
			return fmt.Errorf("%s, no reader was taken: %w", file, err)
		}
		printf(cmd.OutOrStdout(), "readers: %d taken, %d of them with their name, %d were here, %d had left\n",
			done.Created, done.Named, done.Known, done.Left)
		return nil
	})
}
