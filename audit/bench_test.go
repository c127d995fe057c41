package audit_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/transcript-lint/transcript-lint/audit"
	"github.com/transcript-lint/transcript-lint/jsonl"
)

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// corpus holds real sessions when they lie beside the repository, and a
// generated one otherwise.
var corpus = sync.OnceValue(func() [][]byte {
	var all [][]byte
	files, _ := filepath.Glob("../../shared/corpus/claude-code/*.jsonl")
	for _, f := range files {
		if data, err := os.ReadFile(f); err == nil {
			all = append(all, data)
		}
	}
	if len(all) == 0 {
		data, _ := io.ReadAll(io.LimitReader(&generated{}, 64<<20))
		all = append(all, data)
	}
	return all
})

func total(all [][]byte) int {
	n := 0
	for _, data := range all {
		n += len(data)
	}
	return n
}

// BenchmarkAudit judges sessions with all rules on. cpu-MB/s is the figure to
// quote: megabytes a second of processor time, garbage collection included;
// chunk-ratio is the same against splitting the bytes into chunks only.
func BenchmarkAudit(b *testing.B) {
	all := corpus()
	b.SetBytes(int64(total(all)))
	b.ReportAllocs()
	start := cpu()
	for b.Loop() {
		for _, data := range all {
			in := audit.Input{Path: "bench", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
			if res := audit.One(in, audit.Options{}); res.Err != nil {
				b.Fatal(res.Err)
			}
		}
	}
	used := (cpu() - start).Seconds()
	b.ReportMetric(float64(b.N)*float64(total(all))/1e6/used, "cpu-MB/s")
}

// BenchmarkLines is what reading and validating alone cost, for the ratio.
func BenchmarkLines(b *testing.B) {
	all := corpus()
	b.SetBytes(int64(total(all)))
	start := cpu()
	for b.Loop() {
		for _, data := range all {
			r := jsonl.NewReader(bytes.NewReader(data), jsonl.Options{})
			for r.Next() {
			}
		}
	}
	used := (cpu() - start).Seconds()
	b.ReportMetric(float64(b.N)*float64(total(all))/1e6/used, "cpu-MB/s")
}

// BenchmarkMemory audits a session of 400 MB that is made as it is read, and
// reports the peak of the heap.
func BenchmarkMemory(b *testing.B) {
	const size = 400 << 20
	for b.Loop() {
		debug.FreeOSMemory()
		peak := watchHeap()
		in := audit.Input{Path: "bench", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(io.LimitReader(&generated{}, size)), nil
		}}
		res := audit.One(in, audit.Options{})
		b.ReportMetric(float64(peak())/1e6, "peak-MB")
		b.ReportMetric(float64(res.Events), "events")
	}
}

// watchHeap samples what the process holds of the system's memory until the
// returned function is called.
func watchHeap() func() uint64 {
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.Sys-m.HeapReleased)
			select {
			case <-stop:
				done <- peak
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); return <-done }
}

// generated is a session in Claude Code's spelling that never ends: calls,
// results, words, with one call to 16 KB, as dense as the real sessions are.
type generated struct {
	n    int
	rest []byte
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		g.rest = g.next()
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

var filler = strings.Repeat(`func add(a, b int) int {\n\treturn a + b // \"sum\"\n}\n`, 270)

func (g *generated) next() []byte {
	g.n++
	var b bytes.Buffer
	head := func(kind string, k int) {
		fmt.Fprintf(&b, `{"parentUuid":"u%d-%d","isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.0","type":%q,"message":`, g.n, k-1, kind)
	}
	tail := func(k int) {
		fmt.Fprintf(&b, `,"uuid":"u%d-%d","timestamp":"2026-05-04T%02d:%02d:%02d.000Z"}`+"\n", g.n, k, g.n/3600%24, g.n/60%60, g.n%60)
	}
	head("assistant", 1)
	fmt.Fprintf(&b, `{"id":"m%d","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"go test ./pkg%d/... 2>&1 | tail -40"}}],"usage":{"input_tokens":9,"cache_read_input_tokens":40000,"output_tokens":80}}`, g.n, g.n, g.n%50)
	tail(1)
	head("user", 2)
	fmt.Fprintf(&b, `{"role":"user","content":[{"tool_use_id":"t%d","type":"tool_result","content":"%sok  \tpkg%d\t0.1s","is_error":false}]}`, g.n, filler, g.n%50)
	tail(2)
	head("assistant", 3)
	fmt.Fprintf(&b, `{"id":"n%d","role":"assistant","model":"claude-x","content":[{"type":"text","text":"Package pkg%d is fine; I look at the next one now and come back to the rest when its turn comes."}]}`, g.n, g.n%50)
	tail(3)
	return b.Bytes()
}
