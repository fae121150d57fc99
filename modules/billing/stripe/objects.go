package stripe

// Objects that the provider's messages are about.
const (
	ObjectSubscription = "subscription"
	ObjectCheckout     = "checkout.session"
	ObjectInvoice      = "invoice"
	ObjectCharge       = "charge"
	ObjectRefund       = "refund"
	ObjectDispute      = "dispute"
)
