package invoice

import (
	"errors"
	"fmt"
	"regexp"
	"time"
)

// BookPeriod is the time of which books are written: days on which documents were issued, "2026-11-01", the last one
// included.
type BookPeriod struct {
	Name     string // "2026-11"
	From, To string
}

var (
	errBookPeriod = errors.New("name one period: --year 2026, --month 2026-11, --quarter 2026-4, or --from 2026-11-01 " +
		"--to 2026-11-15")
	yearShape    = regexp.MustCompile(`^2\d{3}$`)
	quarterShape = regexp.MustCompile(`^(2\d{3})-[Qq]?([1-4])$`)
)

// BookYear is a whole year.
func BookYear(year int) BookPeriod {
	name := fmt.Sprintf("%04d", year)
	return BookPeriod{name, name + "-01-01", name + "-12-31"}
}

// ParseBookPeriod reads a period as the flags of a command name it: "2026", "2026-11", "2026-4" for a quarter, or two
// days.
func ParseBookPeriod(year, month, quarter, from, to string) (p BookPeriod, err error) {
	named := 0
	for _, text := range []string{year, month, quarter, from + to} {
		if text != "" {
			named++
		}
	}
	if named != 1 {
		return p, errBookPeriod
	}
	var first time.Time
	months := 1
	switch q := quarterShape.FindStringSubmatch(quarter); {
	case q != nil:
		first, err = time.Parse("2006-1", fmt.Sprintf("%s-%d", q[1], int(q[2][0]-'1')*3+1))
		p.Name, months = q[1]+"-Q"+q[2], 3
	case yearShape.MatchString(year):
		first, err = time.Parse("2006", year)
		p.Name, months = year, 12
	case month != "":
		first, err = time.Parse("2006-01", month)
		p.Name = month
	default:
		return bookDays(from, to)
	}
	if err != nil {
		return p, errBookPeriod
	}
	p.From, p.To = first.Format(time.DateOnly), first.AddDate(0, months, -1).Format(time.DateOnly)
	return p, nil
}

func bookDays(from, to string) (BookPeriod, error) {
	for _, day := range []string{from, to} {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			return BookPeriod{}, errBookPeriod
		}
	}
	if to < from {
		return BookPeriod{}, errors.New("--to is before --from")
	}
	return BookPeriod{from + "_" + to, from, to}, nil
}
