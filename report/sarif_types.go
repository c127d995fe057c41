package report

// The parts of SARIF 2.1.0 that transcript-lint writes, in the order in which
// they stand in the file. Everything optional is left out when empty; an index
// or an offset is never written as -1, which viewers take for a place.

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name            string            `json:"name"`
	FullName        string            `json:"fullName"`
	Version         string            `json:"version,omitempty"`
	SemanticVersion string            `json:"semanticVersion,omitempty"`
	InformationURI  string            `json:"informationUri"`
	Rules           []sarifRule       `json:"rules"`
	Notifications   []sarifDescriptor `json:"notifications"`
}

type sarifRule struct {
	ID         string       `json:"id"`
	Name       string       `json:"name"`
	Short      sarifText    `json:"shortDescription"`
	Full       sarifText    `json:"fullDescription"`
	HelpURI    string       `json:"helpUri"`
	Help       sarifText    `json:"help"`
	Default    sarifDefault `json:"defaultConfiguration"`
	Properties sarifRuleBag `json:"properties"`
}

type sarifDefault struct {
	Enabled *bool  `json:"enabled,omitempty"`
	Level   string `json:"level"`
}

type sarifRuleBag struct {
	Tags      []string `json:"tags,omitempty"`
	Precision string   `json:"precision,omitempty"`
	Severity  string   `json:"problem.severity"`
}

type sarifDescriptor struct {
	ID    string    `json:"id"`
	Name  string    `json:"name"`
	Short sarifText `json:"shortDescription"`
	Full  sarifText `json:"fullDescription"`
	Help  sarifText `json:"help"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    *int              `json:"ruleIndex,omitempty"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	CodeFlows    []sarifCodeFlow   `json:"codeFlows,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
	Properties   sarifResultBag    `json:"properties"`
}

type sarifLocation struct {
	ID       int            `json:"id,omitempty"`
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifText     `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI    string `json:"uri"`
	BaseID string `json:"uriBaseId,omitempty"`
}

// sarifRegion has no byte offsets: VS Code's viewer takes any for a line in
// its hex editor. They are in the result's properties.
type sarifRegion struct {
	StartLine   int        `json:"startLine"`
	StartColumn int        `json:"startColumn,omitempty"`
	EndLine     int        `json:"endLine,omitempty"`
	EndColumn   int        `json:"endColumn,omitempty"`
	Snippet     *sarifText `json:"snippet,omitempty"`
}

type sarifLogical struct {
	Name           string `json:"name,omitempty"`
	FullyQualified string `json:"fullyQualifiedName,omitempty"`
	Kind           string `json:"kind"`
}

type sarifCodeFlow struct {
	ThreadFlows []sarifThreadFlow `json:"threadFlows"`
}

type sarifThreadFlow struct {
	Locations []sarifFlowStep `json:"locations"`
}

type sarifFlowStep struct {
	Location   sarifLocation `json:"location"`
	Kinds      []string      `json:"kinds,omitempty"`
	Nesting    int           `json:"nestingLevel"`
	Importance string        `json:"importance"`
}

type sarifResultBag struct {
	Grades     []string `json:"grades,omitempty"`
	Session    string   `json:"session,omitempty"`
	Pointer    string   `json:"pointer,omitempty"`
	ByteOffset *int64   `json:"byteOffset,omitempty"`
	ByteLength *int64   `json:"byteLength,omitempty"`
	Inferred   bool     `json:"inferred,omitempty"`
	Quote      string   `json:"quote,omitempty"`
	Why        string   `json:"why,omitempty"`
	Fix        string   `json:"fix,omitempty"`
}

type sarifInvocation struct {
	CommandLine   string              `json:"commandLine,omitempty"`
	StartTime     string              `json:"startTimeUtc,omitempty"`
	Successful    bool                `json:"executionSuccessful"`
	ExitCode      int                 `json:"exitCode"`
	ExitText      string              `json:"exitCodeDescription"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Descriptor sarifRef        `json:"descriptor"`
	Rule       *sarifRef       `json:"associatedRule,omitempty"`
	Level      string          `json:"level"`
	Message    sarifText       `json:"message"`
	Locations  []sarifLocation `json:"locations,omitempty"`
}

type sarifRef struct {
	ID    string `json:"id"`
	Index *int   `json:"index,omitempty"`
}
