package app

import (
	"testing"

	"example.org/broadsheet/platform/config"
)

// Two of both with three editions can never have more than sixty connections, whatever the load.
func TestTwoOfBothStayWithinSixtyConnections(t *testing.T) {
	t.Parallel()
	cfg, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	if n := 2*Serve.Options(cfg.Database).Most(3) + 2*Work.Options(cfg.Database).Most(3); n > 60 {
		t.Errorf("%d connections", n)
	}
}
