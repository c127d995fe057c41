package ledger

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestScanTokens(t *testing.T) {
	tests := []struct {
		name, raw string
		values    []string
		numbers   []float64
	}{
		{"words", `nothing to see`, nil, nil},
		{"a hash and a count", `commit 9f1c2ab7 changes 12 files`, []string{"9f1c2ab7"}, []float64{9, 1, 2, 7, 12}},
		{"five digits are a value", `port 12345, not 1234`, []string{"12345"}, []float64{12345, 1234}},
		{"an escape is no letter", `a\n1234567\tab`, []string{"1234567"}, []float64{1234567}},
		{"an escaped backslash is no escape", `C:\\n123456`, []string{"n123456"}, []float64{123456}},
		{"digits of an escape are none", `\u00e9 \u4e2d12345`, []string{"12345"}, []float64{12345}},
		{"points and thousands", `1,234.5 and 0.25`, nil, []float64{1234.5, 0.25}},
		{"a version is no number", `go1.26.8 of 10.0.0.1`, nil, nil},
		{"a fraction is a value, its number is read once", `12.34567`, []string{"34567"}, []float64{12.34567}},
		{"too long for a number", `1234567890123456`, []string{"1234567890123456"}, nil},
		{"at the end of the text", `x\u12`, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var values []string
			var numbers []float64
			scanTokens([]byte(tt.raw), func(v []byte) { values = append(values, string(v)) }, func(d []byte) {
				if n, ok := number(d); ok {
					numbers = append(numbers, n)
				}
			})
			if !slices.Equal(values, tt.values) {
				t.Errorf("values %q, want %q", values, tt.values)
			}
			if !slices.Equal(numbers, tt.numbers) {
				t.Errorf("numbers %v, want %v", numbers, tt.numbers)
			}
		})
	}
}

// TestNextDigit holds the eight-byte steps against a plain search, whatever
// bytes stand around.
func TestNextDigit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50000 {
		raw := make([]byte, r.IntN(40))
		for i := range raw {
			raw[i] = byte(r.IntN(256))
			if r.IntN(3) > 0 {
				raw[i] = "/:09az\x7f\xb0\x2f\x3a"[r.IntN(10)]
			}
		}
		for pos := range len(raw) + 1 {
			want := strings.IndexAny(string(raw[pos:]), "0123456789")
			if want < 0 {
				want = len(raw) - pos
			}
			if got := nextDigit(raw, pos); got != pos+want {
				t.Fatalf("nextDigit(%q, %d) = %d, want %d", raw, pos, got, pos+want)
			}
		}
	}
}
