package sandbox

// product is what is sold.
type product struct {
	Meta
	Active       bool              `json:"active"`
	DefaultPrice text              `json:"default_price"`
	Description  text              `json:"description"`
	Features     []string          `json:"features"`
	Images       []string          `json:"images"`
	Metadata     map[string]string `json:"metadata"`
	Name         string            `json:"name"`
	Shippable    nothing           `json:"shippable"`
	Descriptor   text              `json:"statement_descriptor"`
	TaxCode      text              `json:"tax_code"`
	Type         string            `json:"type"`
	UnitLabel    text              `json:"unit_label"`
	Updated      int64             `json:"updated"`
	URL          text              `json:"url"`
}

func (*product) kind() string { return "product" }

func createProduct(t *tx, c *call) (any, error) {
	c.need("name")
	id := c.str("id")
	if id != "" && t.find(id) != nil {
		return nil, invalid("id", "Product already exists: %s", id).coded("resource_already_exists")
	}
	pr := add(t, "prod_",
		&product{Meta: Meta{ID: id}, Active: true, Features: []string{}, Images: []string{}, Type: "service"})
	pr.read(c.params, t.now.Unix())
	t.tell("product.created", pr)
	return pr, nil
}

func (pr *product) read(p params, now int64) {
	p.flag("active", &pr.Active)
	p.text("description", &pr.Description)
	p.plain("name", &pr.Name)
	p.text("statement_descriptor", &pr.Descriptor)
	p.text("tax_code", &pr.TaxCode)
	p.text("unit_label", &pr.UnitLabel)
	p.text("url", &pr.URL)
	p.metadata(&pr.Metadata)
	if p.has("images") {
		pr.Images = p.strings("images")
	}
	pr.Updated = now
}

func updateProduct(t *tx, c *call) (any, error) {
	pr, err := pick[product](t, c)
	if err != nil {
		return nil, err
	}
	pr.read(c.params, t.now.Unix())
	if p := find[price](t, c.params, "default_price"); p != nil {
		pr.DefaultPrice = text(p.ID)
	}
	t.tell("product.updated", pr)
	return pr, nil
}
