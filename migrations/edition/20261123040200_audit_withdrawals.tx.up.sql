-- A withdrawal that support has confirmed for its sender stands in the audit log.
ALTER TABLE identity_audit DROP CONSTRAINT identity_audit_action_check,
	ADD CONSTRAINT identity_audit_action_check CHECK (action IN ('show', 'end-sessions', 'grant', 'promise', 'export', 'erase',
		'bank-match', 'bank-unmatch', 'bank-refund', 'bank-dismiss', 'jobs-requeue', 'parked-resolve', 'withdrawal-confirm'));
