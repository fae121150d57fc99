package app

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/VictoriaMetrics/metricsql"
	"go.yaml.in/yaml/v3"
)

// Metrics of Prometheus itself, of Go and of the process, and those of requests, webhooks and logins, which have
// no description here.
var otherMetrics = []string{
	"up", "process_start_time_seconds", "process_resident_memory_bytes", "broadsheet_http_request_duration_seconds_count",
	"broadsheet_http_request_duration_seconds_bucket", "broadsheet_billing_webhook_lag_seconds_bucket",
	"broadsheet_billing_webhooks_refused_total", "broadsheet_login_emails_total",
}

// measuredNames are the names of all metrics that may be asked for.
func measuredNames(t *testing.T) []string {
	t.Helper()
	names := slices.Clone(otherMetrics)
	for _, d := range described {
		m := regexp.MustCompile(`fqName: "([a-z_]+)"`).FindStringSubmatch(d.String())
		if m == nil {
			t.Fatalf("no name in %s", d)
		}
		names = append(names, m[1])
	}
	return names
}

// checkQuery reads a query, reports what it asks for and is not measured, and returns all that it asks for.
func checkQuery(t *testing.T, where, query string, known []string) (asked []string) {
	t.Helper()
	e, err := metricsql.Parse(query)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return nil
	}
	metricsql.VisitAll(e, func(e metricsql.Expr) {
		m, ok := e.(*metricsql.MetricExpr)
		if !ok {
			return
		}
		for _, alternatives := range m.LabelFilterss {
			for _, f := range alternatives {
				if f.Label != "__name__" {
					continue
				}
				if asked = append(asked, f.Value); !slices.Contains(known, f.Value) {
					t.Errorf("%s: %s is not measured", where, f.Value)
				}
			}
		}
	})
	if len(asked) == 0 {
		t.Errorf("%s: %s asks for nothing", where, query)
	}
	return asked
}

// alertRule is a rule of alerts.yaml.
type alertRule struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
}

func readAlerts(t *testing.T) (list []alertRule) {
	t.Helper()
	text, err := os.ReadFile("../../../configs/prometheus/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Name  string
			Rules []alertRule
		}
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		list = append(list, g.Rules...)
	}
	return list
}

// Every alert is valid, queries metrics that exist, and has its row in the docs; the docs have no other.
func TestAlertsAreDocumented(t *testing.T) {
	t.Parallel()
	known, alerts := measuredNames(t), map[string]bool{}
	for _, r := range readAlerts(t) {
		if alerts[r.Alert] {
			t.Errorf("%s is defined twice", r.Alert)
		}
		alerts[r.Alert] = true
		checkQuery(t, r.Alert, r.Expr, known)
		if _, err := metricsql.DurationValue(r.For, 0); err != nil {
			t.Errorf("%s: for %q: %v", r.Alert, r.For, err)
		}
		if !slices.Contains([]string{"warning", "critical"}, r.Labels["severity"]) || r.Annotations["summary"] == "" {
			t.Errorf("%s has no severity, or says nothing: %v %v", r.Alert, r.Labels, r.Annotations)
		}
	}
	docs, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z][A-Za-z]+)` \\| .{20,} \\|$").FindAllSubmatch(docs, -1) {
		documented[string(m[1])] = true
	}
	if a, b := slices.Sorted(maps.Keys(alerts)), slices.Sorted(maps.Keys(documented)); !slices.Equal(a, b) || len(a) < 10 {
		t.Errorf("alerts:\n%v\ndocs/operations.md:\n%v", a, b)
	}
}

// ruleTest is a test of alerts_test.yaml.
type ruleTest struct {
	Name  string
	Cases []struct {
		Alert  string     `yaml:"alertname"`
		Expect []struct{} `yaml:"exp_alerts"`
	} `yaml:"alert_rule_test"`
}

// Prometheus itself evaluates the rules on recorded series: each alert fires, and ends later in the same series.
func TestAlerts_RecordedSeries(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("promtool")
	if err != nil {
		t.Fatal("promtool is not on the PATH: install it (Debian: apt-get install prometheus)")
	}
	cmd := exec.CommandContext(t.Context(), tool, "test", "rules", "alerts_test.yaml")
	cmd.Dir = "../../../configs/prometheus"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool test rules: %v\n%s", err, out)
	}
	text, err := os.ReadFile("../../../configs/prometheus/alerts_test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Tests []ruleTest }
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	fires, ends := map[string]bool{}, map[string]bool{}
	for _, test := range file.Tests {
		firing := map[string]bool{}
		for _, c := range test.Cases {
			fired := len(c.Expect) > 0
			ends[c.Alert] = ends[c.Alert] || firing[c.Alert] && !fired
			firing[c.Alert] = fired
			fires[c.Alert] = fires[c.Alert] || fired
		}
	}
	for _, r := range readAlerts(t) {
		if !fires[r.Alert] || !ends[r.Alert] {
			t.Errorf("%s: got a case in which it fires %t, and ends %t; want both", r.Alert, fires[r.Alert], ends[r.Alert])
		}
	}
}

// Every panel of the dashboard can be read, and asks for what is measured; each measure of ours with an alert has one.
func TestTheDashboardAsksForWhatIsMeasured(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../configs/grafana/broadsheet.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	known, shown := measuredNames(t), []string{}
	for _, p := range board.Panels {
		if len(p.Targets) == 0 {
			t.Errorf("%s shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			shown = append(shown, checkQuery(t, p.Title, strings.ReplaceAll(target.Expr, "$edition", ".*"), known)...)
		}
	}
	for _, r := range readAlerts(t) {
		for _, name := range checkQuery(t, r.Alert, r.Expr, known) {
			if strings.HasPrefix(name, "broadsheet_") && !slices.Contains(shown, name) {
				t.Errorf("%s asks for %s, and no panel shows it", r.Alert, name)
			}
		}
	}
	if len(board.Panels) < 10 {
		t.Errorf("%d panels", len(board.Panels))
	}
}
