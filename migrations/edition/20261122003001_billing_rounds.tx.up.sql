-- How far a comparison with the provider is: one that was interrupted goes on where it was.
CREATE TABLE billing_rounds (
	name        text PRIMARY KEY,
	stage       int NOT NULL DEFAULT 0,
	position    text NOT NULL DEFAULT '',    -- the last that was compared in the stage
	began_at    timestamptz NOT NULL,
	finished_at timestamptz                  -- null while it is not through
);

ALTER TABLE billing_syncs ADD COLUMN compared_at timestamptz; -- when the list of the provider had the subscription last
