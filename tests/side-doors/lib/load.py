"""Load on a server.

load.py searches SERVER TOKEN COUNT PATH   COUNT requests at the same time; prints how they were answered
load.py hold SERVER TOKEN COUNT PATH       opens COUNT event streams and holds them until it is ended
load.py idle SERVER TOKEN COUNT PATH       opens COUNT connections, sends nothing, and holds them until it is ended
load.py body SERVER TOKEN SECONDS HOW      sends a body that stalls or drips for at most SECONDS
"""
import resource
import select
import socket
import sys
import threading
import time

what, server, token, count, path = sys.argv[1:6]
count = int(count)
host, port = server.removeprefix("http://").split(":")
port = int(port)
head = f"Host: {host}:{port}\r\n" + (f"Authorization: Bearer {token}\r\n" if token != "none" else "")
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def connect(seconds=30):
    return socket.create_connection((host, port), seconds)


def status(data):
    return data[9:12].decode("ascii", "replace") if data.startswith(b"HTTP/1.1 ") else "nothing"


if what == "searches":
    results = {}
    lock = threading.Lock()

    def one():
        try:
            s = connect(60)
            s.sendall(f"GET {path} HTTP/1.1\r\n{head}Connection: close\r\n\r\n".encode())
            got = status(s.recv(4096))
        except OSError as e:
            got = type(e).__name__
        with lock:
            results[got] = results.get(got, 0) + 1

    threads = [threading.Thread(target=one) for _ in range(count)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print("answered", results)

if what == "hold":
    if hard < count + 50:
        count = hard - 50
    held, refused, codes = [], 0, {}
    for i in range(count):
        try:
            s = connect(5)
            s.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
            s.settimeout(5)
            got = s.recv(2048)
        except OSError as e:
            got = type(e).__name__.encode()
        if got.startswith(b"HTTP/1.1 200"):
            held.append(s)
        else:
            refused += 1
            key = status(got) if got.startswith(b"HTTP") else got.decode() or "closed"
            at = got.find(b"ADJ-")
            if at >= 0:
                key += " " + got[at:at + 8].decode()
            codes[key] = codes.get(key, 0) + 1
            if refused >= (20 if at >= 0 else 4):       # a refusal with a code is quick; without one it is a time-out
                break
    print(f"holding {len(held)}, refused {refused} {codes or ''}", flush=True)
    while True:
        time.sleep(1)

if what == "idle":
    held = []
    for i in range(min(count, hard - 50)):
        try:
            held.append(connect(3))
        except OSError:
            break
    print(f"holding {len(held)} connections", flush=True)
    while True:
        time.sleep(1)

if what == "body":
    seconds, how = count, path
    body = b'{"what": "tool/http_post", "reason": "' + b"x" * 400 + b'"}'
    s = connect()
    began = time.time()
    s.sendall(f"POST /api/stops HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode())
    s.sendall(body[:20])
    sent = 20
    if seconds < 10:                      # the harmless version: the rest follows after a moment
        time.sleep(seconds)
        s.sendall(body[20:])
        s.settimeout(20)
        print("status", status(s.recv(4096)))
        sys.exit()
    while time.time() - began < seconds:
        ready, _, _ = select.select([s], [], [], 1)
        if ready:
            try:
                got = s.recv(4096)
            except OSError as e:
                got = b""
            at = got.find(b"ADJ-")
            print(f"ended after {time.time() - began:.0f} s with {status(got)} {got[at:at + 8].decode() if at >= 0 else ''}")
            sys.exit()
        if how == "drips":
            try:
                s.sendall(body[sent:sent + 1])
            except OSError:
                print(f"ended after {time.time() - began:.0f} s")
                sys.exit()
            sent += 1
    print(f"still open after {seconds} s")
