package sandbox

// endpoints are the methods and paths of the API.
var endpoints map[string]handler

func init() {
	endpoints = map[string]handler{
		"POST /v1/customers":                      createCustomer,
		"GET /v1/customers":                       index("customer", nil, filter{"email", "email"}),
		"GET /v1/customers/search":                search("customer"),
		"GET /v1/customers/{id}":                  getCustomer,
		"POST /v1/customers/{id}":                 updateCustomer,
		"DELETE /v1/customers/{id}":               deleteCustomer,
		"GET /v1/customers/{id}/payment_methods":  listCustomerMethods,
		"POST /v1/customers/{id}/tax_ids":         createTaxID,
		"GET /v1/customers/{id}/tax_ids":          listTaxIDs,
		"GET /v1/customers/{id}/tax_ids/{tax}":    getTaxID,
		"DELETE /v1/customers/{id}/tax_ids/{tax}": deleteTaxID,

		"POST /v1/products":       createProduct,
		"GET /v1/products":        index("product", nil, filter{"active", "active"}, filter{"ids", "id"}),
		"GET /v1/products/search": search("product"),
		"GET /v1/products/{id}":   get[product],
		"POST /v1/products/{id}":  updateProduct,

		"POST /v1/prices": createPrice,
		"GET /v1/prices": index("price", nil, filter{"active", "active"}, filter{"product", "product"},
			filter{"type", "type"}, filter{"currency", "currency"}, filter{"lookup_keys", "lookup_key"},
			filter{"recurring.interval", "recurring.interval"}),
		"GET /v1/prices/search": search("price"),
		"GET /v1/prices/{id}":   get[price],
		"POST /v1/prices/{id}":  updatePrice,

		"POST /v1/coupons":         createCoupon,
		"GET /v1/coupons":          index("coupon", nil),
		"GET /v1/coupons/{id}":     getCoupon,
		"POST /v1/coupons/{id}":    updateCoupon,
		"DELETE /v1/coupons/{id}":  deleteCoupon,
		"POST /v1/promotion_codes": createPromotionCode,
		"GET /v1/promotion_codes": index("promotion_code", nil, filter{"active", "active"}, filter{"code", "code"},
			filter{"coupon", "coupon.id"}, filter{"customer", "customer"}),
		"GET /v1/promotion_codes/{id}":  get[promotionCode],
		"POST /v1/promotion_codes/{id}": updatePromotionCode,

		"POST /v1/checkout/sessions": createCheckout,
		"GET /v1/checkout/sessions": index("checkout", nil, filter{"customer", "customer"},
			filter{"subscription", "subscription"}, filter{"payment_intent", "payment_intent"}, filter{"status", "status"},
			filter{"customer_details.email", "customer_details.email"}),
		"GET /v1/checkout/sessions/{id}":            get[checkout],
		"POST /v1/checkout/sessions/{id}/expire":    expireCheckout,
		"GET /v1/checkout/sessions/{id}/line_items": listCheckoutItems,

		"POST /v1/subscriptions": createSubscription,
		"GET /v1/subscriptions": index("subscription", subscriptionStatus, filter{"customer", "customer"},
			filter{"collection_method", "collection_method"}),
		"GET /v1/subscriptions/search":  search("subscription"),
		"GET /v1/subscriptions/{id}":    get[subscription],
		"POST /v1/subscriptions/{id}":   updateSubscription,
		"DELETE /v1/subscriptions/{id}": cancelSubscription,

		"POST /v1/subscription_schedules":              createSchedule,
		"GET /v1/subscription_schedules":               index("schedule", nil, filter{"customer", "customer"}),
		"GET /v1/subscription_schedules/{id}":          get[schedule],
		"POST /v1/subscription_schedules/{id}":         updateSchedule,
		"POST /v1/subscription_schedules/{id}/release": releaseSchedule,
		"POST /v1/subscription_schedules/{id}/cancel":  cancelSchedule,

		"GET /v1/invoices": index("invoice", nil, filter{"customer", "customer"},
			filter{"subscription", "subscription"}, filter{"status", "status"},
			filter{"collection_method", "collection_method"}),
		"GET /v1/invoices/search":                   search("invoice"),
		"GET /v1/invoices/upcoming":                 upcomingInvoice,
		"GET /v1/invoices/{id}":                     get[invoice],
		"POST /v1/invoices/{id}":                    updateInvoice,
		"GET /v1/invoices/{id}/lines":               listInvoiceLines,
		"POST /v1/invoices/{id}/finalize":           finalizeInvoice,
		"POST /v1/invoices/{id}/pay":                payInvoice,
		"POST /v1/invoices/{id}/void":               voidInvoice,
		"POST /v1/invoices/{id}/mark_uncollectible": markUncollectible,
		"GET /v1/invoiceitems": index("invoiceitem", nil, filter{"customer", "customer"},
			filter{"invoice", "invoice"}),
		"GET /v1/invoiceitems/{id}":             get[invoiceItem],
		"POST /v1/payment_intents":              createIntent,
		"GET /v1/payment_intents":               index("payment_intent", nil, filter{"customer", "customer"}),
		"GET /v1/payment_intents/search":        search("payment_intent"),
		"GET /v1/payment_intents/{id}":          get[paymentIntent],
		"POST /v1/payment_intents/{id}":         updateIntent,
		"POST /v1/payment_intents/{id}/confirm": confirmIntent,
		"POST /v1/payment_intents/{id}/cancel":  cancelIntent,
		"GET /v1/setup_intents": index("setup_intent", nil, filter{"customer", "customer"},
			filter{"payment_method", "payment_method"}),
		"GET /v1/setup_intents/{id}": get[setupIntent],
		"POST /v1/payment_methods":   createMethod,
		"GET /v1/payment_methods": index("payment_method", nil, filter{"customer", "customer"},
			filter{"type", "type"}),
		"GET /v1/payment_methods/{id}":         get[paymentMethod],
		"POST /v1/payment_methods/{id}":        updateMethod,
		"POST /v1/payment_methods/{id}/attach": attachMethod,
		"POST /v1/payment_methods/{id}/detach": detachMethod,
		"GET /v1/charges": index("charge", nil, filter{"customer", "customer"},
			filter{"payment_intent", "payment_intent"}),
		"GET /v1/charges/search": search("charge"),
		"GET /v1/charges/{id}":   get[charge],
		"POST /v1/refunds":       createRefund,
		"GET /v1/refunds": index("refund", nil, filter{"charge", "charge"},
			filter{"payment_intent", "payment_intent"}),
		"GET /v1/refunds/{id}":  get[refund],
		"POST /v1/refunds/{id}": updateRefund,
		"GET /v1/disputes": index("dispute", nil, filter{"charge", "charge"},
			filter{"payment_intent", "payment_intent"}),
		"GET /v1/disputes/{id}":                  get[dispute],
		"POST /v1/disputes/{id}":                 updateDispute,
		"POST /v1/disputes/{id}/close":           closeDispute,
		"POST /v1/billing_portal/sessions":       createPortalSession,
		"POST /v1/billing_portal/configurations": createPortalConfig,
		"GET /v1/billing_portal/configurations": index("portal_config", nil, filter{"active", "active"},
			filter{"is_default", "is_default"}),
		"GET /v1/billing_portal/configurations/{id}":  get[portalConfig],
		"POST /v1/billing_portal/configurations/{id}": updatePortalConfig,
		"GET /v1/events":                    index("event", eventDelivered, filter{"type", "type"}, filter{"types", "type"}),
		"GET /v1/events/{id}":               get[event],
		"POST /v1/webhook_endpoints":        createEndpoint,
		"GET /v1/webhook_endpoints":         index("webhook_endpoint", nil),
		"GET /v1/webhook_endpoints/{id}":    get[webhookEndpoint],
		"POST /v1/webhook_endpoints/{id}":   updateEndpoint,
		"DELETE /v1/webhook_endpoints/{id}": deleteEndpoint,
	}
}

// get retrieves an object by the id in the path.
func get[T any, P interface {
	*T
	entity
}](t *tx, c *call) (any, error) {
	return pick[T, P](t, c)
}

// pick loads the object that the path names.
func pick[T any, P interface {
	*T
	entity
}](t *tx, c *call) (P, error) {
	if e := load[T, P](t, c.id); e != nil {
		return e, nil
	}
	var zero T
	return nil, missing(nameOf(P(&zero).kind()), string(c.id), "id")
}

// deleted is what the deletion of an object answers.
func deleted(m *Meta) map[string]any {
	return map[string]any{"id": m.ID, "object": m.Object, "deleted": true}
}
