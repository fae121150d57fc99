package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/cmd/broadsheet/doctor"
	"example.org/broadsheet/cmd/broadsheet/setup"
	"example.org/broadsheet/modules/billing/stripe"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
	"example.org/broadsheet/tenants"
)

// newEdition asks for a document, writes it, and adds its edition.
type newEdition struct {
	cmd      *cobra.Command
	db       *db.DB
	registry *edition.Registry
	keys     keyOpener
	try      trial
	file     string // to write; "" for the id's
}

func (n *newEdition) run(from string) error {
	ctx, out := n.cmd.Context(), n.cmd.OutOrStdout()
	if n.file != "" && exists(n.file) {
		return fmt.Errorf("%s is there already", n.file)
	}
	templates, err := templatesOf(from)
	if err != nil {
		return err
	}
	d := &setup.Dialogue{Lines: lines(ctx, n.cmd.InOrStdin()), Out: out, Clashes: n.clashes}
	t, err := d.Language(ctx, templates)
	if err != nil {
		return err
	}
	text, doc, err := d.Run(ctx, t)
	if err != nil {
		return err
	}
	filled := false
	if t.Sample {
		if filled, err = d.Confirm(ctx, "Fill it with the sample's articles", false); err != nil {
			return err
		}
	}
	if n.file == "" {
		n.file = doc.ID + ".yaml"
	}
	find, keys := n.findKeys(doc)
	if err := n.plan(ctx, doc, keys.SecretKey != "", filled); err != nil {
		return err
	}
	if yes, err := d.Confirm(ctx, "Write the document and add the edition", false); err != nil || !yes {
		if err == nil {
			fmt.Fprintln(out, "Nothing was changed.")
		}
		return err
	}
	write := func(f *os.File) error {
		_, err := f.Write(text)
		return err
	}
	if err := writeNew(n.file, write); err != nil {
		return err
	}
	printf(out, "%s is written\n", n.file)
	n.registry.BeforeService(func(ctx context.Context, ed *edition.Edition) error {
		if filled {
			if err := n.try.fill(ctx, n.db, t.ID); err != nil {
				return err
			}
		}
		if err := n.try.smoke(ctx, n.db, ed); err != nil {
			return err
		}
		fmt.Fprintln(out, "the smoke test has passed")
		if keys.SecretKey == "" || keys.APIBase != "" {
			return nil // a running dev opens the account of its sandbox when it sees the edition, and makes the prices
		}
		return applyPrices(ctx, out, []*edition.Edition{ed}, find)
	})
	if err := apply(n.cmd, n.db, n.registry, []string{n.file}); err != nil {
		return fmt.Errorf("%w\nnothing is open to readers; mend the cause and run `broadsheet edition add %s`", err, n.file)
	}
	return nil
}

// templatesOf are the documents to start from: that of a file, or those that ship.
func templatesOf(file string) ([]setup.Template, error) {
	if file == "" {
		return setup.Samples(tenants.FS)
	}
	text, err := os.ReadFile(file)
	return []setup.Template{{Name: file, Text: text}}, err
}

// clashes says what of the document is taken, "key: reason" on each line.
func (n *newEdition) clashes(ctx context.Context, doc *edition.Document) error {
	err := n.registry.Clashes(ctx, doc)
	if _, unknown := n.registry.Text(ctx, doc.ID); unknown == nil {
		err = errors.Join(err, fmt.Errorf("id: edition %s is there already", doc.ID))
	}
	if taken := n.db.RolesFree(ctx, n.db.Core(), doc.ID); taken != nil {
		err = errors.Join(err, fmt.Errorf("id: %w", taken))
	}
	if file := doc.ID + ".yaml"; n.file == "" && exists(file) {
		err = errors.Join(err, fmt.Errorf("id: the file %s is there already", file))
	}
	return err
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return !errors.Is(err, fs.ErrNotExist)
}

// lines are those of a reader, until its end or that of ctx: an interrupt must not wait for a line.
func lines(ctx context.Context, in io.Reader) <-chan string {
	all := make(chan string)
	go func() {
		defer close(all)
		for s := bufio.NewScanner(in); s.Scan(); {
			select {
			case all <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return all
}

// findKeys finds the edition's account at the payment provider; zero if it has none yet.
func (n *newEdition) findKeys(doc *edition.Document) (find keyFinder, k stripe.Keys) {
	if n.keys == nil || !doc.Flags["subscriptions"] {
		return nil, k
	}
	find, err := n.keys()
	if err != nil {
		return nil, k
	}
	if k, err = find(doc.ID); err != nil {
		return nil, stripe.Keys{}
	}
	return find, k
}

// plan lists everything that will be made, and everything that is still missing.
func (n *newEdition) plan(ctx context.Context, doc *edition.Document, haveKeys, filled bool) error {
	out := n.cmd.OutOrStdout()
	schema := edition.SchemaOf(doc.ID)
	printf(out, "\nThis will be made:\n  document  %s\n  roles     %s (login), %s (owner)\n"+
		"  schema    %s, with all tables\n  hosts     %s\n",
		n.file, schema, db.OwnerOf(doc.ID), schema, strings.Join(doc.Hosts, " "))
	if doc.Flags["subscriptions"] {
		for _, p := range doc.Billing.Products {
			if p.Amount > 0 {
				printf(out, "  price     %s %s %s\n", p.Type, setup.Amount(p.Amount), doc.Billing.Currency)
			}
		}
	}
	if filled {
		fmt.Fprintln(out, "  content   articles and pictures of the sample")
	}
	fmt.Fprintln(out, "\nStill missing:")
	if doc.Flags["subscriptions"] && !haveKeys {
		prefix := "BROADSHEET_STRIPE_" + strings.ToUpper(doc.ID)
		printf(out, "  %s_SECRET_KEY and %s_WEBHOOK_SECRET for serve and work; then `edition check --apply`\n",
			prefix, prefix)
	}
	for _, h := range unresolved(ctx, doc.Hosts) {
		printf(out, "  a record in DNS that leads %s to the proxy, and a certificate for it\n", h)
	}
	if !filled {
		ed, err := edition.New(*doc, "https://{host}")
		if err != nil {
			return err
		}
		pages, err := app.MissingPages(ctx, nil, ed)
		if err != nil {
			return err
		}
		for _, p := range pages {
			printf(out, "  the page %s\n", p)
		}
		if len(pages) > 0 {
			printf(out, "  (write the pages in a file, and run `broadsheet page apply FILE --edition %s`)\n", doc.ID)
		}
	}
	printf(out, "  a look at what was not asked in %s: categories, menus, social, consent, newsletters, and the "+
		"names of products, which keep the language of the file that you started from\n\n", n.file)
	return nil
}

// unresolved are the public hosts that lead nowhere.
func unresolved(ctx context.Context, hosts []string) (list []string) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	for _, h := range hosts {
		if doctor.Private(h) {
			continue
		}
		if _, err := net.DefaultResolver.LookupHost(ctx, h); err != nil {
			list = append(list, h)
		}
	}
	return list
}
