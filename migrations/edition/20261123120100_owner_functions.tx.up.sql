-- The tables do not belong to the edition's login. What it does that only their owner may do are these functions, which
-- run as the owner, by a fixed path.

ALTER FUNCTION logging_events_month(date) SECURITY DEFINER SET search_path FROM CURRENT;
REVOKE ALL ON FUNCTION logging_events_month(date) FROM PUBLIC;

-- Drops the table of a month (in UTC), and returns how many rows went with it.
CREATE FUNCTION logging_events_drop(month date) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
	part    text := 'logging_events_' || to_char(month, 'YYYYMM');
	removed bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM %I', part) INTO removed;
	EXECUTE format('DROP TABLE %I', part);
	RETURN removed;
END $$;
REVOKE ALL ON FUNCTION logging_events_drop(date) FROM PUBLIC;

-- Has the planner learn about the posts after many of them have changed.
CREATE FUNCTION content_analyze() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
	ANALYZE content_posts, content_post_authors, content_post_categories, content_post_tags, content_search, content_search_posts, content_search_words;
END $$;
REVOKE ALL ON FUNCTION content_analyze() FROM PUBLIC;
