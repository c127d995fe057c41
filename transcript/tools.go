package transcript

import "strings"

// actOf names what a tool does, by the names that agents give their tools.
// Unknown names are NoAct; names of outside systems are External.
func actOf(tool string) Act {
	name := strings.ToLower(tool)
	if a, ok := toolActs[name]; ok {
		return a
	}
	if strings.HasPrefix(name, "mcp__") || strings.Contains(name, "___") {
		return External
	}
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 {
		return toolActs[name[i+1:]]
	}
	return NoAct
}

var toolActs = map[string]Act{
	"bash": Shell, "shell": Shell, "shell_command": Shell, "exec": Shell, "exec_command": Shell, "local_shell": Shell,
	"execute_bash": Shell, "run_shell_command": Shell, "execute_command": Shell, "run_command": Shell, "run_terminal_cmd": Shell,
	"run_terminal_command": Shell, "terminal": Shell, "powershell": Shell, "container.exec": Shell, "execute": Shell, "cmd": Shell,
	"run_in_terminal": Shell, "bash_tool": Shell, "shell_exec": Shell, "command": Shell, "local_shell_call": Shell, "bash_command": Shell,
	"execute_terminal": Shell, "cmdrunaction": Shell, "executebash": Shell,

	"read": Read, "read_file": Read, "view": Read, "open": Read, "open_file": Read, "cat": Read, "read_many_files": Read, "notebookread": Read,
	"view_image": Read, "readfile": Read, "view_file": Read, "read_multiple_files": Read, "file_read": Read, "get_file_contents": Read,

	"edit": Edit, "write": Edit, "multiedit": Edit, "notebookedit": Edit, "apply_patch": Edit, "write_file": Edit, "edit_file": Edit, "create": Edit,
	"create_file": Edit, "replace": Edit, "str_replace": Edit, "str_replace_editor": Edit, "str_replace_based_edit_tool": Edit, "insert": Edit,
	"replace_in_file": Edit, "write_to_file": Edit, "search_replace": Edit, "patch": Edit, "apply_diff": Edit, "insert_content": Edit,
	"file_editor": Edit, "search_and_replace": Edit, "update_file": Edit, "delete_file": Edit, "writefile": Edit, "applypatch": Edit, "file_write": Edit,

	"grep": Search, "glob": Search, "ls": Search, "search": Search, "find": Search, "list": Search, "list_dir": Search, "list_directory": Search,
	"search_file_content": Search, "codebase_search": Search, "file_search": Search, "grep_search": Search, "rg": Search, "list_files": Search,
	"search_files": Search, "find_file": Search, "search_dir": Search, "search_file": Search, "semantic_search": Search, "list_code_definition_names": Search,

	"webfetch": Fetch, "websearch": Fetch, "web_fetch": Fetch, "web_search": Fetch, "fetch": Fetch, "google_web_search": Fetch, "web_search_call": Fetch,
	"url_fetch": Fetch, "fetchurl": Fetch, "visit_webpage": Fetch, "browser_action": Fetch, "browser": Fetch, "fetch_copilot_cli_documentation": Fetch,

	"task": Subagent, "agent": Subagent, "spawn_agent": Subagent, "delegate": Subagent, "new_task": Subagent, "delegate_task": Subagent, "subagent": Subagent,
	"wait_agent": Subagent, "send_input": Subagent, "workflow": Subagent,

	"todowrite": Plan, "todo_write": Plan, "update_plan": Plan, "taskcreate": Plan, "taskupdate": Plan, "tasklist": Plan, "taskget": Plan, "todoread": Plan,
	"write_todos": Plan, "todo": Plan, "update_todo": Plan, "task_tracker": Plan, "think": Plan, "todo_list": Plan, "update_todos": Plan, "update_todo_list": Plan, "todolist": Plan,
	"report_intent": Plan,

	"askuserquestion": Ask, "ask_user": Ask, "ask_followup_question": Ask, "request_user_input": Ask, "ask_user_question": Ask, "exitplanmode": Ask,
	"exit_plan_mode": Ask, "ask_human": Ask, "question": Ask,
	"await_human": Ask, "awaiting_human": Ask, "human_wait": Ask, "wait_for_human": Ask, "request_approval": Ask,

	"bashoutput": Poll, "taskoutput": Poll, "read_bash": Poll, "agentoutput": Poll, "read_background": Poll, "process": Poll, "get_terminal_output": Poll,
	"list_bash": Poll, "monitor": Poll, "job_output": Poll, "read_powershell": Poll, "list_powershell": Poll,
	"killbash": Kill, "job_kill": Kill, "killshell": Kill, "taskstop": Kill, "stop_bash": Kill, "stop_powershell": Kill, "kill_shell": Kill, "close_agent": Kill, "kill": Kill,
	"write_stdin": Input, "write_bash": Input, "write_powershell": Input, "send_to_terminal": Input,
	"sleep": Wait, "wait": Wait, "schedulewakeup": Wait,
	"use_mcp_tool": External, "access_mcp_resource": External,
	"submit": Finish, "finish": Finish, "attempt_completion": Finish, "final_answer": Finish, "task_complete": Finish, "done": Finish, "complete": Finish,
}
