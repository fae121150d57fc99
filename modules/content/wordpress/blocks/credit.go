package blocks

import (
	"regexp"
	"strconv"
	"strings"
)

// creditKeys are where plugins and themes write down who made a picture, in the order in which they are believed.
var creditKeys = []string{
	"credit", "_credit", "photo_credit", "_photo_credit", "image_credit", "_image_credit", "media_credit", "_media_credit",
	"_wp_attachment_source_name",
}

// cameraCredit finds what the camera, or the agency, wrote into the file: a text of PHP's, whose length in bytes stands
// before it.
var cameraCredit = regexp.MustCompile(`s:6:"credit";s:(\d+):"`)

// CreditOf finds the credit among the fields of an attachment; "" where there is none.
func CreditOf(meta map[string]string) string {
	for _, key := range creditKeys {
		if c := Plain(meta[key]); c != "" {
			return c
		}
	}
	data := meta["_wp_attachment_metadata"]
	at := cameraCredit.FindStringSubmatchIndex(data)
	if at == nil {
		return ""
	}
	length, err := strconv.Atoi(data[at[2]:at[3]])
	if err != nil || length > len(data)-at[1] {
		return ""
	}
	return Plain(data[at[1] : at[1]+length])
}

// creditInCaption is how papers end a caption: "The bridge. Photo: Jana Nova", "The bridge (Bild: Agentur)".
var creditInCaption = regexp.MustCompile(`(?i)^(.*?)[\s([|–—/-]*(?:\b(?:foto|photo|fotografia|image|bild|obrázok|` +
	`ilustrácia|illustration|zdroj|quelle|source|credit)\s*:|©)\s*([^:()\[\]]{2,120})[)\]]?$`)

// SplitCredit takes a caption apart into what is shown and who made it.
func SplitCredit(caption string) (text, credit string) {
	m := creditInCaption.FindStringSubmatch(caption)
	if m == nil {
		return caption, ""
	}
	return strings.TrimSpace(m[1]), strings.TrimRight(strings.TrimSpace(m[2]), ".")
}
