-- An invitation is mailed: its fact in the outbox names it by a number.
ALTER TABLE identity_invitations ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
