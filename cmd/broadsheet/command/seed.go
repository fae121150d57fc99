package command

import (
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/progress"
	"example.org/broadsheet/modules/content/sample"
	"example.org/broadsheet/tenants"
)

func seedCommand(f *flags) *cobra.Command {
	var id string
	var more int
	cmd := &cobra.Command{
		Use: "seed", Short: "Fill an edition with sample content", Args: cobra.NoArgs,
		Annotations: resumed,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := f.contentTools(cmd, id)
			if err != nil {
				return err
			}
			defer t.stop()
			folder, err := fs.Sub(tenants.FS, "sample")
			if err != nil {
				return err
			}
			l, err := sample.Read(folder, id)
			if err != nil {
				return fmt.Errorf("there is no sample content for %s: %w", id, err)
			}
			line := progress.New(cmd.ErrOrStderr(), "further articles")
			defer line.End()
			s := sample.Seeder{Posts: t.content, Images: t.images, Now: t.db.Now, Progress: line.At}
			r, err := s.Fill(t.ctx, l)
			if err != nil {
				return err
			}
			written, err := s.More(t.ctx, l, more)
			if err != nil {
				return err
			}
			printf(cmd.OutOrStdout(), "%d posts and %d pictures of the sample, %d further articles\n", r.Posts,
				r.Pictures, written)
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().IntVar(&more, "articles", 0, "further articles, for measuring")
	return cmd
}
