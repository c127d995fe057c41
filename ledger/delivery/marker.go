package delivery

// MarkerKind is one producer's way of saying that it cut.
type MarkerKind struct {
	Producer, ID string
	Side         Side
	Limit        int // the producer's default budget, 0 when unknown
	Unit         Unit
	KeepsJSON    bool // the cut respects the structure
	WayOn        bool // says how to get at the rest
}

// Marker is a marker found in a text.
type Marker struct {
	Kind       *MarkerKind
	Start, End int
	Omitted    int // the number that it names, -1 for none
}

// Markers are all known kinds.
var Markers = []MarkerKind{}

// FindMarkers finds the markers that stand where a harness puts them.
func FindMarkers(text string) []Marker { return nil }
