package audit

import (
	"context"
	"iter"
	"os"
	"runtime"
	"slices"
)

// Run audits the inputs, several at once, and yields the results in the order
// of the inputs, whatever the number of workers. Breaking out of the loop, or
// the context's end, stops the workers.
func Run(ctx context.Context, inputs []Input, o Options) iter.Seq[Result] {
	if o.Rules == nil {
		o.Rules = Catalogue()
	}
	return inOrder(ctx, o.Workers(), inputs, func(in Input) Result { return One(in, o) })
}

// Workers is how many inputs are audited at once.
func (o Options) Workers() int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// inOrder applies f to each item on up to n goroutines and yields the results
// in the order of the items. At most 4n results wait unread.
func inOrder[T, R any](ctx context.Context, n int, items []T, f func(T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		slots := make(chan chan R, 4*n)
		busy := make(chan struct{}, n)
		go func() {
			defer close(slots)
			for _, item := range items {
				slot := make(chan R, 1)
				select {
				case slots <- slot:
				case <-ctx.Done():
					return
				}
				busy <- struct{}{}
				go func() {
					defer func() { <-busy }()
					slot <- f(item)
				}()
			}
		}()
		for slot := range slots {
			if !yield(<-slot) {
				return
			}
		}
	}
}

// Bytes is the size of the inputs that are files, for a progress display.
func Bytes(inputs []Input) int64 {
	var sum int64
	for i := range slices.Values(inputs) {
		if info, err := os.Stat(i.Path); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
