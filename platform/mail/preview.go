package mail

// Preview is an email with made-up contents, to look at.
type Preview struct {
	Name    string // "login": in the address of the preview and of its golden files
	Message Message
}
