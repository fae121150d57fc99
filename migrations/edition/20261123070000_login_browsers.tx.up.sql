-- Browsers, by the hash of their request cookie, that asked for a login mail while one was on its way that another had asked for.
ALTER TABLE identity_login_attempts ADD COLUMN other_browsers bytea[] NOT NULL DEFAULT '{}';
