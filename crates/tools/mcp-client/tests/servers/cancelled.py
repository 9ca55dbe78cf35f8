"""An MCP server whose one tool waits until it is cancelled, and then says how often it was."""

import json
import sys

cancelled = 0


def answer(id, result):
    print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method == "initialize":
        answer(id, {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                    "serverInfo": {"name": "cancelled", "version": "1"}})
    elif method == "tools/list":
        answer(id, {"tools": [{"name": "wait", "inputSchema": {"type": "object"}}]})
    elif method == "notifications/cancelled":
        cancelled += 1
    elif method == "tools/call" and message["params"].get("arguments", {}).get("now"):
        answer(id, {"content": [{"type": "text", "text": f"cancelled before: {cancelled}"}]})
