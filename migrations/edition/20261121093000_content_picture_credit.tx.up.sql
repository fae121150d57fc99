-- Who made a picture, or whose it is; shown behind its caption.
ALTER TABLE content_pictures ADD COLUMN credit text NOT NULL DEFAULT '';
