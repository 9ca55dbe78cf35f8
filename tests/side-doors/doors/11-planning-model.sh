# Side door 11: the plan that a model proposes.
#
# Who:   an analyst who may start missions, on a server whose model adapts the plan first.
# Tries: to have the model asked in the name of the server's operator: with the operator's rights, outside of the analyst's rate
#        limits and budget, and for missions that the analyst may not start.
# Must:  the planning belongs to the analyst (author, audit log), counts towards the limits before the model is asked, stays within
#        the budget of the request, and does not happen for a request that is refused.

model() { # MORE SETTINGS
    : >"$T/llm.seen"
    start llm "$PYTHON" "$HERE/lib/model.py" "$T/llm"
    until_true 20 test -s "$T/llm.port" || return 1
    SINK=http://127.0.0.1:$(<"$T/llm.port")
    printf '[models.providers.m]\nkind = "compatible"\nurl = "%s/v1"\nretry_wait_ms = 10\n[models.tiers]\nexpert = ["m/x", "offline"]\n[models.prices."m/x"]\n%s\n%s\n' \
        "$SINK" "${PRICE:-price = \"free\"}" "$1" | settings
    template planned <<<'tasks: [{id: a, tool: noop, with: {value: "{{inputs.objective}}"}}, {id: w, after: a, tool: write_file, with: {path: a.txt, text: "x"}}]'
    serve && key ANA ana analyst
}
asked() { seen 'POST /v1' llm; }

by() { # MISSION: who opened it, by the audit log and by the mission itself
    call "$ADMIN" GET "/api/audit?limit=1000&mission=$1" >/dev/null
    pick "next(l['by'] for l in d['lines'] if l['kind'] == 'mission')"
    call "$ADMIN" GET "/api/missions/$1" >/dev/null
    pick "d['mission']['opened_by']['id']"
}
identity() { # TYPE
    fresh
    model '' || { untried "no server"; return; }
    begin "$ANA" "$1" || { untried "the start does not work: $(code)"; return; }
    local mine=$ID whose
    if [ "$(asked)" = 0 ]; then untried "the model is not asked for a plan"; return; fi
    call "$ANA" GET "$M/plan" >/dev/null
    if [[ $BODY != *"Planned by a model"* ]]; then untried "the model's plan is not used: $(one_line "$BODY" 160)"; return; fi
    whose=$(by "$mine" | sort -u | tr '\n' ' ')
    if [ "$whose" != "ana " ]; then opened "the mission with the model's plan was opened by $whose"; return; fi
    local other
    other=$(newest "$mine")
    if [ -z "$other" ]; then closed "there is only ana's own mission"; return; fi
    whose=$(by "$other" | sort -u | tr '\n' ' ')
    if [ "$whose" = "ana " ]; then closed "the planning and the mission were opened by ana"
    else opened "the planning of ana's mission was opened by $whose"; fi
}
i1() { identity deep_dive; }
i2() { identity planned; }
try "whose name, deep_dive" i1
try "whose name, a template of the owner" i2

mode3() {
    fresh
    model '' || { untried "no server"; return; }
    call "$ADMIN" GET /api/agents >/dev/null
    local agent
    agent=$(pick 'next(a["uuid"] for a in d["agents"] if a["level"] == "L2" and "deep_dive" in a["missions"])')
    LIMIT=6 call "$ANA" POST /api/mode3/stream "{\"agent_id\": \"$agent\", \"message\": \"What is known of Velmoran?\", \"mission_type\": \"deep_dive\"}" >/dev/null
    if [ "$(asked)" = 0 ]; then untried "the model is not asked for a plan: $(one_line "$BODY" 120)"; return; fi
    call "$ADMIN" GET /api/missions >/dev/null
    local one all whose=''
    all=$(pick '" ".join(m["mission"] for m in d["missions"])')
    for one in $all; do whose+=" $(by "$one" | sort -u | tr '\n' ' ')"; done
    if [ -n "$(tr -d ' ' <<<"${whose//ana/}")" ]; then opened "the missions of ana's session were opened by$whose"; else closed "all missions of ana's session were opened by ana"; fi
}
try "whose name, the Mode 3 route" mode3

triggered() {
    fresh
    model '' || { untried "no server"; return; }
    key OLE ole operator
    call "$OLE" POST /api/triggers "{\"schedule\": {\"at\": \"$(date -u -d '+4 seconds' +%Y-%m-%dT%H:%M:%SZ)\"}, \"start\": {\"mission\": \"deep_dive\", \"objective\": \"x\"}}"
    [ "$STATUS" = 201 ] || { untried "a trigger does not work: $(code)"; return; }
    sleep 9
    if [ "$(asked)" = 0 ]; then closed "a trigger does not ask the model"; return; fi
    call "$ADMIN" GET /api/missions >/dev/null
    local one all whose=''
    all=$(pick '" ".join(m["mission"] for m in d["missions"])')
    for one in $all; do whose+=" $(by "$one" | sort -u | tr '\n' ' ')"; done
    if [[ " $whose " == *" $OWNER "* ]]; then opened "missions of ole's trigger were opened by$whose ($OWNER is the server's owner)"; else closed "no mission of ole's trigger is in the name of the server's owner:$whose"; fi
}
try "whose name, a trigger" triggered

available() {
    fresh
    model $'[tools]\nroles = {http_post = ["editor"]}' || { untried "no server"; return; }
    key EDDA edda analyst editor
    begin "$EDDA" planned || { untried "a start with the role does not work: $(code)"; return; }
    if ! grep -q 'Available:[^.]*http_post' "$T/llm.seen"; then untried "the model is not told which tools somebody with the role has"; return; fi
    : >"$T/llm.seen"
    begin "$ANA" planned || { untried "a start does not work: $(code)"; return; }
    if [ "$(asked)" = 0 ]; then untried "the model is not asked for ana"; return; fi
    if grep -q 'Available:[^.]*http_post' "$T/llm.seen"; then opened "for ana, who may not call http_post, the model is told that it is available"
    else closed "the model is told the tools of the caller"; fi
}
try "the tools that the model is told" available

limits() {
    fresh
    model $'[server.limits]\nuser_per_minute = 1' || { untried "no server"; return; }
    begin "$ANA" deep_dive || { untried "the start does not work: $(code)"; return; }
    local once
    once=$(asked)
    if [ "$once" = 0 ]; then untried "the model is not asked for a plan"; return; fi
    local i why=''
    for i in 1 2 3; do
        begin "$ANA" deep_dive
        [ "$STATUS" = 429 ] && why=$(code)
    done
    if [ -z "$why" ]; then untried "the limit does not hold: $STATUS"; return; fi
    if [ "$(asked)" -gt "$once" ]; then opened "three refused starts ($why) asked the model $(( $(asked) - once )) more times"
    else closed "$why"; fi
}
try "rate limits before the model is asked" limits

forbidden() {
    fresh
    model $'[tools]\nroles = {write_file = ["editor"]}' || { untried "no server"; return; }
    key EDDA edda analyst editor
    begin "$EDDA" planned || { untried "a start with the role does not work: $(code)"; return; }
    local once
    once=$(asked)
    if [ "$once" = 0 ]; then untried "the model is not asked for a plan of this type"; return; fi
    call "$EDDA" GET "$M/plan" >/dev/null
    if [[ $BODY != *write_file* ]]; then untried "the plan of somebody with the role does not use the tool"; return; fi
    begin "$ANA" planned
    if [ "$STATUS" != 201 ]; then
        if [ "$(asked)" -gt "$once" ]; then opened "a start that is refused ($(code)) asked the model first"; else closed "$(code)"; fi
        return
    fi
    call "$ANA" GET "$M/plan" >/dev/null
    if [[ $BODY == *write_file* ]]; then opened "the plan of somebody without the role calls write_file"; return; fi
    closed "the tool that ana may not call is left out of her plan"
}
try "tools of the caller, not of the operator" forbidden

budget() {
    fresh
    PRICE=$'input = "1000.00"\noutput = "1000.00"' model '' || { untried "no server"; return; }
    begin "$ANA" deep_dive '"budget": 1000.0' || { untried "the start does not work: $(code)"; return; }
    local once
    once=$(asked)
    if [ "$once" = 0 ]; then untried "the model is not asked within a large budget"; return; fi
    begin "$ANA" deep_dive '"budget": 0.0001'
    if [ "$(asked)" -gt "$once" ]; then opened "with a budget of \$0.0001 the model was asked $(( $(asked) - once )) times, at \$1 per thousand tokens"
    elif says; then closed "$(code)"
    else closed "the model is not asked beyond the budget"; fi
}
try "the budget of the request" budget

caps() {
    fresh
    PRICE=$'input = "1000.00"\noutput = "1000.00"' model '' || { untried "no server"; return; }
    begin "$ANA" deep_dive || { untried "the start does not work: $(code)"; return; }
    local once
    once=$(asked)
    if [ "$once" = 0 ]; then untried "the model is not asked without caps"; return; fi
    call "$ADMIN" PUT /api/accounts '{"account": "tenant", "per": "day", "hard": {"money": 1}}'
    [ "$STATUS" = 200 ] || { untried "the cap cannot be set: $(code)"; return; }
    begin "$ANA" deep_dive
    if [ "$(asked)" -gt "$once" ]; then opened "beyond the tenant's cap the model was asked $(( $(asked) - once )) times"
    elif says; then closed "$(code)"
    else closed "the model is not asked beyond the tenant's cap"; fi
}
try "the caps of the tenant" caps
