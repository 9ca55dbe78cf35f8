"""An MCP server over HTTP that misbehaves in the way the path names. Prints its port."""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OBJECT = {"type": "object"}
EXPIRED = set()


def result(message):
    method = message.get("method")
    if method == "initialize":
        return {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "misbehaving", "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": "work", "inputSchema": OBJECT},
                          {"name": "look", "inputSchema": OBJECT, "annotations": {"readOnlyHint": True}}]}
    return {"content": [{"type": "text", "text": "done"}]}


def with_text_id(body):
    message = json.loads(body)
    return json.dumps({**message, "id": str(message["id"])}).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", kind="application/json", **headers):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply(405)

    def do_DELETE(self):
        self.reply(200)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        mode, calls = self.path.strip("/"), message.get("method") == "tools/call"
        if mode == "key" and self.headers.get("authorization") != "Bearer right":
            return self.reply(401)
        if mode == "redirect":
            return self.reply(307, location="http://127.0.0.2:9/elsewhere")
        if "id" not in message:
            return self.reply(202)
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result(message)}).encode()
        if mode == "page":
            return self.reply(200, b"<html>Welcome</html>", "text/html")
        if mode == "session":
            session = self.headers.get("mcp-session-id")
            if message["method"] == "initialize":
                return self.reply(200, body, mcp_session_id="second" if EXPIRED else "first")
            if calls and session == "first":
                EXPIRED.add(session)
                return self.reply(404)
        if calls and mode == "huge":
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("connection", "close")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b" " * 65536)
            except OSError:
                return
        if calls and mode == "half":
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(b"event: message\ndata: {\"jsonrpc\"")
            self.close_connection = True
            return
        if calls and mode in ("broken-event", "text-id-event"):
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            sent = body[:-3] if mode == "broken-event" else with_text_id(body)
            self.wfile.write(b"event: message\ndata: " + sent + b"\n\n")
            self.wfile.flush()
            time.sleep(30)
            return
        if calls and mode == "text-id":
            return self.reply(200, with_text_id(body))
        if calls and mode == "breaks":
            return self.reply(500, b"oh no", "text/plain")
        if mode == "events":
            return self.reply(200, b"event: message\ndata: " + body + b"\n\n", "text/event-stream")
        self.reply(200, body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
