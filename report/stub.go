package report

import "io"

type stub struct{}

func (stub) Begin(Run) error  { return nil }
func (stub) File(File) error  { return nil }
func (stub) End(Totals) error { return nil }

// NewJSONL is a stub.
func NewJSONL(io.Writer) Writer { return stub{} }

// NewGitHub is a stub.
func NewGitHub(io.Writer) Writer { return stub{} }

// NewMarkdown is a stub.
func NewMarkdown(io.Writer) Writer { return stub{} }

// NewJUnit is a stub.
func NewJUnit(io.Writer) Writer { return stub{} }

// NewGitLab is a stub.
func NewGitLab(io.Writer) Writer { return stub{} }
