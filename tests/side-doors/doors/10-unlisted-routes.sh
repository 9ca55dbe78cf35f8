# Side door 10: routes that nobody listed.
#
# Who:   somebody with the weakest key (viewer), with an unsuitable role, or without any key.
# Tries: paths and methods that the documentation does not list; and every listed route with every role.
# Must:  an unlisted path or method is denied with a code (404 ADJ-9008, 405 ADJ-9009, 403, or 401 without a key), and never
#        answered with content. A listed route answers exactly the roles that the documentation names: the others get 403
#        ADJ-9007, and 401 ADJ-9006 without a key. Nothing answers 5xx.

# The routes of docs/http-api.md: method, path, right, and a body that is harmless ({} is refused after the check of the right).
# MISSION and TASK are replaced.
routes='
GET /api/catalogue read
POST /api/missions start {}
GET /api/missions read
GET /api/missions/MISSION read
GET /api/missions/MISSION/plan read
GET /api/missions/MISSION/tasks read
GET /api/missions/MISSION/agents read
GET /api/missions/MISSION/ledger read
GET /api/missions/MISSION/tasks/first read
GET /api/missions/MISSION/artifacts read
GET /api/missions/MISSION/artifacts/first read
GET /api/missions/MISSION/citations read
GET /api/missions/MISSION/checks read
GET /api/missions/MISSION/calls read
GET /api/missions/MISSION/steps read
GET /api/missions/MISSION/report read
GET /api/missions/MISSION/events read
GET /api/events read
POST /api/missions/MISSION/commands control {}
POST /api/missions/MISSION/fork start {"at":999999}
GET /api/missions/MISSION/compare/MISSION read
GET /api/missions/MISSION/export export
GET /api/inbox read
GET /api/inbox/events read
GET /api/missions/MISSION/checkpoints read
POST /api/missions/MISSION/checkpoints/99/decision decide {"verdict":"reject"}
POST /api/missions/MISSION/checkpoints/99/claim decide {}
POST /api/missions/MISSION/checkpoints/99/release decide {}
GET /api/stats read
GET /api/accounts read
PUT /api/accounts control {}
GET /api/stops read
POST /api/stops control {}
DELETE /api/stops/tenant control
DELETE /api/stops/all control
DELETE /api/stops/tool/nothing control
DELETE /api/stops/provider/nothing control
GET /api/triggers read
POST /api/triggers control {}
DELETE /api/triggers/trg_nothing control
GET /api/tools read
GET /api/agents read
GET /api/knowledge_bases read
GET /api/knowledge_bases/nothing read
GET /api/knowledge_bases/nothing/search?query=x read
GET /api/access manage
POST /api/access manage {}
DELETE /api/access/nobody manage
GET /api/audit audit
GET /api/audit/export audit
GET /metrics read
POST /api/mode3/stream start {}
POST /api/mode3/hitl/00000000-0000-0000-0000-000000000000/respond decide {}
GET /api/mode3/00000000-0000-0000-0000-000000000000/status read
POST /api/mode3/00000000-0000-0000-0000-000000000000/cancel control
GET /api/docs none
GET /api/openapi.json none
GET /health none
GET /ready none
GET /version none
'
declare -A rights=(
    [admin]=" read start decide control export audit manage " [operator]=" read start decide control export "
    [approver]=" read decide " [analyst]=" read start " [auditor]=" read export audit " [viewer]=" read "
)
roles="admin operator approver analyst auditor viewer"
declare -A keys

prepared=''
fresh
settings </dev/null
plan p.yaml <<<'{title: A mission, tasks: [{id: first, tool: noop, with: {value: 1}}, {id: wait, after: first, human: "Go on?"}]}'
if serve; then
    for role in $roles; do key "keys[$role]" "the_$role" "$role"; done
    run_plan p.yaml --yes && until_true 20 ended && prepared=1
    run_plan p.yaml && approve "$ADMIN" plan_approval && MISSION=$ID || prepared=''
fi

quick() { # TOKEN METHOD PATH [BODY]: like call, but does not wait for the end of a stream
    LIMIT=3 call "$@" >/dev/null
    [ "$STATUS" != 000 ] || STATUS=$(grep -q 'timed out' "$T/curl.err" && echo 200 || echo 000)
}

listed() {
    [ -n "$prepared" ] || { untried "no server or no mission"; return; }
    local method path right body role allowed wrong='' asked=0 answered=0
    while read -r method path right body; do
        [ -n "$method" ] || continue
        path=${path//MISSION/$MISSION}
        for role in nobody $roles; do
            if [ "$role" = nobody ]; then
                quick "" "$method" "$path" "$body"
                allowed=$([ "$right" = none ] && echo yes || echo no)
            else
                quick "${keys[$role]}" "$method" "$path" "$body"
                allowed=no
                if [ "$right" = none ] || [[ ${rights[$role]} == *" $right "* ]]; then allowed=yes; fi
                # stopping and lifting a stop of everything is for admins only
                [ "$path" = /api/stops/all ] && [ "$role" = operator ] && [ "$STATUS" = 403 ] && allowed=no
            fi
            asked=$((asked + 1))
            case $STATUS in
                5*|000) wrong+=" $role $method $path answers $STATUS;" ;;
                401) [ "$role" = nobody ] && [ "$allowed" = no ] && [[ $BODY == *ADJ-9006* ]] || wrong+=" $role $method $path 401 $(code);" ;;
                403) [ "$role" != nobody ] && [ "$allowed" = no ] && [[ $BODY == *ADJ-9007* ]] || wrong+=" $role $method $path 403 $(code);" ;;
                *)
                    answered=$((answered + 1))
                    [ "$allowed" = yes ] || wrong+=" $role may $method $path ($STATUS);" ;;
            esac
        done
    done <<<"$routes"
    if [ "$answered" -lt 100 ]; then untried "only $answered of $asked requests were answered"
    elif [ -n "$wrong" ]; then opened "$wrong"
    else closed "$asked requests, forbidden ones get ADJ-9006 or ADJ-9007"; fi
}
try "every listed route with every role" listed

# What the running server itself lists must be what the documentation lists.
both_ways() {
    [ -n "$prepared" ] || { untried "no server or no mission"; return; }
    call "" GET /api/openapi.json >/dev/null
    local missing
    missing=$(ROUTES="$routes" "$PYTHON" -c '
import json, os, re, sys
d = json.load(open(sys.argv[1]))
stops = lambda p: re.sub(r"^(/api/stops)/(tenant|all)$", r"\1/*", re.sub(r"^(/api/stops)/(tool|provider)/", r"\1/*/", p))
shape = lambda p: stops(plain(p))
plain = lambda p: re.sub(r"\{[^}]*\}|MISSION|/first|/99/|trg_nothing|nobody|/nothing|00000000-[0-9-]*", lambda m: "/*" + ("/" if m.group(0).endswith("/") else "") if m.group(0).startswith("/") else "*", p.split("?")[0])
ours = {(l.split()[0], shape(l.split()[1])) for l in os.environ["ROUTES"].splitlines() if l.strip()}
theirs = {(m.upper(), shape(p)) for p, ms in d["paths"].items() for m in ms if m in ("get", "post", "put", "delete", "patch")}
gone = sorted(" ".join(x) for x in ours - theirs)
new = sorted(" ".join(x) for x in theirs - ours)
print(("not in openapi.json: " + ", ".join(gone) + " ") * bool(gone) + ("not in docs/http-api.md: " + ", ".join(new)) * bool(new))
' "$T/body")
    if [ -z "$BODY" ]; then untried "no openapi.json"
    elif [ -n "$missing" ]; then opened "$missing"
    else closed "openapi.json and the documentation list the same routes"; fi
}
try "openapi.json and the documentation list the same routes" both_ways

# Paths and methods that are not listed.
unlisted() {
    [ -n "$prepared" ] || { untried "no server or no mission"; return; }
    quick "${keys[viewer]}" GET "/api/missions/$MISSION"
    [ "$STATUS" = 200 ] || { untried "a viewer cannot read: $STATUS"; return; }
    local path method wrong='' asked=0 token
    for path in /api /api/ /api/nothing /api/mission /api/missions/ "/api/missions/$MISSION/" "/api/missions/$MISSION/nothing" \
        "/api/missions/$MISSION/journal" "/api/missions/$MISSION/key" "/api/missions/$MISSION/checkpoints/0" \
        "/api/missions/$MISSION/export/key" "/api/missions/$MISSION/events/x" /api/access/ /api/access/the_admin/token \
        /api/access/x/y /api/audit/ /api/audit/export/x /api/audit/1 /api/keys /api/settings /api/config /api/tenants /api/backup \
        /api/store /api/verify /api/sign /api/erase /api/prune /api/runs /api/plans /api/prompts /api/models /api/notify /api/debug \
        /debug /debug/pprof /admin /api/admin /api/shutdown /api/internal /internal /metrics/ /metrics/x /api/stops/x/y/z \
        /api//access "/api/missions/../access" "/api/missions/%2e%2e/access" "/api/missions/..%2faccess" "/API/access" "//api/access" \
        "/api/access%2f" "/api/access;x" "/api/%61ccess" "/api/mode3" "/api/mode3/x/y/z" "/api/docs/x" "/health/x" "/.env" \
        "/api/knowledge_bases/x/documents" "/api/triggers/x/fire" "/api/accounts/tenant"; do
        for method in GET HEAD POST PUT PATCH DELETE; do
            for token in "" "${keys[viewer]}" "${keys[analyst]}"; do
                quick "$token" "$method" "$path" "$([ "$method" = GET ] || [ "$method" = HEAD ] || [ "$method" = DELETE ] || echo '{}')" --path-as-is
                asked=$((asked + 1))
                case $STATUS in
                    401|403|404|405)
                        if [ "$method" != HEAD ] && ! says "$BODY"; then wrong+=" $method $path $STATUS without a code;"; fi ;;
                    *)
                        # The router may well treat another spelling as the listed route; then that route's right must hold.
                        if [[ $path == *ccess* || $path == *audit* || $method != GET && $method != HEAD || -z $token ]]; then
                            wrong+=" $([ -n "$token" ] && echo key || echo 'no key') $method $path answers $STATUS;"
                        elif [ "$STATUS" != 400 ]; then
                            wrong+=" $method $path answers $STATUS;"
                        fi ;;
                esac
            done
        done
    done
    if [ -n "$wrong" ]; then opened "$wrong"; else closed "$asked requests to unlisted paths: all denied, ADJ-9006 to ADJ-9009"; fi
}
try "paths that are not listed" unlisted

# Methods that a listed path does not have.
methods() {
    [ -n "$prepared" ] || { untried "no server or no mission"; return; }
    local paths path method wrong='' asked=0 token
    paths=$(awk '$2 {print $2}' <<<"$routes" | sort -u)
    for path in $paths; do
        for method in GET POST PUT PATCH DELETE TRACE OPTIONS PROPFIND; do
            ! grep -q -F "$method $path " <<<"$routes" || continue
            for token in "" "${keys[viewer]}"; do
                quick "$token" "$method" "${path//MISSION/$MISSION}" "$([ "$method" = POST ] || [ "$method" = PUT ] || [ "$method" = PATCH ] && echo '{}')"
                asked=$((asked + 1))
                case $STATUS in 401|403|404|405|501) ;; *) wrong+=" $([ -n "$token" ] && echo viewer || echo 'no key') $method $path answers $STATUS;" ;; esac
            done
        done
    done
    if [ -n "$wrong" ]; then opened "$wrong"; else closed "$asked requests with unlisted methods: all denied"; fi
}
try "methods that are not listed" methods
