# Side door 12: requests and plans that use up memory, threads or connections.
#
# Who:   the author of a plan; one caller of the server; somebody without a key.
# Tries: a) CEL rules and templates that build huge strings; b) many searches of a knowledge base at once; c) to hold all
#        connections with one key; d) to send a request body that never ends.
# Must:  a) refused with a code, and the memory stays small; b) threads and open files stay within a fixed number; c) the caller is
#        refused at some point, and others are served; d) the connection ends in reasonable time.

MB_ALLOWED=256                                                         # growth of the process that counts as harmless

peak() { # runs the command line and measures its largest memory in MB: PEAK, next to OUT, ERR and RC
    RC=0
    (cd "$WORK" && ulimit -v 4000000 && exec "$PYTHON" "$HERE/lib/peak.py" "$T/peak" 120 "$ADJUTANT" "$@") >"$T/out" 2>"$T/err" </dev/null || RC=$?
    OUT=$(tr -d '\0' <"$T/out") ERR=$(tr -d '\0' <"$T/err")
    SAID="${OUT:0:4000}"$'\n'"${ERR:0:4000}"
    PEAK=$(cat "$T/peak")
    printf '$ adjutant %s\n%s\n[%s, %s MB]\n' "$*" "$SAID" "$RC" "$PEAK"
}
grows() { # WHAT: judges the plan p.yaml against small.yaml
    peak run small.yaml --yes
    if [ "$RC" != 0 ]; then untried "a small version does not work: $(one_line "$SAID" 160)"; return; fi
    local small=$PEAK
    peak run p.yaml --yes
    local run=$SAID rc=$RC large=$PEAK
    adj show last >/dev/null
    run+=$SAID
    if [ $((large - small)) -gt "$MB_ALLOWED" ]; then opened "$1 needs $large MB instead of $small MB (exit code $rc)"
    elif [ "$rc" = 124 ]; then opened "$1 was still running after two minutes"
    elif [ "$rc" -ge 128 ]; then opened "$1 ended the process ($rc)"
    elif says "$run"; then closed "$(code "$run")"
    else closed "$large MB instead of $small MB: $(one_line "$(grep -E -m1 'failed|ended' <<<"$run")" 140)"; fi
}
cel() { # RULE LIST-LENGTH TEXT-LENGTH
    fresh
    settings <<<''
    "$PYTHON" - "$1" "$2" "$3" "$WORK" <<'EOS'
import json, sys
rule, n, size, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
for name, n, size in (("small", 3, 10), ("p", n, size)):
    json.dump({"title": "Rule", "on_failure": "give_up", "inputs": {"l": list(range(n)), "big": "x" * size},
               "tasks": [{"id": "t", "tool": "noop", "with": {"value": 1}},
                         {"id": "g", "after": "t", "gate": {"rules": [{"when": rule, "verdict": "fatal", "because": "never"}]}}]},
              open(f"{folder}/{name}.yaml", "w"))
EOS
    grows "the rule"
}
cel_map() { cel 'size(inputs.l.map(x, inputs.big + inputs.big)) == 999999' 4000 200000; }
cel_nested() { cel 'size(inputs.l.map(x, inputs.l.map(y, inputs.big + inputs.big))) == 999999' 200 20000; }
cel_double() { cel 'size([1].map(x, inputs.big + inputs.big + inputs.big + inputs.big).map(s, s + s + s + s).map(s, s + s + s + s).map(s, s + s + s + s).map(s, s + s + s + s)) == 999999' 3 4000000; }
try "CEL, map over a list of large strings" cel_map
try "CEL, nested maps" cel_nested
try "CEL, strings that double" cel_double

tool_template() { # TEMPLATE
    fresh
    settings <<<''
    "$PYTHON" - "$1" "$WORK" <<'EOS'
import json, sys
text, folder = sys.argv[1:]
for name, n in (("small", 2), ("p", None)):
    body = text if n is None else "[% set ns = namespace(x='a') %][[ ns.x * 3 ]]"
    json.dump({"title": "Template", "on_failure": "give_up",
               "tasks": [{"id": "t", "tool": "template", "retry": 1, "with": {"template": body, "values": {"big": "x" * 10}}}]},
              open(f"{folder}/{name}.yaml", "w"))
EOS
    grows "the template"
}
t_repeat() { tool_template "[% set ns = namespace(a='a') %][% set ns.b = ('b' ~ ns.a) * 45000000 %][% set ns.c = ('c' ~ ns.a) * 45000000 %][% set ns.d = ('d' ~ ns.a) * 45000000 %][% set ns.e = ('e' ~ ns.a) * 45000000 %][% set ns.f = ('f' ~ ns.a) * 45000000 %][% set ns.g = ('g' ~ ns.a) * 45000000 %]done"; }
t_loop() { tool_template "[% set ns = namespace(x=['x']) %][% for i in range(60) %][% set ns.x = ns.x + [('y' ~ i) * 8000000] %][% endfor %]done"; }
t_double() { tool_template "[% set ns = namespace(x='xxxxxxxxxx') %][% for i in range(27) %][% set ns.x = ns.x ~ ns.x %][% endfor %]done"; }
t_out() { tool_template "[% for i in range(100) %][[ 'x' * 10000000 ]][% endfor %]"; }
try "template, repeated strings kept in a namespace" t_repeat
try "template, a list of repeated strings" t_loop
try "template, strings that double" t_double
try "template, a large result" t_out

reference() { # {{…}} references multiply a text too
    fresh
    settings <<<''
    "$PYTHON" - "$WORK" <<'EOS'
import json, sys
for name, steps in (("small", 2), ("p", 22)):
    tasks = [{"id": "t0", "tool": "noop", "with": {"value": "x" * 1000}}]
    for i in range(1, steps):
        tasks.append({"id": f"t{i}", "after": f"t{i-1}", "tool": "noop", "with": {"value": f"{{{{t{i-1}.output}}}}{{{{t{i-1}.output}}}}"}})
    json.dump({"title": "References", "on_failure": "give_up", "tasks": tasks}, open(f"{sys.argv[1]}/{name}.yaml", "w"))
EOS
    grows "the references"
}
try "references that double a text" reference

searches() {
    fresh
    settings <<<''
    mkdir -p "$WORK/papers"
    local i
    for i in $(seq 20); do printf 'Document %s says that Corvane raised potassium in %s patients.\n' "$i" "$i" >"$WORK/papers/$i.txt"; done
    adj kb add papers -n corvane
    serve || { untried "no server"; return; }
    key VERA vera viewer
    call "$VERA" GET '/api/knowledge_bases/corvane/search?query=potassium'
    if [ "$STATUS" != 200 ] || [[ $BODY != *potassium* ]]; then untried "a search does not work: $STATUS"; return; fi
    sleep 2
    local threads files
    threads=$(ls "/proc/$SERVER_PID/task" | wc -l) files=$(ls "/proc/$SERVER_PID/fd" | wc -l)
    start load "$PYTHON" "$HERE/lib/load.py" searches "$SERVER" "$VERA" 200 '/api/knowledge_bases/corvane/search?query=potassium'
    local load=$PID most_threads=0 most_files=0 now
    while kill -0 "$load" 2>/dev/null; do
        now=$(ls "/proc/$SERVER_PID/task" | wc -l)
        [ "$now" -gt "$most_threads" ] && most_threads=$now
        now=$(ls -l "/proc/$SERVER_PID/fd" 2>/dev/null | grep -v -c socket)
        [ "$now" -gt "$most_files" ] && most_files=$now
        sleep 0.02
    done
    local result
    result=$(cat "$T/load.log")
    echo "$result, threads $threads -> $most_threads, files $files -> $most_files"
    # A pool may have a fixed size; 200 searches at once must not need hundreds of threads or files.
    if [[ $result != *answered* ]]; then untried "the load could not be made: $(one_line "$result" 120)"
    elif [ $((most_threads - threads)) -gt 100 ] || [ $((most_files - files)) -gt 100 ]; then
        opened "200 searches at once: threads $threads -> $most_threads, open files $files -> $most_files; $result"
    else closed "200 searches at once: threads $threads -> $most_threads, open files $files -> $most_files; $result"; fi
}
try "200 searches of a knowledge base at once" searches

connections() {
    fresh
    settings <<<''
    serve || { untried "no server"; return; }
    key HOG hog viewer
    key EVA eva viewer
    call "$EVA" GET /api/stats
    [ "$STATUS" = 200 ] || { untried "a request does not work: $STATUS"; return; }
    start hog "$PYTHON" "$HERE/lib/load.py" hold "$SERVER" "$HOG" 8600 /api/events
    local hog=$PID
    until_true 240 grep -q holding "$T/hog.log"
    local said served
    said=$(cat "$T/hog.log")
    LIMIT=10 call "$EVA" GET /api/stats
    served=$STATUS
    LIMIT=10 call "$ADMIN" POST /api/stops '{"what": "tool/http_post", "reason": "emergency"}'
    local emergency=$STATUS
    end "$hog"
    if [[ $said != *holding* ]]; then untried "the connections could not be opened: $(one_line "$said" 120)"
    elif [ "$served" != 200 ] || [ "$emergency" != 201 ]; then opened "$said; another caller gets $served, an emergency stop $emergency"
    elif [[ $said == *"refused 0"* && $said == *"holding 8600"* ]]; then opened "$said: one caller may hold them all, and nothing refused it"
    elif [[ $said == *"refused 0"* ]]; then untried "$said: too few for the attempt, but others are served"
    else closed "$said; another caller is served"; fi
}
try "one caller holds all connections" connections

idle() { # connections on which nothing is ever sent. The item speaks of callers, so this is only noted.
    fresh
    settings <<<''
    serve || { untried "no server"; return; }
    key EVA eva viewer
    start hog "$PYTHON" "$HERE/lib/load.py" idle "$SERVER" none 8600 /
    local hog=$PID
    until_true 120 grep -q holding "$T/hog.log"
    local said
    said=$(cat "$T/hog.log")
    sleep 40
    LIMIT=10 call "$EVA" GET /api/stats
    end "$hog"
    if [ "$STATUS" = 200 ]; then closed "$said without a request; another caller is served"
    else noted "$said without a request and without a key; another caller still gets no answer after 40 s"; fi
}
try "idle connections without a key" idle

body() { # HOW
    fresh
    settings <<<''
    serve || { untried "no server"; return; }
    local said
    said=$("$PYTHON" "$HERE/lib/load.py" body "$SERVER" "$ADMIN" 2 "$1")
    echo "$said"
    if [[ $said != status* ]]; then untried "a body in two parts is not accepted: $said"; return; fi
    said=$("$PYTHON" "$HERE/lib/load.py" body "$SERVER" "$([ "$1" = nobody ] && echo none || echo "$ADMIN")" 120 "$1")
    echo "$said"
    case $said in
        *"still open"*) opened "$said" ;;
        *) closed "$said" ;;
    esac
}
b1() { body stalls; }
b2() { body drips; }
b3() { body nobody; }
try "a body that stops in the middle" b1
try "a body of one byte per second" b2
try "a body that stops, without a key" b3
