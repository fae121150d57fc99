package media

import "math"

// The filter is Catmull-Rom in fixed point. A uint64 has two lanes of 32 bits,
// which hold the sums of two lines of the result, so that one multiplication
// serves both. A lower lane below zero borrows from the upper one, and gives it
// back at the end, because the bias makes no final sum negative.
const (
	one          = 1 << 14                               // a weight of 1
	fractionBits = 6                                     // of a level, between the two passes
	bias         = 128                                   // levels added to each sum: beside an edge, sums go below black
	bothLanes    = 1<<32 | 1                             // times a number: that number in each lane
	laneMask     = (1<<(9+fractionBits) - 1) * bothLanes // 9 bits are levels from -128 to 383
)

// filter scales from the source lines to dst, which gets a line for each of rows and a pixel for each of columns. It
// asks for the source lines that two rows need, then for those of the next two. A source line holds its channels one
// after the other, each up to the end of the last column; in dst, the pixels of a channel are step bytes apart.
func filter(dst []uint8, stride, step int, columns, rows []window, line func(y int) []uint8) {
	width := columns[len(columns)-1].end()
	sums := make([]uint64, len(line(0)))
	for y := 0; y < len(rows); y += 2 {
		filterRows(sums, rows[y:min(y+2, len(rows))], line)
		even := dst[y*stride:]
		odd := even // a last line without a second one is written twice
		if y+1 < len(rows) {
			odd = even[stride:]
		}
		for c := range len(sums) / width {
			filterColumns(odd[c:], even[c:], step, columns, sums[c*width:][:width])
		}
	}
}

// filterRows is the vertical pass: it writes the sums of two lines of the result, or of the last one.
func filterRows(sums []uint64, rows []window, line func(y int) []uint8) {
	for x := range sums {
		sums[x] = (bias*one + one>>fractionBits/2) * bothLanes
	}
	last := rows[len(rows)-1].end() - 1
	for y := rows[0].first; y <= last; y += 4 { // four at once: sums are read and written less often
		a, b := line(y)[:len(sums)], line(min(y+1, last))[:len(sums)]
		c, d := line(min(y+2, last))[:len(sums)], line(min(y+3, last))[:len(sums)]
		ofA, ofB, ofC, ofD := weight(rows, y), weight(rows, y+1), weight(rows, y+2), weight(rows, y+3)
		for x, sum := range sums {
			sums[x] = sum + ofA*uint64(a[x]) + ofB*uint64(b[x]) + ofC*uint64(c[x]) + ofD*uint64(d[x])
		}
	}
	for x, sum := range sums {
		sums[x] = sum / (one >> fractionBits) & laneMask
	}
}

// filterColumns is the horizontal pass: it turns sums into one channel of two lines of the result.
func filterColumns(odd, even []uint8, step int, columns []window, sums []uint64) {
	for x, column := range columns {
		from := sums[column.first:][:len(column.weights)]
		sum := uint64(one << fractionBits / 2 * bothLanes)
		for i, weight := range column.weights {
			sum += weight * from[i]
		}
		odd[x*step] = level(uint32(sum >> 32))
		even[x*step] = level(uint32(sum))
	}
}

func level(sum uint32) uint8 { return uint8(min(max(int(sum/(one<<fractionBits))-bias, 0), 255)) }

// window is the range of source samples that one sample of the result depends on.
type window struct {
	first   int
	weights []uint64 // of first and the samples after it, in two's complement; their sum is one
}

func (w window) end() int { return w.first + len(w.weights) }

func (w window) weight(i int) uint64 {
	if i < w.first || i >= w.end() {
		return 0
	}
	return w.weights[i-w.first]
}

// weight returns the weights of a source line: that for the first row in the lower lane, for the second in the upper.
func weight(rows []window, y int) uint64 {
	w := rows[0].weight(y)
	if len(rows) == 2 {
		w += rows[1].weight(y) << 32
	}
	return w
}

// windows scales the size pixels at from to n, in one direction. The filter widens as the picture shrinks, so that no
// pixel is left out. Subsampled planes have a sample for every share pixels of the source, in their middle, and get one
// for every half (1 or 2) of the result. Windows count from the sample that holds the pixel at from.
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
		quantize(all[i].weights, parts)
	}
	return all
}

// quantize rounds parts to weights. It carries the error of each to the next, so that an even area stays as it is.
func quantize(weights []uint64, parts []float64) {
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

// samples returns how many samples hold the size pixels at from.
func samples(from, size, share int) int { return (from+size+share-1)/share - from/share }

// reach returns how many source lines two rows need at once.
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
