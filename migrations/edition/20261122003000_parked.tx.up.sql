-- What waits for a person is settled by one, with a trace.
ALTER TABLE identity_audit DROP CONSTRAINT identity_audit_action_check,
	ADD CONSTRAINT identity_audit_action_check CHECK (action IN ('show', 'end-sessions', 'grant', 'export', 'erase', 'bank-match', 'bank-unmatch', 'bank-refund', 'parked-resolve'));
