package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/newsletter"
)

func newsletterCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "newsletter", Short: "Send newsletters by hand"}
	root.AddCommand(breakingCommand(f))
	return root
}

func breakingCommand(f *flags) *cobra.Command {
	var id string
	var post int64
	cmd := &cobra.Command{
		Use: "send LIST", Short: "Send a post to all who get a list of breaking news", Args: cobra.ExactArgs(1),
		Long: "Sends a published post to the subscribers of a list of the kind breaking, once: a second call for the same " +
			"post sends nothing.\n" +
			"Locked posts are told by headline and excerpt. The paper's workers send the emails.",
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := f.contentTools(cmd, id)
			if err != nil {
				return err
			}
			defer t.stop()
			err = newsletter.Break(t.ctx, t.db, app.Stories{Content: t.content}, args[0], post)
			switch {
			case errors.Is(err, newsletter.ErrSent):
				return fmt.Errorf("post %d was sent to %s before", post, args[0])
			case err != nil:
				return fmt.Errorf("%w: the list has to be one of breaking news, and the post has to be published", err)
			}
			printf(cmd.OutOrStdout(), "post %d goes out to %s\n", post, args[0])
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().Int64Var(&post, "post", 0, "number of the post")
	return cmd
}
