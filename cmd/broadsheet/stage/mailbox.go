package stage

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"

	"example.org/broadsheet/platform/sandbox/mailbox"
)

// MailboxOptions are where the mailbox listens and keeps the emails.
type MailboxOptions struct {
	Door
	SMTP   string // host:port on which mail arrives
	Folder string
	Keep   int // emails; 0: as many as in `dev`
}

// Mailbox takes every email, delivers none, and shows them to whoever opens its page, until ctx ends.
func Mailbox(ctx context.Context, o MailboxOptions, out io.Writer) error {
	if err := o.check(o.SMTP); err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Listen)
	if err != nil {
		return err
	}
	defer l.Close() //nolint:errcheck // the server has closed it by then
	box, err := mailbox.New(mailbox.Options{Dir: o.Folder, Listen: o.SMTP, Keep: o.Keep, Log: slog.Default()})
	if err != nil {
		return err
	}
	defer box.Close() //nolint:errcheck // it says nothing
	mux := http.NewServeMux()
	mux.Handle("/_dev/", box.Handler())
	mux.Handle("GET /{$}", http.RedirectHandler("/_dev/mail", http.StatusFound))
	fmt.Fprintf(out, "No email leaves this machine: they are kept in %s.\n", o.Folder)
	fmt.Fprintf(out, "serve and work need   BROADSHEET_MAIL_URL=%s\n", box.URL())
	fmt.Fprintf(out, "emails are shown at   %s/_dev/mail\n", cmp.Or(o.URL, "http://"+l.Addr().String()))
	return serve(ctx, l, o.guard(mux))
}
