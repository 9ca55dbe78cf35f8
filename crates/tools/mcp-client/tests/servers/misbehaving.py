"""An MCP server over standard input and output that misbehaves in the way its first argument names."""

import json
import os
import subprocess
import sys
import time

MODE = sys.argv[1]
LOG = sys.argv[2] if len(sys.argv) > 2 else None
OBJECT = {"type": "object"}
NUMBER = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


def write(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def log(line):
    if LOG:
        with open(LOG, "a") as file:
            file.write(line + "\n")


def answer(id, result):
    write({"jsonrpc": "2.0", "id": id, "result": result})


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def listed():
    work = {"name": "work", "description": "Does\u0007 it\u200b.\nTwice.", "inputSchema": OBJECT}
    look = {"name": "look", "inputSchema": OBJECT, "annotations": {"readOnlyHint": True}}
    if MODE == "lies":
        look["outputSchema"] = NUMBER
    if MODE == "changes" and CHANGED:
        look["inputSchema"] = {"type": "object", "required": ["all"]}
    tools = [work, look]
    if MODE == "odd-tools":
        tools += [
            work,
            {"name": "a b", "inputSchema": OBJECT},
            {"name": "a  b", "inputSchema": OBJECT},
            {"name": "x" * 100, "inputSchema": OBJECT},
            {"name": "remote", "inputSchema": {"$ref": "https://example.org/schema.json"}},
            {"name": "wrong", "inputSchema": {"type": "nothing"}},
            {"name": "large", "inputSchema": {"type": "object", "description": "x" * 300_000}},
        ]
    return tools


def leave_children():
    """One that is our child in a session of its own, and one that nobody's parent is any more and that hides who it is."""
    sleeper = ["sleep", "3600"]
    child = subprocess.Popen(sleeper, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    log(f"start {child.pid}")
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            log(f"start {os.getpid()}")
            os.closerange(0, 3)
            os.execve("/bin/sleep", sleeper, {})
        os._exit(0)
    os.wait()
    while LOG and open(LOG).read().count("start ") < 3:
        time.sleep(0.01)


def call(id, params):
    if MODE == "hangs":
        time.sleep(3600)
    elif MODE == "dies":
        print("out of paper", file=sys.stderr, flush=True)
        sys.exit(3)
    elif MODE == "endless-line":
        while True:
            sys.stdout.write("x" * 65536)
    elif MODE == "endless-lines":
        while True:
            sys.stdout.write("not a message\n")
    elif MODE == "endless-notices":
        while True:
            write({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}})
    elif MODE == "broken":
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": id, "result": text("done")})[:-3] + "\n")
        sys.stdout.flush()
        time.sleep(3600)
    elif MODE == "text-id":
        answer(str(id), text("for somebody else"))
        time.sleep(3600)
    elif MODE == "leaves-children":
        leave_children()
        time.sleep(3600)
    elif MODE == "leaves-children-and-ends":
        leave_children()
        sys.exit(4)
    elif MODE == "wrong-id":
        answer(id + 1000, text("for somebody else"))
        answer(id, text("right"))
    elif MODE == "twice":
        answer(id, text("first"))
        answer(id, text("second"))
    elif MODE == "chatters":
        print("starting up, please wait")
        for n in range(500):
            write({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": n}})
        answer(id, text("done"))
    elif MODE == "lies":
        answer(id, {**text("no"), "structuredContent": {"n": "many"}})
    elif MODE == "asks":
        said = []
        for number, method in enumerate(["sampling/createMessage", "elicitation/create", "roots/list"]):
            params = {}
            if number == 0:
                params = {"messages": [], "maxTokens": 5}
            elif number == 1:
                params = {"message": "your password?", "requestedSchema": {"type": "object", "properties": {}}}
            write({"jsonrpc": "2.0", "id": f"ask-{number}", "method": method, "params": params})
            reply = json.loads(sys.stdin.readline())
            said.append(reply.get("error", {}).get("message") or reply["result"].get("action", "none"))
        answer(id, text(", ".join(said)))
    elif MODE == "changes":
        global CHANGED
        CHANGED = True
        write({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        answer(id, text("done"))
    elif MODE == "fails":
        answer(id, {**text("the printer is on fire\u0007"), "isError": True})
    elif MODE == "refuses":
        write({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": "not today"}})
    elif MODE == "parts":
        answer(id, {"content": [
            {"type": "text", "text": "one"},
            {"type": "image", "data": "aGk=", "mimeType": "image/png"},
            {"type": "audio", "data": "a" * 3_000_000, "mimeType": "audio/wav"},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
            {"type": "resource_link", "uri": "file:///b", "name": "b"},
            {"type": "text", "text": "two"},
        ]})
    elif MODE == "environment":
        answer(id, text(",".join(sorted(os.environ))))
    else:
        answer(id, text("done"))


CHANGED = False
if MODE == "ends-at-once":
    print("no licence", file=sys.stderr, flush=True)
    sys.exit(7)
if MODE == "never-ready":
    time.sleep(3600)
log(f"start {os.getpid()}")
for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method:
        log(method)
    if method == "initialize":
        version = message["params"]["protocolVersion"]
        answer(id, {"protocolVersion": version, "capabilities": {"tools": {"listChanged": True}},
                    "serverInfo": {"name": "misbehaving", "version": "1"}})
    elif method == "tools/list" and MODE == "many":
        start = int(message.get("params", {}).get("cursor") or 0)
        page = [{"name": f"tool{n}", "inputSchema": OBJECT} for n in range(start, start + 50)]
        answer(id, {"tools": page, "nextCursor": str(start + 50)})
    elif method == "tools/list":
        answer(id, {"tools": listed()})
    elif method == "tools/call":
        call(id, message["params"])
