package web

import (
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
)

// Measure counts requests and their time by edition and status class. Paths are not labels: a
// crawler that invents addresses must not invent time series.
func Measure(r prometheus.Registerer) gin.HandlerFunc {
	took := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "broadsheet_http_request_seconds", Help: "Time to answer a request.",
		Buckets: []float64{.0005, .001, .005, .01, .05, .1, .25, .5, 1, 2.5, 5},
	}, []string{"edition", "class"})
	r.MustRegister(took)
	return func(c *gin.Context) {
		start := time.Now()
		c.Next()
		class := strconv.Itoa(c.Writer.Status()/100) + "xx"
		took.WithLabelValues(editionID(c.Request.Context()), class).Observe(time.Since(start).Seconds())
	}
}
