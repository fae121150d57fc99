package sandbox

import (
	"regexp"
	"strconv"
	"time"
)

// price is an amount in minor units, once or every so often.
type price struct {
	Meta
	Active        bool              `json:"active"`
	BillingScheme string            `json:"billing_scheme"`
	Currency      string            `json:"currency"`
	CustomAmount  nothing           `json:"custom_unit_amount"`
	LookupKey     text              `json:"lookup_key"`
	Metadata      map[string]string `json:"metadata"`
	Nickname      text              `json:"nickname"`
	Product       string            `json:"product"`
	Recurring     *recurring        `json:"recurring"`
	TaxBehavior   string            `json:"tax_behavior"`
	TiersMode     nothing           `json:"tiers_mode"`
	Transform     nothing           `json:"transform_quantity"`
	Type          string            `json:"type"`
	UnitAmount    int64             `json:"unit_amount"`
	UnitDecimal   string            `json:"unit_amount_decimal"`
}

// recurring is the rhythm of a price.
type recurring struct {
	AggregateUsage nothing `json:"aggregate_usage"`
	Interval       string  `json:"interval"`
	Count          int     `json:"interval_count"`
	TrialDays      number  `json:"trial_period_days"`
	UsageType      string  `json:"usage_type"`
}

func (*price) kind() string { return "price" }

var currencyCode = regexp.MustCompile(`^[a-z]{3}$`)

func createPrice(t *tx, c *call) (any, error) {
	p, err := t.readPrice(c.params)
	if err != nil {
		return nil, err
	}
	p.Active = true
	p.read(t, c.params)
	t.tell("price.created", p)
	return p, nil
}

// readPrice makes a price from what prices and price_data have in common.
func (t *tx) readPrice(p params) (*price, error) {
	pc := &price{BillingScheme: "per_unit", Type: "one_time", TaxBehavior: "unspecified", Currency: p.need("currency")}
	if !currencyCode.MatchString(pc.Currency) {
		p.refuse(invalid("currency", "Invalid currency: %s", pc.Currency))
	}
	p.need("unit_amount")
	amount, _ := p.whole("unit_amount")
	if amount < 0 {
		p.refuse(invalid("unit_amount", "Invalid non-negative integer"))
	}
	pc.UnitAmount, pc.UnitDecimal = amount, strconv.FormatInt(amount, 10)
	p.choice("tax_behavior", &pc.TaxBehavior, "inclusive", "exclusive", "unspecified")
	p.only("billing_scheme", "per_unit")
	if data, ok := p.sub("product_data"); ok {
		data.need("name")
		pr := add(t, "prod_", &product{Active: true, Features: []string{}, Images: []string{}, Type: "service"})
		pr.read(data, t.now.Unix())
		t.tell("product.created", pr)
		pc.Product = pr.ID
	} else if p.need("product"); p.err() == nil {
		if pr := find[product](t, p, "product"); pr != nil {
			pc.Product = pr.ID
		}
	}
	if r, ok := p.sub("recurring"); ok {
		pc.Type, pc.Recurring = "recurring", readRecurring(r)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	return add(t, "price_", pc), nil
}

func readRecurring(p params) *recurring {
	r := &recurring{Count: 1, UsageType: "licensed"}
	p.need("interval")
	p.choice("interval", &r.Interval, "day", "week", "month", "year")
	if n, ok := p.whole("interval_count"); ok {
		most := map[string]int64{"day": 1095, "week": 156, "month": 36, "year": 3}[r.Interval]
		if n < 1 || n > most {
			p.refuse(invalid("recurring[interval_count]", "Invalid interval_count: between 1 and %d for %s", most, r.Interval))
		}
		r.Count = int(n)
	}
	p.number("trial_period_days", &r.TrialDays)
	p.only("usage_type", "licensed")
	return r
}

func (pc *price) read(t *tx, p params) {
	p.flag("active", &pc.Active)
	p.text("nickname", &pc.Nickname)
	p.metadata(&pc.Metadata)
	if p.has("tax_behavior") && pc.TaxBehavior == "unspecified" {
		p.choice("tax_behavior", &pc.TaxBehavior, "inclusive", "exclusive", "unspecified")
	}
	var transfer bool
	p.flag("transfer_lookup_key", &transfer)
	if !p.has("lookup_key") {
		return
	}
	p.text("lookup_key", &pc.LookupKey)
	for _, other := range all[price](t) {
		if other == pc || pc.LookupKey == "" || other.LookupKey != pc.LookupKey || !other.Active {
			continue
		}
		if !transfer {
			p.refuse(invalid("lookup_key", "A price (%s) already uses that lookup key; send transfer_lookup_key to move it.",
				other.ID))
			return
		}
		other.LookupKey = ""
		t.tell("price.updated", other)
	}
}

func updatePrice(t *tx, c *call) (any, error) {
	pc, err := pick[price](t, c)
	if err != nil {
		return nil, err
	}
	pc.read(t, c.params)
	t.tell("price.updated", pc)
	return pc, nil
}

// after is the n-th end of a period that is counted from anchor; months end on their last day where the anchor's is
// missing.
func (r *recurring) after(anchor time.Time, n int) time.Time {
	switch r.Interval {
	case "day":
		return anchor.AddDate(0, 0, n*r.Count)
	case "week":
		return anchor.AddDate(0, 0, 7*n*r.Count)
	case "year":
		return addMonths(anchor, 12*n*r.Count)
	default:
		return addMonths(anchor, n*r.Count)
	}
}

// next is the first end of a period after at.
func (r *recurring) next(anchor, at int64) int64 {
	start := time.Unix(anchor, 0).UTC()
	for n := 1; ; n++ {
		if end := r.after(start, n).Unix(); end > at {
			return end
		}
	}
}

func (r *recurring) same(other *recurring) bool {
	return r.Interval == other.Interval && r.Count == other.Count
}

func addMonths(at time.Time, months int) time.Time {
	first := time.Date(at.Year(), at.Month()+time.Month(months), 1, at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(at.Day(), last)-1)
}
