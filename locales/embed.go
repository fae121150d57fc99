// Package locales holds the words: <language>/*.json for the server (go-i18n), <language>/web/*.json for the browser,
// and overlays for regions that say a few things otherwise (de-AT, de-CH).
package locales

import "embed"

// FS holds the server's words, and the browser's words of the status codes, of the questions about cookies and
// documents, and of an order.
//
//go:embed */*.json */web/errors.json */web/account.json */web/consent.json
var FS embed.FS
