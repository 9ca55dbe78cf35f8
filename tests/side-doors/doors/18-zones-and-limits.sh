# Side door 18: the zone of an event, and a limit that is reached in silence.
#
# Who:   an administrator of logs, traces or backups who may see the `platform` zone but not the `sensitive` one; and a careless
#        author of a plan with very many steps that follow from each other.
# Tries: a) to find typed text and tool results in events that are marked `platform`; b) to reach the limit of follow-up steps.
# Must:  a) every event that carries typed text or a tool result is marked `sensitive`; b) the mission goes on or ends with a code,
#        and does not simply stop.

zones() {
    fresh
    settings <<<''
    plan p.yaml <<'EOP'
title: Zones
inputs: {patient: input-marker-4411}
tasks:
  - {id: tool, tool: calc, with: {expression: 7000000 * 3 + 5522}}
  - {id: ask, after: tool, human: "What do you know of the patient?"}
  - {id: last, after: ask, tool: noop, with: {value: "{{ask.output.note}}"}}
EOP
    serve || { untried "no server"; return; }
    run_plan p.yaml || { untried "no mission"; return; }
    approve "$ADMIN" plan_approval || { untried "the plan cannot be approved"; return; }
    until_true 15 has_open || { untried "no question"; return; }
    call "$ADMIN" POST "$M/commands" '{"inform": {"topic": "lab", "trust": "untrusted", "body": {"text": "inform-marker-6633"}}}'
    [ "$STATUS" = 200 ] || { untried "inform does not work: $STATUS"; return; }
    decide "$ADMIN" "$(open_checkpoint)" '{"verdict": "approve", "note": "typed-marker-7744"}'
    approve "$ADMIN" final_review
    until_true 15 ended
    adj events "$ID" --json
    local found
    found=$("$PYTHON" - "$T/out" <<'EOS'
import json, re, sys
marks = {"inform-marker": [0, 0], "typed-marker": [0, 0], "21005522": [0, 0], "input-marker": [0, 0]}
kinds = {}
def zone(d):
    if isinstance(d, dict):
        for k, v in d.items():
            if k == "zone": return v
            z = zone(v)
            if z: return z
for line in open(sys.argv[1]):
    try: d = json.loads(line)
    except ValueError: continue
    z = zone(d)
    for mark in marks:
        if mark in line:
            marks[mark][0] += 1
            if z != "sensitive":
                marks[mark][1] += 1
                kinds.setdefault(mark, set()).add(d["event"]["type"])
print(json.dumps({m: {"events": a, "not_sensitive": b, "kinds": sorted(kinds.get(m, []))} for m, (a, b) in marks.items()}))
EOS
)
    echo "$found"
    if [ "$(pick 'd["inform-marker"]["events"] and d["inform-marker"]["not_sensitive"] == 0' "$found")" != true ]; then
        untried "the information that was sent is not found in a sensitive event: $found"
    elif [ "$(pick 'min(d[m]["events"] for m in d)' "$found")" = 0 ]; then
        untried "the journal does not show everything: $found"
    elif [ "$(pick "sum(d[m]['not_sensitive'] for m in '$1'.split())" "$found")" != 0 ]; then
        opened "events not marked sensitive: $(pick "'; '.join(m + ' in ' + ', '.join(d[m]['kinds']) for m in '$1'.split() if d[m]['not_sensitive'])" "$found")"
    else closed "only in events marked sensitive"; fi
}
z1() { zones "typed-marker"; }
z2() { zones "21005522"; }
z3() { zones "input-marker"; }
try "typed text" z1
try "tool results" z2
try "inputs" z3

chain() { # COUNT: a chain of gates, which follow from each other without any call in between
    "$PYTHON" - "$1" >"$WORK/chain.yaml" <<'EOS'
import sys
n = int(sys.argv[1])
print("title: Chain\non_failure: give_up\ntasks:\n  - {id: t, tool: noop, with: {value: 1}}")
for i in range(n):
    print(f"  - {{id: g{i}, after: {'g%d' % (i - 1) if i else 't'}, gate: {{rules: [{{when: inputs.x == 2, verdict: fatal, because: never}}]}}}}")
print("inputs: {x: 1}")
EOS
    LIMIT=150 adj run chain.yaml --yes
}
fan() { # COUNT: a gate that fails, and many tasks that are skipped because of it
    "$PYTHON" - "$1" >"$WORK/chain.yaml" <<'EOS'
import sys
n = int(sys.argv[1])
print("title: Fan\nstrategy: continue_on_block\ninputs: {x: 1}\ntasks:\n  - {id: t, tool: noop, with: {value: 1}}\n  - {id: g, after: t, gate: {rules: [{when: inputs.x == 1, verdict: fatal, because: always}]}}")
for i in range(n):
    print(f"  - {{id: s{i}, after: {'s%d' % (i - 1) if i else 'g'}, tool: noop, with: {{value: 1}}}}")
EOS
    LIMIT=150 adj run chain.yaml --yes
}
questions() { # COUNT: questions in a row that are all waived
    "$PYTHON" - "$1" >"$WORK/chain.yaml" <<'EOS'
import sys
n = int(sys.argv[1])
print("title: Questions\ntasks:\n  - {id: t, tool: noop, with: {value: 1}}")
for i in range(n):
    print(f"  - {{id: q{i}, after: {'q%d' % (i - 1) if i else 't'}, human: \"Go on?\"}}")
EOS
    LIMIT=150 adj run chain.yaml --yes
}
wide() { # COUNT: gates that all become ready at once
    "$PYTHON" - "$1" >"$WORK/chain.yaml" <<'EOS'
import sys
n = int(sys.argv[1])
print("title: Wide\nconcurrency: 256\ninputs: {x: 1}\ntasks:\n  - {id: t, tool: noop, with: {value: 1}}")
for i in range(n):
    print(f"  - {{id: g{i}, after: t, gate: {{rules: [{{when: inputs.x == 2, verdict: fatal, because: never}}]}}}}")
EOS
    LIMIT=150 adj run chain.yaml --yes
}
limit() { # KIND
    fresh
    settings <<<''
    "$1" 5
    if [ "$RC" != 0 ]; then untried "five steps do not work either: $(one_line "$SAID" 160)"; return; fi
    local n=9900
    fresh
    settings <<<''
    "$1" "$n"
    local rc=$RC said=$SAID
    adj list --all
    case $rc in
        0) untried "$n steps complete, so the limit was not reached this way" ;;
        1|2|4) if says "$said"; then closed "$n steps: $(code "$said")"; else opened "$n steps: ended with exit code $rc and without a code: $(one_line "$said" 160)"; fi ;;
        124) opened "$n steps: not ended after 150 s: $(one_line "$OUT" 160)" ;;
        *) opened "$n steps: the mission stands still without a word (exit code $rc): $(one_line "$OUT" 160)" ;;
    esac
}
gates() { limit chain; }
skips() { limit fan; }
waived() { limit questions; }
at_once() { limit wide; }
try "limit of follow-up steps: 9900 gates in a row" gates
try "limit of follow-up steps: 9900 tasks skipped in a row" skips
try "limit of follow-up steps: 9900 waived questions in a row" waived
try "limit of follow-up steps: 9900 gates at once" at_once
