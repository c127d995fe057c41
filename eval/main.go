// Command eval measures the rules: over their own cases, over faults that it
// plants in real sessions, over places of a corpus that were read and labelled
// by hand, and side by side with a neighbour. It prints what it finds and
// writes it to RESULTS.md. Run it with `make eval`.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	corpus := flag.String("corpus", "../shared/corpus", "folder of real sessions")
	dir := flag.String("dir", "eval", "folder of labels.tsv, base sessions and RESULTS.md")
	seed := flag.Uint64("seed", 1, "seed of the mutator")
	per := flag.Int("per", 20, "planted faults of one kind in one form")
	largest := flag.Int64("largest", 3<<20, "bytes of a session that faults are planted in")
	only := flag.String("only", "", "plant only this kind of fault, and do nothing else")
	red := flag.Bool("red-handed", false, "install and run red-handed over the Claude Code sessions")
	trace := flag.Bool("v", false, "tell every miss and every false alarm")
	flag.Parse()
	x := &experiment{seed: *seed, per: *per, largest: *largest, only: *only}
	if *trace {
		x.trace = os.Stderr
	}
	if err := run(x, *corpus, *dir, *red); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(x *experiment, corpus, dir string, red bool) error {
	files, root := realSessions(corpus, filepath.Join(dir, "base"))
	planted, err := x.run(files, root)
	if err != nil {
		return err
	}
	if x.trace != nil {
		for _, a := range planted.alarms {
			fmt.Fprintln(x.trace, "alarm:", a)
		}
	}
	r := &results{planting: planted, seed: x.seed, per: x.per, real: root == corpus}
	if x.only == "" {
		if err := r.rest(corpus, dir, red); err != nil {
			return err
		}
	}
	text := r.text()
	fmt.Print(text)
	if x.only != "" {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, "RESULTS.md"), []byte(text), 0o644)
}
