-- What consumers state when they withdraw from a contract. The first step writes it down, the second one sends it.
CREATE TABLE billing_withdrawals (
	id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name         text NOT NULL,
	email        text NOT NULL,
	contract     text NOT NULL CHECK (contract IN ('subscription', 'gift')),
	created_at   timestamptz NOT NULL,
	received_at  timestamptz,                 -- of the second step
	state        text NOT NULL DEFAULT 'stated' CHECK (state IN ('stated', 'received', 'none', 'matched', 'done')),
	product      text NOT NULL DEFAULT '',
	concluded_at timestamptz,
	provider_id  text UNIQUE,                 -- the subscription that it ends
	gift_id      bigint UNIQUE REFERENCES billing_gifts (id) ON DELETE SET NULL,
	amount       bigint NOT NULL DEFAULT 0,   -- minor units that go back
	currency     text NOT NULL DEFAULT '',
	settled_at   timestamptz,
	CHECK ((received_at IS NULL) = (state = 'stated'))
);
CREATE INDEX billing_withdrawals_email ON billing_withdrawals (email);
