#!/usr/bin/env python3
"""Opens live.html in a headless Chromium while a mission runs, and checks that it shows content.

A browser sends no requests from a file to another address. So this serves the page
and hands /api on to the server. Python 3.11, standard library only; needs the
programs chromium and chromedriver, and says so with exit code 3 if they are missing.
"""
from __future__ import annotations

import argparse
import base64
import http.client
import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode, urlsplit

PAGE = Path(__file__).with_name("live.html")
# What must not be empty when the mission has ended.
LISTS = ("agents", "found", "tools", "insights", "citations", "reasoning", "tasks", "phases", "answer")


def proxy(target: str) -> ThreadingHTTPServer:
    to = urlsplit(target)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = PAGE.read_bytes() if self.path == "/" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            onward = http.client.HTTPConnection(to.hostname, to.port, timeout=300)
            names = ("Authorization", "Content-Type")
            onward.request("POST", self.path, body, {n: self.headers[n] for n in names if n in self.headers})
            answer = onward.getresponse()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.getheader("Content-Type", "text/plain"))
            self.end_headers()
            while piece := answer.read1(65536):
                self.wfile.write(piece)
                self.wfile.flush()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    """A page in Chromium, by the WebDriver protocol."""

    def __init__(self, driver: str, chromium: str):
        self.port = free_port()
        self.process = subprocess.Popen([driver, f"--port={self.port}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = []
        for line in self.process.stdout:
            said.append(line)
            if "started successfully" in line:
                break
        else:
            raise SystemExit("chromedriver did not start: " + "".join(said))
        # Whatever it says from here on must not fill the pipe.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        options = {"binary": chromium, "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                                                "--window-size=1500,1400", "--no-proxy-server"]}
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
        self.session = "/session/" + made["sessionId"]

    def call(self, method, path, body=None, timeout=60):
        conn = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        conn.request(method, path, json.dumps(body) if body is not None else None, {"Content-Type": "application/json"})
        reply = conn.getresponse()
        value = json.loads(reply.read())["value"]
        if reply.status != 200:
            raise SystemExit(f"chromedriver: {value.get('message', value)}")
        return value

    def open(self, url):
        self.call("POST", self.session + "/url", {"url": url})

    def run(self, script):
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": []})

    def wait(self, condition, seconds):
        """Waits until the condition, an expression of JavaScript, is something; None if it is not in time."""
        self.call("POST", self.session + "/timeouts", {"script": int(seconds * 1000) + 10_000})
        script = """
            const [ms, done] = arguments, look = () => { const it = (%s); if (it) { watch.disconnect(); done(it); } };
            const watch = new MutationObserver(look);
            watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
            setTimeout(() => { watch.disconnect(); done(null); }, ms);
            look();""" % condition
        body = {"script": script, "args": [int(seconds * 1000)]}
        return self.call("POST", self.session + "/execute/async", body, seconds + 60)

    def picture(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("GET", self.session + "/screenshot")))

    def close(self):
        try:
            self.call("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait(10)


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--url", required=True)
    p.add_argument("--token", required=True)
    p.add_argument("--agent-id", required=True)
    p.add_argument("--mission-type", required=True)
    p.add_argument("--message", required=True)
    p.add_argument("--knowledge-base", action="append", default=[])
    p.add_argument("--timeout", type=float, default=120.0)
    p.add_argument("--screenshot", metavar="FILE", help="of the page at the end; another one, FILE.mid.png, on the way")
    args = p.parse_args()
    driver, chromium = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("google-chrome")
    if not driver or not chromium:
        print("SKIPPED: chromium and chromedriver are needed")
        return 3
    server = proxy(args.url)
    wanted = [("agent_id", args.agent_id), ("token", args.token), ("mission_type", args.mission_type),
              ("message", args.message), ("approve", "1")] + [("knowledge_base", k) for k in args.knowledge_base]
    browser = Browser(driver, chromium)
    try:
        browser.open(f"http://127.0.0.1:{server.server_port}/#{urlencode(wanted)}")
        until = time.monotonic() + args.timeout
        ended = "document.body.dataset.state"
        if args.screenshot and browser.wait("document.querySelector('#reasoning li') || " + ended, args.timeout):
            browser.picture(args.screenshot + ".mid.png")
        state = browser.wait(ended, max(0.0, until - time.monotonic()))
        shown = browser.run("return Object.fromEntries(%s.map(i => [i, document.getElementById(i).childElementCount || "
                            "document.getElementById(i).textContent.length]))" % json.dumps(LISTS))
        found = browser.run("return [...document.querySelectorAll('#found tr')].map(r => r.innerText.replace(/\\s+/g, ' '))")
        strange = browser.run("return (document.body.innerText.match(/undefined|NaN|\\[object|\\bnull\\b/g) || [])")
        trouble = browser.run("return document.body.dataset.trouble || null")
        if args.screenshot:
            browser.picture(args.screenshot)
    finally:
        browser.close()
    print("state:", state)
    print("shown:", ", ".join(f"{k} {n}" for k, n in shown.items()))
    print("found:", "; ".join(found))
    problems = [f"{k} is empty" for k, n in shown.items() if not n]
    problems += [f"the page shows {s!r}" for s in sorted(set(strange))]
    problems += [trouble] if trouble else []
    problems += [] if state == "complete" else [f"the mission did not complete: {state}"]
    for problem in problems:
        print("FAIL", problem)
    print("RESULT:", "the page shows content" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
