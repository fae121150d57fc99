-- From how many networks a term was searched for: one bit of 64 for each, so that counts of several processes and days can be
-- put together and no network can be told from them. What was counted before has none, and is shown to nobody.
ALTER TABLE content_searches ADD COLUMN networks bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN content_searches.times IS 'by how many different networks, as each process counted them';
