-- The provider hears what its customers have set so far; from now on it is told with each change.
INSERT INTO outbox (event, payload, created_at, due_at, next_at)
SELECT 'billing.invoice_data_set', jsonb_build_object('reader_id', reader_id), now(), now(), now()
FROM billing_invoice_data JOIN billing_customers USING (reader_id);
