# Side door 14: data evaluated as a template.
#
# Who:   the author of a document, a web page or a question: an attacker who writes `{{inputs.…}}` to read other inputs, or a
#        careless user whose documents (Helm charts, code) contain `{{ … }}`.
# Tries: `{{inputs.about}}` and other `{{…}}` in documents, attachments, tool results, inputs, objectives and questions.
# Must:  the text stays as it is, everywhere: nothing is filled in, nothing fails with ADJ-1000 or ADJ-6113. Only the plan author's
#        text is a template.

quiet_lookups() { # no public databases
    settings <<'EOS'
[tools]
deny = ["L5-PS", "L5-CT", "L5-FDA", "L5-EMA", "L5-PT", "L5-NEWS", "L5-WEB", "http", "http_post"]
EOS
}

# library BRACES: a knowledge base with one document that contains the braces in the sentence that answers the question
library() {
    mkdir -p "$WORK/papers"
    cat >"$WORK/papers/chart.md" <<EOP
# Deployment of the Corvane service

The Corvane service is deployed with the container image $1 on port 8443.

The Corvane service needs four gigabytes of memory.
EOP
    adj kb add papers -n corvane
}

# ask_about BRACES NAME: research the document, then ask about the finished mission
ask_about() {
    fresh
    quiet_lookups
    library "$1"
    LIMIT=300 adj mission start deep_dive "Which container image is the Corvane service deployed with?" --kb corvane --yes
    [ "$RC" = 0 ] || return 1
    LIMIT=180 adj ask --about last "Which container image is the Corvane service deployed with?"
}

about() { # BRACES PATTERN-THAT-MUST-NOT-APPEAR
    if ! { ask_about "registry.example/corvane" && [ "$RC" = 0 ] && [[ $OUT == *registry.example/corvane* ]]; }; then
        untried "without braces it does not work either: $(one_line "$SAID" 160)"
        return
    fi
    if ! ask_about "$1"; then opened "the mission over the document fails: $(code)"; return; fi
    if [ "$RC" != 0 ]; then opened "ask --about fails: $(code)"
    elif [[ $(tr -s ' \n' '  ' <<<"$OUT") == *"$1"* ]]; then closed "quoted as it is written: $1"
    else opened "$1 is not in the answer: $(one_line "$(grep -i image <<<"$OUT")" 200)"; fi
}
about_own() { about '{{inputs.about}}'; }
about_question() { about '{{inputs.question}}'; }
about_helm() { about '{{ .Values.image.tag }}'; }
try "ask --about, a document with {{inputs.about}}" about_own
try "ask --about, a document with {{inputs.question}}" about_question
try "ask --about, a document with {{ .Values.image.tag }}" about_helm

# ---- the question itself
question() {
    fresh
    quiet_lookups
    library "registry.example/corvane"
    LIMIT=300 adj mission start deep_dive "Which container image is the Corvane service deployed with?" --kb corvane --yes
    LIMIT=180 adj ask --about last "Which container image is used?"
    if [ "$RC" != 0 ]; then untried "without braces it does not work either: $(code)"; return; fi
    LIMIT=180 adj ask --about last 'Which container image does {{ .Values.image }} stand for, and is {{inputs.about}} set?'
    if [ "$RC" = 0 ]; then closed "answered"; else opened "$(code)"; fi
}
try "ask --about, braces in the question" question

asked() {
    fresh
    quiet_lookups
    library "registry.example/corvane"
    LIMIT=300 adj ask "What is known of the image of the Corvane service?" --kb corvane --yes
    if [ "$RC" != 0 ]; then untried "without braces it does not work either: $(code)"; return; fi
    LIMIT=300 adj ask 'What is known of {{ .Values.image }} and {{inputs.namespaces}} of the Corvane service?' --kb corvane --yes
    if [ "$RC" = 0 ]; then closed "answered"; else opened "$(code)"; fi
}
try "ask, braces in the question" asked

objective() {
    fresh
    quiet_lookups
    library "registry.example/corvane"
    LIMIT=300 adj mission start deep_dive "Which image does the Corvane service use?" --kb corvane --yes
    if [ "$RC" != 0 ]; then untried "without braces it does not work either: $(code)"; return; fi
    LIMIT=300 adj mission start deep_dive 'Which image does {{inputs.namespaces}} or {{ .Values.image }} of the Corvane service use?' --kb corvane --yes
    if [ "$RC" != 0 ]; then opened "the mission fails: $(code)"; return; fi
    adj report last --format md
    if [[ $OUT == *'{{inputs.namespaces}}'* ]]; then closed "the objective stays as it is"
    else opened "the objective was changed: $(one_line "$(grep -m1 -i 'corvane service use' <<<"$OUT")" 200)"; fi
}
try "mission start, braces in the objective" objective

attachment() {
    fresh
    quiet_lookups
    printf 'The Corvane service is deployed with the container image %s on port 8443.\n' 'registry.example/corvane' >"$WORK/a.txt"
    LIMIT=300 adj mission start deep_dive "Which container image is the Corvane service deployed with?" --attach a.txt --yes
    if [ "$RC" != 0 ]; then untried "without braces it does not work either: $(code)"; return; fi
    printf 'The Corvane service is deployed with the container image %s on port 8443.\n' '{{inputs.objective}} or {{ .Values.image }}' >"$WORK/b.txt"
    LIMIT=300 adj mission start deep_dive "Which container image is the Corvane service deployed with?" --attach b.txt --yes
    if [ "$RC" != 0 ]; then opened "the mission fails: $(code)"; return; fi
    adj report last --format md
    if [[ $OUT == *'{{inputs.objective}}'* ]]; then closed "quoted as it is written"
    else opened "the braces are not in the report: $(one_line "$(grep -m1 -i 'container image' <<<"$OUT")" 200)"; fi
}
try "mission start --attach, a file with braces" attachment

over_http() {
    fresh
    quiet_lookups
    serve || { untried "no server"; return; }
    local text='The Corvane service is deployed with the container image registry.example on port 8443.'
    call "$ADMIN" POST /api/missions "{\"mission\": \"deep_dive\", \"objective\": \"Which image does the Corvane service use?\", \"attachments\": [{\"title\": \"Chart\", \"text\": \"$text\"}]}"
    if [ "$STATUS" != 201 ]; then untried "without braces it does not work either: $(code)"; return; fi
    call "$ADMIN" POST /api/missions "{\"mission\": \"deep_dive\", \"objective\": \"Which image does {{ .Values.image }} of the Corvane service use?\", \"attachments\": [{\"title\": \"Chart {{inputs.objective}}\", \"text\": \"{{inputs.objective}} {{ .Values.image }} $text\"}]}"
    if [ "$STATUS" != 201 ]; then opened "$STATUS $(code)"; return; fi
    M=/api/missions/$(pick 'd["mission"]')
    approve "$ADMIN" plan_approval
    sleep 5
    call "$ADMIN" GET "$M"
    if grep -q 'ADJ-1000\|ADJ-1009\|ADJ-6113' <<<"$BODY"; then opened "the mission fails: $(code "$BODY")"
    elif [[ $BODY == *'{{inputs.objective}}'* && $BODY == *'{{ .Values.image }}'* ]]; then closed "accepted, and the texts stay as they are"
    else opened "the braces are gone from the mission"; fi
}
try "POST /api/missions, braces in objective and attachments" over_http

# ---- in a plan file: inputs and tool results are data
tool_result() {
    fresh
    reach | settings
    printf 'The page says {{inputs.secret}} and {{ .Values.x }} and [[ secret ]].' >"$T/page"
    sink sink --body /page="$T/page" || { untried "no sink"; return; }
    plan p.yaml <<EOP
title: Copy a page
inputs: {secret: tulip-7741, note: plain}
tasks:
  - {id: page, tool: http, with: {url: "$SINK/page"}}
  - {id: text, after: page, tool: template, with: {template: "[[ a ]] / [[ b ]]", values: {a: "{{page.output.body}}", b: "{{inputs.note}}"}}}
  - {id: again, after: text, tool: noop, with: {value: "{{text.output.text}}"}}
EOP
    adj run p.yaml --yes
    adj show last --json
    if [ "$(seen 'GET /page')" = 0 ]; then untried "the plan does not run: $(one_line "$SAID" 120)"; return; fi
    if [[ $OUT != *'The page says'* ]]; then opened "the mission fails over the page: $(code)"; return; fi
    adj run p.yaml --yes --input 'note={{inputs.secret}}'
    local said=$SAID
    adj events last --json
    local outputs
    outputs=$(grep -v tulip <<<"$OUT" >/dev/null; grep -c 'says tulip-7741\|/ tulip-7741' <<<"$OUT")
    if [ "$outputs" != 0 ]; then opened "a tool result or an input was rendered: tulip-7741 was filled in"
    elif [[ $OUT == *'says {{inputs.secret}}'* && $OUT == *'/ {{inputs.secret}}'* ]]; then closed "tool results and inputs stay as they are"
    else opened "the mission does not complete: $(code "$said")"; fi
}
try "run, braces in a tool result and in --input" tool_result

# ---- what people type, and what is handed down to a sub-mission, is data too
typed() {
    fresh
    settings <<<''
    plan p.yaml <<'EOP'
title: Hand down
inputs: {secret: tulip-7741}
tasks:
  - {id: ask, human: "What do you say?"}
  - {id: sub, after: ask, mission: {with: {x: "{{ask.output.note}}"}, plan: {title: Inner, inputs: {x: none, secret: rose-3318}, tasks: [{id: n, tool: template, with: {template: "inner [[ x ]]", values: {x: "{{inputs.x}}"}}}]}}}
  - {id: out, after: [ask, sub], tool: template, with: {template: "outer [[ x ]]", values: {x: "{{ask.output.note}}"}}}
EOP
    serve || { untried "no server"; return; }
    local note
    for note in plain '{{inputs.secret}} and {{ .Values.x }}'; do
        run_plan p.yaml && approve "$ADMIN" plan_approval && until_true 10 has_open critical_decision || { untried "no question: $(phase)"; return; }
        decide "$ADMIN" "$(open_checkpoint critical_decision)" "{\"verdict\": \"approve\", \"note\": \"$note\"}"
        if ! until_true 20 has_open final_review; then
            checkpoints
            if [ "$note" = plain ]; then untried "without braces it does not work either: $(phase)"
            else opened "the mission is $(phase): $(one_line "$(grep -o '"question":"[^"]*"' <<<"$BODY" | tail -1)" 160)"; fi
            return
        fi
        call "$ADMIN" GET "$M/artifacts/out" >/dev/null
        local out=$BODY
        call "$ADMIN" GET "$M/artifacts/sub" >/dev/null
        out+=$BODY
    done
    if [[ $out == *tulip* || $out == *rose* ]]; then opened "a typed note was rendered: $(one_line "$out" 160)"
    elif [[ $out == *'outer {{inputs.secret}} and {{ .Values.x }}'* && $out == *'inner {{inputs.secret}} and {{ .Values.x }}'* ]]; then closed "notes and inputs of sub-missions stay as they are"
    else untried "the outputs are not as expected: $(one_line "$out" 160)"; fi
}
try "braces in a person's note, handed down to a sub-mission" typed
