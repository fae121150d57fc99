-- Actions are declared by the packages that have them (platform/audit); the table lists none.
ALTER TABLE identity_audit DROP CONSTRAINT identity_audit_action_check;
