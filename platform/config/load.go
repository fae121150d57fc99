package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"

	"example.org/broadsheet/configs"
	"example.org/broadsheet/platform/strictyaml"
)

const (
	prefix      = "BROADSHEET_"
	defaultFile = "configs/default.yaml"
)

// Load reads the settings: defaults, then the file (that of BROADSHEET_CONFIG when the name is empty; none is no
// error), then the environment. An error lists everything that is wrong, by key and source.
func Load(file string) (*Config, error) {
	env, unusual := map[string]string{}, map[string]bool{}
	for _, s := range Describe() {
		unusual[s.Env] = !strings.HasPrefix(s.Env, prefix)
	}
	for _, e := range os.Environ() {
		if name, v, ok := strings.Cut(e, "="); ok && (strings.HasPrefix(name, prefix) || unusual[name]) {
			env[name] = v
		}
	}
	return load(file, env)
}

func load(file string, env map[string]string) (*Config, error) {
	v := viper.New()
	v.SetConfigType("yaml")
	sources := map[string]string{}
	if err := merge(v, defaultFile, configs.Default, sources); err != nil {
		return nil, err
	}
	if file == "" {
		file = env[prefix+"CONFIG"]
	}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("settings: %w", err)
		}
		if err := merge(v, file, text, sources); err != nil {
			return nil, err
		}
	}
	openFiles, err := fromEnv(v, env, sources)
	if err != nil {
		return nil, err
	}
	c := &Config{sources: sources, openFiles: openFiles}
	strict := func(d *mapstructure.DecoderConfig) { d.WeaklyTypedInput = false }
	if err := v.UnmarshalExact(c, strict); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	return c, c.Validate()
}

// merge lays a file over what is there, and remembers the line of each key.
func merge(v *viper.Viper, file string, text []byte, sources map[string]string) error {
	c := strictyaml.Checker{Partial: true}
	c.Check(text, reflect.TypeFor[Config]())
	if err := c.Err(file); err != nil {
		return err
	}
	for key, line := range c.Lines {
		sources[strings.ToLower(key)] = fmt.Sprintf("%s:%d", file, line)
	}
	return v.MergeConfig(bytes.NewReader(text))
}

// stripeName is the one kind of setting whose name holds an edition.
var stripeName = regexp.MustCompile(`^BROADSHEET_STRIPE_([A-Z0-9_]+)_(SECRET_KEY|WEBHOOK_SECRET)$`)

// others are names that are not settings of the process.
func others(name string) bool {
	return name == prefix+"CONFIG" || strings.HasPrefix(name, prefix+"TEST_")
}

// fromEnv sets what the environment names. A name that is no setting is an error: it is a typing mistake that would
// otherwise go unnoticed. It returns advice on files of secrets.
func fromEnv(v *viper.Viper, env map[string]string, sources map[string]string) (openFiles []string, err error) {
	byName := map[string]Setting{}
	for _, s := range Describe() {
		byName[s.Env] = s
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if others(name) {
			continue
		}
		setting, known := byName[name]
		value, source := env[name], name
		if base, isFile := strings.CutSuffix(name, "_FILE"); isFile && !known {
			if s, ok := secretOf(base, byName); ok {
				if _, both := env[base]; both {
					errs = append(errs, fmt.Errorf("%s and %s: give one of them", base, name))
					continue
				}
				text, err := os.ReadFile(value)
				if err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", name, err))
					continue
				}
				openFiles = append(openFiles, adviseOnFile(name, value)...)
				setting, known, value = s, true, strings.TrimSpace(string(text))
			}
		} else if !known {
			setting, known = secretOf(name, byName)
		}
		if !known {
			errs = append(errs, fmt.Errorf("%s: there is no such setting", name))
			continue
		}
		parsed, err := parse(value, setting.kind)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		v.Set(setting.Key, parsed)
		sources[setting.Key] = source
	}
	return openFiles, errors.Join(errs...)
}

// Known reports whether a name of the environment is a setting, or the name of a file that holds one.
func Known(name string) bool {
	byName := map[string]Setting{}
	for _, s := range Describe() {
		byName[s.Env] = s
	}
	if _, known := byName[name]; known || name == prefix+"CONFIG" {
		return true
	}
	_, known := secretOf(strings.TrimSuffix(name, "_FILE"), byName)
	return known
}

// secretOf finds the setting of a name that may be given as a file: a secret one, or a key of the payment provider.
func secretOf(name string, byName map[string]Setting) (Setting, bool) {
	if m := stripeName.FindStringSubmatch(name); m != nil {
		return Setting{
			Key: "stripe.keys." + strings.ToLower(m[1]+"."+m[2]), Env: name, Secret: true,
			kind: reflect.TypeFor[string](),
		}, true
	}
	s, ok := byName[name]
	return s, ok && s.Secret
}

// parse turns a text of the environment into what the setting holds.
func parse(text string, kind reflect.Type) (any, error) {
	switch kind {
	case reflect.TypeFor[time.Duration]():
		d, err := time.ParseDuration(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a duration such as 2s", text)
		}
		return d, nil
	case reflect.TypeFor[int]():
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number", text)
		}
		return n, nil
	case reflect.TypeFor[bool]():
		switch strings.ToLower(text) {
		case "true", "1", "yes", "on":
			return true, nil
		case "false", "0", "no", "off":
			return false, nil
		}
		return nil, fmt.Errorf("%q is neither true nor false", text)
	case reflect.TypeFor[[]string]():
		list := []string{}
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
		return list, nil
	case reflect.TypeFor[string]():
		return text, nil
	}
	return nil, fmt.Errorf("settings of type %s cannot be set by a variable", kind)
}
