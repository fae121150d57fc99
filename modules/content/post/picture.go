package post

// Picture describes an image of the media library.
type Picture struct {
	ID            string // 32 hex digits
	Width, Height int
	Alt           string
	Caption       string
	Credit        string // who made it, or whose it is
}
