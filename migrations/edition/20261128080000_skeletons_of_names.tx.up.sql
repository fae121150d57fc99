-- Names that look alike have one key, by accents and digits too. Names of before stay: of those that share a key now one
-- has it, and the others keep theirs, which nobody can get any more. The function Key of commentname has the same table.
UPDATE identity_readers r SET comment_name_key = n.key
FROM (
	SELECT DISTINCT ON (key) id, key
	FROM (
		SELECT id, comment_name_key AS old, replace(replace(translate(
			regexp_replace(normalize(comment_name_key, NFD), '[\u0300-\u036f]', '', 'g'),
			'0123456789ðŋþ', 'olzeasgtbgdnp'), 'rn', 'm'), 'vv', 'w') AS key
		FROM identity_readers WHERE comment_name_key <> ''
	) skeletons
	ORDER BY key, old = key DESC, id
) n
WHERE r.id = n.id AND r.comment_name_key <> n.key;
