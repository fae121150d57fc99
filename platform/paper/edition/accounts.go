package edition

// accountsKept is for how many years after its own the books of a year are kept, by the country of the supplier.
var accountsKept = map[string]int{"AT": 7, "CH": 10, "SK": 10}

// longestAccounts is for the countries of which nobody has said.
const longestAccounts = 10

// YearsOfAccounts returns for how many years after its own the law has the edition's supplier keep the books of a year,
// with all that stands on its invoices.
func (e *Edition) YearsOfAccounts() int {
	if years, ok := accountsKept[e.Supplier.Country]; ok {
		return years
	}
	return longestAccounts
}
