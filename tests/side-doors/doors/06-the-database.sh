# Side door 6: somebody with access to the database.
#
# Who:   an administrator of the database file, without the keys.
# Tries: a) to insert a mission with a plaintext journal and no key, so that the host carries it out and signs it; b) to put back
#        an older version of a record: a key that was revoked, a stop that was lifted; to remove a stop; c) to cut off the end of the
#        audit log.
# Must:  a) the mission is not carried out and not signed; b) the key stays revoked, the stop stays in force, c) the missing end
#        is reported: with a code at the start of the host or by `adjutant verify --all`.

inserted() {
    fresh
    settings <<<''
    plan p.yaml <<<'{title: honest, tasks: [{id: w, tool: write_file, with: {path: honest.txt, text: honest}}]}'
    adj run p.yaml --yes --detach
    local honest
    honest=$(grep -o 'msn_[0-9a-z]\{26\}' <<<"$SAID" | head -1)
    adj events "$honest" --json
    cp "$T/out" "$T/events"
    local forged
    forged=$(helper store mission "$ADJUTANT_HOME/adjutant.db" "$T/events" "$honest") || { untried "the store looks different: the script must be adapted"; return; }
    echo "honest $honest, forged $forged"
    adj list --all
    host
    local up=$?
    until_true 20 is_written honest.txt
    sleep 3
    stop_server
    local log
    log=$(cat "$T/serve.log")
    echo "$log"
    if is_written forged.txt; then
        adj verify "$forged"
        opened "the inserted mission was carried out; verify says: $(one_line "$OUT" 120)"
        return
    fi
    adj verify --all
    if ! is_written honest.txt && [ "$up" = 0 ] && ! says "$log"; then
        untried "the honest mission was not carried out either: $(one_line "$log" 160)"
    elif says "$log"; then closed "not carried out: $(code "$log")"
    elif [ "$RC" != 0 ] && says; then closed "not carried out: $(code)"
    else
        adj show "$forged"
        if says; then closed "not carried out: $(code)"; else untried "not carried out, but no code says why: $(one_line "$SAID" 160)"; fi
    fi
}
try "a plaintext mission without a key" inserted

inserted_verify() { # the same, only listed and verified: is it passed as whole and signed?
    fresh
    settings <<<''
    plan p.yaml <<<'{title: honest, tasks: [{id: w, tool: write_file, with: {path: honest.txt, text: honest}}]}'
    adj run p.yaml --yes --detach
    local honest forged
    honest=$(grep -o 'msn_[0-9a-z]\{26\}' <<<"$SAID" | head -1)
    adj events "$honest" --json
    cp "$T/out" "$T/events"
    adj sign
    adj verify --all
    if [ "$RC" != 0 ]; then untried "the untouched store does not verify: $(code)"; return; fi
    forged=$(helper store mission "$ADJUTANT_HOME/adjutant.db" "$T/events" "$honest") || { untried "the store looks different: the script must be adapted"; return; }
    adj sign
    local signed=$SAID
    adj verify --all
    if [ "$RC" != 0 ] && says; then closed "$(code)"
    elif says "$signed"; then closed "$(code "$signed")"
    else opened "sign signs the inserted mission ($(one_line "$signed" 60)), and verify --all says: $(one_line "$(grep -m1 "${forged: -6}" <<<"$OUT")" 100)"; fi
}
try "a plaintext mission is signed and verified" inserted_verify

# A store with a mission, a key of ole, and everything signed.
world() {
    fresh
    settings <<<''
    plan p.yaml <<<'{title: A mission, tasks: [{id: a, tool: noop, with: {value: 1}}]}'
    serve || return 1
    key OLE ole operator
    run_plan p.yaml --yes && until_true 15 ended
    call "$OLE" GET /api/stats
    [ "$STATUS" = 200 ]
}
report() { # what a start of the server and verify say about the store: FOUND
    FOUND=''
    if ! serve; then
        FOUND=$(cat "$T/serve.log")
        says "$FOUND" || FOUND=''
    fi
}
verified() {
    [ -n "$FOUND" ] && return
    adj verify --all
    if [ "$RC" != 0 ] && says; then FOUND=$SAID; return; fi
    adj doctor
    if [ "$RC" != 0 ] && says; then FOUND=$SAID; fi
}

revoked() {
    world || { untried "no server"; return; }
    stop_server
    helper store save "$ADJUTANT_HOME/adjutant.db" access "$T/access" || { untried "the store looks different"; return; }
    serve || { untried "the server does not start again"; return; }
    call "$ADMIN" DELETE /api/access/ole
    call "$OLE" GET /api/stats
    if [ "$STATUS" != 401 ]; then untried "the key is not revoked: $STATUS"; return; fi
    stop_server
    adj sign
    adj verify --all
    if [ "$RC" != 0 ]; then untried "the untouched store does not verify: $(code)"; return; fi
    helper store put "$ADJUTANT_HOME/adjutant.db" access "$T/access" || { untried "the record is the same as before"; return; }
    report
    if [ -n "$SERVER" ]; then
        call "$OLE" GET /api/stats
        local status=$STATUS said=$BODY
        stop_server
        verified
        if [ "$status" = 200 ]; then opened "the revoked key works again$([ -n "$FOUND" ] && echo "; verify says $(code "$FOUND")")"; return; fi
        [ -n "$FOUND" ] || FOUND=$said
    fi
    if [ -n "$FOUND" ]; then closed "$(code "$FOUND")"; else untried "the server does not start, and no code says why"; fi
}
try "a revoked key put back" revoked

stop_removed() {
    world || { untried "no server"; return; }
    call "$ADMIN" POST /api/stops '{"what": "tool/write_file", "reason": "emergency"}'
    plan w.yaml <<<'{title: Writes, tasks: [{id: w, tool: write_file, with: {path: written.txt, text: x}}]}'
    run_plan w.yaml --yes
    sleep 3
    if is_written written.txt; then untried "the stop does not hold"; return; fi
    stop_server
    adj sign
    adj verify --all
    if [ "$RC" != 0 ]; then untried "the untouched store does not verify: $(code)"; return; fi
    helper store drop "$ADJUTANT_HOME/adjutant.db" stop || { untried "the store looks different"; return; }
    report
    local wrote=''
    if [ -n "$SERVER" ]; then
        call "$ADMIN" POST "$M/commands" '"resume"'
        run_plan w.yaml --yes
        sleep 4
        is_written written.txt && wrote=1
        stop_server
    fi
    verified
    if [ -n "$wrote" ]; then opened "a stop was deleted from the store, and the stopped tool wrote its file$([ -n "$FOUND" ] && echo "; verify says $(code "$FOUND")")"
    elif [ -n "$FOUND" ]; then closed "$(code "$FOUND")"
    else untried "nothing was written, and no code says why"; fi
}
try "a stop removed" stop_removed

stop_back() {
    world || { untried "no server"; return; }
    call "$ADMIN" POST /api/stops '{"what": "tool/write_file", "reason": "emergency"}'
    stop_server
    helper store save "$ADJUTANT_HOME/adjutant.db" stop "$T/stop" || { untried "the store looks different"; return; }
    serve || { untried "the server does not start again"; return; }
    call "$ADMIN" DELETE /api/stops/tool/write_file
    [ "$STATUS" = 200 ] || { untried "the stop cannot be lifted: $STATUS"; return; }
    stop_server
    adj sign
    adj verify --all
    if [ "$RC" != 0 ]; then untried "the untouched store does not verify: $(code)"; return; fi
    helper store put "$ADJUTANT_HOME/adjutant.db" stop "$T/stop" || { untried "the record is the same as before"; return; }
    report
    local active=''
    if [ -n "$SERVER" ]; then
        call "$ADMIN" GET /api/stops
        [[ $BODY == *write_file* ]] && active=1
        stop_server
    fi
    verified
    if [ -n "$FOUND" ]; then closed "$(code "$FOUND")"
    elif [ -n "$active" ]; then opened "a lifted stop was put back, is in force again, and verify --all finds nothing"
    else closed "the lifted stop does not come back"; fi
}
try "a lifted stop put back" stop_back

audit() { # COUNT
    world || { untried "no server"; return; }
    call "$ADMIN" DELETE /api/access/ole
    stop_server
    adj sign
    adj verify --all
    if [ "$RC" != 0 ]; then untried "the untouched store does not verify: $(code)"; return; fi
    helper store drop "$ADJUTANT_HOME/adjutant.db" audit $1 || { untried "the store looks different"; return; }
    adj verify --all
    local first=$SAID rc=$RC
    report
    local read='' complete=''
    if [ -n "$SERVER" ]; then
        call "$ADMIN" GET '/api/audit?kind=configuration'
        read="$STATUS"
        [ "$STATUS" != 200 ] && says && FOUND=$BODY
        grep -qiE 'broken|missing|cut off|truncated|altered' <<<"$BODY" && FOUND=$BODY
        stop_server
    fi
    if [ "$rc" != 0 ] && says "$first"; then closed "$(code "$first")"
    elif [ -n "$FOUND" ]; then closed "$(code "$FOUND")$(says "$FOUND" || one_line "$FOUND" 120)"
    else opened "the last $1 entries of the audit log were deleted (who revoked which key): verify --all and GET /api/audit ($read) say nothing"; fi
}
a1() { audit 1; }
a2() { audit 3; }
try "the last entry of the audit log removed" a1
try "the last three entries of the audit log removed" a2
audit_all() {
    world || { untried "no server"; return; }
    stop_server
    adj sign
    helper store drop "$ADJUTANT_HOME/adjutant.db" audit || { untried "the store looks different"; return; }
    adj verify --all
    local rc=$RC
    if [ "$rc" != 0 ] && says; then closed "$(code)"; return; fi
    report
    if [ -n "$FOUND" ]; then closed "$(code "$FOUND")"; return; fi
    call "$ADMIN" GET /api/audit
    if [ "$STATUS" != 200 ] && says; then closed "$(code)"; else opened "the whole audit log was deleted, and nothing says so"; fi
}
try "the whole audit log removed" audit_all
