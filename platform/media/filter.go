package media

import "math"

// The filter is Catmull-Rom in whole numbers. Each uint64 holds two sums, one
// in each half, for two lines of the result: one multiplication serves both.
// What the lower half borrows from the upper one while its sum is below zero
// comes back, because in the end no sum is.
const (
	one      = 1 << 14                      // a weight of 1
	fraction = 6                            // bits of a level below the point, from the first step to the second
	dark     = 128                          // levels that each sum is raised by: beside an edge, sums go below black
	both     = 1<<32 | 1                    // a number for both halves
	halves   = (1<<(9+fraction) - 1) * both // 9 bits are levels from -128 to 383
)

// filter makes a line of dst for each row, with a pixel for each column. It asks for the lines of the source that two
// rows need, then for those of the next two. In such a line, channels lie one after the other, each to the end of the
// last column; in dst, the pixels of a channel are step bytes apart.
func filter(dst []uint8, stride, step int, columns, rows []window, line func(y int) []uint8) {
	width := columns[len(columns)-1].end()
	sums := make([]uint64, len(line(0)))
	for y := 0; y < len(rows); y += 2 {
		shorten(sums, rows[y:min(y+2, len(rows))], line)
		even := dst[y*stride:]
		odd := even // a last line without a second one is written twice
		if y+1 < len(rows) {
			odd = even[stride:]
		}
		for c := range len(sums) / width {
			narrow(odd[c:], even[c:], step, columns, sums[c*width:][:width])
		}
	}
}

// shorten is the first step: from the height of the source to two lines of the result, or to the last one.
func shorten(sums []uint64, rows []window, line func(y int) []uint8) {
	for x := range sums {
		sums[x] = (dark*one + one>>fraction/2) * both
	}
	last := rows[len(rows)-1].end() - 1
	for y := rows[0].first; y <= last; y += 4 { // at once, so that sums are read and written less often
		a, b := line(y)[:len(sums)], line(min(y+1, last))[:len(sums)]
		c, d := line(min(y+2, last))[:len(sums)], line(min(y+3, last))[:len(sums)]
		ofA, ofB, ofC, ofD := weight(rows, y), weight(rows, y+1), weight(rows, y+2), weight(rows, y+3)
		for x, sum := range sums {
			sums[x] = sum + ofA*uint64(a[x]) + ofB*uint64(b[x]) + ofC*uint64(c[x]) + ofD*uint64(d[x])
		}
	}
	for x, sum := range sums {
		sums[x] = sum / (one >> fraction) & halves
	}
}

// narrow is the second step: from the width of the source to that of the result.
func narrow(odd, even []uint8, step int, columns []window, sums []uint64) {
	for x, column := range columns {
		from := sums[column.first:][:len(column.weights)]
		sum := uint64(one << fraction / 2 * both)
		for i, weight := range column.weights {
			sum += weight * from[i]
		}
		odd[x*step] = level(uint32(sum >> 32))
		even[x*step] = level(uint32(sum))
	}
}

func level(sum uint32) uint8 { return uint8(min(max(int(sum/(one<<fraction))-dark, 0), 255)) }

// window is what one pixel of the result takes from the source.
type window struct {
	first   int
	weights []uint64 // of first and the pixels after it; their sum is one, and some are below zero
}

func (w window) end() int { return w.first + len(w.weights) }

func (w window) weight(i int) uint64 {
	if i < w.first || i >= w.end() {
		return 0
	}
	return w.weights[i-w.first]
}

// weight is that of a line of the source: for the even line in the lower half, for the odd one in the upper half.
func weight(rows []window, y int) uint64 {
	w := rows[0].weight(y)
	if len(rows) == 2 {
		w += rows[1].weight(y) << 32
	}
	return w
}

// windows makes n pixels of the size ones that begin at from. The filter widens as the picture shrinks, so that no
// pixel is left out. A plane of colours has one sample for each share of pixels, which is in their middle, and gets one
// for each half (1 or 2) of the result, or for the last: from may be inside a sample, and the windows count from it.
func windows(from, size, n, share, half int) []window {
	end := samples(from, size, share)
	begin := float64(from%share) / float64(share)
	scale := float64(size) / float64(n*share)
	most := int(4*max(scale*float64(half), 1)) + 2
	all := make([]window, (n+half-1)/half)
	weights, parts := make([]uint64, len(all)*most), make([]float64, most)
	for i := range all {
		wide := scale * float64(min(half, n-i*half))
		centre := begin + scale*float64(i*half) + wide/2 - 0.5
		stretch := max(wide, 1)
		first := max(0, int(math.Ceil(centre-2*stretch)))
		last := min(end-1, int(math.Floor(centre+2*stretch)))
		for k := first; k <= last; k++ {
			parts[k-first] = catmullRom((float64(k) - centre) / stretch)
		}
		all[i] = window{first, weights[i*most:][:last-first+1]}
		weigh(all[i].weights, parts)
	}
	return all
}

// weigh writes parts as weights. What is lost in rounding one goes to the next: an even area must stay as it is.
func weigh(weights []uint64, parts []float64) {
	var sum, part float64
	for k := range weights {
		sum += parts[k]
	}
	given := 0
	for k := range weights {
		part += parts[k]
		to := int(math.Round(one * part / sum))
		weights[k] = uint64(to - given)
		given = to
	}
}

// samples is how many samples there are for the size pixels that begin at from.
func samples(from, size, share int) int { return (from+size+share-1)/share - from/share }

// reach is how many lines of the source two rows need at once.
func reach(rows []window) int {
	most := 0
	for y := range rows {
		most = max(most, rows[min(y+1, len(rows)-1)].end()-rows[y].first)
	}
	return most
}

func catmullRom(t float64) float64 {
	switch t = math.Abs(t); {
	case t < 1:
		return (1.5*t-2.5)*t*t + 1
	case t < 2:
		return ((2.5-0.5*t)*t-4)*t + 2
	default:
		return 0
	}
}
