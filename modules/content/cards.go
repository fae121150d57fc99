package content

// Section names a category, as pages do.
type Section struct {
	Key  string `json:"key"`
	Name string `json:"name"`
	URL  string `json:"url"`
}
