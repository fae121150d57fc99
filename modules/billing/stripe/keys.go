package stripe

// Keys are an edition's account at the provider.
type Keys struct {
	APIBase       string // without /v1; empty: the provider's own
	SecretKey     string
	WebhookSecret string
}
