package config

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/viper"

	"example.org/broadsheet/configs"
)

// Setting describes one setting.
type Setting struct {
	Key     string // web.listen
	Env     string // BROADSHEET_WEB_LISTEN
	Default string
	Doc     string
	Secret  bool // may be given as a file, with _FILE behind the name
	kind    reflect.Type
}

// Describe lists all settings in the order of the file of defaults.
func Describe() []Setting {
	v := viper.New()
	v.SetConfigType("yaml")
	if err := v.ReadConfig(strings.NewReader(string(configs.Default))); err != nil { // part of the binary, and tested
		panic(err)
	}
	return describe(v, reflect.TypeFor[Config](), "")
}

func describe(v *viper.Viper, t reflect.Type, above string) (list []Setting) {
	for f := range t.Fields() {
		if !f.IsExported() {
			continue
		}
		key := above + f.Tag.Get("mapstructure")
		if f.Type.Kind() == reflect.Struct {
			list = append(list, describe(v, f.Type, key+".")...)
			continue
		}
		if f.Type.Kind() == reflect.Map {
			continue // the payment provider's keys have names of their own
		}
		env := f.Tag.Get("env")
		if env == "" {
			env = prefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
		}
		standard := v.GetString(key)
		if f.Type.Kind() == reflect.Slice {
			standard = strings.Join(v.GetStringSlice(key), ",")
		}
		list = append(list,
			Setting{
				Key: key, Env: env, Default: standard, Doc: f.Tag.Get("doc"),
				Secret: f.Tag.Get("secret") != "", kind: f.Type,
			})
	}
	return list
}

// Table is the table of docs/configuration.md, in Markdown.
func Table() string {
	var b strings.Builder
	b.WriteString("| Setting | Environment | Default | What it is |\n|---|---|---|---|\n")
	row := func(key, env, standard, doc string) {
		if standard != "" {
			standard = "`" + standard + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", key, env, standard, doc)
	}
	for _, s := range Describe() {
		env := s.Env
		if s.Secret {
			env += "` or `" + s.Env + "_FILE"
		}
		row(s.Key, env, s.Default, s.Doc)
	}
	for _, k := range []string{"secret_key", "webhook_secret"} {
		name := prefix + "STRIPE_<EDITION>_" + strings.ToUpper(k)
		row("stripe.keys.<edition>."+k, name+"` or `"+name+"_FILE", "", "Of one edition at the payment provider.")
	}
	return b.String()
}
