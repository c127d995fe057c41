package command

import (
	"path"
	"strings"
	"time"
)

// briefLimit is a limit so short that whoever set it wanted a look at a program
// that does not end by itself.
const briefLimit = 20 * time.Second

// Equivalent says how b stands to a when b is taken as a rerun of a. What a was
// run for is looked for among all steps of b; the best match counts.
func Equivalent(a, b *Line) Relation {
	if a == nil || b == nil || a.Main == nil || a.Main.NoRun {
		return Different
	}
	best := Different
	for i := range b.Steps {
		s := &b.Steps[i]
		if s.NoRun || s.Class != a.Main.Class {
			continue
		}
		switch r := relate(a.Main, s); {
		case r == Same:
			return Same
		case r == Wider, r == Narrower && best == Different:
			best = r
		}
	}
	return best
}

// relate compares two steps.
func relate(a, b *Step) Relation {
	if a.family != b.family || a.config != b.config {
		return Different
	}
	place := relateDirs(a.Dir, b.Dir)
	if place == Different {
		return Different
	}
	if a.Key == b.Key {
		return place
	}
	if !a.Class.Check() || a.Scope == ScopeUnknown || b.Scope == ScopeUnknown {
		return Different
	}
	covered, covers := covers(b, a), covers(a, b)
	switch {
	case covered && covers:
		return place
	case covered && place != Narrower:
		return Wider
	case covers && place != Wider:
		return Narrower
	}
	return Different
}

// relateDirs compares the directories that two lines changed to. A line that
// changed to none may stand anywhere, as a shell keeps its directory.
func relateDirs(a, b string) Relation {
	a, b = strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")
	switch {
	case a == b, b == "", a == "" && (strings.HasPrefix(b, "/") || strings.HasPrefix(b, "~") || strings.HasPrefix(b, "$")):
		return Same
	case a == "":
		return Different
	case strings.HasSuffix(a, "/"+b), strings.HasSuffix(b, "/"+a):
		return Same
	case strings.HasPrefix(b, a+"/"):
		return Narrower
	case strings.HasPrefix(a, b+"/"):
		return Wider
	}
	return Different
}

// covers reports whether a run of wide includes all that a run of part does.
func covers(wide, part *Step) bool {
	if wide.Selector != "" && wide.Selector != part.Selector {
		return false
	}
	if len(wide.Targets) == 0 || everything(wide.Targets) {
		return true
	}
	if len(part.Targets) == 0 {
		return false
	}
	for _, t := range part.Targets {
		if !coveredBy(t, wide.Targets) {
			return false
		}
	}
	return true
}

func coveredBy(target string, by []string) bool {
	target = cleanTarget(target)
	for _, w := range by {
		w = cleanTarget(w)
		stem := strings.TrimSuffix(strings.TrimSuffix(w, "/..."), "/")
		if target == w || target == stem {
			return true
		}
		if strings.HasSuffix(w, "/...") || !strings.Contains(path.Base(w), ".") || strings.Contains(target, "::") {
			if rest, ok := strings.CutPrefix(target, stem); ok && (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "::")) && goPattern(w, target) {
				return true
			}
		}
	}
	return false
}

// goPattern keeps ./pkg from covering ./pkg/sub: only ./pkg/... does. Paths of
// other tools are directories and cover what is below them.
func goPattern(wide, part string) bool {
	return strings.HasSuffix(wide, "/...") || !strings.HasSuffix(part, "/...") && !isGoPackage(wide)
}

func isGoPackage(t string) bool { return strings.HasPrefix(t, "./") }

func cleanTarget(t string) string { return strings.TrimSuffix(t, "/") }
