package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// registryOpener gives a command the database and the registry, and a way to let go of them.
type registryOpener func(*cobra.Command) (*db.DB, *edition.Registry, func(), error)

// editionCommand manages editions while the paper runs: nothing has to be restarted.
func editionCommand(open registryOpener, keys keyOpener, configured func() bool, try trial,
	end subscriptionEnder,
) *cobra.Command {
	c := &cobra.Command{
		Use: "edition", Short: "Add, change, list, check and remove editions",
		Long: "An edition is described by one document, such as tenants/standard.yaml. Running processes follow every " +
			"change within seconds.",
	}
	c.AddCommand(allowTakingRoles(editionAdd(open, keys, try)), allowTakingRoles(editionApply(open, try)),
		editionList(open), editionCheck(open, keys, configured), editionRemove(open, end))
	return c
}

func editionAdd(open registryOpener, keys keyOpener, try trial) *cobra.Command {
	var interactive bool
	var from string
	c := &cobra.Command{
		Use: "add FILE", Short: "Add the edition of a document", Args: cobra.MaximumNArgs(1),
		Long: "Adds the edition of a document. Before any reader is served, a smoke test asks for its first pages.\n\n" +
			"With --interactive it asks for what the document has to say, writes it to FILE (else ID.yaml in this folder;\n" +
			"a file that is there is never overwritten), shows what will be made, and adds the edition after a yes.",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case interactive:
				return withTrial(cmd, open, try, func(d *db.DB, r *edition.Registry) error {
					s := newEdition{cmd: cmd, db: d, registry: r, keys: keys, try: try}
					if len(args) > 0 {
						s.file = args[0]
					}
					return s.run(from)
				})
			case len(args) == 0:
				return usageError{errors.New("name the document, or let --interactive make one")}
			case from != "":
				return usageError{errors.New("--from is for --interactive")}
			}
			doc, err := readDocument(args[0])
			if err != nil {
				return err
			}
			return withTrial(cmd, open, try, func(d *db.DB, r *edition.Registry) error {
				if _, exists := r.Get(doc.ID); exists {
					return fmt.Errorf("%s: edition %s is there already; `edition apply` changes it", args[0], doc.ID)
				}
				return apply(cmd, d, r, args)
			})
		},
	}
	c.Flags().BoolVar(&interactive, "interactive", false, "ask for what the document has to say")
	c.Flags().StringVar(&from, "from", "", "with --interactive: `file` of an edition to start from (else a sample)")
	return c
}

func editionApply(open registryOpener, try trial) *cobra.Command {
	return &cobra.Command{
		Use: "apply FILE...", Short: "Bring editions to their documents, adding those that are new",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFiles(args); err != nil {
				return err // nothing is changed while one document is wrong
			}
			return withTrial(cmd, open, try, func(d *db.DB, r *edition.Registry) error { return apply(cmd, d, r, args) })
		},
	}
}

// apply applies each file; one that fails does not keep the others back. It lists the pages that an edition lacks.
func apply(cmd *cobra.Command, d *db.DB, r *edition.Registry, files []string) error {
	var errs []error
	for _, f := range files {
		ed, err := r.Apply(cmd.Context(), f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		printf(cmd.OutOrStdout(), "%s is live at %s\n", ed.ID, ed.Origin)
		errs = append(errs, listMissingPages(cmd.Context(), cmd.OutOrStdout(), d, ed))
	}
	return errors.Join(errs...)
}

// listMissingPages lists the pages that the document of an edition names and that readers do not find, and the command
// that adds them.
func listMissingPages(ctx context.Context, out io.Writer, d *db.DB, ed *edition.Edition) error {
	missing, err := app.MissingPages(ctx, d, ed)
	if err != nil || len(missing) == 0 {
		return err
	}
	printf(out, "warning: %s has no page yet at\n", ed.ID)
	for _, p := range missing {
		printf(out, "  %s\n", p)
	}
	printf(out, "write them in a file, and run `broadsheet page apply FILE --edition %s` (docs/pages.md)\n", ed.ID)
	return nil
}

func editionList(open registryOpener) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the editions and their state", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withRegistry(cmd, open, func(r *edition.Registry) error {
				list, err := r.List(cmd.Context())
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
				fmt.Fprintln(w, "EDITION\tSTATE\tAPPLIED\tHOSTS\tERROR")
				for _, s := range list {
					printf(w, "%s\t%s\t%s\t%s\t%s\n", s.ID, s.State, s.AppliedAt.UTC().Format("2006-01-02 15:04"),
						strings.Join(s.Hosts, " "), firstLine(s.Error))
				}
				return w.Flush()
			})
		},
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func withRegistry(cmd *cobra.Command, open registryOpener, fn func(*edition.Registry) error) error {
	_, r, done, err := open(cmd)
	if err != nil {
		return err
	}
	defer done()
	return fn(r)
}

// withTrial is withRegistry for commands that may add editions: each is tried out before it is served.
func withTrial(cmd *cobra.Command, open registryOpener, try trial, fn func(*db.DB, *edition.Registry) error) error {
	d, r, done, err := open(cmd)
	if err != nil {
		return err
	}
	defer done()
	r.BeforeService(func(ctx context.Context, ed *edition.Edition) error { return try.smoke(ctx, d, ed) })
	return fn(d, r)
}

func readDocument(file string) (*edition.Document, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return edition.Parse(file, text)
}
