package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/modules/content/wordpress"
)

func importCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "import", Short: "Take over content from another system"}
	root.AddCommand(wordpressCommand(f))
	return root
}

func wordpressCommand(f *flags) *cobra.Command {
	var id, pictures, category, report string
	var fetch, dry, watch bool
	cmd := &cobra.Command{
		Use: "wordpress FILE", Short: "Take the export of a WordPress site into an edition", Args: cobra.ExactArgs(1),
		Long: "Reads the file twice: a file that is broken changes nothing. A run that was stopped is completed by the next; a second run changes nothing.",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
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
			if watch || (!cmd.Flags().Changed("progress") && onTerminal(os.Stderr)) {
				tell = newProgress(cmd.ErrOrStderr(), time.Now).tell
			}
			r, err := wordpress.Import(t.ctx, in, wordpress.Options{
				Library: t.content, Images: t.images, DB: t.db, Media: pictures, Fetch: fetch, DryRun: dry, Category: category, Lines: lines, Progress: tell,
			})
			if r != nil {
				if _, werr := r.WriteTo(cmd.OutOrStdout()); werr != nil {
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
	cmd.Flags().StringVar(&report, "report", "", "file for the whole report, one line of JSON an entry")
	cmd.Flags().BoolVar(&watch, "progress", false, "say how far it is on the standard error; so it does on a terminal, unless --progress=false")
	return cmd
}
