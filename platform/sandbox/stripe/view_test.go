package sandbox

import (
	"testing"
	"time"
)

// What a transaction shows of a change is not shown by others until it is committed, and then it is.
func TestViewsShowWhatIsStored(t *testing.T) {
	t.Parallel()
	a := &account{
		objects: map[string]stored{}, views: map[string]*view{}, births: map[string]int{}, kinds: map[string][]string{},
		due: map[string]due{},
	}
	put := func(id, kind, data string) {
		t.Helper()
		if err := a.apply(entry{Put: []stored{{ID: id, Kind: kind, Data: []byte(data)}}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	name := func(x *tx) any { return dig(x.shown("promo_1"), "coupon.name") }
	put("c1", "coupon", `{"id":"c1","object":"coupon","name":"Spring"}`)
	put("promo_1", "promotion_code", `{"id":"promo_1","object":"promotion_code","coupon":"c1"}`)
	for range 2 {
		removes := a.begin(time.Unix(0, 0), origin{})
		removes.remove(load[coupon](removes, "c1"))
		if got := name(removes); got != nil {
			t.Errorf("whoever removes the coupon is shown %v of it", got)
		}
		if got := name(a.begin(time.Unix(0, 0), origin{})); got != "Spring" {
			t.Errorf("the next one is shown %v, want Spring", got)
		}
	}
	put("c1", "coupon", `{"id":"c1","object":"coupon","name":"Autumn"}`)
	if got := name(a.begin(time.Unix(0, 0), origin{})); got != "Autumn" {
		t.Errorf("got %v after the change, want Autumn", got)
	}
}
