package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/modules/billing/subscription"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// keyFinder finds an edition's account at the payment provider.
type keyFinder = func(editionID string) (stripe.Keys, error)

// keyOpener gives a command a keyFinder, once its registry is open.
type keyOpener func() (keyFinder, error)

func editionCheck(open registryOpener, keys keyOpener, configured func() bool) *cobra.Command {
	var prices bool
	c := &cobra.Command{
		Use: "check [FILE...]", Short: "Check documents without applying them; without files, those that are applied",
		Long: "Where a database is configured, documents are compared with the editions that are there.\n\n" +
			"With --apply, what is sold by documents that are good is made known to the payment provider: every price " +
			"that it does\n" +
			"not have yet. Prices that are no longer sold stay there, because subscriptions may run on them.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := checkFiles(args); err != nil {
					return err
				}
				if configured() {
					if err := checkClashes(cmd, open, args); err != nil {
						return err
					}
				}
				printf(cmd.OutOrStdout(), "%s\n", quantity(len(args), "document is good", "documents are good"))
				if !prices {
					return nil
				}
			}
			d, r, done, err := open(cmd)
			if err != nil {
				return err
			}
			defer done()
			editions := r.All()
			if len(args) > 0 {
				if editions, err = readEditions(args); err != nil {
					return err
				}
			} else if err := checkApplied(cmd, d, r); err != nil || !prices {
				return err
			}
			find, err := keys()
			if err != nil {
				return err
			}
			return applyPrices(cmd.Context(), cmd.OutOrStdout(), editions, find)
		},
	}
	c.Flags().BoolVar(&prices, "apply", false, "make the prices that the payment provider does not have")
	return c
}

// readEditions makes the editions of documents. Their addresses do not matter here.
func readEditions(files []string) (list []*edition.Edition, err error) {
	for _, f := range files {
		doc, err := readDocument(f)
		if err != nil {
			return nil, err
		}
		ed, err := edition.New(*doc, "https://{host}")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		list = append(list, ed)
	}
	return list, nil
}

// applyPrices makes what is missing and says what there is; one edition that fails does not keep the others back.
func applyPrices(ctx context.Context, out io.Writer, editions []*edition.Edition, find keyFinder) error {
	var errs []error
	for _, ed := range editions {
		list, err := subscription.SyncPrices(edition.With(ctx, ed), find)
		for _, p := range list {
			state := "kept"
			if p.Made {
				state = "created"
			}
			printf(out, "%s %s\n", state, p.Key)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", ed.ID, err))
		}
	}
	return errors.Join(errs...)
}

// providerKeys finds keys in the settings and, where there are none, in the sandbox of a running `dev`.
func (f *flags) providerKeys() (keyFinder, error) {
	cfg, err := f.load()
	if err != nil {
		return nil, err
	}
	configured := app.ConfiguredKeys(cfg)
	return func(id string) (stripe.Keys, error) {
		k, err := configured(id)
		switch {
		case err != nil || k.SecretKey != "":
			return k, err
		case f.sandbox != "":
			return app.SandboxKeys(f.sandbox, id), nil
		}
		return k, fmt.Errorf("set BROADSHEET_STRIPE_%s_SECRET_KEY, or name the data folder of a running `broadsheet dev`",
			strings.ToUpper(id))
	}, nil
}

// checkApplied checks what is in the registry with this program's rules, which may be newer than the documents.
func checkApplied(cmd *cobra.Command, d *db.DB, r *edition.Registry) error {
	list, err := r.List(cmd.Context())
	if err != nil {
		return err
	}
	var errs []error
	good := 0
	for _, s := range list {
		ed, served := r.Get(s.ID)
		switch {
		case s.State == "disabled":
		case s.State == "failed":
			errs = append(errs, fmt.Errorf("%s: its last migration failed: %s", s.ID, s.Error))
		case s.State == "pending":
			errs = append(errs, fmt.Errorf("%s: it was not added to the end; `edition apply` finishes it", s.ID))
		case !served:
			errs = append(errs, fmt.Errorf("%s: this program cannot read its document; apply one that fits", s.ID))
		default:
			good++
			errs = append(errs, listMissingPages(cmd.Context(), cmd.OutOrStdout(), d, ed))
		}
	}
	printf(cmd.OutOrStdout(), "%s\n", quantity(good, "edition is good", "editions are good"))
	return errors.Join(errs...)
}

// checkClashes compares documents that are good with the editions that are there.
func checkClashes(cmd *cobra.Command, open registryOpener, files []string) error {
	d, r, done, err := open(cmd)
	if err != nil {
		return err
	}
	defer done()
	editions, err := readEditions(files)
	if err != nil {
		return err
	}
	var ids []string
	for _, ed := range editions {
		ids = append(ids, ed.ID)
	}
	var errs []error
	for i, ed := range editions {
		if err := r.Clashes(cmd.Context(), &ed.Document, ids...); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", files[i], err))
			continue
		}
		of := d
		if _, there := r.Get(ed.ID); !there {
			of = nil // it has no page before it is added
		}
		errs = append(errs, listMissingPages(cmd.Context(), cmd.OutOrStdout(), of, ed))
	}
	return errors.Join(errs...)
}

// checkFiles reads documents and looks for what they may not share; it needs no database.
func checkFiles(files []string) error {
	var errs []error
	ids, hosts, numbers, accounts := map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}
	for _, f := range files {
		doc, err := readDocument(f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if other, dup := ids[doc.ID]; dup {
			errs = append(errs, fmt.Errorf("%s: id: %s is that of %s too", f, doc.ID, other))
		}
		ids[doc.ID] = f
		if other, dup := numbers[doc.Numbers()]; dup && other != f {
			errs = append(errs,
				fmt.Errorf("%s: billing.series: the invoices of %s would have the same numbers: it has the same supplier and "+
					"series", f, other))
		}
		numbers[doc.Numbers()] = f
		if other, dup := accounts[doc.Transfers()]; dup && other != f && doc.Transfers() != "" {
			errs = append(errs,
				fmt.Errorf("%s: bank.iban: the orders of %s would have the same references: both take transfers into one account",
					f, other))
		}
		accounts[doc.Transfers()] = f
		for _, h := range doc.Hosts {
			if other, dup := hosts[h]; dup && other != f {
				errs = append(errs, fmt.Errorf("%s: hosts: %s is that of %s too", f, h, other))
			}
			hosts[h] = f
		}
	}
	return errors.Join(errs...)
}
