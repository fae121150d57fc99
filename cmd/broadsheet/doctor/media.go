package doctor

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"

	"example.org/broadsheet/modules/content"
	"example.org/broadsheet/platform/media"
	"example.org/broadsheet/platform/paper/edition"
)

// pictures looks whether what holds the pictures can be written and read, and is that of the editions.
func pictures(ctx context.Context, p *Paper) []Finding {
	if p.Config.Media.URL != "" {
		return bucket(ctx, p)
	}
	return folder(ctx, p)
}

// folder looks at the folder of pictures before it is opened, which would make what is missing.
func folder(ctx context.Context, p *Paper) []Finding {
	const whose = "Is media.dir the folder of the other processes, and does it belong to the user of serve and work?"
	if i, err := os.Stat(p.MediaDir); errors.Is(err, fs.ErrNotExist) {
		return []Finding{problem("Correct media.dir, or make the folder: mkdir "+p.MediaDir, "%s is not there", p.MediaDir)}
	} else if err != nil || !i.IsDir() {
		return []Finding{problem(whose, "%s is no folder that can be read: %v", p.MediaDir, err)}
	}
	store, err := media.OpenLocal(p.MediaDir)
	if err != nil {
		return []Finding{problem(whose, "%v", err)}
	}
	defer store.Close() //nolint:errcheck // nothing is being written
	if err := media.Probe(ctx, store); err != nil {
		return []Finding{problem(whose, "%s cannot be used: %v", p.MediaDir, err)}
	}
	return newest(ctx, p, store, p.MediaDir, whose)
}

// bucket asks the service of media.url for all that serve and work ask of it.
func bucket(ctx context.Context, p *Paper) []Finding {
	if p.Offline {
		return nil
	}
	store, err := media.OpenS3(p.Config.Media.URL, nil)
	if err != nil {
		return []Finding{problem("Correct media.url.", "%v", err)}
	}
	defer store.Close() //nolint:errcheck // nothing is being written
	err = store.Check(ctx)
	if err == nil {
		err = media.Probe(ctx, store)
	}
	switch {
	case errors.Is(err, media.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return []Finding{problem("Are host, port and tls of media.url right, is the service running, and does this machine "+
			"reach it? Pages are delivered without pictures until then.", "%s does not answer: %v", store, err)}
	case err != nil:
		return []Finding{problem("Are bucket, key, secret and region of media.url right? The key needs s3:ListBucket, "+
			"s3:GetObject, s3:PutObject and s3:DeleteObject.", "%s cannot be used: %v", store, err)}
	}
	return newest(ctx, p, store, store.String(), "Are bucket and prefix of media.url those of the other processes?")
}

// newest looks for the newest pictures of each edition in a store that can be used.
func newest(ctx context.Context, p *Paper, store media.Store, place, advice string) []Finding {
	if p.Registry == nil {
		return fine("%s can be written", place)
	}
	images := media.NewImages(store, slog.New(slog.DiscardHandler))
	var found []Finding
	for _, ed := range p.Registry.All() {
		missing, err := missingPicture(edition.With(ctx, ed), p, images)
		switch {
		case err != nil:
			found = append(found, problem("", "%s: %v", ed.ID, err))
		case missing != "":
			found = append(found, problem(advice, "%s: the picture %s is not in %s", ed.ID, missing, place))
		}
	}
	return or(found, "%s can be written, and has the newest pictures of each edition", place)
}

// sampled is how many pictures of an edition are looked for.
const sampled = 5

// missingPicture is one of the newest pictures of the edition of ctx that the library does not have, "" for none.
func missingPicture(ctx context.Context, p *Paper, images *media.Images) (string, error) {
	ids, err := content.NewestPictures(ctx, p.Database, sampled)
	for _, id := range ids {
		if has, err := images.Has(ctx, id); err != nil || !has {
			return id, err
		}
	}
	return "", err
}
