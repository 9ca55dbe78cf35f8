# Runs one door. Sourced functions: everything a door needs to start servers, send requests and give verdicts.
# Called by `run` with an empty environment: ADJUTANT, PYTHON, HERE and DOOR (the door's own folder) are set.
set -uo pipefail
export PYTHONDONTWRITEBYTECODE=1

ATTEMPTS=$DOOR/attempts
: >"$ATTEMPTS"
mkdir -p "$HOME"
PIDS=()              # what this door has started, and must end
VERDICT=''           # the verdict of the attempt in progress
ATTEMPT=''
N=0                  # number of the current installation

# ---------------------------------------------------------------- verdicts

one_line() { printf '%s' "$1" | tr '\t\n\r' '   ' | tr -s ' ' | cut -c "1-${2:-260}"; }

verdict() { # VERDICT EVIDENCE
    VERDICT=$1
    printf '%s\t%s\t%s\n' "$1" "$ATTEMPT" "$(one_line "$2")" >>"$ATTEMPTS"
}
closed() { verdict closed "$1"; }
opened() { verdict open "$1"; }
untried() { verdict untried "$1"; }
noted() { note "$1"; VERDICT=note; }                  # as a verdict: seen, but not part of the item
note() { printf 'note\t%s\t%s\n' "$ATTEMPT" "$(one_line "$1")" >>"$ATTEMPTS"; }

try() { # NAME FUNCTION: one attempt. The function must give exactly one verdict.
    ATTEMPT=$1 VERDICT=''
    echo "=== $1"
    "$2"
    [ -n "$VERDICT" ] || untried "the attempt ended without a verdict"
    echo "=== $1: $VERDICT"
}

# ---------------------------------------------------------------- installations

fresh() { # A new installation: its own data folder, its own empty current folder. Ends the server of the one before.
    stop_server
    N=$((N + 1))
    T=$DOOR/$N
    export ADJUTANT_HOME=$T/data
    WORK=$T/work
    mkdir -p "$T" "$ADJUTANT_HOME" "$WORK"
    chmod 700 "$ADJUTANT_HOME"
    unset ADJUTANT_TENANT ADJUTANT_USER ADJUTANT_ROLES ADJUTANT_STAND_IN ADJUTANT_MASTER_KEY
}

settings() { cat >"$ADJUTANT_HOME/adjutant.toml"; }   # the owner's settings, in the data folder

reach() { # The settings that let tools reach a server on this machine. Extra lines of [tools] as arguments.
    printf '[tools]\nprivate_hosts = ["127.0.0.1"]\n'
    printf '%s\n' "$@"
    printf '[tools.http]\nhosts = ["127.0.0.1"]\n'
}

template() { # NAME: a mission template of the owner. Its tasks come from standard input.
    mkdir -p "$ADJUTANT_HOME/missions"
    {
        printf 'id: %s\nname: %s\ncategory: understand\nversion: 1\nabout: A test\n' "$1" "$1"
        printf 'expert: L2-research-coordinator\nworkers: [L4-DE]\n'
        printf 'reasoning: {patterns: [chain_of_thought]}\n'
        printf 'estimate: {cost: {from: $0.01, to: $0.05}, time: {from: 1m, to: 5m}}\n'
        printf 'deliverable: {kind: deep_dive, sections: [What was found]}\n'
        cat
    } >"$ADJUTANT_HOME/missions/$1.yaml"
}

written() { find "$ADJUTANT_HOME" -name "$1" -type f 2>/dev/null | head -1; }   # where write_file put a file; nothing if it did not
is_written() { [ -n "$(written "$1")" ]; }

plan() { cat >"$WORK/$1"; }                           # a plan file in the current folder

adj() { # Runs the command line: OUT, ERR, RC, and SAID (both).
    RC=0
    (cd "$WORK" && exec timeout -k 5 "${LIMIT:-90}" "$ADJUTANT" "$@") >"$T/out" 2>"$T/err" </dev/null || RC=$?
    OUT=$(tr -d '\0' <"$T/out") ERR=$(tr -d '\0' <"$T/err")
    SAID="$OUT"$'\n'"$ERR"
    printf '$ adjutant %s\n%s\n%s\n[%s]\n' "$*" "${OUT:0:3000}" "${ERR:0:3000}" "$RC"
}

start() { # NAME COMMAND…: a process in the background; its pid in PID, its output in $T/NAME.log
    local name=$1
    shift
    (cd "$WORK" && exec "$@") >"$T/$name.log" 2>&1 </dev/null &
    PID=$!
    PIDS+=("$PID")
}

end() { # PID: ends a process that this door started, and waits for it
    local pid=$1 i
    kill -TERM "$pid" 2>/dev/null
    for i in $(seq 100); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    return 0
}

until_true() { # SECONDS COMMAND…: waits until the command succeeds
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        sleep 0.2
    done
}

SERVER='' SERVER_PID=''
ADMIN=adj_the-token-of-the-owner-0123456789
serve() { # Starts the server of this installation on a free port: SERVER, SERVER_PID. The owner's key is ADMIN.
    local i
    (cd "$WORK" && ADJUTANT_TOKEN=$ADMIN exec "$ADJUTANT" serve --listen 127.0.0.1:0 "$@") >"$T/serve.log" 2>&1 </dev/null &
    SERVER_PID=$!
    PIDS+=("$SERVER_PID")
    for i in $(seq 300); do
        SERVER=$(grep -o 'http://127\.0\.0\.1:[0-9]*' "$T/serve.log" | head -1)
        if [ -n "$SERVER" ] && [ "$(curl -s -o /dev/null -m 5 -w '%{http_code}' "$SERVER/health")" = 200 ]; then
            return 0
        fi
        kill -0 "$SERVER_PID" 2>/dev/null || break
        sleep 0.1
    done
    cat "$T/serve.log"
    SERVER=''
    return 1
}
host() { # Starts `adjutant up` in the place of a server.
    (cd "$WORK" && exec "$ADJUTANT" up) >"$T/serve.log" 2>&1 </dev/null &
    SERVER_PID=$!
    PIDS+=("$SERVER_PID")
    until_true 30 test -S "$ADJUTANT_HOME/control.sock" || { cat "$T/serve.log"; return 1; }
}
stop_server() {
    [ -z "$SERVER_PID" ] || end "$SERVER_PID"
    SERVER='' SERVER_PID=''
}

# ---------------------------------------------------------------- HTTP

call() { # TOKEN METHOD PATH [BODY [curl options…]]: STATUS and BODY
    local token=$1 method=$2 path=$3 args=(-sS -m "${LIMIT:-60}" -o "$T/body" -w '%{http_code}')
    shift 3
    case $method in HEAD) args+=(-I) ;; *) args+=(-X "$method") ;; esac
    [ -z "$token" ] || args+=(-H "Authorization: Bearer $token")
    if [ $# -gt 0 ]; then
        [ -z "$1" ] || { printf '%s' "$1" >"$T/request"; args+=(--data-binary "@$T/request"); }
        shift
    fi
    : >"$T/body"
    STATUS=$(curl "${args[@]}" "$@" "$SERVER$path" 2>"$T/curl.err") || STATUS=000
    BODY=$(tr -d '\0' <"$T/body")
    SAID=$BODY
    printf '%s %s %s\n  -> %s %s\n' "$method" "$path" "${1-}" "$STATUS" "${BODY:0:1500}"
}

pick() { # EXPRESSION: a Python expression over the JSON document `d` in BODY; prints it as text, or as JSON
    printf '%s' "${2-$BODY}" | "$PYTHON" -c '
import json, sys
try:
    d = json.loads(sys.stdin.read())
    v = eval(sys.argv[1])
except Exception as e:
    print("", end=""); sys.exit(1)
print(v if isinstance(v, str) else json.dumps(v))' "$1"
}

key() { # VARIABLE OWNER ROLE [DECIDES_FOR]: makes an access token and stores it in the variable
    call "$ADMIN" POST /api/access "{\"who\": \"$2\", \"role\": \"$3\", \"decides_for\": [${4:+\"$4\"}]}"
    printf -v "$1" '%s' "$(pick 'd["token"]')"
    OWNER=$(pick 'd["made_by"]')                         # the name of whoever started the server
}

code() { # The first error code in a text, with its message: ADJ-1234: the message
    printf '%s' "${1-$SAID}" | "$PYTHON" -c '
import json, re, sys
text = sys.stdin.read()
try:
    d = json.loads(text)
    if isinstance(d, dict) and "code" in d:
        print(d["code"] + ": " + str(d.get("detail", ""))); sys.exit()
except ValueError:
    pass
m = re.search(r"(ADJ-\d{4})\]?:? ?([^\n]*)", text)
if m:
    why = re.search(r"\"(?:detail|reason|message|error)\": ?\"([^\"]*)", m.group(2)) if m.group(2).startswith("\"") else None
    print(m.group(1) + ": " + (why.group(1) if why else m.group(2)))'
}
says() { [[ ${1-$SAID} =~ ADJ-[0-9]{4} ]]; }          # whether a text contains an error code

# ---------------------------------------------------------------- missions over HTTP

begin() { # TOKEN TYPE [MORE FIELDS]: starts a mission of a template: ID and M
    call "$1" POST /api/missions "{\"mission\": \"$2\", \"objective\": \"Try the door\"${3:+, $3}}"
    ID=$(pick 'd["mission"]')
    M=/api/missions/$ID
    [ -n "$ID" ]
}
run_plan() { # FILE [OPTIONS]: starts a plan file on the server's machine: ID and M
    local file=$1
    shift
    adj run "$file" --detach --json "$@"
    ID=$(grep -o 'msn_[0-9a-z]\{26\}' <<<"$SAID" | head -1)
    M=/api/missions/$ID
    [ -n "$ID" ]
}
phase() { call "$ADMIN" GET '/api/missions?limit=500' >/dev/null; pick "next(m['phase'] for m in d['missions'] if m['mission'] == '${1-$ID}')"; }
phase_is() { local now; now=$(phase); [[ " $1 " == *" $now "* ]]; }
ended() { phase_is "completed failed cancelled"; }
newest() { call "$ADMIN" GET '/api/missions?limit=500' >/dev/null; pick "next(m['mission'] for m in d['missions'] if m['mission'] not in '${1-}')"; }   # the newest, except those named

checkpoints() { call "$ADMIN" GET "$M/checkpoints" >/dev/null; }
open_checkpoint() { # [KIND]: the number of the first open checkpoint (of a kind) of mission ID
    call "$ADMIN" GET /api/inbox >/dev/null
    pick "next(c['number'] for c in d['checkpoints'] if c['mission'] == '$ID' and c['kind'].startswith('${1-}'))"
}
has_open() { [ -n "$(open_checkpoint "${1-}")" ]; }
option_of() { # NUMBER: the option to choose: `accept` if there is one, else the recommended one, else the first
    checkpoints
    pick "next((lambda c: next((o['key'] for o in c['options'] if o['key'] == 'accept'), None) or (c.get('recommendation') or {}).get('option') or c['options'][0]['key'])(x['checkpoint']) for x in d['checkpoints'] if x['checkpoint']['number'] == $1 and x['checkpoint'].get('options'))"
}
use() { ID=$1 M=/api/missions/$1; }                   # from now on, this mission is meant
decide() { # TOKEN NUMBER BODY
    call "$1" POST "$M/checkpoints/$2/decision" "$3"
}
approve() { # TOKEN [KIND [SECONDS]]: waits for an open checkpoint (of a kind) and approves it
    local number=''
    until_true "${3:-20}" has_open "${2-}" || { STATUS=none; return 1; }
    number=$(open_checkpoint "${2-}")
    approve_number "$1" "$number"
}
approve_number() { # TOKEN NUMBER
    local option
    option=$(option_of "$2")
    decide "$1" "$2" "{\"verdict\": \"approve\"${option:+, \"option\": \"$option\"}}"
    [ "$STATUS" = 200 ]
}
approve_all() { # TOKEN [SECONDS]: approves whatever opens until the mission has ended
    local deadline=$((SECONDS + ${2:-40})) number
    while [ "$SECONDS" -lt "$deadline" ]; do
        ended && return 0
        number=$(open_checkpoint)
        if [ -n "$number" ]; then approve_number "$1" "$number" || sleep 0.5; else sleep 0.3; fi
    done
    return 1
}

# ---------------------------------------------------------------- small servers

sink() { # [NAME [ARGUMENTS]]: an HTTP server that answers everything and writes every request down: SINK, its log in $T/NAME.seen
    local name=${1:-sink} i
    shift || true
    rm -f "$T/$name.port"
    : >"$T/$name.seen"
    start "$name" "$PYTHON" "$HERE/lib/sink.py" "$T/$name" "$@"
    until_true 20 test -s "$T/$name.port" || return 1
    SINK=http://127.0.0.1:$(<"$T/$name.port")
}
was_seen() { grep -qE -- "$1" "$T/${2:-sink}.seen"; }   # whether a request matches; for until_true
seen() { # PATTERN [NAME]: how many requests match, such as "POST /pay"
    grep -c -E -- "$1" "$T/${2:-sink}.seen"
}

helper() { "$PYTHON" "$HERE/lib/$1.py" "${@:2}"; }

finish() {
    local pid
    for pid in "${PIDS[@]}"; do kill -TERM "$pid" 2>/dev/null; done
    for pid in "${PIDS[@]}"; do end "$pid"; done
}
trap finish EXIT
trap 'exit 130' INT TERM

source "$1"
: >"$DOOR/finished"
