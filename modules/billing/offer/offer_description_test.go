package offer

import (
	"strings"
	"testing"
)

// What operators write about a product reaches readers as HTML that runs nothing.
func TestDescriptionsAreSafe(t *testing.T) {
	t.Parallel()
	if got := describe("- all\n- **more** <script>alert(1)</script> [x](javascript:alert(1))"); strings.Contains(got,
		"script") || !strings.Contains(got, "<li>all</li>") {
		t.Errorf("description: %s", got)
	}
	// Two layers, each enough: what Markdown becomes, and what may stand in a description.
	got := render("<script>alert(1)</script> <b onclick=x>b</b>\n\n[x](javascript:alert(1)) [y](data:text/html,x)")
	if strings.Contains(got, "<script") || strings.Contains(got, "onclick") ||
		strings.Contains(got, "javascript:") || strings.Contains(got, "data:") {
		t.Errorf("Markdown: %s", got)
	}
	if got := policy.Sanitize(
		`<script>alert(1)</script><b onclick="x">b</b><a href="javascript:alert(1)">x</a>`); strings.Contains(got,
		"script") || strings.Contains(got, "onclick") {
		t.Errorf("HTML: %s", got)
	}
	if got := describe("[x](https://a.example)"); !strings.Contains(got, `rel="nofollow"`) { // which the second adds
		t.Errorf("only one has looked: %s", got)
	}
}
