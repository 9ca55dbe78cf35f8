# Side door 2: sub-missions and the four-eyes rule.
#
# Who:   the person who started a mission.
# Tries: to approve in a sub-mission what the four-eyes rule reserves for somebody else, and to have it waived by `--yes`, because
#        the sub-mission is opened by the host and not by that person. One and two levels deep.
# Must:  ADJ-2013 for the starter, whatever the depth; `--yes` of the starter waives nothing of it. Somebody else can approve.

nested() { # DEPTH INNER-PLAN-FIELDS: a task with a nested plan (with its own approval), DEPTH levels deep
    local depth=$1 inner="{title: Level $1, $2}" i
    for i in $(seq $((depth - 1)) -1 1); do inner="{title: Level $i, tasks: [{id: sub, mission: {sandbox: standard, plan: $inner}}]}"; done
    printf '[{id: sub, mission: {sandbox: standard, plan: %s}}]' "$inner"
}
child_of() { # the newest mission that is not in KNOWN
    newest "$KNOWN"
}
has_child() { [ -n "$(child_of)" ]; }

# Olga starts; Bea is somebody else. Goes down to the deepest sub-mission, with Bea approving on the way, and stops there at KIND.
down() { # DEPTH KIND
    local level
    KNOWN=$ID
    approve "$BEA" plan_approval || return 1
    for level in $(seq "$1"); do
        until_true 15 has_child || return 1
        use "$(child_of)"
        KNOWN+=" $ID"
        [ "$level" = "$1" ] && [ "$2" = plan_approval ] && break
        approve "$BEA" plan_approval || return 1
    done
    until_true 15 has_open "$2"
}
starter() { # DEPTH KIND INNER
    local depth=$1 kind=$2 inner=$3 who
    fresh
    printf '[rules]\nfour_eyes = ["plan_approval", "tool_approval", "subagent_approval", "final_review"]\n' | settings
    template nested <<<"tasks: $(nested "$depth" "$inner")"
    serve || { untried "no server"; return; }
    key OLGA olga operator
    key BEA bea operator
    begin "$OLGA" nested || { untried "the mission does not start: $(code)"; return; }
    until_true 10 has_open plan_approval
    approve "$OLGA" plan_approval
    if [ "$STATUS" = 200 ] || [[ $BODY != *ADJ-2013* ]]; then untried "the rule does not hold in the top mission: $STATUS $(code)"; return; fi
    down "$depth" "$kind" || { untried "no $kind in the sub-mission: $(phase) $(code)"; return; }
    local number
    number=$(open_checkpoint "$kind")
    approve_number "$OLGA" "$number"
    local olga=$STATUS said=$BODY
    if [ "$olga" != 200 ]; then
        approve_number "$BEA" "$number"
        if [ "$STATUS" != 200 ]; then untried "nobody else can approve it either: $STATUS $(code)"; return; fi
        if [[ $said == *ADJ-2013* ]]; then closed "$(code "$said")"; else untried "refused for another reason: $(code "$said")"; fi
    else opened "olga, who started the top mission, approved the $kind of a sub-mission"; fi
}
OWN='tasks: [{id: a, tool: noop, with: {value: 1}}]'
WRITE='autonomy: strict, tasks: [{id: a, tool: write_file, with: {path: a.txt, text: x}}]'
s1() { starter 1 plan_approval "$OWN"; }
s2() { starter 1 final_review "$OWN"; }
s3() { starter 1 tool_approval "$WRITE"; }
s4() { starter 2 plan_approval "$OWN"; }
s5() { starter 2 tool_approval "$WRITE"; }
s6() { starter 2 final_review "$OWN"; }
try "the starter approves the plan of a sub-mission" s1
try "the starter approves the result of a sub-mission" s2
try "the starter approves a tool call of a sub-mission" s3
try "the plan, two levels deep" s4
try "a tool call, two levels deep" s5
try "the result, two levels deep" s6

# --yes of the starter
waived() { # KIND INNER SANDBOX
    local kind=$1 inner=$2 sandbox=$3
    fresh
    settings <<<''
    plan p.yaml <<<"{title: Top, tasks: [{id: sub, mission: {sandbox: $sandbox, plan: {title: Inner, $inner}}}]}"
    adj run p.yaml --yes
    if [ "$RC" != 0 ]; then untried "without the rule, --yes does not complete the mission either: $(one_line "$SAID" 160)"; return; fi
    fresh
    printf '[rules]\nfour_eyes = ["%s"]\n' "$kind" | settings
    plan p.yaml <<<"{title: Top, tasks: [{id: sub, mission: {sandbox: $sandbox, plan: {title: Inner, $inner}}}]}"
    serve || { untried "no server"; return; }
    key BEA bea operator
    run_plan p.yaml --yes || { untried "the mission does not start: $(code)"; return; }
    local top=$ID
    KNOWN=$ID
    if [ "$kind" = plan_approval ]; then
        until_true 10 has_open plan_approval || { opened "--yes waived the plan approval of the top mission"; return; }
        approve "$BEA" plan_approval
    fi
    until_true 15 has_child || { untried "no sub-mission: $(phase)"; return; }
    use "$(child_of)"
    if until_true 8 has_open "$kind"; then closed "the $kind of the sub-mission waits for somebody else"; return; fi
    checkpoints
    local waived
    waived=$(grep -c waived <<<"$BODY")
    opened "the $kind of the sub-mission was waived by --yes of the starter; the sub-mission is $(phase)$(is_written a.txt && echo ', and it wrote its file')"
}
w1() { waived plan_approval "$OWN" standard; }
w2() { waived final_review "$OWN" standard; }
w3() { waived tool_approval "$WRITE" standard; }
w4() { waived tool_approval "$WRITE" light; }
try "--yes and the plan of a sub-mission" w1
try "--yes and the result of a sub-mission" w2
try "--yes and a tool call of a sub-mission" w3
try "--yes and a tool call of a light sub-mission" w4
