package report

import (
	"github.com/fatih/color"

	"github.com/transcript-lint/transcript-lint/finding"
)

// painter colours a piece of text, or leaves it alone.
type painter interface{ Sprint(a ...any) string }

// palette is one writer's colours. They are on or off per writer, whatever
// the rest of the program does with the package color.
type palette struct {
	plain, message, dim, rule, path, id, quote, fix painter
	error, warning, note, ok                        painter
	grades                                          map[finding.Grade]painter
}

func newPalette(on bool) palette {
	c := func(attrs ...color.Attribute) painter {
		p := color.New(attrs...)
		if on && len(attrs) > 0 {
			p.EnableColor()
		} else {
			p.DisableColor()
		}
		return p
	}
	return palette{
		plain:   c(),
		message: c(color.Bold),
		dim:     c(color.Faint),
		rule:    c(color.Faint),
		path:    c(color.FgCyan),
		id:      c(color.Bold),
		quote:   c(color.Italic),
		fix:     c(color.Bold, color.FgCyan),
		error:   c(color.Bold, color.FgRed),
		warning: c(color.Bold, color.FgYellow),
		note:    c(color.Bold, color.FgBlue),
		ok:      c(color.Bold, color.FgGreen),
		grades: map[finding.Grade]painter{
			finding.Observed:   c(color.FgYellow),
			finding.Terminated: c(color.FgRed),
			finding.Verified:   c(color.FgGreen),
			finding.Claimed:    c(color.FgMagenta),
			finding.Recorded:   c(color.FgBlue),
		},
	}
}

func (p *palette) level(l finding.Level) painter {
	switch l {
	case finding.Error:
		return p.error
	case finding.Warning:
		return p.warning
	case finding.Note:
		return p.note
	}
	return p.plain
}

func (p *palette) grade(g finding.Grade) painter {
	if c, ok := p.grades[g]; ok {
		return c
	}
	return p.plain
}
