# Side door 4: forks that keep approvals.
#
# Who:   an analyst, who may start and fork missions but decide nothing.
# Tries: to fork a mission that others have approved, with other inputs or another model, so that the old approval of the plan and
#        the opener's waivers (`--yes`) carry something that nobody has approved.
# Must:  the fork asks for the plan again (nothing runs before), or is refused with a code. A fork without changes works.

world() { # [OPTIONS OF RUN]: a mission that sends after a pause; AT is the event after its approval
    fresh
    reach | settings
    sink || return 1
    plan p.yaml <<EOP
title: Send
inputs: {target: agreed}
tasks:
  - {id: pause, tool: sleep, with: {seconds: 3}}
  - {id: send, after: pause, tool: http, with: {url: "$SINK/{{inputs.target}}"}}
EOP
    serve || return 1
    key ANA ana analyst
    run_plan p.yaml "$@" || return 1
    [ $# -gt 0 ] || approve "$ADMIN" plan_approval || return 1
    until_true 20 was_seen 'GET /agreed' || return 1
}
fork_anywhere() { # TOKEN MORE: forks at the first event after the plan was approved where it is possible: FORK
    local at
    for at in $(seq 3 12); do
        call "$1" POST "$M/fork" "{\"at\": $at$2}"
        [ "$STATUS" != 201 ] || break
        [[ $BODY == *ADJ-3063* || $BODY == *ADJ-3062* || $BODY == *ADJ-3064* ]] || break
    done
    FORK=$(pick 'd["mission"]')
    [ "$STATUS" = 201 ]
}
inputs() { # [OPTIONS OF RUN]
    world "$@" || { untried "the mission does not run"; return; }
    local origin=$ID
    fork_anywhere "$ANA" '' || { untried "a fork without changes is refused: $STATUS $(code)"; return; }
    : >"$T/sink.seen"
    use "$FORK"
    until_true 15 was_seen 'GET /agreed' || note "a fork without changes does not run by itself: $(phase)"
    use "$origin"
    fork_anywhere "$ANA" ', "inputs": {"target": "elsewhere"}'
    if [ "$STATUS" != 201 ]; then
        if says && [[ $BODY != *ADJ-9001* && $BODY != *ADJ-306* ]]; then closed "$(code)"; else untried "refused for another reason: $STATUS $(code)"; fi
        return
    fi
    use "$FORK"
    sleep 7
    if [ "$(seen 'GET /elsewhere')" != 0 ]; then opened "ana forked with another input; the fork requested /elsewhere with the old approval"
    elif has_open plan_approval; then
        approve "$ADMIN" plan_approval
        if until_true 15 was_seen 'GET /elsewhere'; then closed "the fork asks for the plan again"; else untried "the fork does not run after an approval either: $(phase)"; fi
    else untried "nothing was sent, but nobody is asked: $(phase)"; fi
}
i1() { inputs; }
i2() { inputs --yes; }
try "another input, the plan was approved by a person" i1
try "another input, the plan was waived with --yes" i2

waivers() { # the opener's waivers of later questions
    fresh
    reach | settings
    sink || { untried "no sink"; return; }
    plan p.yaml <<EOP
title: Send
inputs: {target: agreed}
autonomy: strict
tasks:
  - {id: pause, tool: sleep, with: {seconds: 3}}
  - {id: sure, after: pause, human: "Is {{inputs.target}} right?"}
  - {id: send, after: sure, tool: http, with: {url: "$SINK/{{inputs.target}}", method: PUT, body: a}}
EOP
    serve || { untried "no server"; return; }
    key ANA ana analyst
    run_plan p.yaml --yes
    until_true 20 was_seen 'PUT /agreed' || { untried "with --yes the mission does not run: $(phase)"; return; }
    fork_anywhere "$ANA" ', "inputs": {"target": "elsewhere"}'
    if [ "$STATUS" != 201 ]; then
        if says && [[ $BODY != *ADJ-9001* && $BODY != *ADJ-306* ]]; then closed "$(code)"; else untried "refused for another reason: $STATUS $(code)"; fi
        return
    fi
    use "$FORK"
    sleep 6
    if [ "$(seen 'PUT /elsewhere')" != 0 ]; then opened "ana forked with another input; the waivers of the opener covered the plan, the question and the call to /elsewhere"; return; fi
    # Approve the plan; the question and the call must be asked about too.
    if has_open plan_approval; then
        approve "$ADMIN" plan_approval
        sleep 7
        if [ "$(seen 'PUT /elsewhere')" != 0 ]; then opened "after the approval of the plan, the opener's waivers covered the question and the call of ana's fork"
        elif has_open critical_decision; then closed "the plan and the question are asked about again"
        else untried "nobody is asked: $(phase)"; fi
    elif has_open; then closed "the fork asks again"
    else untried "nothing was sent, but nobody is asked: $(phase)"; fi
}
try "another input, later questions were waived with --yes" waivers

command_line() {
    world --yes || { untried "the mission does not run"; return; }
    local at
    for at in $(seq 3 12); do
        adj fork "$ID" --at "$at" --json
        [ "$RC" != 0 ] || break
    done
    if [ "$RC" != 0 ]; then untried "a fork without changes is refused: $(code)"; return; fi
    # ana forks, not the owner of the machine: waivers of whoever forks may count
    ADJUTANT_SERVER=$SERVER ADJUTANT_TOKEN=$ANA adj fork "$ID" --at "$at" --set input=target=elsewhere --json
    if [ "$RC" != 0 ]; then
        if says; then closed "$(code)"; else untried "refused without a code"; fi
        return
    fi
    use "$(grep -o 'msn_[0-9a-z]\{26\}' <<<"$OUT" | head -1)"
    sleep 7
    if [ "$(seen 'GET /elsewhere')" != 0 ]; then opened "adjutant fork --set input= ran with the waivers of the original"
    elif has_open plan_approval; then closed "the fork asks for the plan again"
    else untried "nothing was sent, but nobody is asked: $(phase)"; fi
}
try "adjutant fork --set input=" command_line

model() {
    fresh
    sink llm --status /v1/chat/completions=500 || { untried "no sink"; return; }
    cat <<EOP | settings
[models.providers.far]
kind = "compatible"
url = "$SINK/v1"
zone = "outside"
retry_wait_ms = 10
[models.tiers]
worker = ["offline"]
[models.complexity.complex]
worker = ["far/away"]
[models.prices."far/away"]
price = "free"
EOP
    plan p.yaml <<'EOP'
title: Ask
tasks:
  - {id: pause, tool: sleep, with: {seconds: 3}}
  - {id: ask, after: pause, agent: extract, with: {question: "Who?", sources: [{id: a, text: "Corvane was given to the patient by the nurse."}]}}
EOP
    serve || { untried "no server"; return; }
    key ANA ana analyst
    run_plan p.yaml && approve "$ADMIN" plan_approval && until_true 20 has_open final_review || { untried "the mission does not run: $(phase) $(code)"; return; }
    if [ "$(seen . llm)" != 0 ]; then untried "the original already asked the other model"; return; fi
    local origin=$ID
    fork_anywhere "$ANA" '' || { untried "a fork without changes is refused: $STATUS $(code)"; return; }
    use "$origin"
    fork_anywhere "$ANA" ', "model": "far/away"'
    if [ "$STATUS" != 201 ]; then
        if says && [[ $BODY != *ADJ-9001* && $BODY != *ADJ-306* ]]; then closed "$(code)"; else untried "refused for another reason: $STATUS $(code)"; fi
        return
    fi
    use "$FORK"
    sleep 7
    if [ "$(seen . llm)" != 0 ]; then opened "ana forked with another model; the content was sent to it $(seen 'POST' llm) times with the old approval"
    elif has_open plan_approval; then
        approve "$ADMIN" plan_approval
        if until_true 15 grep -q POST "$T/llm.seen"; then closed "the fork asks for the plan again"; else untried "the fork does not run after an approval either: $(phase)"; fi
    else untried "nothing was sent, but nobody is asked: $(phase)"; fi
}
try "another model" model
