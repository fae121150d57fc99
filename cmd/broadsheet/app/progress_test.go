package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImportSaysHowFarItIs(t *testing.T) {
	t.Parallel()
	p := startApp(t)
	file := filepath.Join(t.TempDir(), "export.xml")
	text := `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" ` +
		`xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>
<item><title>One</title><content:encoded>Text.</content:encoded><wp:post_id>7</wp:post_id>` +
		`<wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt><wp:post_name>one</wp:post_name>` +
		`<wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>
</channel></rss>`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flag string
		says bool
	}{{"--progress", true}, {"--progress=false", false}} {
		out, err := p.command("import", "wordpress", file, "--edition", "standard", "--dry-run", c.flag)
		if err != nil || strings.Contains(out, "1 of 1 items, 100 %\n") != c.says {
			t.Errorf("%s: %v\n%s", c.flag, err, out)
		}
	}
}
