-- What is to be seen in the post's picture, in the words of this post; '' leaves it to the picture's own words.
ALTER TABLE content_posts ADD COLUMN alt text NOT NULL DEFAULT '';
