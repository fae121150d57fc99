package media

import (
	"cmp"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"
)

const (
	dialTimeout   = 3 * time.Second
	answerTimeout = 10 * time.Second // for an answer to begin, and for it to go on
	attempts      = 3                // of a request, where the server fails or does not answer
	idleConns     = 32               // a page has a dozen pictures
)

// errAddress does not repeat the address, which holds a secret.
var errAddress = errors.New("media.url: this is not s3://KEY:SECRET@host:port/bucket/prefix?region=REGION&tls=true; " +
	"in KEY and SECRET, / is %2F, + is %2B and % is %25")

// OpenS3 reads an address, s3://KEY:SECRET@host:port/bucket/prefix?region=eu-central-1&tls=false, and asks nobody;
// Check does. The prefix may be left out, and so may the region where the host names it or the service has none.
// wrap, which may be nil, adds to how requests are made.
func OpenS3(address string, wrap func(http.RoundTripper) http.RoundTripper) (*S3, error) {
	return openS3(address, wrap, answerTimeout)
}

func openS3(address string, wrap func(http.RoundTripper) http.RoundTripper, patience time.Duration) (*S3, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.Fragment != "" {
		return nil, errAddress
	}
	secret, _ := u.User.Password()
	bucket, prefix, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	region, tls, err := parameters(u.RawQuery)
	if err != nil {
		return nil, err
	}
	if u.User.Username() == "" || secret == "" || s3utils.CheckValidBucketName(bucket) != nil {
		return nil, errAddress
	}
	if prefix != "" {
		if err := CheckKey(prefix); err != nil {
			return nil, errors.Join(errors.New("media.url: the prefix cannot begin a key"), err)
		}
		prefix += "/"
	}
	connections := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout: dialTimeout, ResponseHeaderTimeout: patience,
		MaxIdleConnsPerHost: idleConns, IdleConnTimeout: 30 * time.Second,
		DisableCompression: true, // a picture is as it was written
	}
	var transport http.RoundTripper = connections
	if wrap != nil {
		transport = wrap(transport)
	}
	host := url.URL{Scheme: "https", Host: u.Host}
	core, err := minio.NewCore(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(u.User.Username(), secret, ""),
		Secure: tls, Transport: stallTransport{transport, patience}, MaxRetries: attempts,
		// With a region the client does not ask the service for it before the first request.
		Region: cmp.Or(region, s3utils.GetRegionFromURL(host), "us-east-1"),
	})
	if err != nil { // of the host alone, but it might repeat what it was given
		return nil, errAddress
	}
	return &S3{core: *core, host: u.Host, bucket: bucket, prefix: prefix, release: connections.CloseIdleConnections}, nil
}

// parameters reads what stands behind the question mark of an address.
func parameters(query string) (region string, tls bool, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", false, errAddress
	}
	tls = true
	for name := range values {
		switch value := values.Get(name); {
		case name == "region":
			region = value
		case name == "tls" && (value == "true" || value == "false"):
			tls = value == "true"
		default:
			return "", false, errAddress
		}
	}
	return region, tls, nil
}
