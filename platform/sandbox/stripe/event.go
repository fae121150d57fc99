package sandbox

import (
	"bytes"
	"encoding/json"
)

// event is one thing that happened, as it is listed and sent to webhooks.
type event struct {
	Meta
	APIVersion string    `json:"api_version"`
	Data       eventData `json:"data"`
	Pending    int       `json:"pending_webhooks"`
	By         origin    `json:"request"`
	Type       string    `json:"type"`
}

type eventData struct {
	Object   json.RawMessage            `json:"object"`
	Previous map[string]json.RawMessage `json:"previous_attributes,omitempty"`
}

func (*event) kind() string { return "event" }

// tell records an event with the object as it is now, and a delivery to every endpoint that wants it.
func (t *tx) tell(kind string, e entity) {
	if t.preview {
		return
	}
	t.tellShown(kind, e.meta().ID, t.render(e))
}

func (t *tx) tellShown(kind, id string, object map[string]any) {
	shown, err := json.Marshal(object)
	if err != nil {
		panic(err) // what was rendered always encodes
	}
	ev := &event{APIVersion: apiVersion, Type: kind, By: t.by, Data: eventData{Object: shown}}
	if updates[kind] {
		ev.Data.Previous = difference(t.lastTold(id), shown)
	}
	t.told[id] = shown
	add(t, "evt_", ev)
	for _, w := range all[webhookEndpoint](t) {
		if w.wants(kind) {
			ev.Pending++
			add(t, "dlv_", &delivery{Event: ev.ID, Endpoint: w.ID, State: deliveryPending})
		}
	}
}

// updates are the events that say what changed.
var updates = map[string]bool{
	"customer.updated": true, "customer.subscription.updated": true, "invoice.updated": true, "product.updated": true,
	"price.updated":                 true,
	"subscription_schedule.updated": true, "charge.refunded": true, "payment_method.updated": true,
}

// lastTold is the object as its last event of this transaction, or else the state before, showed it.
func (t *tx) lastTold(id string) json.RawMessage {
	if old, ok := t.told[id]; ok {
		return old
	}
	s, ok := t.acc.objects[id]
	if !ok {
		return nil
	}
	m := rawMap(s.Data)
	t.finish(m)
	old, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return old
}

// difference holds the old values of the keys that have changed.
func difference(old, now json.RawMessage) map[string]json.RawMessage {
	var before, after map[string]json.RawMessage
	if json.Unmarshal(old, &before) != nil || json.Unmarshal(now, &after) != nil {
		return nil
	}
	changed := map[string]json.RawMessage{}
	for key, value := range before {
		if !bytes.Equal(value, after[key]) {
			changed[key] = value
		}
	}
	return changed
}

// eventDelivered filters by whether every webhook has been delivered.
func eventDelivered(object map[string]any, p params) bool {
	if !p.has("delivery_success") {
		return true
	}
	var want bool
	p.flag("delivery_success", &want)
	pending, _ := object["pending_webhooks"].(json.Number).Int64()
	return want == (pending == 0)
}
