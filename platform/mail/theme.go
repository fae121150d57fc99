package mail

import "html/template"

// colours are those of an edition's pages, which frontend/src/styles/themes has; a test compares them.
type colours struct{ Accent, OnAccent template.CSS }

// theme is an edition's colours by day and by night. The others are the same for all editions and stand in the
// template.
type theme struct{ Light, Dark colours }

var themes = map[string]theme{
	"":   {Light: colours{"#a3182b", "#fff"}, Dark: colours{"#ff7a82", "#14161a"}}, // of whoever has none of its own
	"at": {Light: colours{"#0f5a4a", "#fff"}, Dark: colours{"#74c7ae", "#14161a"}},
	"ch": {Light: colours{"#123f7a", "#fff"}, Dark: colours{"#86b4f2", "#14161a"}},
}

func themeOf(name string) theme {
	if t, ok := themes[name]; ok {
		return t
	}
	return themes[""]
}
