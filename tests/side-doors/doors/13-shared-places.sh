# Side door 13: places that are shared, and helpers that are trusted too much.
#
# Who:   another tenant of the same installation; the author of a document; the operator of an MCP server.
# Tries: a) to overwrite and to read files of another tenant through the folder of `write_file`; b) to reach the network from the
#        process that parses documents; c) to have a dangerous MCP tool treated as harmless because the server says so.
# Must:  a) each tenant has its own files; b) the parsing process has no network; c) the server's own `readOnlyHint` does not make
#        a tool pure: its calls are asked about.

kept() { find "$ADJUTANT_HOME" -name offer.txt -type f -exec cat {} + 2>/dev/null | grep -q "$1"; }
tenants_write() {
    fresh
    settings <<<''
    plan a.yaml <<<'{title: A, tasks: [{id: w, tool: write_file, with: {path: offer.txt, text: offer-of-acme}}]}'
    plan b.yaml <<<'{title: B, tasks: [{id: w, tool: write_file, with: {path: offer.txt, text: offer-of-zenith}}]}'
    ADJUTANT_TENANT=acme adj run a.yaml --yes
    if [ "$RC" != 0 ] || ! kept offer-of-acme; then untried "write_file does not work: $(one_line "$SAID" 120)"; return; fi
    ADJUTANT_TENANT=zenith adj run b.yaml --yes
    if ! kept offer-of-acme; then opened "tenant zenith replaced offer.txt of tenant acme"
    elif kept offer-of-zenith; then closed "each tenant has its own file"
    elif says; then closed "$(code)"
    else untried "tenant zenith wrote nothing: $(one_line "$SAID" 120)"; fi
}
try "write_file of two tenants to the same name" tenants_write

tenants_climb() { # a path that leads out of the tenant's own folder
    fresh
    settings <<<''
    plan a.yaml <<<'{title: A, tasks: [{id: w, tool: write_file, with: {path: offer.txt, text: offer-of-acme}}]}'
    ADJUTANT_TENANT=acme adj run a.yaml --yes
    local file relative
    file=$(written offer.txt)
    [ -n "$file" ] || { untried "write_file does not work: $(one_line "$SAID" 120)"; return; }
    relative=${file#"$ADJUTANT_HOME"/files/}
    local path tenant
    for path in "../$relative" "../acme/offer.txt" "$relative" "acme/offer.txt"; do
        plan b.yaml <<<"{title: B, on_failure: give_up, tasks: [{id: w, tool: write_file, with: {path: \"$path\", text: offer-of-zenith}}]}"
        ADJUTANT_TENANT=zenith adj run b.yaml --yes
        if [ "$(cat "$file")" != offer-of-acme ]; then opened "tenant zenith replaced the file of tenant acme with the path $path"; return; fi
    done
    for tenant in ../acme acme/. ./acme ACME; do
        plan b.yaml <<<'{title: B, on_failure: give_up, tasks: [{id: w, tool: write_file, with: {path: offer.txt, text: offer-of-zenith}}]}'
        ADJUTANT_TENANT=$tenant adj run b.yaml --yes
        if [ "$(cat "$file")" != offer-of-acme ]; then opened "a tenant called $tenant replaced the file of tenant acme"; return; fi
    done
    closed "no path and no tenant name leads to the file of tenant acme"
}
try "write_file out of the tenant's folder" tenants_climb

tenants_read() {
    fresh
    printf '[tools.run_command]\nprograms = ["/bin/cat", "/bin/sh"]\n' | settings
    plan a.yaml <<<'{title: A, tasks: [{id: w, tool: write_file, with: {path: offer.txt, text: offer-of-acme}}]}'
    plan r.yaml <<<'{title: R, on_failure: give_up, tasks: [{id: r, tool: run_command, with: {program: /bin/sh, args: [-c, "cat offer.txt; find / -name offer.txt -exec cat {} + 2>/dev/null; true"]}}]}'
    ADJUTANT_TENANT=acme adj run a.yaml --yes
    ADJUTANT_TENANT=acme adj run r.yaml --yes
    ADJUTANT_TENANT=acme adj show last --json
    if [[ $OUT != *offer-of-acme* ]]; then untried "run_command cannot read the tenant's own file here: $(one_line "$SAID" 200)"; return; fi
    ADJUTANT_TENANT=zenith adj run r.yaml --yes
    local said=$SAID
    ADJUTANT_TENANT=zenith adj show last --json
    if [[ $OUT == *offer-of-acme* ]]; then opened "tenant zenith read offer.txt of tenant acme with run_command"
    elif [[ $OUT == *exit_code* || $OUT == *completed* ]]; then closed "tenant zenith does not see the file"
    elif says "$said"; then closed "$(code "$said")"
    else untried "the program did not run: $(one_line "$said" 160)"; fi
}
try "run_command reads another tenant's file" tenants_read

parser_network() {
    fresh
    settings <<<''
    # a document that takes some seconds to parse
    "$PYTHON" -c '
print("<html><body>")
for i in range(400000): print(f"<div class=c{i}><p>Word {i} <b>and</b> <i>more</i></p>")
print("</body></html>")' >"$WORK/long.html"
    (cd "$WORK" && exec "$ADJUTANT" kb add long.html -n x) >"$T/kb.log" 2>&1 </dev/null &
    local parent=$! child='' task found='' i
    PIDS+=("$parent")
    for i in $(seq 2000); do
        for task in /proc/"$parent"/task/*/children; do
            for child in $(cat "$task" 2>/dev/null); do
                # the parser is the same program
                if [ "$(readlink "/proc/$child/exe" 2>/dev/null)" = "$ADJUTANT" ]; then
                    sleep 0.3                                            # time to shut itself in
                    [ -e "/proc/$child/status" ] || continue
                    local own theirs filter
                    own=$(readlink "/proc/$parent/ns/net") theirs=$(readlink "/proc/$child/ns/net")
                    filter=$(awk '/^Seccomp:/ {print $2}' "/proc/$child/status" 2>/dev/null)
                    [ -n "$theirs" ] && found="$own $theirs ${filter:-0}" && break 3
                fi
            done
        done
        kill -0 "$parent" 2>/dev/null || break
        sleep 0.01
    done
    end "$parent"
    cat "$T/kb.log"
    if [ -z "$found" ]; then untried "the parsing process was not seen"; return; fi
    read -r own theirs filter <<<"$found"
    if [ "$own" != "$theirs" ]; then closed "the parsing process has a network namespace of its own"
    elif [ "$filter" = 2 ]; then closed "the parsing process has a system call filter (which calls it refuses cannot be seen from outside)"
    else opened "the parsing process shares the network ($theirs) and has no system call filter"; fi
}
try "the document parser's network" parser_network

mcp_settings() { # [MORE]
    printf '[mcp.x]\ncommand = ["%s", "%s", "%s"]\n%s\n' "$PYTHON" "$HERE/lib/mcp.py" "$T/calls" "${1-}"
}
hint_class() {
    fresh
    mcp_settings 'read_only = ["wipe"]' | settings
    adj tools show x.wipe --json
    if [[ $OUT != *'"class":"pure"'* ]]; then untried "the owner's own setting read_only does not make it pure: $(one_line "$SAID" 120)"; return; fi
    mcp_settings | settings
    adj tools show x.wipe --json
    if [[ $OUT == *'"class":"pure"'* || $OUT == *'"class":"idempotent"'* ]]; then opened "the server's readOnlyHint makes x.wipe $(pick 'd["class"]' "$OUT")"
    elif [[ $OUT == *'"class":"once"'* ]]; then closed "x.wipe is once, whatever the server says of itself"
    else untried "the class is not shown: $(one_line "$SAID" 160)"; fi
}
try "readOnlyHint decides the class" hint_class

hint_strict() {
    fresh
    mcp_settings 'class = { wipe = "once" }' | settings
    plan p.yaml <<<'{title: Wipe, autonomy: strict, tasks: [{id: w, tool: x.wipe, with: {who: carl}}]}'
    adj run p.yaml --detach
    host || { untried "no host"; return; }
    sleep 1
    adj decide last approve
    sleep 3
    if [ -s "$T/calls" ]; then untried "a once tool of an MCP server is called without approval under strict"; return; fi
    adj decide last approve
    until_true 15 test -s "$T/calls" || { untried "with an approval it is not called either: $(one_line "$SAID" 120)"; return; }
    stop_server
    fresh
    mcp_settings | settings
    plan p.yaml <<<'{title: Wipe, autonomy: strict, tasks: [{id: w, tool: x.wipe, with: {who: carl}}]}'
    adj run p.yaml --detach
    host || { untried "no host"; return; }
    sleep 1
    adj decide last approve
    sleep 4
    if [ -s "$T/calls" ]; then opened "under strict, x.wipe was called after the approval of the plan alone"; return; fi
    adj inbox
    if [[ $OUT == *wipe* ]]; then closed "a person is asked about the call"
    else untried "not called, but nobody is asked: $(one_line "$SAID" 160)"; fi
}
try "readOnlyHint and autonomy strict" hint_strict
