ALTER TABLE editions ADD COLUMN disabled_at timestamptz; -- when it was taken out of service
UPDATE editions SET disabled_at = applied_at WHERE state = 'disabled';
