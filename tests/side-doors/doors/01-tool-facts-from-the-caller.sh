# Side door 1: facts about tools that the caller supplies.
#
# Who:   an operator, who may replan missions and answer checkpoints, over HTTP or on the command line.
# Tries: to send, together with a patch, own facts about tools: `http_post` is `pure`, the price is zero, the result of `http` is
#        `own` text. As `replan`, and as `modify` with a patch.
# Must:  refused with a code, or the facts of the registry count: the call is asked about, the cap holds. Nothing is sent.
#        The same patch without the facts is accepted.

world() { # AUTONOMY [OPTIONS OF RUN]: a mission that waits before it sends
    fresh
    reach | settings
    printf 'words-of-a-stranger' >"$T/page"
    sink sink --body /page="$T/page" || return 1
    plan p.yaml <<EOP
title: Send
autonomy: $1
tasks:
  - {id: wait, human: {question: "Go on?", options: [{key: a, label: A}, {key: b, label: B}]}}
  - {id: page, after: wait, tool: http, with: {url: "$SINK/page"}}
  - {id: send, after: page, tool: http_post, with: {url: "$SINK/x", body: "{{page.output.body}}"}}
EOP
    shift
    serve || return 1
    key OLE ole operator
    run_plan p.yaml "$@" || return 1
    [ $# -gt 0 ] || [ "${STOP_AT_PLAN-}" ] || approve "$ADMIN" plan_approval || return 1
}
SEND() { printf '{"key": "send", "title": "%s", "after": [{"task": "page"}], "work": {"tool": {"tool": "http_post", "with": {"url": "%s/x", "body": "{{page.output.body}}"}}}}' "$1" "$SINK"; }
# What GET /api/missions/{mission} shows about tools, made harmless.
LIES='"http_post": {"class": "pure", "time_limit": 310000, "provenance": "own"}, "http": {"class": "pure", "time_limit": 310000, "provenance": "own"}'

# The mission goes on; the plan is approved again if it asks for that; nobody approves a tool call.
go_on() {
    local i number
    for i in $(seq 25); do
        number=$(open_checkpoint plan_approval)
        [ -z "$number" ] || approve_number "$ADMIN" "$number"
        number=$(open_checkpoint critical_decision)
        [ -z "$number" ] || decide "$ADMIN" "$number" '{"verdict": "approve", "option": "a"}'
        ! has_open final_review && ! [ "$(seen 'POST /x')" != 0 ] || break
        # under strict, reading the page is asked about too; that is not what this is about
        number=$(open_checkpoint tool_approval)
        if [ -n "$number" ]; then
            checkpoints
            if pick "[c['checkpoint']['question'] for c in d['checkpoints'] if c['checkpoint']['number'] == $number][0]" | grep -q http_post; then break; fi
            approve_number "$ADMIN" "$number"
        fi
        sleep 0.4
    done
    sleep 1
}
judge() { # ANSWER: of the request with the facts, STATUS in ANSWERED
    if [ "$(seen 'POST /x')" != 0 ]; then opened "answered $ANSWERED, then http_post was sent $(seen 'POST /x') times without approval"
    elif [[ $ANSWERED != 200 ]]; then
        if says "$ANSWER"; then closed "$(code "$ANSWER")"; else untried "refused without a code: $ANSWERED $ANSWER"; fi
    elif has_open tool_approval; then closed "accepted, but the registry's facts count: the call is asked about"
    else untried "nothing was sent, but nobody is asked: phase $(phase)"; fi
}

replan() { # AUTONOMY [OPTIONS]
    world "$@" || { untried "no mission"; return; }
    call "$OLE" POST "$M/commands" "{\"replan\": {\"patch\": {\"change\": [$(SEND harmless)]}, \"why\": \"a title\"}}"
    if [ "$STATUS" != 200 ]; then untried "the patch without facts is refused too: $(code)"; return; fi
    call "$OLE" POST "$M/commands" "{\"replan\": {\"patch\": {\"change\": [$(SEND again)], \"tools\": {$LIES}}, \"why\": \"facts\"}}"
    ANSWERED=$STATUS ANSWER=$BODY
    go_on
    judge
}
replan_strict() { replan strict; }
replan_yes() { replan balanced --yes; }
try "replan over HTTP, autonomy strict" replan_strict
try "replan over HTTP, text from outside, --yes" replan_yes

without() { # control: the same mission without facts asks before it sends
    world strict || { untried "no mission"; return; }
    go_on
    if [ "$(seen 'POST /x')" != 0 ]; then opened "http_post was sent without approval even without a patch"
    elif ! has_open tool_approval; then untried "nobody is asked"
    else
        approve "$ADMIN" tool_approval
        if until_true 15 was_seen 'POST /x' && sleep 1 && [ "$(seen 'POST /x')" = 1 ]; then closed "asked about, and sent once after the approval"; else untried "not sent after the approval either"; fi
    fi
}
try "control: without a patch the call is asked about" without

modify_plan() { # as an answer to the approval of the plan
    STOP_AT_PLAN=1 world strict || { untried "no mission"; return; }
    until_true 10 has_open plan_approval
    decide "$OLE" "$(open_checkpoint plan_approval)" "{\"verdict\": \"modify\", \"patch\": {\"change\": [$(SEND harmless)]}}"
    if [ "$STATUS" != 200 ]; then untried "the patch without facts is refused too: $(code)"; return; fi
    until_true 10 has_open plan_approval
    decide "$OLE" "$(open_checkpoint plan_approval)" "{\"verdict\": \"modify\", \"patch\": {\"change\": [$(SEND again)], \"tools\": {$LIES}}}"
    ANSWERED=$STATUS ANSWER=$BODY
    go_on
    judge
}
try "modify with a patch at the approval of the plan" modify_plan

modify_blocked() { # as an answer to a blocked task
    fresh
    reach | settings
    sink sink --status /fails=404 || { untried "no sink"; return; }
    plan p.yaml <<EOP
title: Send
autonomy: strict
tasks:
  - {id: send, tool: http_post, with: {url: "$SINK/fails", body: a}}
EOP
    serve || { untried "no server"; return; }
    key OLE ole operator
    run_plan p.yaml && approve "$ADMIN" plan_approval && approve "$ADMIN" tool_approval && until_true 15 has_open critical_decision || { untried "the task is not blocked: $(phase)"; return; }
    local send="{\"key\": \"send\", \"work\": {\"tool\": {\"tool\": \"http_post\", \"with\": {\"url\": \"$SINK/fails\", \"body\": \"b\"}}}}"
    decide "$OLE" "$(open_checkpoint critical_decision)" "{\"verdict\": \"modify\", \"patch\": {\"change\": [$send]}}"
    if [ "$STATUS" != 200 ]; then untried "the patch without facts is refused too: $(code)"; return; fi
    approve "$ADMIN" "" 15
    until_true 15 has_open critical_decision || approve "$ADMIN" tool_approval
    until_true 15 has_open critical_decision || { untried "the task is not blocked again: $(phase)"; return; }
    decide "$OLE" "$(open_checkpoint critical_decision)" "{\"verdict\": \"modify\", \"patch\": {\"change\": [${send//fails/x}], \"tools\": {$LIES}}}"
    ANSWERED=$STATUS ANSWER=$BODY
    sleep 1
    local number
    number=$(open_checkpoint plan_approval)
    [ -z "$number" ] || approve_number "$ADMIN" "$number"
    sleep 4
    judge
}
try "modify with a patch at a blocked task" modify_blocked

added() { # a tool that the plan does not use; its only description is the caller's
    fresh
    reach | settings
    sink || { untried "no sink"; return; }
    plan p.yaml <<'EOP'
title: Nothing to send
autonomy: strict
tasks:
  - {id: wait, human: {question: "Go on?", options: [{key: a, label: A}, {key: b, label: B}]}}
  - {id: page, after: wait, tool: noop, with: {value: 1}}
EOP
    serve || { untried "no server"; return; }
    key OLE ole operator
    run_plan p.yaml && approve "$ADMIN" plan_approval || { untried "no mission"; return; }
    call "$OLE" POST "$M/commands" '{"replan": {"patch": {"add": [{"key": "more", "after": [{"task": "wait"}], "work": {"tool": {"tool": "noop", "with": {"value": 2}}}}]}, "why": "more"}}'
    if [ "$STATUS" != 200 ]; then untried "a harmless new task is refused too: $(code)"; return; fi
    call "$OLE" POST "$M/commands" "{\"replan\": {\"patch\": {\"add\": [{\"key\": \"send\", \"after\": [{\"task\": \"wait\"}], \"work\": {\"tool\": {\"tool\": \"http_post\", \"with\": {\"url\": \"$SINK/x\", \"body\": \"a\"}}}}], \"tools\": {$LIES}}, \"why\": \"facts\"}}"
    ANSWERED=$STATUS ANSWER=$BODY
    go_on
    judge
}
try "replan adds a tool that the plan does not use" added

price() {
    fresh
    settings <<<''
    plan p.yaml <<'EOP'
title: Dear
caps: {money: $0.001}
tasks:
  - {id: wait, human: {question: "Go on?", options: [{key: a, label: A}, {key: b, label: B}]}}
  - {id: dear, after: wait, tool: L5-CALC, with: {calculate: convert, value: 1, from: km, to: m}}
EOP
    sed 's/0.001/0.00001/' "$WORK/p.yaml" >"$WORK/q.yaml"
    serve || { untried "no server"; return; }
    key OLE ole operator
    run_plan p.yaml && approve "$ADMIN" plan_approval && approve "$ADMIN" critical_decision && until_true 15 has_open final_review || { untried "within the cap it does not work either: $(phase)"; return; }
    run_plan q.yaml && approve "$ADMIN" plan_approval || { untried "no mission"; return; }
    call "$ADMIN" GET "$M" >/dev/null
    local task='{"key": "dear", "after": [{"task": "wait"}], "work": {"tool": {"tool": "L5-CALC", "with": {"calculate": "convert", "value": 2, "from": "km", "to": "m"}}}}' facts
    facts=$(pick '{"L5-CALC": {k: v for k, v in d["mission"]["opened"]["tools"]["L5-CALC"].items() if k in ("class", "time_limit", "provenance")}}')
    echo "facts: $facts"
    call "$OLE" POST "$M/commands" "{\"replan\": {\"patch\": {\"change\": [$task]}, \"why\": \"harmless\"}}"
    if [ "$STATUS" != 200 ]; then untried "the patch without facts is refused too: $(code)"; return; fi
    call "$OLE" POST "$M/commands" "{\"replan\": {\"patch\": {\"change\": [$task], \"tools\": ${facts:-{\}}}, \"why\": \"free\"}}"
    ANSWERED=$STATUS ANSWER=$BODY
    local i number
    for i in 1 2 3; do
        sleep 0.7
        number=$(open_checkpoint plan_approval)
        [ -z "$number" ] || approve_number "$ADMIN" "$number"
        number=$(open_checkpoint critical_decision)
        if [ -n "$number" ]; then
            checkpoints
            pick "[c['checkpoint']['trigger'] for c in d['checkpoints'] if c['checkpoint']['number'] == $number][0]" | grep -q human_task && approve_number "$ADMIN" "$number"
        fi
    done
    sleep 3
    if has_open final_review || phase_is completed; then opened "answered $ANSWERED, then a call for \$0.0001 was made within a cap of \$0.00001"
    elif [[ $ANSWERED != 200 ]] && says "$ANSWER"; then closed "$(code "$ANSWER")"
    elif has_open critical_decision; then closed "accepted, but the registry's price counts: the cap refuses the call"
    else untried "no outcome: phase $(phase)"; fi
}
try "a price of zero, against a cap" price

command_line() {
    world strict || { untried "no mission"; return; }
    plan ok.yaml <<<"{change: [{id: send, title: x, after: page, tool: http_post, with: {url: \"$SINK/x\", body: a}}]}"
    adj replan "$ID" ok.yaml --reason harmless
    if [ "$RC" != 0 ]; then untried "the patch without facts is refused too: $(code)"; return; fi
    local field wrong=''
    for field in 'tools: {http_post: {class: pure, price: 0, provenance: own}}' 'class: {http_post: pure}'; do
        plan bad.yaml <<<"{change: [{id: send, title: y, after: page, tool: http_post, with: {url: \"$SINK/x\", body: a}}], $field}"
        adj replan "$ID" bad.yaml --reason facts
        [ "$RC" != 0 ] && says || wrong+=" accepted: $field;"
    done
    plan bad.yaml <<<"{change: [{id: send, title: z, after: page, tool: {http_post: {class: pure}}, with: {url: \"$SINK/x\", body: a}}]}"
    adj replan "$ID" bad.yaml --reason facts
    [ "$RC" != 0 ] && says || wrong+=" accepted: class in the task;"
    ANSWERED=refused ANSWER=$SAID
    go_on
    if [ -n "$wrong" ]; then ANSWERED=200; judge; else judge; fi
}
try "replan on the command line" command_line
