package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/progress"
	"example.org/broadsheet/modules/content/wordpress"
)

func syncCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "sync", Short: "Keep an edition equal to another system"}
	root.AddCommand(syncWordpressCommand(f))
	return root
}

// minInterval spares the site: a round asks about ten questions.
const minInterval = 5 * time.Second

func syncWordpressCommand(f *flags) *cobra.Command {
	var o wordpress.SyncOptions
	var id, passwordFile, report string
	var once bool
	var every time.Duration
	cmd := &cobra.Command{
		Use: "wordpress --url https://site.example --edition ID", Short: "Keep an edition equal to a WordPress, by its " +
			"REST API", Args: cobra.NoArgs, Annotations: resumed,
		Long: "The newsroom keeps its desk in WordPress, and what it publishes, changes, moves or takes down is here " +
			"within an interval.\n" +
			"WordPress wins: what is changed here is overwritten by its next change there. A run that was stopped is " +
			"completed by the next.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			switch {
			case o.URL == "":
				return errors.New("name the site with --url https://site.example")
			case (o.User == "") != (passwordFile == ""):
				return errors.New("--user and --password-file go together")
			case every < minInterval:
				return fmt.Errorf("--every: at least %s", minInterval)
			}
			if passwordFile != "" {
				if o.Password, err = wordpress.ReadPassword(passwordFile); err != nil {
					return fmt.Errorf("--password-file: %w", err)
				}
			}
			t, err := f.contentTools(cmd, id)
			if err != nil {
				return err
			}
			defer t.stop()
			if report != "" {
				out, err := os.OpenFile(report, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, out.Close()) }()
				o.Lines = out
			}
			o.Library, o.Images, o.DB = t.content, t.images, t.db
			if once {
				parts := progress.NewParts(cmd.ErrOrStderr())
				defer parts.End()
				o.Progress = parts.At
			}
			s, err := wordpress.OpenSync(t.ctx, o)
			if err != nil {
				return err
			}
			defer s.Close(t.ctx)
			if once {
				r, err := s.Round(t.ctx)
				return errors.Join(err, r.WriteRound(plainWriter{cmd.OutOrStdout()}))
			}
			return syncEvery(t.ctx, s, every, plainWriter{cmd.OutOrStdout()})
		},
	}
	cmd.Flags().StringVar(&o.URL, "url", "", "address of the site's front page")
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&once, "once", false, "make one round and end")
	cmd.Flags().DurationVar(&every, "every", time.Minute, "interval of the rounds")
	cmd.Flags().
		StringVar(&o.User, "user", "", "account of the site, with the role Editor, that has an application password")
	cmd.Flags().StringVar(&passwordFile, "password-file", "", "file with the application password")
	cmd.Flags().
		StringVar(&o.Media, "media", "", "folder with the pictures, like wp-content/uploads; others are downloaded")
	cmd.Flags().StringVar(&o.Category, "category", "", "slug for posts without a category")
	cmd.Flags().StringVar(&o.Locked, "locked", "", "the site's categories and tags whose posts are for subscribers: "+
		"category:premium,tag:club")
	cmd.Flags().StringArrayVar(&o.Variants, "variant", nil, "what posts of categories and tags become, "+
		"comment=category:opinion: article, comment, weekly_topic, salon, minute or video; may be repeated, the first that "+
		"fits counts")
	cmd.Flags().IntVar(&o.Walk, "walk", 0, "compare all ids every so many rounds (default 60)")
	cmd.Flags().BoolVar(&o.Emptied, "emptied", false, "withdraw posts even if most are gone from the site")
	cmd.Flags().StringVar(&report, "report", "", "file to which every entry is added as a line of JSON")
	cmd.MarkFlagsMutuallyExclusive("once", "every")
	return cmd
}

// syncEvery runs until it is told to stop, which is no error.
func syncEvery(ctx context.Context, s *wordpress.Syncer, every time.Duration, out io.Writer) error {
	err := s.Run(ctx, every, func(r *wordpress.Report, err error) {
		if err != nil {
			slog.ErrorContext(ctx, "a round failed; the next one goes on", "error", err)
		}
		if r.Moved() {
			if err := r.WriteRound(out); err != nil {
				slog.WarnContext(ctx, "writing the report", "error", err)
			}
		}
	})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
