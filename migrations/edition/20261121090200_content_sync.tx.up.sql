-- What is known of a site that an edition is kept equal to.

CREATE TABLE content_sync_cursors (
	source text NOT NULL, -- as in content_posts
	kind   text NOT NULL, -- "posts", "pages", "media"
	at     timestamptz NOT NULL, -- by the site's clock: what was changed there before has been seen
	PRIMARY KEY (source, kind)
);

-- Every thing of the site that was seen to, and nothing else: a post that is gone from there has no row.
CREATE TABLE content_sync_items (
	source text   NOT NULL,
	kind   text   NOT NULL,             -- also "categories", "tags", "users"
	number bigint NOT NULL,             -- its id there
	mark   text   NOT NULL,             -- of what its lists said when it was taken; '' asks for it to be taken again
	slug   text   NOT NULL DEFAULT '',  -- what a category, tag or user is here; '' is nothing
	data   jsonb,                       -- of a picture: its address and words
	uses   text[] NOT NULL DEFAULT '{}', -- of a post: "media:12", "categories:3"; when one of them changes, the post is looked at again
	retry  boolean NOT NULL DEFAULT false, -- a picture of it did not come through, and may the next time
	PRIMARY KEY (source, kind, number)
);
CREATE INDEX content_sync_items_uses ON content_sync_items USING gin (uses);
CREATE INDEX content_sync_items_address ON content_sync_items (source, (data->>'URL')) WHERE kind = 'media';
CREATE INDEX content_sync_items_pending ON content_sync_items (source, kind) WHERE mark = '';
