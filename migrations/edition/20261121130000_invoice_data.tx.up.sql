-- What readers want to be called on their invoices, what a plain form was refused with, and the invoices that the
-- provider has made for them, as it described them last.

CREATE TABLE billing_invoice_data (
	reader_id      bigint PRIMARY KEY,
	client_type    text NOT NULL CHECK (client_type IN ('individual', 'company')),
	name           text NOT NULL,
	email          text NOT NULL CHECK (email <> ''),
	line1          text NOT NULL,
	line2          text NOT NULL,
	city           text NOT NULL,
	postal_code    text NOT NULL,
	country        text NOT NULL CHECK (country ~ '^([A-Z]{2})?$'), -- ISO 3166-1 alpha-2
	company_name   text NOT NULL,
	company_ico    text NOT NULL,
	company_dic    text NOT NULL,
	company_ic_dph text NOT NULL,
	updated_at     timestamptz NOT NULL,
	CHECK (client_type = 'company' OR company_name || company_ico || company_dic || company_ic_dph = '')
);

CREATE TABLE billing_drafts (
	reader_id bigint PRIMARY KEY,
	data      jsonb NOT NULL,
	kept_at   timestamptz NOT NULL
);

CREATE TABLE billing_invoices (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	provider_id text NOT NULL UNIQUE,
	reader_id   bigint NOT NULL,
	number      text NOT NULL,              -- the provider's, as it stands on the invoice; '' for a draft
	status      text NOT NULL,              -- draft, open, paid, void, uncollectible
	product     text NOT NULL,
	total       bigint NOT NULL,            -- minor units
	paid        bigint NOT NULL,
	currency    text NOT NULL,
	created_at  timestamptz NOT NULL,       -- at the provider
	updated_at  timestamptz NOT NULL
);
CREATE INDEX billing_invoices_reader ON billing_invoices (reader_id, created_at DESC, id DESC);
