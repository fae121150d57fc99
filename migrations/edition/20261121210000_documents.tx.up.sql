-- The documents of sales: tax invoices (FV), pro-forma invoices (PF) and credit notes (CN). A number is drawn from the counter
-- of its series in the transaction that writes the document, so that no number is left out and none is given twice.

CREATE TABLE billing_series (
	issuer  text NOT NULL,              -- company number of the supplier
	kind    text NOT NULL CHECK (kind IN ('FV', 'PF', 'CN')),
	year    integer NOT NULL,
	n       bigint NOT NULL CHECK (n > 0),
	last_at timestamptz NOT NULL,       -- when the last number was given: the next one is not older
	PRIMARY KEY (issuer, kind, year)
);

CREATE TABLE billing_documents (
	id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	source      text NOT NULL UNIQUE,   -- what this is the one document of: "invoice:in_…", "refund:re_…"
	issuer      text NOT NULL,
	kind        text NOT NULL CHECK (kind IN ('FV', 'PF', 'CN')),
	year        integer NOT NULL,
	n           bigint NOT NULL,
	number      text NOT NULL UNIQUE,
	reader_id   bigint NOT NULL,
	provider_id text,                   -- of the provider's invoice that was paid
	refers_to   bigint,                 -- the invoice that a credit note corrects, the pro-forma invoice that an invoice follows
	total       bigint NOT NULL,        -- minor units
	currency    text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
	issued_at   timestamptz NOT NULL,
	snapshot    jsonb NOT NULL,         -- all that stands on it
	UNIQUE (issuer, kind, year, n),
	CHECK (kind <> 'CN' OR refers_to IS NOT NULL)
);
CREATE INDEX billing_documents_reader ON billing_documents (reader_id, issued_at DESC, id DESC);
CREATE INDEX billing_documents_refers ON billing_documents (refers_to) WHERE refers_to IS NOT NULL;
CREATE INDEX billing_documents_issued ON billing_documents (issued_at);
CREATE UNIQUE INDEX billing_documents_provider ON billing_documents (provider_id) WHERE kind = 'FV';

-- A pro-forma invoice that nobody has paid is void; its number stays.
CREATE TABLE billing_voids (
	document_id bigint PRIMARY KEY REFERENCES billing_documents (id),
	voided_at   timestamptz NOT NULL
);

-- What was issued is never changed, and removed by nothing but retention, which names its limit in its own transaction.
CREATE FUNCTION billing_documents_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND OLD.issued_at < nullif(current_setting('billing.kept_since', true), '')::timestamptz THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'a document that was issued is final';
END $$;

CREATE TRIGGER billing_documents_final BEFORE UPDATE OR DELETE ON billing_documents
	FOR EACH ROW EXECUTE FUNCTION billing_documents_are_final();
CREATE TRIGGER billing_documents_whole BEFORE TRUNCATE ON billing_documents
	FOR EACH STATEMENT EXECUTE FUNCTION billing_documents_are_final();

-- A counter goes on by one and never back.
CREATE FUNCTION billing_series_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' AND NEW.n = 1
		OR TG_OP = 'UPDATE' AND NEW.n = OLD.n + 1 AND (NEW.issuer, NEW.kind, NEW.year) = (OLD.issuer, OLD.kind, OLD.year) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'a series of documents goes on by one';
END $$;

CREATE TRIGGER billing_series_next BEFORE INSERT OR UPDATE OR DELETE ON billing_series
	FOR EACH ROW EXECUTE FUNCTION billing_series_goes_on();
CREATE TRIGGER billing_series_whole BEFORE TRUNCATE ON billing_series
	FOR EACH STATEMENT EXECUTE FUNCTION billing_series_goes_on();
