package web

import _ "embed"

// OpenAPI describes every endpoint; the tests hold requests and answers to it, and the browser's types are made from
// it.
//
//go:embed openapi.yaml
var OpenAPI []byte
