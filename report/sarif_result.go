package report

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/transcript-lint/transcript-lint/finding"
)

// Bounds, in characters. GitHub refuses a whole file over its own; the rest
// keep a run of 25,000 results under its 10 MB.
const (
	maxID        = 255
	maxText      = 1024
	maxQuote     = 200
	maxLocations = 100 // of one result; GitHub shows as many
	maxLinks     = 8   // in one message
)

func sarifRuleOf(r *finding.Rule) sarifRule {
	out := sarifRule{
		ID: shown(r.ID, maxID), Name: shown(pascal(r.ID), maxID), HelpURI: home + "/blob/main/docs/rules.md#" + percentEncode(r.ID),
		Short:      sarifText{Text: sentence(shown(r.Title, maxText-1))},
		Full:       sarifText{Text: sentence(shown(r.Why, maxText-1))},
		Help:       sarifText{Text: cut(Escape(strings.TrimSpace(r.Why+" What to do: "+r.Fix)), 4*maxText), Markdown: r.Help},
		Default:    sarifDefault{Level: r.Level.String()},
		Properties: sarifRuleBag{Precision: string(r.Precision), Severity: "recommendation"},
	}
	if r.Group != "" {
		out.Properties.Tags = []string{r.Group}
	}
	switch r.Level {
	case finding.Error, finding.Warning:
		out.Properties.Severity = r.Level.String()
	case finding.None: // GitHub knows no level none
		off := false
		out.Default = sarifDefault{Enabled: &off, Level: "note"}
	}
	return out
}

// pascal turns a rule id into the name that viewers want.
func pascal(id string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(id, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// sentence ends a text with a period, and never leaves it empty, which GitHub
// refuses.
func sentence(s string) string {
	switch {
	case s == "":
		return "No description."
	case strings.HasSuffix(s, "."), strings.HasSuffix(s, "!"), strings.HasSuffix(s, "?"), strings.HasSuffix(s, "…"), strings.HasSuffix(s, "。"):
		return s
	}
	return s + "."
}

func (s *sarif) resultOf(path string, x *finding.Finding) sarifResult {
	steps := x.Evidence
	if len(steps) > maxLocations {
		steps = steps[:maxLocations]
	}
	res := sarifResult{
		RuleID: shown(x.Rule, maxID), Level: x.Level.String(), Message: sarifMessage(x, steps),
		Locations: []sarifLocation{s.location(path, x.Span, x.Quote)},
		CodeFlows: s.flow(path, x, steps), Properties: bagOf(x),
	}
	if i, ok := s.index[x.Rule]; ok {
		res.RuleIndex = &i
	}
	for i := range steps {
		loc := s.location(path, steps[i].Span, steps[i].Quote)
		loc.ID = i + 1
		loc.Message = &sarifText{Text: stepText(&steps[i])}
		res.Related = append(res.Related, loc)
	}
	if x.Fingerprint != "" {
		res.Fingerprints = map[string]string{"primaryLocationLineHash": x.Fingerprint, "transcriptLint/v1": x.Fingerprint}
	}
	return res
}

// location is a place in a result. A finding about a file as a whole is put on
// its first line: GitHub shows none without a region.
func (s *sarif) location(path string, at finding.Span, quote string) sarifLocation {
	at.Line = max(at.Line, 1)
	loc := sarifLocation{Physical: s.physical(path, at, quote)}
	if at.Pointer != "" || at.ID != "" {
		logical := sarifLogical{Name: shown(at.ID, maxID), FullyQualified: shown(at.Pointer, maxText), Kind: pointerKind(at.Pointer)}
		loc.Logical = []sarifLogical{logical}
	}
	return loc
}

// pointerKind is SARIF's word for what a JSON pointer leads to.
func pointerKind(p string) string {
	last := p[strings.LastIndexByte(p, '/')+1:]
	switch {
	case p == "":
		return "object"
	case strings.Trim(last, "0123456789") == "" && last != "":
		return "value"
	}
	return "property"
}

func (s *sarif) physical(path string, at finding.Span, quote string) *sarifPhysical {
	if path != s.path || s.artifact.URI == "" {
		s.path, s.artifact = path, artifactOf(s.run.Root, path)
	}
	p := &sarifPhysical{Artifact: s.artifact}
	if at.Line < 1 {
		return p
	}
	p.Region = &sarifRegion{StartLine: at.Line}
	if at.Column > 0 {
		p.Region.StartColumn = at.Column
		if at.EndCol >= at.Column {
			p.Region.EndLine, p.Region.EndColumn = at.Line, at.EndCol
		}
	}
	if s.Snippets && quote != "" {
		p.Region.Snippet = &sarifText{Text: shown(quote, maxQuote)}
	}
	return p
}

// artifactOf is a path as a URI: relative to the root, or absolute when it
// lies outside.
func artifactOf(root, path string) sarifArtifact {
	name, inside := relative(root, path)
	uri := percentEncode(name)
	switch {
	case inside:
		return sarifArtifact{URI: uri, BaseID: sarifBaseID}
	case strings.HasPrefix(name, "/"):
		return sarifArtifact{URI: "file://" + uri}
	}
	return sarifArtifact{URI: uri}
}

// flow leads from the first evidence to the claim.
func (s *sarif) flow(path string, x *finding.Finding, steps []finding.Evidence) []sarifCodeFlow {
	if len(steps) == 0 {
		return nil
	}
	var flow []sarifFlowStep
	for i := range steps {
		e := &steps[i]
		loc := s.location(path, e.Span, "")
		loc.Message = &sarifText{Text: stepText(e)}
		flow = append(flow, sarifFlowStep{Location: loc, Kinds: []string{shown(string(e.Grade), maxID)}, Nesting: nesting(e.Grade), Importance: importance(e.Grade)})
	}
	if last := steps[len(steps)-1]; last.Line != x.Line || last.Pointer != x.Pointer {
		loc := s.location(path, x.Span, "")
		loc.Message = &sarifText{Text: sentence(sarifEscape(shown(x.Message, maxText)))}
		flow = append(flow, sarifFlowStep{Location: loc, Importance: "essential"})
	}
	return []sarifCodeFlow{{[]sarifThreadFlow{{flow}}}}
}

// nesting indents what an output showed under the facts about its command.
func nesting(g finding.Grade) int {
	if g == finding.Observed {
		return 1
	}
	return 0
}

func importance(g finding.Grade) string {
	switch g {
	case finding.Terminated, finding.Claimed, finding.Verified:
		return "essential"
	case finding.Observed:
		return "unimportant"
	}
	return "important"
}

// stepText words a step of evidence.
func stepText(e *finding.Evidence) string {
	text := shown(string(e.Grade), maxID)
	if e.Note != "" {
		text += ": " + shown(e.Note, maxText/2)
	}
	if e.Quote != "" {
		text += ": “" + shown(e.Quote, maxQuote) + "”"
	}
	return sentence(sarifEscape(text))
}

// sarifMessage links the evidence: GitHub shows related locations only where
// the message names them.
func sarifMessage(x *finding.Finding, steps []finding.Evidence) sarifText {
	text := sentence(sarifEscape(shown(x.Message, maxText)))
	var links []string
	var md strings.Builder
	md.WriteString(sentence(markdownEscape(shown(x.Message, maxText))) + "\n")
	if x.Quote != "" {
		fmt.Fprintf(&md, "\n> %s\n", markdownEscape(shown(x.Quote, maxQuote)))
	}
	for i := range steps {
		e := &steps[i]
		link := fmt.Sprintf("[line %d](%d)", e.Line, i+1)
		if e.Line == 0 {
			link = fmt.Sprintf("[the file](%d)", i+1)
		}
		if i < maxLinks && (i == 0 || e.Line != steps[i-1].Line) {
			links = append(links, link)
		}
		if i < maxLinks {
			fmt.Fprintf(&md, "\n%d. %s **%s** %s", i+1, link, markdownEscape(shown(string(e.Grade), maxID)), markdownEscape(shown(e.Note, maxQuote)))
		}
	}
	if len(links) > 0 {
		text += " Evidence: " + strings.Join(links, ", ") + "."
		md.WriteByte('\n')
	}
	if x.Fix != "" {
		fmt.Fprintf(&md, "\n**Fix:** %s\n", markdownEscape(shown(x.Fix, maxText)))
	}
	return sarifText{Text: text, Markdown: md.String()}
}

// sarifEscape keeps text from being read as SARIF's own links and
// placeholders. Text that cannot be mistaken stays as it is.
func sarifEscape(s string) string {
	if strings.Contains(s, "](") {
		s = linkReplacer.Replace(s)
	}
	if strings.Contains(s, "{") {
		s = placeholder.ReplaceAllString(s, "{{$1}}")
	}
	return s
}

var (
	linkReplacer = strings.NewReplacer(`[`, `\[`, `]`, `\]`)
	placeholder  = regexp.MustCompile(`\{(\d+)\}`)
)

func bagOf(x *finding.Finding) sarifResultBag {
	bag := sarifResultBag{
		Session: shown(x.Session, maxID), Pointer: shown(x.Pointer, maxText), Inferred: x.Inferred,
		Quote: shown(x.Quote, maxQuote), Why: shown(x.Why, maxText), Fix: shown(x.Fix, maxText),
	}
	if x.Length > 0 {
		bag.ByteOffset, bag.ByteLength = &x.Offset, &x.Length
	}
	for i := range x.Evidence {
		if i < maxLocations {
			bag.Grades = append(bag.Grades, shown(string(x.Evidence[i].Grade), maxID))
		}
	}
	return bag
}
