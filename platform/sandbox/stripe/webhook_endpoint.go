package sandbox

import (
	"slices"
	"strings"
)

// webhookEndpoint is an address that events are sent to.
type webhookEndpoint struct {
	Meta
	APIVersion  string            `json:"api_version"`
	Application nothing           `json:"application"`
	Description text              `json:"description"`
	Events      []string          `json:"enabled_events"`
	Metadata    map[string]string `json:"metadata"`
	Status      string            `json:"status"`
	URL         string            `json:"url"`
	Private     struct {
		Secret string `json:"secret"`
	} `json:"_private"`
}

func (*webhookEndpoint) kind() string { return "webhook_endpoint" }

func (w *webhookEndpoint) wants(event string) bool {
	return w.Status == "enabled" && (slices.Contains(w.Events, "*") || slices.Contains(w.Events, event))
}

// configureEndpoint makes the account's own endpoint what its settings say.
func (t *tx) configureEndpoint(cfg Account) {
	id := "we_" + strings.TrimPrefix(t.acc.id, "acct_")
	w := load[webhookEndpoint](t, text(id))
	if w == nil && cfg.WebhookURL == "" {
		return
	}
	if w == nil {
		w = add(t, "",
			&webhookEndpoint{Meta: Meta{ID: id}, APIVersion: apiVersion, Events: []string{"*"}, Metadata: map[string]string{}})
	}
	w.URL, w.Private.Secret, w.Status = cfg.WebhookURL, cfg.WebhookSecret, "enabled"
	if cfg.WebhookURL == "" {
		w.Status = "disabled"
	}
	if w.Events = cfg.Events; w.Events == nil {
		w.Events = []string{"*"}
	}
}

func createEndpoint(t *tx, c *call) (any, error) {
	w := &webhookEndpoint{APIVersion: apiVersion, Status: "enabled"}
	w.URL = c.webAddress("url")
	if w.Events = c.strings("enabled_events"); len(w.Events) == 0 {
		return nil, invalid("enabled_events", "Missing required param: enabled_events.").coded("parameter_missing")
	}
	if v := c.str("api_version"); v != "" && v != apiVersion {
		return nil, invalid("api_version", "The payment sandbox speaks %s alone, not %s", apiVersion, v)
	}
	c.text("description", &w.Description)
	c.metadata(&w.Metadata)
	w.Private.Secret = "whsec_" + randomText(32)
	add(t, "we_", w)
	shown := t.render(w)
	shown["secret"] = w.Private.Secret // told this once
	return shown, nil
}

func updateEndpoint(t *tx, c *call) (any, error) {
	w, err := pick[webhookEndpoint](t, c)
	if err != nil {
		return nil, err
	}
	if c.has("url") {
		w.URL = c.webAddress("url")
	}
	if c.has("enabled_events") {
		w.Events = c.strings("enabled_events")
	}
	if c.has("disabled") {
		var off bool
		c.flag("disabled", &off)
		w.Status = map[bool]string{true: "disabled", false: "enabled"}[off]
	}
	c.text("description", &w.Description)
	c.metadata(&w.Metadata)
	return w, nil
}

func deleteEndpoint(t *tx, c *call) (any, error) {
	w, err := pick[webhookEndpoint](t, c)
	if err != nil {
		return nil, err
	}
	t.remove(w)
	return deleted(&w.Meta), nil
}
