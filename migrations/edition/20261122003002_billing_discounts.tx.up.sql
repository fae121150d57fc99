-- What a promotion code takes off the next payment, and whether a full price was ever paid: letters tell what will be charged.
ALTER TABLE billing_subscriptions
	ADD COLUMN amount_off  bigint NOT NULL DEFAULT 0,
	ADD COLUMN percent_off double precision NOT NULL DEFAULT 0,
	ADD COLUMN full_paid   boolean NOT NULL DEFAULT false;

UPDATE billing_subscriptions s SET full_paid = true
WHERE NOT trial AND amount > 0 AND EXISTS (SELECT FROM billing_invoices i WHERE i.reader_id = s.reader_id AND i.product = s.product AND i.paid >= s.amount);
