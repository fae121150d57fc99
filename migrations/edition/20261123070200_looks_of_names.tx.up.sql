-- Discussion names that look alike are one. Of readers whose names look alike already one has the look: who is written so, else who
-- came first. The others keep what they have until they choose another name.
WITH looks AS (
	SELECT id, comment_name_key, replace(replace(replace(replace(replace(replace(
		translate(comment_name_key, 'i1ıłŀ0øđħŧ', 'llllloodht'), 'rn', 'm'), 'vv', 'w'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'ĳ', 'll') AS look
	FROM identity_readers WHERE comment_name_key <> ''
), firsts AS (
	SELECT DISTINCT ON (look) id, look FROM looks ORDER BY look, comment_name_key <> look, id
)
UPDATE identity_readers r SET comment_name_key = f.look FROM firsts f WHERE r.id = f.id AND r.comment_name_key <> f.look;
