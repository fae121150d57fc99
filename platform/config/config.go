// Package config reads the settings of a process: defaults, a file, the environment, each standing over the one
// before it. What an edition is like is no setting; that is its document.
package config

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"path/filepath"
	"time"
)

// Config are all settings. The doc tags are the table of docs/configuration.md; secret marks what may be given as the
// name of a file (…_FILE) and is never printed.
type Config struct {
	Web      Web      `mapstructure:"web"`
	Database Database `mapstructure:"database"`
	Redis    Redis    `mapstructure:"redis"`
	Mail     Mail     `mapstructure:"mail"`
	Stripe   Stripe   `mapstructure:"stripe"`
	VIES     VIES     `mapstructure:"vies"`
	Media    Media    `mapstructure:"media"`
	Data     Data     `mapstructure:"data"`
	Secret   string   `mapstructure:"secret" secret:"yes" doc:"Root of all keys and passwords that the paper derives, at least 32 random characters (openssl rand -hex 32). Changing it signs everybody out."`
	Locale   string   `mapstructure:"locale" env:"ENV_LOCALE" doc:"Language of every edition's words, sk, de or en, over what its document says. Empty: each edition's own."`
	Log      Log      `mapstructure:"log"`
	Tracing  Tracing  `mapstructure:"tracing"`
	Render   Render   `mapstructure:"render"`
	Cache    Cache    `mapstructure:"cache"`
	Process  Process  `mapstructure:"process"`

	sources   map[string]string // where each value came from
	openFiles []string          // advice on files of secrets that everybody may read
}

// Web is where requests come from.
type Web struct {
	Listen         string        `mapstructure:"listen" doc:"Address that readers reach, host:port."`
	Admin          string        `mapstructure:"admin" doc:"Address for operators (/status, /livez, /readyz, /metrics), host:port; empty for none. It asks for no password."`
	AdminHosts     []string      `mapstructure:"admin_hosts" doc:"Names by which operators reach that address, beside localhost, its own name and IP addresses, separated by commas: an answer to any other name could be read by a web page."`
	PublicURL      string        `mapstructure:"public_url" doc:"Template of absolute addresses; {host} is the edition's first host."`
	StopDelay      time.Duration `mapstructure:"stop_delay" doc:"Time for which serve goes on answering after it was told to stop, while /readyz says 503: longer than a proxy leaves out a server that has refused it."`
	TrustedProxies []string      `mapstructure:"trusted_proxies" doc:"Addresses or networks whose X-Forwarded-* headers count, separated by commas."`
}

// Database is the Postgres server; without a URL an embedded one is used.
type Database struct {
	URL        string `mapstructure:"url" secret:"yes" doc:"Postgres whose user may create roles and schemas, postgres://user:password@host/name. Empty: the embedded server of the data folder."`
	PoolerURL  string `mapstructure:"pooler_url" secret:"yes" doc:"PgBouncer in transaction mode in front of that Postgres, postgres://host:port/name, for the editions' own connections: scaling.md, PgBouncer. User and password are each edition's. Empty: none. database.url stays the address of Postgres itself."`
	MaxConns   int    `mapstructure:"max_conns" doc:"Connections per edition of one serve process."`
	WorkConns  int    `mapstructure:"work_conns" doc:"Connections per edition of one work process."`
	TotalConns int    `mapstructure:"total_conns" doc:"Connections of one process for all editions together. An edition that needs one more takes the place of one that no other uses."`
	BinDir     string `mapstructure:"bin_dir" env:"BROADSHEET_PG_BIN" doc:"Folder with the embedded server's postgres and initdb. Empty: the newest that is installed."`
}

// Redis carries jobs; it may be lost.
type Redis struct {
	URL string `mapstructure:"url" secret:"yes" doc:"redis://:password@host:port/0, rediss://, or redis-sentinel://:password@host:port,host:port/0?master=NAME (docs/scaling.md). Empty: embedded, in dev only."`
}

// Mail is where emails go.
type Mail struct {
	URL        string `mapstructure:"url" secret:"yes" doc:"smtp://user:password@host:port (STARTTLS) or smtps://. Empty: the mailbox of dev."`
	RequireTLS bool   `mapstructure:"require_tls" doc:"Whether a mail server on another machine must offer TLS. false sends login links and codes unencrypted where it does not: only for a relay in a network of your own."`
	// The mail server signs; doctor looks for the key that others check signatures by.
	DKIMSelector string `mapstructure:"dkim_selector" doc:"Name of the DKIM key with which the mail server signs, NAME._domainkey.DOMAIN: doctor looks for its record. Empty: it does not."`
}

// Stripe is the payment provider.
type Stripe struct {
	APIBase string          `mapstructure:"api_base" doc:"Address of the provider's API. Empty: its own, and the sandbox in dev."`
	Keys    map[string]Keys `mapstructure:"keys" doc:"Keys by edition id."`
}

// Keys are one edition's keys at the payment provider.
type Keys struct {
	SecretKey     string `mapstructure:"secret_key"`
	WebhookSecret string `mapstructure:"webhook_secret"`
}

// VIES is the register of VAT numbers of the European Union.
type VIES struct {
	APIBase string `mapstructure:"api_base" doc:"Address of the register of VAT numbers. Empty: the European Union's own, and none in dev, where companies are always charged VAT."`
}

// Media is where pictures are kept: in a folder, or in a bucket.
type Media struct {
	URL string `mapstructure:"url" secret:"yes" doc:"Bucket of an S3-compatible service for pictures, in place of a folder: s3://KEY:SECRET@host:port/bucket/prefix?region=REGION, with &tls=false where the service does not encrypt (docs/scaling.md). Empty: a folder."`
	Dir string `mapstructure:"dir" doc:"Folder of pictures. Empty: media in the data folder."`
}

// Data is the data folder.
type Data struct {
	Dir string `mapstructure:"dir" doc:"Data folder of the embedded server. Empty: /var/lib/broadsheet for root, else the user's own data folder."`
}

// Log is what the process says.
type Log struct {
	Level  string `mapstructure:"level" doc:"debug, info, warn or error."`
	Format string `mapstructure:"format" doc:"text or json."`
	Access string `mapstructure:"access" doc:"Which requests get a line: all, sampled (one in a hundred, and all that failed in the server) or off."`
}

// Tracing is where traces go.
type Tracing struct {
	Endpoint string `mapstructure:"endpoint" doc:"Collector that takes OpenTelemetry traces over OTLP/HTTP, http://host:4318. Empty: nothing is traced."`
}

// Render bounds the rendering of pages.
type Render struct {
	Runtimes int           `mapstructure:"runtimes" doc:"Pages rendered at once; 0 leaves a processor free for cached answers."`
	Timeout  time.Duration `mapstructure:"timeout" doc:"Time that one page may take."`
	MemoryMB int           `mapstructure:"memory_mb" doc:"Memory of one runtime, in MiB."`
}

// Cache bounds the cache of pages.
type Cache struct {
	MemoryMB int `mapstructure:"memory_mb" doc:"Memory for cached pages, in MiB."`
}

// Process bounds the process as a whole.
type Process struct {
	MemoryMB int `mapstructure:"memory_mb" doc:"Memory of the Go runtime beyond which it collects garbage more often, in MiB; above cache.memory_mb by 64 or more. Below it, garbage is collected when it is three times what is in use. 0: as Go has both; GOMEMLIMIT and GOGC in the environment go before them."`
}

// MediaDir is the folder of pictures, below data where none is set.
func (c *Config) MediaDir(data string) string {
	if c.Media.Dir != "" {
		return c.Media.Dir
	}
	return filepath.Join(data, "media")
}

// Key derives 32 bytes for one purpose of one edition ("" for the process itself). Nothing can be derived without a
// secret, and asking for it is a mistake of the program: it panics.
func (c *Config) Key(purpose, editionID string) []byte {
	if c.Secret == "" {
		panic("config: a key was asked for, and there is no secret")
	}
	key, err := hkdf.Key(sha256.New, []byte(c.Secret), nil, "broadsheet\x00"+purpose+"\x00"+editionID, 32)
	if err != nil { // only a length beyond what the function can give
		panic(err)
	}
	return key
}

// Password is a key as text.
func (c *Config) Password(purpose, editionID string) string {
	return base64.RawURLEncoding.EncodeToString(c.Key("password."+purpose, editionID))
}
