package blocks

import "testing"

func TestCreditOfAnAttachment(t *testing.T) {
	t.Parallel()
	camera := func(credit string) string {
		return `a:2:{s:5:"width";i:1600;s:10:"image_meta";a:3:{s:8:"aperture";s:1:"0";s:6:"credit";` + credit +
			`s:6:"camera";s:5:"K-1 \"";}}`
	}
	for name, c := range map[string]struct {
		meta map[string]string
		want string
	}{
		"none":             {nil, ""},
		"a field":          {map[string]string{"_photo_credit": " Jana <b>Nová</b> "}, "Jana Nová"},
		"the better field": {map[string]string{"_media_credit": "Agentúra", "credit": "Jana"}, "Jana"},
		"an empty field": {
			map[string]string{"credit": "  ", "_wp_attachment_metadata": camera(`s:10:"Jana Nová";`)},
			"Jana Nová",
		},
		"of the camera":         {map[string]string{"_wp_attachment_metadata": camera(`s:10:"Jana Nová";`)}, "Jana Nová"},
		"with quotes in it":     {map[string]string{"_wp_attachment_metadata": camera(`s:11:"J. "N" Nova";`)}, `J. "N" Nova`},
		"nothing of the camera": {map[string]string{"_wp_attachment_metadata": camera(`s:0:"";`)}, ""},
		"longer than the text":  {map[string]string{"_wp_attachment_metadata": `s:6:"credit";s:99:"Jana";}`}, ""},
		"no length at all": {map[string]string{"_wp_attachment_metadata": `s:6:"credit";s:` +
			`99999999999999999999:"Jana";}`}, ""},
	} {
		if got := CreditOf(c.meta); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

func TestCreditInACaption(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ caption, text, credit string }{
		{"Most cez rieku.", "Most cez rieku.", ""},
		{"", "", ""},
		{"Most cez rieku. Foto: Jana Nová", "Most cez rieku.", "Jana Nová"},
		{"Most cez rieku (foto: Agentúra/Nová).", "Most cez rieku (foto: Agentúra/Nová).", ""},
		{"Most cez rieku (foto: Agentúra/Nová)", "Most cez rieku", "Agentúra/Nová"},
		{"Die Brücke | Bild: Agentur", "Die Brücke", "Agentur"},
		{"Die Brücke – © Agentur", "Die Brücke", "Agentur"},
		{"Foto: Jana Nová.", "", "Jana Nová"},
		{"Die Brücke. Quelle: Amt: Abteilung 3", "Die Brücke. Quelle: Amt: Abteilung 3", ""},
		{"Die Bildung: wie sie ist", "Die Bildung: wie sie ist", ""},
		{"Das Leitbild: eine Frage", "Das Leitbild: eine Frage", ""},
	} {
		if text, credit := SplitCredit(c.caption); text != c.text || credit != c.credit {
			t.Errorf("%q: %q by %q, not %q by %q", c.caption, text, credit, c.text, c.credit)
		}
	}
}
