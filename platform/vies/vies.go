// Package vies asks the European Union's register of VAT numbers (VIES).
package vies

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Base is the address of the register's REST interface.
const Base = "https://ec.europa.eu/taxation_customs/vies/rest-api"

// ErrUnknown is that the register has not said whether a number is good: it, or the one of a member state, does not
// answer. That is no reason to take a number for good, nor for bad.
var ErrUnknown = errors.New("vies: the register has not answered")

// Patience is how long an answer is waited for.
const Patience = 5 * time.Second

const mostAnswer = 64 << 10

// Answer is what the register says of a number.
type Answer struct {
	Valid bool
	// The register's number of this very answer, which proves that it was asked; "" where it gives none.
	Consultation string
}

// Client asks the register.
type Client struct {
	base string
	http *http.Client
}

// New makes a client of the register at base, such as Base, that asks over the given line.
func New(base string, line *http.Client) *Client {
	return &Client{strings.TrimSuffix(base, "/"), line}
}

// Check asks about a number with the two letters of its country, "ATU12345678". With the asker's own number the
// register gives a consultation number. All that is no clear answer is ErrUnknown.
func (c *Client) Check(ctx context.Context, number, asker string) (Answer, error) {
	if len(number) < 4 {
		return Answer{}, fmt.Errorf("vies: %q is no number", number)
	}
	question := map[string]string{"countryCode": number[:2], "vatNumber": number[2:]}
	if len(asker) > 3 {
		question["requesterMemberStateCode"], question["requesterNumber"] = asker[:2], asker[2:]
	}
	body, err := json.Marshal(question)
	if err != nil {
		return Answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/check-vat-number", bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	defer func() { _ = res.Body.Close() }()
	var said struct {
		Country      string `json:"countryCode"`
		Number       string `json:"vatNumber"`
		Valid        *bool  `json:"valid"`
		Consultation string `json:"requestIdentifier"`
		Succeeded    *bool  `json:"actionSucceed"`
		Error        string `json:"userError"`
		Wrong        []struct {
			Error string `json:"error"`
		} `json:"errorWrappers"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, mostAnswer)).Decode(&said); err != nil {
		return Answer{}, fmt.Errorf("%w: status %d: %w", ErrUnknown, res.StatusCode, err)
	}
	for _, w := range said.Wrong {
		said.Error = w.Error
	}
	unclear := said.Valid == nil || said.Succeeded != nil && !*said.Succeeded || res.StatusCode != http.StatusOK
	about := said.Country == number[:2] && said.Number == number[2:]
	told := said.Error == "" || said.Error == "VALID" || said.Error == "INVALID" || said.Error == "INVALID_INPUT"
	if unclear || !told || !about {
		return Answer{}, fmt.Errorf("%w: status %d, %q", ErrUnknown, res.StatusCode, said.Error)
	}
	return Answer{*said.Valid, said.Consultation}, nil
}
