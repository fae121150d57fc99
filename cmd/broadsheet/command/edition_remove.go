package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// subscriptionEnder has all subscriptions of an edition end.
type subscriptionEnder func(cmd *cobra.Command, id string) error

func (f *flags) endSubscriptions(cmd *cobra.Command, id string) error {
	return f.withModules(cmd, id, func(ctx context.Context, a *app.App, _ *edition.Edition) error {
		return a.Billing.Subscriptions.EndAll(ctx)
	})
}

// removal is what `edition remove` was asked to do.
type removal struct{ yes, drop, atOnce, end, keep bool }

func editionRemove(open registryOpener, end subscriptionEnder) *cobra.Command {
	var do removal
	c := &cobra.Command{
		Use: "remove ID", Short: "Take an edition out of service; with --drop remove its data, 30 days later",
		Long: "While subscriptions run, nothing is removed: the payment provider would go on charging readers for a paper\n" +
			"that is not there. --end-subscriptions has each of them end, with an email, when what is paid for is over; one\n" +
			"whose payment is due ends at once. Remove the edition after the last.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return do.run(cmd, args[0], open, end) },
	}
	c.Flags().BoolVar(&do.yes, "yes", false, "do it")
	c.Flags().BoolVar(&do.drop, "drop", false, "remove schema, role and all data of an edition that has been out of "+
		"service for 30 days")
	c.Flags().BoolVar(&do.atOnce, "at-once", false, "with --drop: do not wait")
	c.Flags().BoolVar(&do.end, "end-subscriptions", false, "remove nothing yet, and have all subscriptions end")
	c.Flags().BoolVar(&do.keep, "keep-subscriptions", false, "remove it although readers go on being charged")
	c.MarkFlagsMutuallyExclusive("end-subscriptions", "keep-subscriptions")
	return c
}

func (do removal) run(cmd *cobra.Command, id string, open registryOpener, end subscriptionEnder) error {
	what := "takes the edition away from its readers"
	switch {
	case do.end:
		what = "ends all subscriptions of the edition"
	case do.drop:
		what += " and destroys all its data"
	}
	if !do.yes {
		return fmt.Errorf("this %s; say --yes if you mean it", what)
	}
	if do.end {
		if err := end(cmd, id); err != nil {
			return err
		}
	}
	d, r, done, err := open(cmd)
	if err != nil {
		return err
	}
	defer done()
	runs, day, err := running(cmd.Context(), d, r, id)
	unread := err
	switch {
	case err != nil && do.keep:
	case err != nil && do.end:
		return err
	case err != nil:
		return fmt.Errorf("the subscriptions of %s cannot be counted: %w; --keep-subscriptions leaves them as they are", id,
			err)
	case do.end && runs.Count == 0:
		printf(cmd.OutOrStdout(), "no subscription runs in %s: it can be removed\n", id)
		return nil
	case do.end:
		printf(cmd.OutOrStdout(), "%s in %s, the last until %s: remove it after that day\n",
			quantity(runs.Count, "subscription runs on", "subscriptions run on"), id, day)
		return nil
	case runs.Count > 0 && !do.keep:
		return fmt.Errorf("%s in %s, the last until %s; of these the payment provider would go on charging %d: "+
			"--end-subscriptions has them end, --keep-subscriptions leaves them as they are",
			quantity(runs.Count, "subscription runs", "subscriptions run"), id, day, runs.Renews)
	}
	if do.drop {
		err = r.Drop(cmd.Context(), id, do.atOnce)
	} else {
		err = r.Remove(cmd.Context(), id)
	}
	if err != nil {
		return err
	}
	printf(cmd.OutOrStdout(), "%s is removed\n", id)
	switch {
	case unread != nil:
		printf(cmd.OutOrStdout(), "its subscriptions could not be counted (%v): look for them at the payment provider\n",
			unread)
	case runs.Count > 0:
		printf(cmd.OutOrStdout(), "%s at the payment provider: end them there\n",
			quantity(runs.Count, "subscription runs on", "subscriptions run on"))
	}
	return nil
}

// running counts the subscriptions of an edition, be it in service or not, and names the day on which the last ends.
func running(ctx context.Context, d *db.DB, r *edition.Registry, id string) (subscription.Running, string, error) {
	list, err := r.List(ctx)
	if err != nil {
		return subscription.Running{}, "", err
	}
	if !slices.ContainsFunc(list, func(s edition.Status) bool { return s.ID == id && s.State != "pending" }) {
		return subscription.Running{}, "", nil // Remove says what is wrong
	}
	ed, served := r.Get(id)
	if !served {
		text, err := r.Text(ctx, id)
		if err != nil {
			return subscription.Running{}, "", err
		}
		doc, err := edition.Parse(id, []byte(text))
		if err == nil {
			ed, err = edition.New(*doc, "https://{host}")
		}
		if err != nil {
			return subscription.Running{}, "", fmt.Errorf("its document cannot be read: %w", err)
		}
		d.Attach(ed.ID, ed.Schema)
	}
	runs, err := subscription.RunningIn(edition.With(ctx, ed), d)
	if !served {
		err = errors.Join(err, d.Detach(ed.ID))
	}
	return runs, runs.Last.In(ed.Location).Format(time.DateOnly), err
}
