package status

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"

	"example.org/broadsheet/platform/audit"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/jobs"
	"example.org/broadsheet/platform/paper/edition"
)

// notices are what the page says after a form, by its name in the address.
var notices = map[string]string{
	"retry": "The work is tried again.",
	"drop":  "The work was dropped. It stands in the audit log.",
}

// action is what a button of a job does, and the page that says so.
type action struct {
	audited audit.Action
	do      func(context.Context, *db.DB, ...int64) (int64, error)
	done    string
}

var actions = map[string]action{
	"retry": {jobs.ActionRequeue, jobs.Requeue, Path + "?done=retry"},
	"drop":  {jobs.ActionDrop, jobs.Drop, Path + "?done=drop"},
}

// longestForm is more than any of the page's forms.
const longestForm = 4 << 10 // bytes

// postJobs tries one job again, or drops it.
func (p *Paper) postJobs(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, longestForm)
	chosen, known := actions[r.FormValue("action")]
	if !known {
		p.show(w, r, http.StatusBadRequest, fmt.Sprintf("There is no action %q.", r.FormValue("action")))
		return
	}
	if err := p.change(r, chosen); err != nil {
		p.show(w, r, http.StatusBadRequest, "Nothing was changed: "+err.Error())
		return
	}
	http.Redirect(w, r, chosen.done, http.StatusSeeOther)
}

func (p *Paper) change(r *http.Request, chosen action) error {
	ed, served := p.Registry.Get(r.FormValue("edition"))
	id, err := strconv.ParseInt(r.FormValue("id"), 10, 64)
	switch {
	case !served:
		return fmt.Errorf("there is no edition %q", r.FormValue("edition"))
	case err != nil || id <= 0:
		return errors.New("the number of the job is missing")
	}
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	entry := audit.Entry{
		Operator: "status page, from " + address, Action: chosen.audited, Reason: r.FormValue("reason"),
		Detail: fmt.Sprint("rows ", id),
	}
	if err := entry.Check(); err != nil {
		return errors.New("say why, for the audit log")
	}
	ctx := edition.With(r.Context(), ed)
	if n, err := jobs.CountDead(ctx, p.DB, id); err != nil {
		return err
	} else if n == 0 {
		return fmt.Errorf("job %d is not one that was given up", id)
	}
	if err := audit.Write(ctx, p.DB, entry); err != nil {
		return err
	}
	_, err = chosen.do(ctx, p.DB, id)
	return err
}
