package delivery

// AskedForPart reports whether a command line or a call's arguments ask for a
// part of the data, so that an unfinished document is no loss.
func AskedForPart(args string) bool { return false }
