-- That a trial was promised by a command stands in the audit log.
ALTER TABLE identity_audit DROP CONSTRAINT identity_audit_action_check,
	ADD CONSTRAINT identity_audit_action_check CHECK (action IN ('show', 'end-sessions', 'grant', 'export', 'erase', 'bank-match', 'bank-unmatch', 'bank-refund', 'promise'));
