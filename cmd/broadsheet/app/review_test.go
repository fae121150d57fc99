package app

import (
	"context"
	"strings"
	"testing"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// What waits for a person is listed, settled with a trace, and counted.
func TestReviewCommands(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	const id = "standard"
	ed, _ := p.app.registry.Get(id)
	ctx, d := edition.With(t.Context(), ed), p.app.DB
	if err := d.Run(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := tx.NewRaw(`INSERT INTO billing_parked (kind, provider_id, reader_id, detail, created_at)
			VALUES ('dispute', 'in_odd', 7, ?, now()), ('unknown_customer', 'sub_odd', NULL, 'customer cus_x', now())`,
			"invoice\n\x1b[2J12").Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	measured := func() map[string]float64 {
		if err := p.app.Billing.Reconciliation.RepairDrift(ctx); err != nil {
			t.Log(err)
		}
		return p.gauges()
	}
	if m := measured(); m["broadsheet_billing_reviews_waiting standard dispute"] != 1 ||
		m["broadsheet_billing_reviews_waiting standard unknown_customer"] != 1 {
		t.Errorf("%v", m)
	}
	entries := func() int64 { return queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit") }
	for _, c := range []struct {
		args  []string
		says  string
		err   string
		trace int64
	}{
		{args: []string{"list"}, says: "in_odd    7       invoice [2J12"},
		{args: []string{"resolve", "x", "--reason", "r"}, err: "review list"},
		{args: []string{"resolve", "99", "--reason", "r"}, err: "has this number"},
		{args: []string{"resolve", "1"}, err: "--reason"},
		{
			args: []string{"resolve", "1", "--reason", "answered the bank", "--dry-run"},
			says: "nothing is changed: dispute in_odd",
		},
		{
			args: []string{"resolve", "1", "--reason", "answered the bank", "--operator", "jana"},
			says: "dispute in_odd is settled", trace: 1,
		},
		{args: []string{"resolve", "1", "--reason", "again"}, err: "has this number"},
		{args: []string{"list", "--all"}, says: "in_odd"},
	} {
		before := entries()
		out, err := p.command(append(append([]string{"review"}, c.args...), "--edition", id)...)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(out, c.says) {
			t.Errorf("%v: %q, %v", c.args, out, err)
		}
		if got := entries() - before; got != c.trace {
			t.Errorf("%v leaves %d traces, not %d", c.args, got, c.trace)
		}
	}
	if out, err := p.command("review", "list", "--edition", id); err != nil || strings.Contains(out, "in_odd") {
		t.Errorf("%q, %v", out, err)
	}
	m := measured()
	if n, ok := m["broadsheet_billing_reviews_waiting standard dispute"]; !ok || n != 0 {
		t.Errorf("%v", m)
	}
	if _, ok := m["broadsheet_billing_bank_lines_waiting standard"]; !ok {
		t.Errorf("the queue of the bank is not counted: %v", m)
	}
	if n := queryNumber(ctx, t, d, "SELECT count(*) FROM identity_audit WHERE operator = 'command:jana' AND action = "+
		"'parked-resolve' AND reason = 'answered the bank' AND detail = 'dispute in_odd'"); n != 1 {
		t.Error("the audit log does not say who has settled it, and why")
	}
}

// gauges are what the program measures, by the names of the metrics and the values of their labels.
func (p *testApp) gauges() map[string]float64 {
	p.t.Helper()
	families, err := newMetrics(p.app).Gather()
	if err != nil {
		p.t.Fatal(err)
	}
	found := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			labels := ""
			for _, l := range m.GetLabel() {
				labels += " " + l.GetValue()
			}
			found[f.GetName()+labels] = m.GetGauge().GetValue()
		}
	}
	return found
}
