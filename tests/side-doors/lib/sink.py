"""A small HTTP server that answers everything and writes down every request.

sink.py FILE [--status PATH=CODE] [--body PATH=FILE]
Writes its port to FILE.port and one line per request to FILE.seen: METHOD PATH, the secret headers, the body.
"""
import http.server
import sys

base = sys.argv[1]
status, bodies = {}, {}
rest = sys.argv[2:]
while rest:
    option, value = rest[0], rest[1]
    rest = rest[2:]
    path, _, what = value.partition("=")
    if option == "--status":
        status[path] = int(what)
    else:
        bodies[path] = what


class Sink(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        size = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(size) if size else b""
        headers = {k: v for k, v in self.headers.items() if k.lower() not in
                   ("host", "accept", "content-length", "user-agent", "accept-encoding", "connection")}
        with open(base + ".seen", "a") as out:
            out.write(f"{self.command} {self.path} {headers} {body!r}\n")
        path = self.path.split("?")[0]
        text = open(bodies[path], "rb").read() if path in bodies else b"{}"
        self.send_response(status.get(path, 200))
        self.send_header("content-type", "application/json" if text[:1] in b"{[" else "text/plain")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink)
with open(base + ".port", "w") as out:
    out.write(str(server.server_address[1]))
server.serve_forever()
