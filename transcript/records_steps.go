package transcript

import (
	"cmp"
	"strings"
	"time"

	"github.com/transcript-lint/transcript-lint/jsonl"
)

// Records about approvals, cancels and actions, in the spellings that harness
// logs use: "approval.requested", "approval_expired", "humanWait.timeout",
// "cancel-refused", {"type":"approval","state":"approved"} and so on. The type
// is a topic and an operation, the state fields hold the outcome, the code
// tells why something was refused.

// topic is what the beginning of a record's type is about.
type topic uint8

const (
	noTopic topic = iota
	ofApproval
	ofWait  // an approval whose bare name means that the wait begins
	ofReply // an answer on its way to the session
	ofCancel
	ofReceipt
	ofAction
	ofEffect
)

// topics by name; the longest that fits counts.
var topics = map[string]topic{
	"approval": ofApproval, "permission": ofApproval, "human_approval": ofApproval, "consent": ofApproval, "hitl": ofApproval,
	"approval_request": ofWait, "permission_request": ofWait, "human_wait": ofWait, "awaiting_human": ofWait, "awaiting_approval": ofWait,
	"waiting_for_human": ofWait, "waiting_for_approval": ofWait, "wait_for_human": ofWait, "human_review": ofWait, "human_input": ofWait,
	"request_approval": ofWait, "human_wait_request": ofWait, "pending_approval": ofWait, "approval_wait": ofWait,
	"tool_approval": ofApproval, "exec_approval": ofApproval, "command_approval": ofApproval, "tool_permission": ofApproval,
	"approval_reply": ofReply, "approval_response": ofReply, "approval_answer": ofReply, "permission_response": ofReply, "reply": ofReply,
	"cancel": ofCancel, "cancel_request": ofCancel, "cancellation": ofCancel, "cancellation_request": ofCancel, "stop_request": ofCancel, "abort_request": ofCancel,
	"cancel_receipt": ofReceipt, "cancel_response": ofReceipt, "cancel_result": ofReceipt, "cancel_reply": ofReceipt,
	"action": ofAction, "execution": ofAction, "executor": ofAction, "execute": ofAction,
	"effect": ofEffect, "side_effect": ofEffect, "file_effect": ofEffect,
}

var decisionWords = map[string]DecisionVerb{
	"request": Requested, "requested": Requested, "required": Requested, "needed": Requested, "pending": Requested, "started": Requested, "start": Requested,
	"waiting": Requested, "awaiting": Requested, "opened": Requested, "created": Requested, "asked": Requested, "awaiting_human": Requested,
	"approve": Approved, "approved": Approved, "granted": Approved, "grant": Approved, "allow": Approved, "allowed": Approved, "accepted": Approved,
	"deny": Denied, "denied": Denied, "reject": Denied, "rejected": Denied, "decline": Denied, "declined": Denied, "refused": Denied,
	"expire": Expired, "expired": Expired, "timeout": Expired, "timed_out": Expired, "timedout": Expired, "lapsed": Expired, "no_response": Expired,
	"unanswered": Expired,
	"escalate":   Escalated, "escalated": Escalated,
	"withdrawn": Withdrawn, "withdraw": Withdrawn, "cancelled": Withdrawn, "canceled": Withdrawn, "revoked": Withdrawn,
	"consume": Consumed, "consumed": Consumed, "used": Consumed, "redeemed": Consumed, "spent": Consumed,
	"consume_refused": ConsumeRefused, "consume_rejected": ConsumeRefused, "consume_denied": ConsumeRefused, "already_consumed": ConsumeRefused,
	"reuse_refused": ConsumeRefused, "replay_refused": ConsumeRefused,
	"approve_refused": ApproveRefused, "approve_rejected": ApproveRefused, "late": ApproveRefused, "too_late": ApproveRefused,
	"delivered": Delivered, "sent": Delivered, "reply_sent": Delivered, "answer_sent": Delivered, "response_sent": Delivered, "reply_delivered": Delivered,
	"not_delivered": NotDelivered, "not_sent": NotDelivered, "suppressed": NotDelivered, "withheld": NotDelivered, "dropped": NotDelivered,
	"held_back": NotDelivered, "discarded": NotDelivered, "reply_suppressed": NotDelivered, "reply_not_sent": NotDelivered,
	"answered": Answered,
}

var cancelWords = map[string]CancelVerb{
	"request": CancelRequested, "requested": CancelRequested, "sent": CancelRequested, "issued": CancelRequested,
	"accepted": CancelAccepted, "acknowledged": CancelAccepted, "ack": CancelAccepted, "ok": CancelAccepted, "success": CancelAccepted, "succeeded": CancelAccepted,
	"granted": CancelAccepted, "approved": CancelAccepted,
	"refused": CancelRefused, "rejected": CancelRefused, "denied": CancelRefused, "failed": CancelRefused, "error": CancelRefused, "not_pending": CancelRefused,
	"ignored": CancelRefused, "nack": CancelRefused,
	"cancelled": CancelTold, "canceled": CancelTold, "stopped": CancelTold, "done": CancelTold, "completed": CancelTold, "told": CancelTold,
}

var actionWords = map[string]ActionVerb{
	"entered": ActionEntered, "enter": ActionEntered, "executing": ActionEntered, "queued": ActionEntered, "waiting": ActionEntered,
	"checked": ActionChecked, "check": ActionChecked, "validated": ActionChecked, "revalidated": ActionChecked,
	"started": ActionStarted, "start": ActionStarted, "began": ActionStarted, "begin": ActionStarted, "running": ActionStarted,
	"effect": ActionEffect, "applied": ActionEffect, "happened": ActionEffect, "written": ActionEffect, "executed": ActionEffect, "performed": ActionEffect,
	"settled": ActionSettled, "committed": ActionSettled, "reconciled": ActionSettled, "compensated": ActionSettled, "finished": ActionSettled,
	"completed": ActionSettled, "done": ActionSettled,
	"aborted": ActionAborted, "abort": ActionAborted,
	"rejected": ActionRejected, "refused": ActionRejected, "denied": ActionRejected, "blocked": ActionRejected,
}

var deciderWords = map[string]Decider{
	"human": ByHuman, "user": ByHuman, "operator": ByHuman, "reviewer": ByHuman, "person": ByHuman,
	"policy": ByPolicy, "rule": ByPolicy, "auto": ByPolicy, "auto_approve": ByPolicy, "automatic": ByPolicy, "config": ByPolicy,
	"hook": ByHook, "default": ByDefault, "timeout": ByDefault, "timer": ByDefault, "clock": ByDefault,
}

var stepActors = map[string]Actor{
	"human": Human, "user": Human, "operator": Human, "assistant": Assistant, "agent": Assistant, "model": Assistant,
	"harness": Harness, "system": Harness, "timeout": Harness, "policy": Harness, "peer": Peer,
}

// stepRecord is what a record tells about one step.
type stepRecord struct {
	topic   topic
	bare    bool   // the type is only the topic
	op      string // the rest of the type
	states  []string
	code    string // normalised
	refused bool

	id, approval, request, call, cancel, target, action, subject, reason, by string
	expires                                                                  time.Time
	limit, waited                                                            time.Duration
	sent                                                                     Flag
	none                                                                     bool // an effect that happened zero times
}

func readStep(v jsonl.Value, r *record) (s stepRecord) {
	s.id, s.call = idText(r.id), idText(r.callID)
	for key, m := range v.Members() {
		s.field(normalName(key), m)
	}
	s.split(r.word)
	for _, word := range append(s.states, s.op) {
		switch word {
		case "refused", "rejected", "denied", "failed", "error", "not_accepted":
			s.refused = true
		}
	}
	return s
}

func (s *stepRecord) field(name string, v jsonl.Value) {
	switch name {
	case "state", "status", "decision", "outcome", "result", "verdict", "response":
		if word := normalName(Clip(v.Str(), 60)); word != "" {
			s.states = append(s.states, word)
		}
	case "ok", "accepted", "success":
		if b, ok := v.Bool(); ok && b {
			s.states = append(s.states, "accepted")
		} else if ok {
			s.states = append(s.states, "refused")
		}
	case "code", "error_code", "error":
		s.code = normalName(Clip(v.Str(), 80))
		s.reason = cmp.Or(v.Str(), s.reason)
	case "reason", "message", "detail":
		s.reason = cmp.Or(s.reason, v.Str())
	case "approval_id", "approval", "permission_id", "wait_id":
		s.approval = idText(v)
	case "request_id":
		s.request = idText(v)
	case "cancel_id", "cancellation_id":
		s.cancel = idText(v)
	case "target", "target_id", "session_id", "job_id", "task_id", "run_id":
		s.target = cmp.Or(s.target, idText(v))
	case "action_id", "execution_id":
		s.action = idText(v)
	case "subject", "title", "prompt", "question", "description", "action", "operation", "tool", "command":
		s.subject = cmp.Or(s.subject, v.Str())
	case "by", "decided_by", "actor", "approver", "decider", "approved_by", "source", "requested_by":
		s.by = cmp.Or(s.by, normalName(v.Str()))
	case "expires_at", "expires", "deadline", "timeout_at", "deadline_at":
		s.expires = clockOf(v)
	case "timeout_s", "timeout_sec", "timeout_seconds", "ttl_s", "expires_in_s", "expires_in":
		s.limit = 1000 * millis(v)
	case "timeout_ms", "ttl_ms", "expires_in_ms":
		s.limit = millis(v)
	case "waited_ms", "wait_ms", "elapsed_ms", "duration_ms":
		s.waited = millis(v)
	case "waited_s", "wait_s", "elapsed_s", "duration_s":
		s.waited = 1000 * millis(v)
	case "timed_out", "expired", "denied", "rejected", "consumed", "cancelled", "canceled", "escalated":
		if b, _ := v.Bool(); b {
			s.states = append(s.states, name)
		}
	case "approved":
		if b, ok := v.Bool(); ok && b {
			s.states = append(s.states, "approved")
		} else if ok {
			s.states = append(s.states, "denied")
		}
	case "sent", "delivered":
		if b, ok := v.Bool(); ok {
			s.sent = FlagOf(b)
		}
	case "count", "effects":
		n, ok := v.Int()
		s.none = ok && n == 0
	}
}

// split takes a type apart into its topic and the operation.
func (s *stepRecord) split(word string) topic {
	for _, who := range []string{"user_", "human_", "auto_", "policy_", "hook_"} {
		if rest, ok := strings.CutPrefix(word, who); ok && decisionWords[rest] != NoDecision {
			s.topic, s.op, s.by = ofApproval, rest, cmp.Or(s.by, who[:len(who)-1])
			return s.topic
		}
	}
	for _, whose := range []string{"session_", "run_", "task_", "turn_", "tool_"} {
		if rest, ok := strings.CutPrefix(word, whose); ok && strings.HasPrefix(rest, "cancel") {
			word = rest
			s.target = cmp.Or(s.target, s.id)
		}
	}
	for end := len(word); end > 0; end = strings.LastIndexByte(word[:end], '_') {
		if t := topics[word[:end]]; t != noTopic {
			s.topic, s.op, s.bare = t, strings.TrimPrefix(word[end:], "_"), end == len(word)
			return t
		}
	}
	s.op = word
	switch {
	case word == "cancelled", word == "canceled":
		s.topic = ofCancel
		if s.approval != "" {
			s.topic = ofApproval
		}
	case s.approval != "" || s.request != "":
		s.topic = ofApproval
	}
	return s.topic
}

// step emits the steps that a record tells, and reports whether it tells any.
func (d *events) step(v jsonl.Value, r *record) bool {
	s := readStep(v, r)
	switch s.topic {
	case ofApproval, ofWait, ofReply:
		if rest, ok := strings.CutPrefix(s.op, "cancel"); ok && (rest == "" || rest[0] == '_') {
			s.op, s.target = strings.TrimPrefix(rest, "_"), cmp.Or(s.approval, s.request, s.id, s.target)
			s.id, s.request = "", ""
			return d.cancelStep(v, r, &s, rest == "")
		}
		if verb := actionWords[s.op]; s.op == "executing" || s.op == "executed" {
			s.approval = cmp.Or(s.approval, s.request, s.id)
			s.id = cmp.Or(s.action, s.call)
			return d.actionStep(v, r, &s, verb)
		}
		return d.decisionStep(v, r, &s)
	case ofCancel:
		return d.cancelStep(v, r, &s, s.bare)
	case ofReceipt:
		return d.cancelStep(v, r, &s, false)
	case ofAction, ofEffect:
		if s.code == "approval_already_consumed" {
			s.call = cmp.Or(s.action, s.call, s.id)
			s.id = ""
			return d.decide(v, r, &s, ConsumeRefused)
		}
		return d.actionStep(v, r, &s, s.actionVerb())
	}
	return d.toldCancelled(v, r, &s)
}

func (d *events) decisionStep(v jsonl.Value, r *record, s *stepRecord) bool {
	if op, who, ok := strings.Cut(s.op, "_by_"); ok { // approved_by_policy
		s.op, s.by = op, cmp.Or(s.by, who)
	}
	if who, op, ok := strings.Cut(s.op, "_"); ok && deciderWords[who] != ByUnknown && decisionWords[op] != NoDecision { // auto_approved
		s.op, s.by = op, cmp.Or(s.by, who)
	}
	verb := decisionWords[s.op]
	var outcome DecisionVerb
	for _, word := range s.states {
		if o := decisionWords[word]; o != NoDecision && (outcome == NoDecision || outcome == Requested) {
			outcome = o
		}
	}
	switch {
	case s.topic == ofReply && s.sent != Unset:
		verb = Delivered
		if s.sent == False {
			verb = NotDelivered
		}
	case s.code == "approval_already_consumed", s.op == "consume" && s.refused:
		verb = ConsumeRefused
	case s.op == "approve" && s.refused, lateCode(s.code) && s.comesLate(verb, outcome):
		verb = ApproveRefused
	case verb == Expired && outcome != Expired && outcome > Requested:
		// Nobody answered, and something was put down all the same.
		if !d.decide(v, r, s, Expired) {
			return false
		}
		s.by = cmp.Or(s.by, "default")
		verb = outcome
	case verb == NoDecision, verb == Requested && outcome != NoDecision:
		verb = outcome
	}
	if verb == NoDecision && s.topic == ofWait && s.op == "" {
		verb = Requested
	}
	return d.decide(v, r, s, verb)
}

// lateCode recognises the codes by which an approval is not taken any more.
func lateCode(code string) bool {
	return code == "approval_expired" || code == "approval_not_pending" || code == "approval_timed_out"
}

// comesLate reports whether a late code is about an approval that was not
// taken, and not about the expiry itself, nor about one that was taken all the
// same.
func (s *stepRecord) comesLate(verb, outcome DecisionVerb) bool {
	switch verb {
	case Expired:
		return false
	case Approved:
		return s.op == "approve" || s.refused
	}
	return outcome != Expired
}

func (d *events) decide(v jsonl.Value, r *record, s *stepRecord, verb DecisionVerb) bool {
	if verb == NoDecision {
		return false
	}
	e := d.stamped(v, r)
	e.Kind = Decision
	e.Decision = &DecisionInfo{
		Verb: verb, ID: cmp.Or(s.approval, s.request, s.id), CallID: cmp.Or(s.call, s.action), Subject: s.subject, By: deciderWords[s.by],
		Expires: s.expires, Waited: s.waited, Reason: s.reason,
	}
	if s.limit > 0 && e.Decision.Expires.IsZero() && verb == Requested && !e.Time.IsZero() {
		e.Decision.Expires = e.Time.Add(s.limit)
	}
	d.emit(&e)
	return true
}

// cancelStep emits a request, a receipt, or both when one record holds them.
func (d *events) cancelStep(v jsonl.Value, r *record, s *stepRecord, bare bool) bool {
	verb := cancelWords[s.op]
	var receipt CancelVerb
	for _, word := range s.states {
		if c := cancelWords[word]; c != NoCancel {
			receipt = c
		}
	}
	if strings.HasSuffix(s.code, "not_pending") || strings.HasSuffix(s.code, "not_cancellable") {
		receipt = CancelRefused
	}
	switch {
	case bare && (receipt == CancelAccepted || receipt == CancelRefused):
		request := *s
		request.reason = "" // belongs to the receipt
		d.cancelled(v, r, &request, CancelRequested)
		verb = receipt
	case verb == NoCancel || verb == CancelRequested && receipt != NoCancel:
		verb = receipt
	}
	if verb == NoCancel && bare {
		verb = CancelRequested
	}
	return d.cancelled(v, r, s, verb)
}

func (d *events) cancelled(v jsonl.Value, r *record, s *stepRecord, verb CancelVerb) bool {
	if verb == NoCancel {
		return false
	}
	target := cmp.Or(s.target, s.approval, s.call, s.action)
	id := cmp.Or(s.cancel, s.id, s.request)
	if target == "" {
		target, s.request = s.request, ""
		id = cmp.Or(s.cancel, s.id)
	}
	if verb == CancelTold && target == "" || id == target {
		target, id = cmp.Or(target, id), ""
	}
	e := d.stamped(v, r)
	e.Kind = Cancel
	e.Cancel = &CancelInfo{Verb: verb, ID: id, Target: target, Reason: s.reason, By: stepActors[s.by]}
	d.emit(&e)
	return true
}

func (s *stepRecord) actionVerb() ActionVerb {
	if s.topic == ofEffect && (s.op == "" || actionWords[s.op] == ActionEffect) {
		return ActionEffect
	}
	verb := actionWords[s.op]
	for _, word := range s.states {
		a := actionWords[word]
		if word == "ok" || word == "accepted" || word == "success" || word == "succeeded" {
			a = ActionEffect
		}
		if a != NoAction && (verb == NoAction || a == ActionRejected) {
			verb = a
		}
	}
	if strings.HasPrefix(s.code, "approval_") {
		verb = ActionRejected
	}
	if verb == NoAction && s.bare && len(s.states) == 0 {
		verb = ActionEntered
	}
	return verb
}

func (d *events) actionStep(v jsonl.Value, r *record, s *stepRecord, verb ActionVerb) bool {
	if verb == NoAction {
		return false
	}
	e := d.stamped(v, r)
	if e.Kind = Action; verb == ActionEffect && s.none {
		e.Kind = Other
		d.emit(&e)
		return true
	}
	e.Action = &ActionInfo{Verb: verb, ID: cmp.Or(s.action, s.call, s.id), Approval: cmp.Or(s.approval, s.request), Reason: s.reason}
	d.emit(&e)
	return true
}

// toldCancelled reads a status that says cancelled: a word, no receipt.
func (d *events) toldCancelled(v jsonl.Value, r *record, s *stepRecord) bool {
	for _, word := range s.states {
		switch word {
		case "cancelled", "canceled", "aborted", "stopped":
			s.target = cmp.Or(s.target, s.call, s.action, s.id)
			s.id = ""
			return d.cancelled(v, r, s, CancelTold)
		}
	}
	return false
}
