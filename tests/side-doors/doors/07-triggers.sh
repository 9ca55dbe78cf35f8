# Side door 7: triggers.
#
# Who:   somebody who may not call a tool, who has used up a rate limit, or whose key was revoked.
# Tries: to let a trigger do it: plan a forbidden tool, start more missions than the limit allows, or go on after the key is gone.
# Must:  the trigger is refused with a code when it is added, or its firing is refused and recorded with a code. No mission starts.

soon() { # SECONDS: a time from now, in UTC
    date -u -d "+$1 seconds" +%Y-%m-%dT%H:%M:%SZ
}
count_missions() { call "$ADMIN" GET '/api/missions?limit=500' >/dev/null; pick 'len(d["missions"] if isinstance(d, dict) else d)'; }
missions_are() { [ "$(count_missions)" -ge "$1" ]; }
refusals() { call "$ADMIN" GET /api/triggers; }

writer() { template writer <<<'tasks: [{id: w, tool: write_file, with: {path: written.txt, text: "{{inputs.objective}}"}}]'; }

roles_http() {
    fresh
    printf '[tools]\nroles = {write_file = ["editor"]}\n' | settings
    writer
    serve || { untried "no server"; return; }
    key OLE ole operator
    key EDDA edda operator editor
    begin "$OLE" writer
    if [ "$STATUS" = 201 ]; then untried "a start without the role is not refused"; return; fi
    local why=$(code)
    begin "$EDDA" writer || { untried "a start with the role does not work: $(code)"; return; }
    call "$EDDA" POST /api/triggers "{\"schedule\": {\"at\": \"$(soon 600)\"}, \"start\": {\"mission\": \"writer\", \"objective\": \"x\"}}"
    if [ "$STATUS" != 201 ]; then untried "a trigger with the role does not work: $STATUS $(code)"; return; fi
    local before
    before=$(count_missions)
    call "$OLE" POST /api/triggers "{\"schedule\": {\"at\": \"$(soon 4)\"}, \"start\": {\"mission\": \"writer\", \"objective\": \"x\"}}"
    if [ "$STATUS" != 201 ] && says; then closed "$(code)"; return; fi
    sleep 10
    if [ "$(count_missions)" -gt "$before" ]; then opened "refused at a start ($why), but the trigger was added ($STATUS) and its mission began"
    else
        refusals
        if says "$BODY"; then closed "$(code "$BODY")"; else untried "the trigger was added; it did not fire, and no code says why"; fi
    fi
}
try "tools.roles, a trigger over HTTP" roles_http

roles_mixed() { # a type of which only one task uses the tool: a start leaves that task out, and so must the trigger
    fresh
    printf '[tools]\nroles = {write_file = ["editor"]}\n' | settings
    template mixed <<<'tasks: [{id: a, tool: noop, with: {value: 1}}, {id: w, after: a, tool: write_file, with: {path: written.txt, text: "{{inputs.objective}}"}}]'
    serve || { untried "no server"; return; }
    key OLE ole operator
    key EDDA edda operator editor
    local who token before
    for who in edda ole; do                                              # edda first: the harmless version
        token=$([ $who = edda ] && echo "$EDDA" || echo "$OLE")
        before=$(count_missions)
        call "$token" POST /api/triggers "{\"schedule\": {\"at\": \"$(soon 4)\"}, \"start\": {\"mission\": \"mixed\", \"objective\": \"x\"}}"
        if [ "$STATUS" != 201 ]; then
            if [ $who = edda ]; then untried "a trigger with the role does not work: $STATUS $(code)"; elif says; then closed "$(code)"; else untried "refused without a code: $STATUS"; fi
            return
        fi
        until_true 20 missions_are $((before + 1)) || { untried "the trigger of $who does not fire"; return; }
        use "$(newest)"
        approve "$ADMIN" plan_approval
        until_true 8 is_written written.txt
        if [ $who = edda ]; then
            is_written written.txt || { untried "with the role the file is not written either: $(phase)"; return; }
            rm -f "$(written written.txt)"
        fi
    done
    if is_written written.txt; then opened "the mission of ole's trigger wrote the file"
    else closed "the task that ole may not plan is left out of the trigger's mission"; fi
}
try "tools.roles, a trigger of a type that uses the tool among others" roles_mixed

roles_command() {
    fresh
    printf '[tools]\nroles = {write_file = ["editor"]}\n' | settings
    plan p.yaml <<<'{title: Write, tasks: [{id: w, tool: write_file, with: {path: written.txt, text: x}}]}'
    adj run p.yaml --yes
    local why=$(code)
    if [ "$RC" = 0 ] || ! says; then untried "run without the role is not refused: $(one_line "$SAID" 120)"; return; fi
    ADJUTANT_ROLES=editor adj run p.yaml --yes
    if [ "$RC" != 0 ]; then untried "run with the role does not work: $(one_line "$SAID" 120)"; return; fi
    rm -f "$(written written.txt)"
    ADJUTANT_ROLES=editor adj trigger add p.yaml --yes --at "$(soon 600)"
    if [ "$RC" != 0 ]; then untried "a trigger with the role does not work: $(one_line "$SAID" 120)"; return; fi
    adj trigger add p.yaml --yes --at "$(soon 5)"
    if [ "$RC" != 0 ] && says; then closed "$(code)"; return; fi
    host
    sleep 12
    adj trigger list --all
    if is_written written.txt; then opened "run is refused ($why), but a trigger wrote the file"
    elif says "$OUT"; then closed "$(code "$OUT")"
    else untried "the trigger did not fire, and no code says why: $(one_line "$OUT" 160)"; fi
}
try "tools.roles, trigger add" roles_command

roles_later() { # the role is taken away after the trigger was added
    fresh
    settings <<<''
    plan p.yaml <<<'{title: Write, tasks: [{id: w, tool: write_file, with: {path: written.txt, text: x}}]}'
    adj trigger add p.yaml --yes --at "$(soon 4)"
    [ "$RC" = 0 ] || { untried "trigger add does not work: $(one_line "$SAID" 120)"; return; }
    host
    until_true 20 is_written written.txt || { untried "a trigger does not fire at all"; return; }
    stop_server
    rm -f "$(written written.txt)"
    adj trigger add p.yaml --yes --at "$(soon 8)"
    printf '[tools]\nroles = {write_file = ["editor"]}\n' | settings
    host
    sleep 14
    stop_server
    adj trigger list --all
    if is_written written.txt; then opened "the trigger fired and wrote the file, though its owner no longer has the role"
    elif says "$OUT"; then closed "$(code "$OUT")"
    else
        local list=$OUT
        adj trigger list --all --json
        if says "$OUT"; then closed "$(code "$OUT")"; else untried "nothing was written, and no code says why: $(one_line "$list" 160)"; fi
    fi
}
try "tools.roles, changed before the trigger fires" roles_later

limits() { # SETTING
    fresh
    printf '[server.limits]\n%s\n' "$1" | settings
    writer
    serve || { untried "no server"; return; }
    key OLE ole operator
    begin "$OLE" writer || { untried "the first start does not work: $(code)"; return; }
    begin "$OLE" writer
    if [ "$STATUS" != 429 ]; then untried "the second start is not refused: $STATUS"; return; fi
    local why=$(code)
    key EVA eva operator
    call "$EVA" POST /api/triggers "{\"schedule\": {\"at\": \"$(soon 3)\"}, \"start\": {\"mission\": \"writer\", \"objective\": \"x\"}}"
    if [ "$STATUS" != 201 ]; then untried "a trigger within the limit does not work: $(code)"; return; fi
    until_true 20 missions_are 2 || { untried "a trigger within the limit does not fire"; return; }
    local before i at
    before=$(count_missions)
    at=$(soon 4)
    for i in 1 2 3 4 5; do
        call "$OLE" POST /api/triggers "{\"schedule\": {\"at\": \"$at\"}, \"start\": {\"mission\": \"writer\", \"objective\": \"x\"}}"
        [ "$STATUS" = 201 ] || break
    done
    if [ "$STATUS" != 201 ]; then
        case $STATUS in 429|403) closed "$(code)" ;; *) untried "the trigger was refused for another reason: $STATUS $(code)" ;; esac
        return
    fi
    sleep 12
    local after
    after=$(count_missions)
    if [ "$after" -gt "$before" ]; then opened "starts are refused ($why), but triggers began $((after - before)) more missions for the same user"
    else
        refusals
        if says "$BODY"; then closed "$(code "$BODY")"; else untried "nothing began, and no code says why"; fi
    fi
}
at_once() { limits 'user_at_once = 1'; }
per_minute() { limits $'user_per_minute = 1\nuser_at_once = 50'; }
try "user_at_once, five triggers" at_once
try "user_per_minute, five triggers" per_minute

outlives() { # START-OR-INFORM
    fresh
    settings <<<''
    writer
    plan p.yaml <<<'{title: Wait, tasks: [{id: a, human: "Go on?"}]}'
    serve || { untried "no server"; return; }
    key OLE ole operator
    key EVA eva operator
    run_plan p.yaml && approve "$ADMIN" plan_approval || { untried "no mission"; return; }
    local target
    if [ "$1" = start ]; then target='"start": {"mission": "writer", "objective": "x"}'
    else target="\"inform\": {\"mission\": \"$ID\", \"topic\": \"TOPIC\", \"trust\": \"trusted\", \"body\": \"x\"}"; fi
    call "$EVA" POST /api/triggers "{\"schedule\": {\"at\": \"$(soon 3)\"}, ${target//TOPIC/of-eva}}"
    [ "$STATUS" = 201 ] || { untried "a trigger cannot be added: $(code)"; return; }
    call "$OLE" POST /api/triggers "{\"schedule\": {\"at\": \"$(soon 10)\"}, ${target//TOPIC/of-ole}}"
    [ "$STATUS" = 201 ] || { untried "a trigger cannot be added: $(code)"; return; }
    call "$ADMIN" DELETE /api/access/ole
    call "$OLE" GET /api/stats
    [ "$STATUS" = 401 ] || { untried "the key is not revoked: $STATUS"; return; }
    sleep 18
    local eva ole
    if [ "$1" = start ]; then
        eva=$(( $(count_missions) - 1 ))
        ole=$((eva - 1))
    else
        adj events "$ID" --json >/dev/null
        eva=$(grep -c of-eva <<<"$OUT") ole=$(grep -c of-ole <<<"$OUT")
    fi
    if [ "$eva" -lt 1 ]; then untried "the trigger of a valid key did not fire"; return; fi
    if [ "$ole" -ge 1 ]; then opened "the trigger fired after the key that created it was revoked"; return; fi
    refusals
    if says "$BODY"; then closed "$(code "$BODY")"
    else
        adj trigger list --all
        if says; then closed "$(code)"; else closed "the trigger did not fire: $(one_line "$(grep -i -m1 -E 'ole|revok|key' <<<"$OUT")" 140)"; fi
    fi
}
o1() { outlives start; }
o2() { outlives inform; }
try "a trigger that starts a mission, key revoked" o1
try "a trigger that informs a mission, key revoked" o2
