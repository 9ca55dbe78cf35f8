# Side door 9: event streams that outlive their key.
#
# Who:   somebody whose key was revoked, for example after leaving the team.
# Tries: to keep reading through an event stream that was opened while the key was valid.
# Must:  the stream ends within a few seconds with a `dropped` event and a code, and carries nothing that happens afterwards.
#        A stream with a valid key goes on.

follow() { # NAME TOKEN METHOD PATH [BODY]: keeps a stream open in the background
    local name=$1 token=$2 method=$3 path=$4 body=${5-}
    start "$name" curl -sS -N -m 120 -X "$method" -H "Authorization: Bearer $token" ${body:+-d "$body"} "$SERVER$path"
}
got() { grep -q -- "$2" "$T/$1.log"; }

stream() { # METHOD PATH BODY HOW
    local method=$1 path=$2 body=$3 how=$4
    fresh
    settings <<<''
    plan p.yaml <<<'{title: Streamed, tasks: [{id: a, tool: noop, with: {value: 1}}, {id: ask1, after: a, human: "The first question?"}, {id: ask2, after: ask1, human: "The second question?"}, {id: ask3, after: ask2, human: "The third question?"}]}'
    serve || { untried "no server"; return; }
    key EVA eva operator
    key OLE ole operator
    run_plan p.yaml || { untried "no mission"; return; }
    approve "$ADMIN" plan_approval || { untried "the plan cannot be approved"; return; }
    until_true 15 has_open || { untried "no question"; return; }
    path=${path//MISSION/$ID}
    follow eva "$EVA" "$method" "$path" "$body"
    local eva=$PID
    follow ole "$OLE" "$method" "$path" "$body"
    local ole=$PID
    sleep 1.5
    if [ "$method" = POST ]; then                                        # a stream that starts its own mission
        until_true 10 got eva session_id && until_true 10 got ole session_id || { untried "the streams do not start: $(one_line "$(cat "$T/eva.log")" 120)"; return; }
    else
        decide "$ADMIN" "$(open_checkpoint)" '{"verdict": "approve"}'
        until_true 15 got eva event: && until_true 15 got ole event: || { untried "a stream with a valid key receives nothing: $(one_line "$(cat "$T/eva.log")" 120)"; return; }
    fi
    if [ "$how" = http ]; then call "$ADMIN" DELETE /api/access/eva; else adj access revoke eva; fi
    call "$EVA" GET /api/stats
    [ "$STATUS" = 401 ] || { untried "the key is not revoked: $STATUS"; return; }
    sleep 8
    local before_eva before_ole
    before_eva=$(wc -c <"$T/eva.log") before_ole=$(wc -c <"$T/ole.log")
    if [ "$method" = POST ]; then
        # each stream shows its own session: cancel both
        local name sid
        for name in eva ole; do
            sid=$(grep -o '"session_id":"[^"]*"' "$T/$name.log" | head -1 | cut -d'"' -f4)
            call "$ADMIN" POST "/api/mode3/$sid/cancel"
        done
    else
        until_true 10 has_open
        decide "$ADMIN" "$(open_checkpoint)" '{"verdict": "approve"}'
    fi
    sleep 4
    local after_eva after_ole
    after_eva=$(wc -c <"$T/eva.log") after_ole=$(wc -c <"$T/ole.log")
    if [ "$after_ole" -le "$before_ole" ]; then untried "the stream with a valid key does not go on"
    elif [ "$after_eva" -gt "$before_eva" ]; then opened "12 s after the key was revoked, the stream still carried $((after_eva - before_eva)) bytes of new events"
    elif kill -0 "$eva" 2>/dev/null; then opened "the stream is still open 12 s after the key was revoked"
    elif says "$(cat "$T/eva.log")"; then closed "$(code "$(grep -a -A3 dropped "$T/eva.log")")"
    else opened "the stream ended, but without a code"; fi
    end "$eva"; end "$ole"
}
all() { stream GET /api/events '' http; }
one() { stream GET /api/missions/MISSION/events '' http; }
inbox() { stream GET /api/inbox/events '' http; }
by_command() { stream GET /api/events '' command; }
mode3() {
    fresh
    settings <<<''
    serve || { untried "no server"; return; }
    call "$ADMIN" GET /api/agents >/dev/null
    local agent
    agent=$(pick 'next(a["uuid"] for a in d["agents"] if a["level"] == "L2" and "deep_dive" in a["missions"])')
    [ -n "$agent" ] || { untried "the expert of deep_dive is not found"; return; }
    stream POST /api/mode3/stream "{\"agent_id\": \"$agent\", \"message\": \"What is known of Velmoran?\", \"mission_type\": \"deep_dive\"}" http
}
try "GET /api/events" all
try "GET /api/missions/{mission}/events" one
try "GET /api/inbox/events" inbox
try "POST /api/mode3/stream" mode3
try "revoked with adjutant access revoke" by_command

expiry() { untried "the shortest life of a key is a day, and this script cannot change the clock"; }
try "a key that expires" expiry
