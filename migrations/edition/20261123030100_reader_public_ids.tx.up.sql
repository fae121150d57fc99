-- What a reader is called outside the database, beside the number: after a dump is restored the numbers of the readers that were lost
-- are given out again, and this is not.
ALTER TABLE identity_readers ADD COLUMN public_id uuid NOT NULL DEFAULT gen_random_uuid();
