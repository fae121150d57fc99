-- The registry of editions: the applied documents.
CREATE TABLE editions (
	id          text PRIMARY KEY,
	document    text NOT NULL,           -- the YAML as it was applied
	checksum    text NOT NULL,
	state       text NOT NULL CHECK (state IN ('pending', 'live', 'failed', 'disabled')),
	error       text NOT NULL DEFAULT '',
	created_at  timestamptz NOT NULL,
	applied_at  timestamptz NOT NULL,
	disabled_at timestamptz              -- when it was taken out of service
);
CREATE TABLE edition_hosts (
	host        text PRIMARY KEY,
	edition_id  text NOT NULL REFERENCES editions (id) ON DELETE CASCADE
);
CREATE TABLE settings (
	key         text PRIMARY KEY,
	value       text NOT NULL
);
