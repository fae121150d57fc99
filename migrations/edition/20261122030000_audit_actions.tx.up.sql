-- What else stands in the audit log: payments of a statement that were taken out of the queue, work that was brought back, what had
-- waited for a person, and trials that were promised.
ALTER TABLE identity_audit DROP CONSTRAINT identity_audit_action_check,
	ADD CONSTRAINT identity_audit_action_check CHECK (action IN ('show', 'end-sessions', 'grant', 'promise', 'export', 'erase',
		'bank-match', 'bank-unmatch', 'bank-refund', 'bank-dismiss', 'jobs-requeue', 'parked-resolve'));
