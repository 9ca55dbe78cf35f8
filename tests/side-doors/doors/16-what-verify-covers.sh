# Side door 16: changes that verification does not see.
#
# Who:   somebody who passes on an export, or an administrator of the database.
# Tries: a) to change the summary of a mission in an export without a key, to recompute the hash at the end, and to have it
#        verified and imported; b) to append bytes; c) to change what a tenant has spent, and its caps, in the store.
# Must:  `verify` reports each of them with a code, or says next to "not proved" that this part is not covered.

make_export() {
    fresh
    settings <<<''
    plan p.yaml <<<'{title: The offer, tasks: [{id: a, tool: noop, with: {value: 1}}, {id: w, after: a, tool: write_file, with: {path: a.txt, text: x}}]}'
    adj run p.yaml --yes
    adj sign
    rm -f "$WORK/m.adj"
    adj export last -o m.adj
    adj verify --file m.adj
    [ "$RC" = 0 ]
}

# covered WHAT: judges what `verify` said about a changed file. GOOD is what it said about the file before.
covered() { # DESCRIPTION PATTERN-IN-NOT-PROVED
    if [ "$RC" != 0 ] && says; then closed "$(code)"
    elif [ "$RC" != 0 ]; then closed "$(one_line "$SAID" 160)"
    elif grep -iE -A12 'not proved|does not prove|not covered|not proven' <<<"$SAID" | grep -qiE "$2"; then closed "listed under \"not proved\": $(one_line "$(grep -iE -m1 "$2" <<<"$SAID")" 140)"
    else opened "$1: verify says: $(one_line "$OUT" 200)"; fi
}

forged() { # EDIT PATTERN DESCRIPTION
    make_export || { untried "an honest export does not verify: $(one_line "$SAID" 160)"; return; }
    helper adj_file same "$WORK/m.adj" "$WORK/same.adj"
    adj verify --file same.adj
    if [ "$RC" != 0 ]; then untried "a file written again without changes is refused, so the hash of this script is wrong: $(code)"; return; fi
    helper adj_file "$1" "$WORK/m.adj" "$WORK/forged.adj" || { untried "the file has no such part"; return; }
    adj verify --file forged.adj
    covered "$3" "$2"
}
phase_forged() { forged phase 'summary|phase|state of' "the phase in the summary was changed"; }
cost_forged() { forged cost 'summary|cost|spent|counts' "cost and counts in the summary were changed"; }
times_forged() { forged times 'summary|times' "the times in the summary were changed"; }
kept_forged() { forged kept 'summary|kept' "the field kept was changed"; }
made_forged() { # nobody is shown this date, so nobody relies on it: only noted
    forged made 'made_at|date of the file|when the file' "the date of the file was changed"
    if [ "$VERDICT" = open ]; then sed -i '$ d' "$ATTEMPTS"; noted "the date of the file (made_at) can be changed; no command shows it"; fi
}
unsigned() { forged unsigned 'who wrote|not signed|unsigned' "the signatures were removed"; }
try "summary.phase changed, hash recomputed" phase_forged
try "cost and counts changed, hash recomputed" cost_forged
try "times changed, hash recomputed" times_forged
try "kept changed, hash recomputed" kept_forged
try "made_at changed, hash recomputed" made_forged
try "signatures removed, hash recomputed" unsigned

trailing() {
    make_export || { untried "an honest export does not verify: $(one_line "$SAID" 160)"; return; }
    local tail wrong=''
    for tail in 'x' '{"note": "appended"}\n' '\n\n' '\0\0\0\0'; do
        { cat "$WORK/m.adj"; printf "$tail"; } >"$WORK/longer.adj"
        adj verify --file longer.adj
        [ "$RC" != 0 ] && says || wrong+=" $(printf '%q' "$tail")"
    done
    if [ -n "$wrong" ]; then opened "bytes after the end are not noticed:$wrong"; else closed "$(code)"; fi
}
try "bytes after the end" trailing

# import: the key of the export is not needed for the lists that an imported mission appears in
imported() {
    make_export || { untried "an honest export does not verify: $(one_line "$SAID" 160)"; return; }
    helper adj_file phase "$WORK/m.adj" "$T/forged.adj"
    cp "$WORK/m.adj" "$T/honest.adj"
    fresh
    settings <<<''
    mkdir -p "$WORK"
    adj import "$DOOR/$((N - 1))/honest.adj"
    if [ "$RC" != 0 ]; then untried "an honest export cannot be imported: $(one_line "$SAID" 160)"; return; fi
    fresh
    settings <<<''
    adj import "$DOOR/$((N - 2))/forged.adj"
    if [ "$RC" != 0 ] && says; then closed "$(code)"; return; fi
    adj list --all
    local list=$OUT
    adj verify --all
    if [ "$RC" != 0 ] && says; then closed "$(code)"
    elif grep -q failed <<<"$list"; then opened "import lists what the forged summary says (failed), and verify --all says: $(one_line "$OUT" 120)"
    else closed "the list does not show the forged phase: $(one_line "$list" 120)"; fi
}
try "import of a forged summary" imported

# ---- the store
accounts() { # EDIT
    fresh
    settings <<<''
    adj budget set --hard money=5
    plan p.yaml <<<'{title: Spend, tasks: [{id: a, tool: noop, with: {value: 1}}, {id: s, tool: L5-STAT, with: {analysis: describe, values: [1, 2, 3, 4]}, otherwise: {tool: noop}}]}'
    adj run p.yaml --yes
    adj sign
    adj verify --all
    if [ "$RC" != 0 ]; then untried "the untouched store does not verify: $(one_line "$SAID" 160)"; return; fi
    adj budget show --json
    local before=$OUT
    helper store "$1" "$ADJUTANT_HOME/adjutant.db" || { untried "the store has no such table"; return; }
    adj budget show --json
    if [ "$before" = "$OUT" ] && [ "$RC" = 0 ]; then note "budget show is unchanged after the edit"; fi
    local shown=$SAID shown_rc=$RC
    if [ "$shown_rc" != 0 ] && says "$shown"; then closed "$(code "$shown")"; return; fi
    adj verify --all
    if [ "$RC" != 0 ] && says; then closed "$(code)"
    elif grep -iE -A12 'not proved|does not prove|not covered|not proven' <<<"$SAID" | grep -qiE 'account|budget|spent|caps'; then closed "listed under \"not proved\": $(one_line "$(grep -iE -m1 'account|budget|spent|caps' <<<"$SAID")" 140)"
    else opened "budget shows $(one_line "$shown" 90), and verify --all says: $(one_line "$OUT" 120)"; fi
}
spent() { accounts spent; }
caps() { accounts caps; }
try "update accounts" spent
try "update account_caps" caps
