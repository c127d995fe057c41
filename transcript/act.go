package transcript

// Act is what a call does, whatever the agent names the tool.
type Act uint8

// The acts.
const (
	NoAct    Act = iota // something the model does not tell apart
	Shell               // runs a command
	Read                // reads a file
	Edit                // writes or changes files
	Search              // looks for names or text
	Fetch               // reads from the network
	Subagent            // hands work to another agent
	Plan                // keeps a todo list
	Ask                 // asks the human
	Poll                // looks at a background job
	Kill                // stops a background job
	Input               // types into a running command
	Wait                // waits
	Finish              // declares the task done
	External            // an outside system (MCP and the like)
	acts
)

var actNames = [acts]string{
	"other", "shell", "read", "edit", "search", "fetch", "subagent", "plan", "ask", "poll", "kill", "input", "wait",
	"finish", "external",
}

func (a Act) String() string { return actNames[a] }
