// Package markup is the HTML of posts: what it may hold (sanitise.go), the placeholders that stand for pieces of other
// services (embed.go), pictures and their captions (captions.go), the plain words in it (plain.go), and the text that
// is searched (words.go).
//
// It knows nothing of posts, readers or the database, and imports no other package of modules/content. Begin with
// Sanitise: everything else relies on the form that it gives to a text.
package markup
