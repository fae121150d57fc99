-- That a reader closed the notice of a subscription's end is kept where the end is known.
INSERT INTO billing_readers (reader_id, reminder_dismissed_at)
SELECT reader_id, dismissed_at FROM consent_dismissals WHERE notice = 'subscription_expiration_reminder'
ON CONFLICT (reader_id) DO UPDATE
	SET reminder_dismissed_at = greatest(billing_readers.reminder_dismissed_at, excluded.reminder_dismissed_at);

DROP TABLE consent_dismissals;
