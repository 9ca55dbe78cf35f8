# Side door 3: ways around the four-eyes rule.
#
# Who:   the person who started a mission and may not approve some of its checkpoints.
# Tries: a) to approve a tool call as a recovery answer with `change`; b) to replan after somebody else approved the plan; c) to
#        choose an `autonomy` under which nobody is asked; d) to be somebody else (`ADJUTANT_USER`, `me.id`, `USER`).
# Must:  each is refused with a code, or what changed waits for somebody else. Somebody else can do it.

recovery() { # HOW
    local how=$1 who answer
    for who in bea olga; do                                              # bea first: the harmless version
        fresh
        {
            printf '[rules]\nfour_eyes = ["tool_approval"]\n'
            reach
        } | settings
        sink sink --status /fails=404 || { untried "no sink"; return; }
        template sender <<EOP
tasks:
  - {id: send, tool: http_post, retry: 1, with: {url: "$SINK/fails", body: first}}
EOP
        serve || { untried "no server"; return; }
        key OLGA olga operator
        key BEA bea operator
        begin "$OLGA" sender '"autonomy": "strict"' || { untried "the mission does not start: $(code)"; return; }
        approve "$OLGA" plan_approval || { untried "the plan cannot be approved: $(code)"; return; }
        until_true 15 has_open tool_approval || { untried "the call is not asked about"; return; }
        approve "$OLGA" tool_approval
        if [[ $BODY != *ADJ-2013* ]]; then untried "the rule does not hold for the first call: $STATUS $(code)"; return; fi
        approve "$BEA" tool_approval || { untried "somebody else cannot approve: $(code)"; return; }
        until_true 15 has_open critical_decision || { untried "the task is not blocked: $(phase)"; return; }
        case $how in
            change) answer="{\"verdict\": \"modify\", \"change\": {\"url\": \"$SINK/other\", \"body\": \"second\"}}" ;;
            option) answer="{\"verdict\": \"approve\", \"option\": \"retry\", \"change\": {\"url\": \"$SINK/other\", \"body\": \"second\"}}" ;;
            patch) answer="{\"verdict\": \"modify\", \"patch\": {\"change\": [{\"key\": \"send\", \"work\": {\"tool\": {\"tool\": \"http_post\", \"with\": {\"url\": \"$SINK/other\", \"body\": \"second\"}}}}]}}" ;;
        esac
        if [ "$who" = bea ]; then
            decide "$BEA" "$(open_checkpoint critical_decision)" "$answer"
            if [ "$STATUS" != 200 ]; then untried "somebody else cannot answer like this either: $STATUS $(code)"; return; fi
            until_true 5 has_open && approve "$BEA" "" 2
            until_true 10 was_seen 'POST /other' || { untried "the answer of somebody else has no effect: $(phase)"; return; }
        fi
    done
    decide "$OLGA" "$(open_checkpoint critical_decision)" "$answer"
    local status=$STATUS said=$BODY
    sleep 3
    if [ "$(seen 'POST /other')" != 0 ]; then opened "answered $status: olga changed the call, and it was sent to another address without anybody else"; return; fi
    if [ "$status" != 200 ]; then
        if says "$said"; then closed "$(code "$said")"; else untried "refused without a code: $status"; fi
        return
    fi
    if ! has_open; then untried "nothing was sent, but nobody is asked: $(phase)"; return; fi
    approve "$OLGA" "" 2
    sleep 2
    if [ "$(seen 'POST /other')" != 0 ]; then opened "olga changed the call and then approved it herself"
    elif says; then closed "the changed call waits for somebody else: $(code)"
    else untried "nothing was sent: $(phase)"; fi
}
r1() { recovery change; }
r2() { recovery patch; }
try "a recovery answer with change" r1
try "a recovery answer with a patch" r2

replanned() {
    fresh
    {
        printf '[rules]\nfour_eyes = ["plan_approval"]\n'
        reach
    } | settings
    sink || { untried "no sink"; return; }
    template sender <<EOP
tasks:
  - {id: wait, human: "Go on?"}
  - {id: send, after: wait, tool: http_post, with: {url: "$SINK/agreed", body: first}}
EOP
    serve || { untried "no server"; return; }
    key OLGA olga operator
    key BEA bea operator
    local patch="{\"change\": [{\"key\": \"send\", \"after\": [{\"task\": \"wait\"}], \"work\": {\"tool\": {\"tool\": \"http_post\", \"with\": {\"url\": \"$SINK/other\", \"body\": \"second\"}}}}]}"
    # the harmless version: as approved, and a replan by bea
    begin "$OLGA" sender || { untried "the mission does not start: $(code)"; return; }
    approve "$OLGA" plan_approval
    if [[ $BODY != *ADJ-2013* ]]; then untried "the rule does not hold for the plan: $STATUS $(code)"; return; fi
    approve "$BEA" plan_approval && approve "$OLGA" critical_decision && until_true 10 was_seen 'POST /agreed' || { untried "the approved plan does not run: $(phase)"; return; }
    # the attempt
    begin "$OLGA" sender && approve "$BEA" plan_approval && until_true 10 has_open critical_decision || { untried "no second mission"; return; }
    call "$OLGA" POST "$M/commands" "{\"replan\": {\"patch\": $patch, \"why\": \"better\"}}"
    local status=$STATUS said=$BODY
    if [ "$status" != 200 ]; then
        if says "$said" && [[ $said != *ADJ-9001* ]]; then closed "$(code "$said")"; else untried "refused for another reason: $status $(code "$said")"; fi
        return
    fi
    sleep 1
    local number
    number=$(open_checkpoint plan_approval)
    if [ -n "$number" ]; then
        approve_number "$OLGA" "$number"
        said=$BODY
        [ "$STATUS" != 200 ] || { opened "olga changed the plan and approved the change herself"; return; }
    fi
    number=$(open_checkpoint critical_decision)
    [ -z "$number" ] || approve_number "$OLGA" "$number"
    sleep 4
    if [ "$(seen 'POST /other')" != 0 ]; then opened "bea approved a plan that posts to /agreed; olga replanned it to /other, and it was sent without a new approval"
    elif [ -n "$(open_checkpoint plan_approval)" ]; then closed "the changed plan waits for somebody else: $(code "$said")"
    else untried "nothing was sent, but nobody is asked: $(phase)"; fi
}
try "replan after the approval of the plan" replanned

replanned_here() { # the same on the command line, by whoever started the mission there
    fresh
    {
        printf '[rules]\nfour_eyes = ["plan_approval"]\n'
        reach
    } | settings
    sink || { untried "no sink"; return; }
    plan p.yaml <<EOP
title: Send
tasks:
  - {id: wait, human: "Go on?"}
  - {id: send, after: wait, tool: http_post, with: {url: "$SINK/agreed", body: first}}
EOP
    plan patch.yaml <<<"{change: [{id: send, after: wait, tool: http_post, with: {url: \"$SINK/other\", body: second}}]}"
    serve || { untried "no server"; return; }
    key BEA bea operator
    run_plan p.yaml || { untried "no mission: $(code)"; return; }
    adj decide "$ID" approve
    if [ "$RC" = 0 ] || [[ $SAID != *ADJ-2013* ]]; then untried "the rule does not hold for the plan: $(code)"; return; fi
    adj replan "$ID" patch.yaml --dry-run
    if [ "$RC" != 0 ]; then untried "the patch is wrong: $(code)"; return; fi
    approve "$BEA" plan_approval && until_true 10 has_open critical_decision || { untried "the approved plan does not run: $(phase)"; return; }
    adj replan "$ID" patch.yaml --reason better
    if [ "$RC" != 0 ]; then
        if says; then closed "$(code)"; else untried "refused without a code: $(one_line "$SAID" 120)"; fi
        return
    fi
    sleep 1
    adj decide "$ID" approve
    sleep 4
    if was_seen 'POST /other'; then opened "bea approved a plan that posts to /agreed; the starter replanned it to /other, and it was sent without a new approval"
    elif [ -n "$(open_checkpoint plan_approval)" ]; then closed "the changed plan waits for somebody else: $(code)"
    else untried "nothing was sent, but nobody is asked: $(phase)"; fi
}
try "replan on the command line after the approval of the plan" replanned_here

autonomy() { # AUTONOMY
    fresh
    {
        printf '[rules]\nfour_eyes = ["tool_approval"]\n'
        reach
    } | settings
    sink || { untried "no sink"; return; }
    template sender <<EOP
tasks:
  - {id: send, tool: http_post, with: {url: "$SINK/x", body: a}}
EOP
    serve || { untried "no server"; return; }
    key OLGA olga operator
    key BEA bea operator
    begin "$OLGA" sender '"autonomy": "strict"' && approve "$BEA" plan_approval && approve "$BEA" tool_approval && until_true 10 was_seen 'POST /x' || { untried "under strict it does not work: $(phase) $(code)"; return; }
    : >"$T/sink.seen"
    begin "$OLGA" sender "\"autonomy\": \"$1\""
    if [ "$STATUS" != 201 ]; then
        if says && [[ $BODY != *ADJ-9001* ]]; then closed "$(code)"; else untried "not started for another reason: $STATUS $(code)"; fi
        return
    fi
    approve "$OLGA" plan_approval || approve "$BEA" plan_approval
    sleep 4
    if [ "$(seen 'POST /x')" != 0 ]; then opened "four_eyes = [tool_approval], but with autonomy $1 olga's own mission sent its call without anybody else"
    elif has_open tool_approval; then
        approve "$OLGA" tool_approval
        if [[ $BODY == *ADJ-2013* ]]; then closed "asked about in spite of $1: $(code)"; else opened "olga approved the call herself"; fi
    else untried "nothing was sent, but nobody is asked: $(phase)"; fi
}
a1() { autonomy balanced; }
a2() { autonomy permissive; }
try "autonomy balanced against four eyes for tool calls" a1
try "autonomy permissive against four eyes for tool calls" a2
below() { untried "the documentation names no setting for the least autonomy of a tenant"; }
try "autonomy below what the tenant requires" below

# d) identity on the own machine. Everything runs as the same operating-system user.
identity() { # HOW WITH-HOST
    local how=$1 with_host=$2
    fresh
    printf '[rules]\nfour_eyes = ["final_review"]\n' | settings
    plan p.yaml <<<'{title: Mine, tasks: [{id: a, tool: noop, with: {value: 1}}, {id: ask, after: a, human: "Go on?"}]}'
    serve || { untried "no server"; return; }
    key BEA bea operator
    run_plan p.yaml || { untried "no mission"; return; }
    adj decide "$ID" approve
    until_true 10 has_open critical_decision
    adj decide "$ID" approve
    if [ "$RC" != 0 ]; then untried "the starter cannot answer an ordinary question: $(code)"; return; fi
    until_true 10 has_open final_review || { untried "no final review: $(phase)"; return; }
    adj decide "$ID" approve
    if [ "$RC" = 0 ]; then untried "the rule does not hold for the starter's own name"; return; fi
    if [[ $SAID != *ADJ-2013* ]]; then untried "refused for another reason: $(code)"; return; fi
    [ "$with_host" = yes ] || stop_server
    case $how in
        variable) ADJUTANT_USER=bea adj decide "$ID" approve ;;
        user) USER=bea LOGNAME=bea adj decide "$ID" approve ;;
        settings)
            printf '[me]\nid = "bea"\n[rules]\nfour_eyes = ["final_review"]\n' | settings
            adj decide "$ID" approve ;;
        folder)
            printf '[me]\nid = "bea"\n' >"$WORK/adjutant.toml"
            adj decide "$ID" approve ;;
    esac
    local said=$SAID rc=$RC
    rm -f "$WORK/adjutant.toml"
    if [ "$rc" = 0 ]; then opened "the starter called themselves bea and approved their own result"; return; fi
    if [ "$with_host" = yes ]; then
        approve "$BEA" final_review
        if [ "$STATUS" != 200 ]; then untried "bea herself cannot approve either: $STATUS $(code)"; return; fi
    fi
    if says "$said"; then closed "$(code "$said")"; else untried "refused without a code: $(one_line "$said" 120)"; fi
}
i1() { identity variable yes; }
i2() { identity variable no; }
i3() { identity user yes; }
i4() { identity settings yes; }
i5() { identity folder yes; }
try "ADJUTANT_USER, with a host" i1
try "ADJUTANT_USER, without a host" i2
try "USER" i3
try "me.id in the own settings" i4
try "me.id in ./adjutant.toml" i5

starter_name() { # the other way round: start under another name, approve under one's own
    fresh
    printf '[rules]\nfour_eyes = ["final_review"]\n' | settings
    plan p.yaml <<<'{title: Mine, tasks: [{id: a, tool: noop, with: {value: 1}}]}'
    adj run p.yaml --yes
    adj decide last approve
    if [ "$RC" = 0 ] || [[ $SAID != *ADJ-2013* ]]; then untried "the rule does not hold for the starter's own name: $(code)"; return; fi
    ADJUTANT_USER=somebody adj run p.yaml --yes
    local id
    adj list --json                                                      # newest first
    id=$(grep -o 'msn_[0-9a-z]\{26\}' <<<"$OUT" | head -1)
    adj decide "$id" approve
    if [ "$RC" = 0 ]; then opened "a mission started as somebody was approved by the same person as anna"
    elif says; then closed "$(code)"
    else untried "refused without a code: $(one_line "$SAID" 120)"; fi
}
try "starting under another name" starter_name
