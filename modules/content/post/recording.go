package post

import (
	"example.org/broadsheet/modules/content/markup"
	"example.org/broadsheet/platform/media"
)

// Recording is a video that may be played, as pages name it.
type Recording struct {
	Kind string `json:"kind"` // file, youtube, vimeo
	Src  string `json:"src"`  // address of the file, or the id at the provider
}

// RecordingOf finds what plays at an address: a file of the media library, or a video of a provider whose player the
// pages have. Other addresses stay links.
func RecordingOf(address string) *Recording {
	if media.IsVideoPath(address) {
		return &Recording{Kind: "file", Src: address}
	}
	if e, ok := markup.EmbedOf(address); ok && (e.Kind == "youtube" || e.Kind == "vimeo") {
		return &Recording{Kind: e.Kind, Src: e.ID}
	}
	return nil
}
