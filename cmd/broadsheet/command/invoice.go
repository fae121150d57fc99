package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"example.org/broadsheet/modules/billing/invoice"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/i18n"
	"example.org/broadsheet/platform/paper/edition"
)

func invoiceCommand(f *flags) *cobra.Command {
	root := &cobra.Command{Use: "invoice", Short: "Look after an edition's invoices"}
	root.AddCommand(invoiceExport(f), invoiceCorrect(f), invoiceRedraw(f))
	return root
}

func invoiceExport(f *flags) *cobra.Command {
	var id, file, year, month, quarter, from, to string
	cmd := &cobra.Command{
		Use: "export", Short: "Write the invoices of a year, a quarter or a month into a zip, for the accountant",
		Args: cobra.NoArgs,
		Long: "Writes every tax invoice, pro-forma invoice and credit note that was issued in a period as PDF and as XML " +
			"(EN 16931, UBL 2.1),\n" +
			"and four tables: invoices.csv with totals, months.csv with totals by month and kind, vat.csv with the VAT by " +
			"month, kind and rate,\n" +
			"and proforma.csv. Credit notes stand below zero. A document that cannot be drawn stops no other: it is named, " +
			"incomplete.csv has it,\n" +
			"and the exit code is 1.",
		Example: "  broadsheet invoice export --month 2026-11 --edition standard\n  broadsheet invoice export --quarter " +
			"2026-4 --edition standard",
		RunE: func(cmd *cobra.Command, _ []string) error {
			period, err := invoice.ParseBookPeriod(year, month, quarter, from, to)
			if err != nil {
				return err
			}
			return f.inEdition(cmd, id, func(ctx context.Context, d *db.DB, ed *edition.Edition) (err error) {
				if file == "" {
					file = fmt.Sprintf("invoices-%s-%s.zip", ed.ID, period.Name)
				}
				var books invoice.Books
				err = writeNew(file, func(out *os.File) error {
					books, err = invoice.ExportBooks(ctx, d, period, out)
					return err
				})
				if err != nil {
					return err
				}
				printBooks(cmd, ed, books, file)
				return lacking(cmd, books)
			})
		},
	}
	cmd.Flags().StringVar(&id, "edition", "", "id of the edition")
	cmd.Flags().StringVar(&year, "year", "", "year in which the invoices were issued, such as 2026")
	cmd.Flags().StringVar(&month, "month", "", "month instead, such as 2026-11")
	cmd.Flags().StringVar(&quarter, "quarter", "", "quarter instead, such as 2026-4")
	cmd.Flags().StringVar(&from, "from", "", "first day instead, such as 2026-11-01; with --to")
	cmd.Flags().StringVar(&to, "to", "", "last day")
	cmd.Flags().
		StringVar(&file, "out", "", "file to write, which must not be there yet (default invoices-EDITION-PERIOD.zip)")
	return cmd
}

func printBooks(cmd *cobra.Command, ed *edition.Edition, books invoice.Books, file string) {
	printf(cmd.OutOrStdout(), "%s: %d documents\n", file, books.Documents)
	for _, t := range books.Totals {
		printf(cmd.OutOrStdout(), "base %s, VAT %s, rounding %s, total %s\n",
			i18n.MoneyIn(ed, t.Net, t.Currency), i18n.MoneyIn(ed, t.VAT, t.Currency), i18n.MoneyIn(ed, t.Rounding, t.Currency),
			i18n.MoneyIn(ed, t.Total, t.Currency))
	}
}

// lacking names what an archive lacks, and returns an error if there is any.
func lacking(cmd *cobra.Command, books invoice.Books) (err error) {
	for _, d := range books.Failed {
		printf(cmd.ErrOrStderr(), "%s lacks %s: %s\n", d.Number, d.Lacks, d.Err)
	}
	if n := len(books.Failed); n > 0 {
		err = fmt.Errorf("the archive is incomplete (%s): incomplete.csv says which documents fail, `broadsheet invoice "+
			"redraw --dry-run` why", quantity(n, "file", "files"))
	}
	if len(books.Missing) > 0 {
		err = errors.Join(err, fmt.Errorf("numbers are missing: %s", strings.Join(books.Missing, ", ")))
	}
	return err
}

// writeNew lets fn write a file that is not there yet, and leaves none that is not whole.
func writeNew(name string, fn func(*os.File) error) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; name another file with --out", name)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(fn(out), out.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}
