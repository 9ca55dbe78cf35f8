# Side door 8: text from outside that overwrites, deletes or sends.
#
# Who:   the author of a web page that a mission reads.
# Tries: to have the mission send his text, or let it choose the target, with `http` PUT or DELETE or `http_post` PATCH, and to
#        replace an existing file with `write_file`, in a mission that nobody watches (`--yes`, autonomy permissive).
# Must:  a person is asked before the call; without the person nothing is sent, and the file stays as it is. The same calls with
#        the plan author's own text work. Hosts of calls that send data are denied unless the settings name them.

asks() { # whether the newest mission waits for a person
    adj inbox --json
    [[ $OUT == *chk_* ]]
}
answer_all() { # approves what is open, for the harmless version
    local i
    for i in 1 2 3 4; do
        adj inbox --json
        [[ $OUT == *chk_* ]] || break
        adj decide last approve
        LIMIT=20 host && sleep 3
        stop_server
    done
}

# sends NAME TASKS-OWN TASKS-OUTSIDE PATTERN: the same call with the author's text and with text of a page
prepare() {
    fresh
    reach | settings
    printf 'words-of-a-stranger' >"$T/page"
    sink sink --body /page="$T/page"
}
sends() { # PATTERN OWN-TASK OUTSIDE-TASKS
    local pattern=$1 own=$2 outside=$3 where
    prepare || { untried "no sink"; return; }
    plan own.yaml <<<"{title: Own text, autonomy: permissive, on_failure: give_up, inputs: {text: my-own-words}, tasks: [$(sed "s#SINK#$SINK#g" <<<"$own")]}"
    adj run own.yaml --yes
    [ "$RC" != 3 ] || answer_all
    if [ "$(seen "$pattern")" = 0 ]; then untried "the call does not work with own text: $(one_line "$SAID" 160)"; return; fi
    for where in yes permissive; do
        : >"$T/sink.seen"
        plan outside.yaml <<<"{title: Text from outside, autonomy: $([ $where = yes ] && echo balanced || echo permissive), on_failure: give_up, tasks: [{id: page, tool: http, with: {url: \"$SINK/page\"}}, $(sed "s#SINK#$SINK#g" <<<"$outside")]}"
        LIMIT=25 adj run outside.yaml --yes
        if [ "$(seen 'GET /page')" = 0 ]; then untried "the page was not read: $(one_line "$SAID" 160)"; return; fi
        if [ "$(seen "$pattern")" != 0 ]; then opened "sent without a person: $(grep -m1 -E "$pattern" "$T/sink.seen" | sed 's/{[^}]*}//' | cut -c1-100)"; return; fi
    done
    # `run` does not end while a sub-mission waits for a person: 124 is this script's own time limit
    local rc=$RC said=$SAID
    if [ "$rc" = 3 ] || [ "$rc" = 124 ] && asks; then closed "a person is asked first: $(one_line "$(grep -o '"question":"[^"]*"' <<<"$OUT" | head -1)" 120)"
    elif says "$said"; then closed "$(code "$said")"
    else untried "nothing was sent, but nobody is asked and there is no code: $(one_line "$said" 160)"; fi
}

put() { sends 'PUT /x' '{id: put, tool: http, with: {url: "SINK/x", method: PUT, body: "{{inputs.text}}"}}' \
    '{id: put, after: page, tool: http, with: {url: "SINK/x", method: PUT, body: "{{page.output.body}}"}}'; }
try "http PUT, body from a page" put

put_json() { sends 'PUT /x' '{id: put, tool: http, with: {url: "SINK/x", method: PUT, json: {a: "{{inputs.text}}"}}}' \
    '{id: t, after: page, tool: template, with: {template: "[[ x ]]", values: {x: "{{page.output.body}}"}}}, {id: put, after: t, tool: http, with: {url: "SINK/x", method: PUT, json: {a: "{{t.output.text}}"}}}'; }
try "http PUT, a page through a template" put_json

delete() { sends 'DELETE /x' '{id: del, tool: http, with: {url: "SINK/x/{{inputs.text}}", method: DELETE}}' \
    '{id: del, after: page, tool: http, with: {url: "SINK/x/{{page.output.body}}", method: DELETE}}'; }
try "http DELETE, target from a page" delete

otherwise() { sends 'DELETE /x' '{id: del, tool: http, with: {url: "SINK/x/{{inputs.text}}", method: DELETE}}' \
    '{id: del, after: page, retry: 1, tool: http, with: {url: "http://127.0.0.1:1/"}, otherwise: {tool: http, with: {url: "SINK/x/{{page.output.body}}", method: DELETE}}}'; }
try "http DELETE in otherwise" otherwise

patch() { sends 'PATCH /x' '{id: p, tool: http_post, with: {url: "SINK/x", method: PATCH, body: "{{inputs.text}}"}}' \
    '{id: p, after: page, tool: http_post, with: {url: "SINK/x", method: PATCH, body: "{{page.output.body}}"}}'; }
try "http_post PATCH, body from a page" patch

nested() { sends 'PUT /x' '{id: put, tool: http, with: {url: "SINK/x", method: PUT, body: "{{inputs.text}}"}}' \
    '{id: sub, after: page, mission: {with: {text: "{{page.output.body}}"}, plan: {title: Inner, inputs: {text: none}, autonomy: permissive, on_failure: give_up, tasks: [{id: put, tool: http, with: {url: "SINK/x", method: PUT, body: "{{inputs.text}}"}}]}}}'; }
try "http PUT in a sub-mission" nested

# GET that carries data away: the page's text becomes part of an address
get_query() { sends 'GET /x' '{id: get, tool: http, with: {url: "SINK/x?{{inputs.text}}"}}' \
    '{id: get, after: page, tool: http, with: {url: "SINK/x?{{page.output.body}}"}}'
    if [ "$VERDICT" = open ]; then                                       # the item names PUT, PATCH and DELETE only
        sed -i '$ d' "$ATTEMPTS"
        noted "http GET with an address made of a page's text is sent without a person; the item does not name GET"
    fi; }
try "http GET, address from a page" get_query

overwrite() {
    prepare || { untried "no sink"; return; }
    plan own.yaml <<<'{title: Own text, on_failure: give_up, inputs: {text: my-own-words}, tasks: [{id: w, tool: write_file, with: {path: kept.txt, text: "{{inputs.text}}"}}]}'
    adj run own.yaml --yes
    [ "$RC" != 3 ] || answer_all
    if [ "$(cat "$(written kept.txt)" 2>/dev/null)" != my-own-words ]; then untried "write_file does not work with own text: $(one_line "$SAID" 160)"; return; fi
    local file
    file=$(written kept.txt)
    plan outside.yaml <<<"{title: Text from outside, autonomy: permissive, on_failure: give_up, tasks: [{id: page, tool: http, with: {url: \"$SINK/page\"}}, {id: w, after: page, tool: write_file, with: {path: kept.txt, text: \"{{page.output.body}}\"}}]}"
    adj run outside.yaml --yes
    if [ "$(seen 'GET /page')" = 0 ]; then untried "the page was not read: $(one_line "$SAID" 160)"; return; fi
    if [ "$(cat "$file")" != my-own-words ]; then opened "kept.txt was replaced without a person: $(cat "$file")"; return; fi
    if [ "$RC" = 3 ] && asks; then closed "a person is asked first"
    elif says; then closed "$(code)"
    else untried "kept.txt is unchanged, but nobody is asked and there is no code: $(one_line "$SAID" 160)"; fi
}
try "write_file over an existing file" overwrite

overwrite_path() {
    prepare || { untried "no sink"; return; }
    plan own.yaml <<<'{title: Own text, on_failure: give_up, tasks: [{id: w, tool: write_file, with: {path: words-of-a-stranger, text: mine}}]}'
    adj run own.yaml --yes
    [ "$RC" != 3 ] || answer_all
    local file
    file=$(written words-of-a-stranger)
    if [ -z "$file" ]; then untried "write_file does not work with own text: $(one_line "$SAID" 160)"; return; fi
    plan outside.yaml <<<"{title: Path from outside, on_failure: give_up, tasks: [{id: page, tool: http, with: {url: \"$SINK/page\"}}, {id: w, after: page, tool: write_file, with: {path: \"{{page.output.body}}\", text: gone}}]}"
    adj run outside.yaml --yes
    if [ "$(seen 'GET /page')" = 0 ]; then untried "the page was not read: $(one_line "$SAID" 160)"; return; fi
    if [ "$(cat "$file")" != mine ]; then opened "a file chosen by the page was replaced without a person: $(cat "$file")"; return; fi
    if [ "$RC" = 3 ] && asks; then closed "a person is asked first"
    elif says; then closed "$(code)"
    else untried "the file is unchanged, but nobody is asked and there is no code: $(one_line "$SAID" 160)"; fi
}
try "write_file, a path from a page" overwrite_path

# ---- hosts of tools that send data
hosts() { # TOOL METHOD
    fresh
    printf '[tools]\nprivate_hosts = ["127.0.0.1"]\n[tools.http]\nhosts = ["127.0.0.1"]\n' | settings
    sink || { untried "no sink"; return; }
    plan p.yaml <<<"{title: Send, on_failure: give_up, tasks: [{id: s, tool: $1, retry: 1, with: {url: \"$SINK/x\", method: $2, body: a, timeout: 5}}]}"
    adj run p.yaml --yes
    [ "$RC" != 3 ] || answer_all
    if [ "$(seen "$2 /x")" = 0 ]; then untried "with the host in the settings it does not work either: $(one_line "$SAID" 160)"; return; fi
    # Without settings: another host. Whether it can be reached does not matter (.invalid never can): the answer must be a
    # refusal by the rule about hosts, and not a failure of the network.
    rm "$ADJUTANT_HOME/adjutant.toml"
    plan q.yaml <<<"{title: Send, on_failure: give_up, tasks: [{id: s, tool: $1, retry: 1, with: {url: \"http://collector.invalid/x\", method: $2, body: a, timeout: 5}}]}"
    adj run q.yaml --yes
    local said=$SAID why
    adj show last
    said+=$SAID
    why=$(grep -m1 -iE 'collector\.invalid' <<<"$said")
    if grep -qiE 'tools\.[a-z_.]*hosts|hosts. (setting|list)|not (permitted|allowed|listed|among)|may not (contact|be contacted|send)|denied' <<<"$said"; then
        closed "$(one_line "$(grep -m1 -iE 'hosts|permitted|allowed|listed|among|may not|denied' <<<"$said")" 200)"
    elif [ -n "$why" ]; then opened "without any settings, $1 $2 tried to reach another host: $(one_line "$why" 160)"
    else untried "neither a refusal nor an attempt: $(one_line "$said" 160)"; fi
}
hosts_post() { hosts http_post POST; }
hosts_put() { hosts http PUT; }
try "http_post to a host that no setting names" hosts_post
try "http PUT to a host that no setting names" hosts_put
