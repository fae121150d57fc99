package edition

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// SchemaOf names the Postgres schema, and the login role, of an edition.
func SchemaOf(id string) string { return "ed_" + id }

// New makes an edition of a valid document. origin is the template of its absolute addresses, such as
// https://{host}; {host} becomes the document's first host.
func New(doc Document, origin string) (*Edition, error) {
	if len(doc.Hosts) == 0 {
		return nil, fmt.Errorf("edition %s: it has no host", doc.ID)
	}
	zone, err := time.LoadLocation(doc.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("edition %s: time_zone: %w", doc.ID, err)
	}
	routes, err := NewTable(doc.RouteSet, doc.Paths)
	if err != nil {
		return nil, fmt.Errorf("edition %s: %w", doc.ID, err)
	}
	e := &Edition{
		Document: doc,
		Schema:   SchemaOf(doc.ID),
		Origin:   strings.TrimRight(strings.ReplaceAll(origin, "{host}", doc.Hosts[0]), "/"),
		Location: zone,
		Routes:   routes,
	}
	if e.Public, err = e.public(); err != nil {
		return nil, fmt.Errorf("edition %s: %w", doc.ID, err)
	}
	whole, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("edition %s: %w", doc.ID, err)
	}
	sum := sha256.Sum256(append(whole, e.Origin...))
	e.Version = hex.EncodeToString(sum[:6])
	return e, nil
}
