"""A model behind an OpenAI-compatible API that answers requests for a plan: it keeps every step and gives each another title.

model.py FILE: writes its port to FILE.port, and one line per request to FILE.seen.
"""
import http.server
import json
import re
import sys

base = sys.argv[1]


class Model(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        request = json.loads(body)
        text = "\n".join(m["content"] for m in request["messages"])
        with open(base + ".seen", "a") as out:
            out.write(f"POST {self.path} {body!r}\n")
        steps = []
        for key, after in re.findall(r"^- ([A-Za-z0-9_:@-]+): [^\n]*?(?:; after ([^;\n]*))?(?:;[^\n]*)?$", text, re.M):
            steps.append({"key": key, "title": f"Planned by a model: {key}", "after": re.findall(r"[A-Za-z0-9_:@-]+", after), "reason": "kept"})
        keys = json.dumps(request.get("response_format") or {})
        found = re.search(r'"step": \{"type": "string", "enum": \[([^\]]*)\]', keys)
        allowed = set(re.findall(r'"([^"]*)"', found.group(1))) if found else {s["key"] for s in steps}
        steps = [s for s in steps if s["key"] in allowed]
        answer = json.dumps({"steps": steps, "left_out": [], "confidence": 0.9})
        usage = {"prompt_tokens": 100, "completion_tokens": 100, "total_tokens": 200}
        if request.get("stream"):
            chunks = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": answer}, "finish_reason": None}]},
                      {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                      {"choices": [], "usage": usage}]
            data = "".join("data: " + json.dumps({"id": "x", "object": "chat.completion.chunk", "model": request["model"], **c}) + "\n\n" for c in chunks)
            data, kind = data + "data: [DONE]\n\n", "text/event-stream"
        else:
            data = json.dumps({"id": "x", "model": request["model"], "usage": usage,
                               "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}]})
            kind = "application/json"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data.encode())))
        self.end_headers()
        self.wfile.write(data.encode())

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
with open(base + ".port", "w") as out:
    out.write(str(server.server_address[1]))
server.serve_forever()
