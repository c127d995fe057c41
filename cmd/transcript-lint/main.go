// Command transcript-lint audits the logs of coding agents: it reports every
// place where what a log says and what it shows disagree.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}
