package command

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/broadsheet/modules/content/pagefile"
)

// pageCommand changes pages such as the terms or the history without a desk: they are written into a file and applied.
func pageCommand(f *flags) *cobra.Command {
	var id string
	c := &cobra.Command{
		Use: "page", Short: "Write the pages of an edition to a file, and take them from one",
		Long: "A file is a list of pages: slug, title, excerpt, route (such as history) and body in Markdown, and blocks " +
			"such as a timeline.\n" +
			"docs/pages.md tells all of it. Readers see a change within a second.",
	}
	c.AddCommand(pageExport(f, &id), pageApply(f, &id))
	c.PersistentFlags().StringVar(&id, "edition", "", "id of the edition")
	return c
}

func pageExport(f *flags, id *string) *cobra.Command {
	return &cobra.Command{
		Use: "export FILE", Short: "Write all pages to a file; - is the standard output", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := f.contentTools(cmd, *id)
			if err != nil {
				return err
			}
			defer t.stop()
			pages, err := t.content.StaticPages(t.ctx)
			if err != nil {
				return err
			}
			text, err := pagefile.Export(pages)
			if err != nil {
				return err
			}
			if args[0] == "-" {
				_, err = cmd.OutOrStdout().Write(text)
				return err
			}
			if err := os.WriteFile(args[0], text, 0o644); err != nil {
				return err
			}
			printf(cmd.OutOrStdout(), "%d pages are in %s\n", len(pages), args[0])
			return nil
		},
	}
}

func pageApply(f *flags, id *string) *cobra.Command {
	return &cobra.Command{
		Use: "apply FILE", Short: "Bring the pages that a file names to what it says, all of them or none",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			pages, err := pagefile.Read(args[0], text)
			if err != nil {
				return err // before a database is asked
			}
			t, err := f.contentTools(cmd, *id)
			if err != nil {
				return err
			}
			defer t.stop()
			k := pagefile.Keeper{Posts: t.content, Images: t.images, Files: os.DirFS(filepath.Dir(args[0]))}
			changed, err := k.Apply(t.ctx, pages)
			if err != nil {
				return err
			}
			printf(cmd.OutOrStdout(), "%d of %d pages changed\n", changed, len(pages))
			return nil
		},
	}
}
