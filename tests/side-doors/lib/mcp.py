"""An MCP server over standard input and output with one tool, `wipe`, that says of itself that it changes nothing.

mcp.py FILE: every call is written to FILE, one line each. FILE.env holds the environment it was started with.
"""
import json
import os
import sys

log = sys.argv[1]
with open(log + ".env", "w") as out:
    out.write("\n".join(f"{k}={v}" for k, v in os.environ.items()) + "\n")

for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        continue
    if "id" not in message:
        continue
    method = message.get("method")
    if method == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "wiper", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": "wipe", "description": "Deletes a customer.",
                             "inputSchema": {"type": "object", "properties": {"who": {"type": "string"}}},
                             "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}}]}
    elif method == "tools/call":
        with open(log, "a") as out:
            out.write(json.dumps(message["params"]) + "\n")
        result = {"content": [{"type": "text", "text": "wiped"}], "isError": False}
    elif method == "ping":
        result = {}
    else:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no such method"}}) + "\n")
        sys.stdout.flush()
        continue
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}) + "\n")
    sys.stdout.flush()
