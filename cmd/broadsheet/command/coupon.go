package command

import (
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/modules/billing"
	"example.org/broadsheet/modules/billing/voucher"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

func couponCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "coupon", Short: "Make codes that open reading without a payment"}
	root.AddCommand(couponCreate(f), couponList(f), couponRevoke(f))
	return root
}

func couponCreate(f *flags) *cobra.Command {
	var id, from, until string
	var dry bool
	b := voucher.Batch{}
	cmd := &cobra.Command{
		Use: "create", Short: "Make codes and write them, as CSV, to the standard output", Args: cobra.NoArgs,
		Example: "  broadsheet coupon create --edition standard --count 5000 --name spring --until 2027-06-30 > codes.csv",
		Long: "Each code opens periods of a product to as many readers as it has uses, once to each. Nothing is charged " +
			"and nothing renews.\n" +
			"The codes are shown this once: the database has no more than what is needed to recognise them.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, ed *edition.Edition) (err error) {
				now := d.Now()
				if b.Product == "" {
					b.Product = billing.FirstSold(ed)
				}
				if b.Name == "" {
					b.Name = now.In(ed.Location).Format("2006-01-02 15:04:05")
				}
				if b.Until = (edition.Interval{Unit: "year", Count: 1}).Add(now.In(ed.Location), 1); until != "" {
					if b.Until, err = dayIn(ed, "until", until, 1); err != nil {
						return err
					}
				}
				if from != "" {
					if b.From, err = dayIn(ed, "from", from, 0); err != nil {
						return err
					}
				}
				if dry {
					if err := b.Check(ed, now); err != nil {
						return err
					}
					printf(cmd.ErrOrStderr(), "nothing was made; it would be %s\n", describeBatch(ed, b))
					return nil
				}
				codes, err := voucher.CreateCoupons(ctx, d, b)
				if err != nil {
					return fmt.Errorf("no code was made: %w", err)
				}
				if err := writeCodes(cmd, ed, b, codes); err != nil {
					return fmt.Errorf("the codes could not be written; end them with `broadsheet coupon revoke %q`: %w", b.Name, err)
				}
				printf(cmd.ErrOrStderr(), "%s\n", describeBatch(ed, b))
				return nil
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&id, "edition", "", "id of the edition")
	flags.StringVar(&b.Name, "name", "", "name of the codes, to list and revoke them by; the time, unless told")
	flags.StringVar(&b.Product, "product", "", "product type that they open; the first that is sold, unless told")
	flags.IntVar(&b.Count, "count", 1, "how many codes")
	flags.IntVar(&b.Periods, "periods", 1, "how many periods of the product each opens")
	flags.IntVar(&b.Uses, "uses", 1, "how many readers can redeem each")
	flags.StringVar(&from, "from", "", "first day, 2027-01-31; at once, unless told")
	flags.StringVar(&until, "until", "", "last day, 2027-01-31; in a year, unless told")
	flags.BoolVar(&dry, "dry-run", false, "say what would be made, and make nothing")
	return cmd
}

// dayIn is a day's beginning in the edition's time zone, some days later.
func dayIn(ed *edition.Edition, flag, text string, later int) (time.Time, error) {
	t, err := time.ParseInLocation(time.DateOnly, text, ed.Location)
	if err != nil {
		return t, fmt.Errorf("--%s: %q is no day such as 2027-01-31", flag, text)
	}
	return t.AddDate(0, 0, later), nil
}

func describeBatch(ed *edition.Edition, b voucher.Batch) string {
	return fmt.Sprintf("%d codes %q for %d × %s of %s, %d uses each, until %s", b.Count, b.Name, b.Periods, b.Product,
		ed.ID, b.Uses, lastDay(ed, b.Until))
}

func lastDay(ed *edition.Edition, until time.Time) string {
	return until.Add(-time.Second).In(ed.Location).Format(time.DateOnly)
}

func writeCodes(cmd *cobra.Command, ed *edition.Edition, b voucher.Batch, codes []string) error {
	w := csv.NewWriter(cmd.OutOrStdout())
	rows := [][]string{{"code", "edition", "product", "periods", "uses", "until"}}
	for _, code := range codes {
		rows = append(rows,
			[]string{code, ed.ID, b.Product, strconv.Itoa(b.Periods), strconv.Itoa(b.Uses), lastDay(ed, b.Until)})
	}
	return w.WriteAll(rows)
}

func couponList(f *flags) *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "list", Short: "List what codes were made and how many were redeemed", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, ed *edition.Edition) error {
				list, err := voucher.ListCoupons(ctx, d)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "NAME\tPRODUCT\tPERIODS\tCODES\tREDEEMED\tLEFT\tREVOKED\tFROM\tUNTIL")
				for _, b := range list {
					printf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", b.Name, b.Product, b.Periods, b.Codes, b.Redeemed,
						b.Remaining, b.Revoked,
						b.ValidFrom.In(ed.Location).Format(time.DateOnly), lastDay(ed, b.ValidUntil))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	return cmd
}

func couponRevoke(f *flags) *cobra.Command {
	var id string
	var dry bool
	cmd := &cobra.Command{
		Use: "revoke NAME|CODE", Short: "End codes; what was redeemed stays", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, _ *edition.Edition) error {
				n, err := voucher.RevokeCoupons(ctx, d, args[0], dry)
				if err != nil {
					return err
				}
				verb := "were"
				if dry {
					verb = "would be"
				}
				printf(cmd.OutOrStdout(), "%d codes that could still be redeemed %s ended\n", n, verb)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say how many, and end none")
	return cmd
}
