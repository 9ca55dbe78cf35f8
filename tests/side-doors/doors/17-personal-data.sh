# Side door 17: personal data in what leaves.
#
# Who:   everybody who receives a report, an event or a notification, and should not learn who the patients are.
# Tries: nothing; a research mission simply quotes a document that names patients by initials and date of birth.
# Must:  the report (in every text format, on the command line and over HTTP), the events of the mission and the notices contain
#        neither the initials nor the dates of birth. The rest of the sentence is there.

# Made-up people. NEEDLES is what must not appear.
NEEDLES='14\.02\.1957|1957-02-14|14 February 1957|02/14/1957|K\. ?T\. ?W\.|03\.11\.1964|M\. ?O\. ?B\.|Hildegard|Brennecke'

record() {
    mkdir -p "$WORK/papers"
    cat >"$WORK/papers/narratives.md" <<'EOP'
# Safety narratives of the Corvane trial

Patient K.T.W., born 14.02.1957, had a potassium of 6.4 mmol/l under Corvane and recovered.

Patient M.O.B. (date of birth 03.11.1964) had a potassium of 6.1 mmol/l under Corvane and stopped the treatment.

Patient Hildegard Brennecke, born on 14 February 1957, had a potassium of 5.9 mmol/l under Corvane.
EOP
}
recognised() { # the product's own detector knows that this is personal data
    adj redact papers/narratives.md
    ! grep -qE '14\.02\.1957|03\.11\.1964' <<<"$OUT" && grep -q 'potassium of 6.4' <<<"$OUT"
}

research() {
    fresh
    sink hook || return 1
    export HOOK_SECRET=whsec_$(printf 'A%.0s' $(seq 43))=
    {
        printf '[tools]\ndeny = ["L5-PS", "L5-CT", "L5-FDA", "L5-EMA", "L5-PT", "L5-NEWS", "L5-WEB", "http", "http_post"]\n'
        printf '[[notify]]\nname = "out"\nkind = "webhook"\nurl = "%s/hook"\nsecret_env = "HOOK_SECRET"\n' "$SINK"
    } | settings
    record
    adj kb add papers -n corvane
    serve || return 1
    call "$ADMIN" POST /api/missions '{"mission": "deep_dive", "objective": "Which patients had a high potassium under Corvane?", "knowledge_bases": ["corvane"]}'
    ID=$(pick 'd["mission"]')
    M=/api/missions/$ID
    [ -n "$ID" ] || return 1
    approve_all "$ADMIN" 150
    phase_is completed
}

READY=''
research && READY=1
RECOGNISED=''
recognised && RECOGNISED=1

leak() { # TEXT WHAT
    local hits
    hits=$(tr -d '\\' <<<"$1" | grep -aoE "$NEEDLES" | sort | uniq -c | sort -rn | head -5 | awk '{$1=$1};1' | paste -sd, -)
    if ! grep -qaE 'potassium' <<<"$1"; then untried "$2 does not mention the finding: $(one_line "$1" 120)"
    elif [ -n "$hits" ]; then opened "$2 contains $hits"
    else closed "$2 contains neither initials nor dates of birth"; fi
}
ready() {
    [ -n "$READY" ] || { untried "the research mission does not complete: $(phase)"; return 1; }
    [ -n "$RECOGNISED" ] || { untried "adjutant redact does not recognise the dates of birth"; return 1; }
}
for FORMAT in md html json; do
    report_format() { ready || return; call "$ADMIN" GET "$M/report?format=$FORMAT" >/dev/null; leak "$BODY" "the report ($FORMAT)"; }
    try "GET report?format=$FORMAT" report_format
done
report_docx() {
    ready || return
    call "$ADMIN" GET "$M/report?format=docx" >/dev/null
    leak "$("$PYTHON" -c 'import re, sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(" ".join(re.sub(r"<[^>]*>", "", z.read(n).decode()) for n in z.namelist() if n.endswith(".xml")))' "$T/body")" "the report (docx)"
}
try "GET report?format=docx" report_docx
report_command() { ready || return; adj report last --format md >/dev/null; leak "$OUT" "adjutant report"; }
try "adjutant report" report_command
viewer_report() { ready || return; key VIEWER vera viewer; call "$VIEWER" GET "$M/report" >/dev/null; leak "$BODY" "the report for a viewer"; }
try "the report for a viewer" viewer_report
events() { ready || return; LIMIT=10 call "$VIEWER" GET "$M/events" >/dev/null; leak "$BODY" "the events for a viewer"; }
try "GET events" events
all_events() { ready || return; LIMIT=4 call "$VIEWER" GET "/api/events?after=0.0" >/dev/null; leak "$BODY" "the events of all missions"; }
try "GET /api/events" all_events
citations() { ready || return; call "$VIEWER" GET "$M/citations" >/dev/null; leak "$BODY" "the citations"; }
try "GET citations" citations
notices() {
    ready || return
    until_true 15 grep -q mission.ended "$T/hook.seen"
    if [ "$(seen 'checkpoint.opened' hook)" = 0 ]; then untried "no notice was sent"; return; fi
    local hits
    hits=$(grep -aoE "$NEEDLES" "$T/hook.seen" | sort | uniq -c | awk '{$1=$1};1' | paste -sd, -)
    if [ -n "$hits" ]; then opened "$(wc -l <"$T/hook.seen") notices contain $hits"
    else closed "$(wc -l <"$T/hook.seen") notices without initials and dates of birth"; fi
}
try "webhook notices" notices
