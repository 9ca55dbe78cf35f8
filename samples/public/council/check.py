#!/usr/bin/env python3
"""Checks planted.json against documents/."""
import json, os, re, sys
here = os.path.dirname(os.path.abspath(__file__))
data = json.load(open(os.path.join(here, "planted.json"), encoding="utf-8"))
root = os.path.join(here, data["root"])
KINDS = {"number", "who", "date", "yes-no", "rule", "reason", "where", "which"}

def plain(t):
    t = re.sub(r"^\[[^\]]+\]:\s+\S+$", "", t, flags=re.M)            # link definitions
    t = re.sub(r"^\s*(#{1,6}|>|[-*+]|\d+\.)\s+", "", t, flags=re.M)   # headings, quotes, list marks
    t = re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)\s]*\)", r"\1", t)  # inline links
    t = re.sub(r"\[([^\[\]]+)\](?:\[[^\]]*\])?", r"\1", t)            # reference links
    code = []
    t = re.sub(r"`+([^`]+)`+", lambda m: (code.append(m.group(1)), "\x00%d\x00" % (len(code) - 1))[1], t)
    t = re.sub(r"\\([*_#\[\]`])", "\x01\\1", t)                       # escapes
    t = re.sub(r"(?<!\x01)(\*\*|__)(?=\S)(.+?)(?<=\S)\1", r"\2", t)
    t = re.sub(r"(?<![\w*\x01])([*_])(?=[^\s*_])([^*_]*?[^\s*_])\1(?![\w*])", r"\2", t, flags=re.S)
    t = t.replace("\x01", "")
    t = re.sub(r"\x00(\d+)\x00", lambda m: code[int(m.group(1))], t)
    return re.sub(r"\s+", " ", t).strip()

bad, cache, docs = [], {}, set()
def text(d):
    if d not in cache:
        cache[d] = plain(open(os.path.join(root, d), encoding="utf-8").read())
    return cache[d]

qs = data["questions"]
ids = [q["id"] for q in qs]
if len(set(ids)) != len(ids): bad.append("ids are not unique")
if len({q["question"] for q in qs}) != len(qs): bad.append("a question is there twice")
ans = [q for q in qs if not q.get("unanswerable")]
una = [q for q in qs if q.get("unanswerable")]
for q in una:
    if not q.get("why"): bad.append(q["id"] + ": no why")
    if q.get("answers"): bad.append(q["id"] + ": unanswerable with answers")
for q in ans:
    i = q["id"]
    if q.get("kind") not in KINDS: bad.append(i + ": kind")
    if not q.get("answer") or not q.get("accept") or not q.get("answers"): bad.append(i + ": incomplete"); continue
    try:
        acc = [re.compile(p, re.I) for p in q["accept"]]
        rej = [re.compile(p, re.I) for p in q.get("reject", [])]
    except re.error as e:
        bad.append("%s: %s" % (i, e)); continue
    quotes = [a["quote"] for a in q["answers"]]
    for a in q["answers"]:
        docs.add(a["document"])
        if a["quote"] not in text(a["document"]): bad.append("%s: quote not in %s: %s" % (i, a["document"], a["quote"]))
        if not any(p.search(a["quote"]) for p in acc): bad.append("%s: no accept matches: %s" % (i, a["quote"]))
    if not any(p.search(q["answer"]) for p in acc): bad.append(i + ": no accept matches the answer")
    if any(p.search(x) for p in rej for x in quotes + [q["answer"]]): bad.append(i + ": reject matches")
if (len(ans), len(una)) != (40, 20): bad.append("counts")
if len(docs) < 30: bad.append("too few documents")
print("questions %d, answerable %d, unanswerable %d, documents asked about %d" % (len(qs), len(ans), len(una), len(docs)))
from collections import Counter
print(dict(Counter(q["kind"] for q in ans)))
for b in bad: print("BAD", b)
sys.exit(bool(bad))
