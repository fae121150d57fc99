package stem

import "strings"

// stopWords stand in nearly every text and say nothing about it, by language, folded. A word that folds to something
// one may search for ("us", "it", "man") is not among them.
var stopWords = map[string]map[string]bool{
	"sk": set(`a aby aj ako ale alebo ani ano az bez bol bola boli bolo bude budu by byt co cez do ho i ich im jeho jej ` +
		`ju je k ked kde
		ktora ktore ktori ktoru ktory ktorych ktorym ku len ma maju mu na nad nam nas nech nie o od po pod podla pre pred ` +
		`preto pri s sa si so
		su svoj svoje ta tak take takze tam tato te tej ten tento teda tie tieto to toho tohto tom tomto toto tu tuto ty u ` +
		`uz v vo vsak z za ze zo`),
	"de": set(`aber als am an auch auf aus bei beim bis da dann das dass dem den der des die diese diesem diesen dieser ` +
		`dieses doch du durch
		ein eine einem einen einer eines er es fur hat hatte ich ihr ihre im in ins ist ja kann mit nach nicht noch nur ob ` +
		`oder seine sich sie
		sind so uber um und uns vom von vor war waren was wenn wer werden wie wir wird zu zum zur`),
	"en": set(`a about after all also an and any are as at be because been but by can could did do does for from had ` +
		`has have he her his
		how i if in into is its me my no not of on or our s so t than that the their them then there these they this those ` +
		`to was we were what
		when where which who will with would you your`),
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
