package main

import "runtime/debug"

// frugal trades memory for speed as long as there is little of it in use: the
// live heap of an audit is small, so collecting at every doubling would cost a
// third of the time. The limit makes the collector work harder again before a
// session of 400 MB holds 150.
func frugal(workers int) {
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(int64(72+60*workers) << 20)
}
