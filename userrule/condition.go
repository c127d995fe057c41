package userrule

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// Bounds on what a condition may cost.
const (
	maxNodes  = 300     // of the parsed condition
	maxMemory = 100_000 // of one evaluation, in the machine's own units
	maxTries  = 4096    // evaluations of one condition over its unknown facts
)

// unknown stands for a fact that the log leaves out.
type unknown struct{}

// condition is a compiled `when`.
type condition struct {
	program *vm.Program
	samples map[string][]any // fields in the condition that may be unknown, and the values that stand for all
}

// builtins are the functions that a condition may call: none loops, none reads
// a clock.
var builtins = []string{
	"len", "abs", "int", "float", "string", "trim", "trimPrefix", "trimSuffix", "upper", "lower", "split",
	"indexOf", "lastIndexOf", "hasPrefix", "hasSuffix", "max", "min",
}

// compile reads a condition over the fields.
func compile(src string, fields []Field) (*condition, error) {
	if strings.TrimSpace(src) == "" {
		return nil, &Problem{Field: "when", Text: "a rule needs a condition"}
	}
	env := map[string]any{}
	for _, f := range fields {
		env[f.Name] = f.zero
	}
	options := []expr.Option{expr.Env(env), expr.AsBool(), expr.MaxNodes(maxNodes), expr.DisableAllBuiltins()}
	for _, name := range builtins {
		options = append(options, expr.EnableBuiltin(name))
	}
	seen, err := survey(src)
	if err != nil {
		return nil, problemOf(err, src)
	}
	program, err := expr.Compile(src, options...)
	if err != nil {
		return nil, problemOf(err, src)
	}
	c := &condition{program: program, samples: map[string][]any{}}
	tries := 1
	for _, f := range fields {
		if f.MayBeUnknown && seen.names[f.Name] {
			c.samples[f.Name] = seen.samplesFor(f)
			tries *= len(c.samples[f.Name])
		}
	}
	if tries > maxTries {
		return nil, &Problem{Field: "when", Text: "too many numbers and facts that may be unknown in one condition: make two rules of it"}
	}
	return c, nil
}

// problemOf words an error of the expression language with its place.
func problemOf(err error, src string) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return &Problem{Field: "when", Text: oneLine(err.Error(), 200)}
	}
	if at.Line == 0 {
		at = at.Bind(file.NewSource(src))
	}
	return &Problem{Field: "when", Line: at.Line, Column: at.Column + 1, Text: oneLine(at.Message, 200)}
}

// survey walks a condition once before it is compiled: which names and numbers
// it holds, and whether it stays within bounds.
func survey(src string) (*surveyor, error) {
	tree, err := parser.Parse(src)
	if err != nil {
		return nil, err
	}
	s := &surveyor{names: map[string]bool{}}
	ast.Walk(&tree.Node, s)
	if s.err != nil {
		return nil, s.err.Bind(tree.Source)
	}
	return s, nil
}

type surveyor struct {
	names   map[string]bool
	numbers []int
	err     *file.Error
}

// Visit implements ast.Visitor.
func (s *surveyor) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		s.names[n.Value] = true
		if n.Value == "$env" {
			s.refuse(n, "$env is not available: name the fields")
		}
	case *ast.IntegerNode:
		s.numbers = append(s.numbers, n.Value)
	case *ast.FloatNode:
		s.numbers = append(s.numbers, int(n.Value), int(n.Value)+1)
	case *ast.PredicateNode:
		s.refuse(n, "loops are not available in a condition")
	case *ast.BinaryNode:
		if _, fixed := n.Right.(*ast.StringNode); n.Operator == "matches" && !fixed {
			s.refuse(n, "the pattern of matches has to be written out as a string")
		}
		if n.Operator == ".." {
			s.refuse(n, "ranges are not available: compare with < and >")
		}
	}
}

func (s *surveyor) refuse(n ast.Node, why string) {
	if s.err == nil {
		s.err = &file.Error{Location: n.Location(), Message: why}
	}
}

// samplesFor lists values that stand for all that an unknown fact could be:
// both booleans; of numbers, each that the condition names, its neighbours,
// and extremes.
func (s *surveyor) samplesFor(f Field) []any {
	if _, is := f.zero.(bool); is {
		return []any{false, true}
	}
	numbers := []int{-1, 0, 1, 1 << 40}
	for _, n := range s.numbers {
		numbers = append(numbers, n-1, n, n+1, -n)
	}
	slices.Sort(numbers)
	var out []any
	for _, n := range slices.Compact(numbers) {
		out = append(out, n)
	}
	return out
}

// holds reports whether the condition is true, whatever the unknown facts are.
func (c *condition) holds(fields map[string]any) (bool, error) {
	var open []string
	for name := range c.samples {
		if fields[name] == (unknown{}) {
			open = append(open, name)
		}
	}
	if len(open) == 0 {
		return c.run(fields)
	}
	tried := make(map[string]any, len(fields))
	for k, v := range fields {
		tried[k] = v
	}
	return c.always(open, tried)
}

// always tries every combination of samples for the open facts.
func (c *condition) always(open []string, fields map[string]any) (bool, error) {
	if len(open) == 0 {
		return c.run(fields)
	}
	for _, v := range c.samples[open[0]] {
		fields[open[0]] = v
		if ok, err := c.always(open[1:], fields); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (c *condition) run(fields map[string]any) (bool, error) {
	machine := vm.VM{MemoryBudget: maxMemory}
	out, err := machine.Run(c.program, fields)
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			return false, fmt.Errorf("%s", at.Message)
		}
		return false, err
	}
	holds, _ := out.(bool)
	return holds, nil
}
