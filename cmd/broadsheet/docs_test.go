package main

import (
	"os"
	"strings"
	"testing"

	"example.org/broadsheet/platform/config"
)

// docs/configuration.md is written from the settings themselves: UPDATE=1 go test ./cmd/broadsheet -run Configuration
func TestConfigurationIsDocumented(t *testing.T) {
	const file = "../../docs/configuration.md"
	want := "# Settings\n\nEvery setting has a default (`configs/default.yaml`), may stand in a file (`--config`, or `BROADSHEET_CONFIG`), and may be\n" +
		"given in the environment, which stands over both. A setting marked as secret can also be given as the name of a file,\n" +
		"with `_FILE` behind its name. A name that starts with `BROADSHEET_` and is no setting is an error. What an edition is like\n" +
		"(prices, hosts, categories, limits of the meter) is no setting: that is its document in `tenants/`.\n\n" +
		"Browsers ask `/api/env-vars` for `ENV_HOST`, the id of the edition that the host belongs to, and `ENV_LOCALE`, the language of\n" +
		"its words: that of its document (`locale`), unless the setting of that name gives another one for every edition.\n\n" + strings.TrimSpace(config.Table()) + "\n\n" +
		"An edition's keys at the payment provider: `BROADSHEET_STRIPE_<ID>_SECRET_KEY` and `BROADSHEET_STRIPE_<ID>_WEBHOOK_SECRET`, both also with `_FILE`.\n\n" +
		"Bounds that are not settings: a body of 64 KiB (16 for logs, 256 for webhooks), headers of 32 KiB within 5 s, 10 s for a call,\n" +
		"200 requests of one edition at once, 5 s for a statement and 2 s for a lock, 15 s to finish requests when a process ends.\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("docs/configuration.md is not what the settings are (%v): run with UPDATE=1", err)
	}
}
