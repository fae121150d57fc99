package command

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/broadsheet/cmd/broadsheet/stage"
	"example.org/broadsheet/platform/embedded/postgres"
)

func sandboxCommand(f *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "sandbox", Short: "Run a payment simulator or a mailbox, for a stage that is like production",
		Long: "Run a payment simulator or a mailbox, for a stage that is like production.\n\n" +
			"serve and work have neither: where no reader may be charged and no email may be sent, one of these runs beside " +
			"them, as a process of its own. `dev` needs neither, it has both.",
	}
	cmd.AddCommand(sandboxPaymentsCommand(f), sandboxMailboxCommand(f))
	return cmd
}

func sandboxPaymentsCommand(f *flags) *cobra.Command {
	var o stage.PaymentsOptions
	cmd := &cobra.Command{
		Use: "payments", Short: "Be the payment provider of the editions, without money", Args: cobra.NoArgs,
		Long: "Be the payment provider of the editions, without money.\n\n" +
			"Run it with the settings of serve and work: it reads the editions from their database, and serves those whose " +
			"BROADSHEET_STRIPE_<ID>_SECRET_KEY (sk_test_…) and _WEBHOOK_SECRET are set. For serve and work, " +
			"BROADSHEET_STRIPE_API_BASE is its address. It shows the payment pages, bills subscriptions when their time " +
			"comes, and sends webhooks to the editions. Cards: 4242 4242 4242 4242 pays, 4000 0000 0000 0002 declines, " +
			"4000 0025 0000 3155 asks for a confirmation. Real keys are refused.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := f.load()
			if err != nil {
				return err
			}
			if o.Folder, err = f.sandboxFolder("stripe"); err != nil {
				return err
			}
			d, r, stop, err := f.openRegistry(cmd)
			if err != nil {
				return err
			}
			defer stop()
			o.Keys, o.DB, o.Registry = cfg.Stripe.Keys, d, r
			return stage.Payments(cmd.Context(), o, cmd.OutOrStdout())
		},
	}
	doorFlags(cmd, &o.Door, "127.0.0.1:4242")
	cmd.Flags().StringVar(&o.Webhooks, "webhooks", "",
		"address of a serve that takes all webhooks; without it they go to the editions' public addresses")
	return cmd
}

func sandboxMailboxCommand(f *flags) *cobra.Command {
	var o stage.MailboxOptions
	cmd := &cobra.Command{
		Use: "mailbox", Short: "Take every email, deliver none, and show them", Args: cobra.NoArgs,
		Long: "Take every email, deliver none, and show them.\n\n" +
			"For serve and work, BROADSHEET_MAIL_URL is smtp:// and the address of --smtp. Whoever reaches the page reads " +
			"login codes of everybody, so it listens on this machine alone unless --open is given.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Folder, err = f.sandboxFolder("mail"); err != nil {
				return err
			}
			return stage.Mailbox(cmd.Context(), o, cmd.OutOrStdout())
		},
	}
	doorFlags(cmd, &o.Door, "127.0.0.1:8025")
	cmd.Flags().StringVar(&o.SMTP, "smtp", "127.0.0.1:1025", "address on which mail arrives")
	cmd.Flags().IntVar(&o.Keep, "keep", 500, "emails after which the oldest is removed")
	return cmd
}

// doorFlags are where a tool is reached.
func doorFlags(cmd *cobra.Command, d *stage.Door, listen string) {
	cmd.Flags().StringVar(&d.Listen, "listen", listen, "address for browsers and the program")
	cmd.Flags().StringVar(&d.URL, "url", "", "address that browsers have of it, where a proxy stands before it")
	cmd.Flags().BoolVar(&d.Open, "open", false, "let other machines in; nobody is asked for a password")
}

// sandboxFolder is the folder of a tool, in the data folder, where `dev` has it as well.
func (f *flags) sandboxFolder(name string) (string, error) {
	cfg, err := f.load()
	if err != nil {
		return "", err
	}
	dir := cfg.Data.Dir
	if dir == "" {
		dir, err = postgres.DefaultDir()
	}
	return filepath.Join(dir, name), err
}
