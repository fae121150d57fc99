package billing

import (
	"context"

	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/limit"
)

func mayTry(ctx context.Context, tx db.Tx, network, person string) (bool, error) {
	return limit.SpendInTurn(ctx, tx, limit.Use{Budget: codesOfNetwork, Key: network},
		limit.Use{Budget: codesOfPerson, Key: person})
}
