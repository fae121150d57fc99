-- What browsers report: what readers did, and what went wrong there. Nothing is decided by it.

CREATE TABLE logging_events (
	id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	reader_id    bigint, -- of the session; NULL for a visitor
	action       text NOT NULL,
	meta_value   text NOT NULL DEFAULT '',
	publish_date text NOT NULL DEFAULT '',
	at           timestamptz NOT NULL
);
CREATE INDEX logging_events_at ON logging_events (at);

CREATE TABLE logging_client_errors (
	id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	message text NOT NULL,
	stack   text NOT NULL DEFAULT '',
	place   text NOT NULL DEFAULT '', -- where in the browser's program
	path    text NOT NULL DEFAULT '', -- of the page, without its query
	agent   text NOT NULL DEFAULT '',
	at      timestamptz NOT NULL
);
CREATE INDEX logging_client_errors_at ON logging_client_errors (at);
