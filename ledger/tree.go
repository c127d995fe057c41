package ledger

import "github.com/cespare/xxhash/v2"

// noNode marks facts of formats that keep no record tree.
const noNode = int32(-1)

// tree is the shape of a session whose records name their parents: a message
// that was edited or retried leaves an abandoned branch in the file, and what
// happened there is no evidence for what is said on another branch. It keeps
// eight bytes a record, and hashes instead of ids.
type tree struct {
	index   map[uint64]int32
	parents []int32
	now     int32
	cut     bool // the first record names a parent: the log begins in the middle
}

// add takes one record. Several events of one record share a node.
func (t *tree) add(id, parent string) {
	t.now = noNode
	if id == "" {
		return
	}
	if t.index == nil {
		t.index = map[uint64]int32{}
	}
	key := xxhash.Sum64String(id)
	if n, ok := t.index[key]; ok {
		t.now = n
		return
	}
	up := noNode
	if parent != "" {
		if n, ok := t.index[xxhash.Sum64String(parent)]; ok {
			up = n
		}
	}
	if len(t.parents) == 0 {
		t.cut = parent != ""
	}
	t.now = int32(len(t.parents))
	t.index[key] = t.now
	t.parents = append(t.parents, up)
}

// at is the node of the current record.
func (t *tree) at() int32 { return t.now }

// sawBefore reports whether a record on the branch of node leaf could have
// seen the one of node n: whether n is an ancestor, or nothing says that it is
// not (no tree, a parent that is not in the log).
func (t *tree) sawBefore(n, leaf int32) bool {
	if n == noNode || leaf == noNode {
		return true
	}
	for leaf > n {
		up := t.parents[leaf]
		if up == noNode {
			return true // the chain breaks here: a root, or a parent outside this log
		}
		leaf = up
	}
	return leaf == n
}

// leaf is the newest record of the tree.
func (t *tree) leaf() int32 {
	return int32(len(t.parents)) - 1
}
