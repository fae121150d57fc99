package edition

import (
	"bytes"
	"reflect"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"
)

// Parse reads a document exactly and checks it; file is what errors call it. An error is an *strictyaml.FileError and
// lists everything at once.
func Parse(file string, text []byte) (*Document, error) {
	c := &Checker{}
	if c.Check(text, reflect.TypeFor[Document]()); !c.OK() {
		return nil, c.Err(file)
	}
	doc, err := decode(text)
	if err != nil {
		c.Add(0, "", "%v", err)
		return nil, c.Err(file)
	}
	if c.check(doc); !c.OK() {
		return nil, c.Err(file)
	}
	return doc, nil
}

// decode fills the document. Keys of maps may hold dots, so viper's own separator is one that YAML has no use for.
func decode(text []byte) (*Document, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter("\x00"))
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(text)); err != nil {
		return nil, err
	}
	var doc Document
	strict := func(c *mapstructure.DecoderConfig) { c.WeaklyTypedInput = false }
	if err := v.UnmarshalExact(&doc, strict); err != nil {
		return nil, err
	}
	return &doc, nil
}
