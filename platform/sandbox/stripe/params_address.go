package sandbox

// address reads a postal address; dst becomes nil when it is cleared.
func (p params) address(name string, dst **address) {
	if !p.has(name) {
		return
	}
	a, ok := p.sub(name)
	if !ok {
		*dst = nil
		return
	}
	if *dst == nil {
		*dst = &address{}
	}
	a.text("city", &(*dst).City)
	a.text("country", &(*dst).Country)
	a.text("line1", &(*dst).Line1)
	a.text("line2", &(*dst).Line2)
	a.text("postal_code", &(*dst).PostalCode)
	a.text("state", &(*dst).State)
}

// address is a postal address.
type address struct {
	City       text `json:"city"`
	Country    text `json:"country"`
	Line1      text `json:"line1"`
	Line2      text `json:"line2"`
	PostalCode text `json:"postal_code"`
	State      text `json:"state"`
}

// span is a range of instants such as created[gte]=…&created[lt]=….
type span struct{ gt, gte, lt, lte, exact *int64 }

func (p params) span(name string) span {
	var s span
	k := p.kid(name)
	if k == nil {
		return s
	}
	read := func(q params, key string) *int64 {
		if n, ok := q.whole(key); ok {
			return &n
		}
		return nil
	}
	if k.leaf {
		s.exact = read(p, name)
		return s
	}
	q := params{node: k, fail: p.fail}
	s.gt, s.gte, s.lt, s.lte = read(q, "gt"), read(q, "gte"), read(q, "lt"), read(q, "lte")
	return s
}

func (s span) holds(at int64) bool {
	return (s.exact == nil || at == *s.exact) && (s.gt == nil || at > *s.gt) && (s.gte == nil || at >= *s.gte) &&
		(s.lt == nil || at < *s.lt) && (s.lte == nil || at <= *s.lte)
}
