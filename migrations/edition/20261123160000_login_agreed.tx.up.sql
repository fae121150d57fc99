-- Documents, as "id@version" separated by spaces, that the form named by which a login mail was asked for: going on agrees to them.
ALTER TABLE identity_login_attempts ADD COLUMN agreed text NOT NULL DEFAULT '';
