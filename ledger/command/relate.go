package command

// Relate says how step b stands to step a when b is taken as a rerun of a.
func Relate(a, b *Step) Relation {
	if a == nil || b == nil || a.NoRun || b.NoRun || a.Class != b.Class {
		return Different
	}
	return relate(a, b)
}
