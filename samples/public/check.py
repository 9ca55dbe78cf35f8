#!/usr/bin/env python3
"""Checks planted.json against the documents. Fill documents/ first (./fetch).

    python3 check.py        prints counts; exit 1 and the list of faults if any
"""
import collections
import datetime
import json
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
planted = json.loads((here / "planted.json").read_text(encoding="utf-8"))
faults = []


def fault(where, what):
    faults.append(f"{where}: {what}")


def rendered(markdown):
    """Simple Markdown to text: links to their text, emphasis and code marks dropped."""
    t = re.sub(r"<!--.*?-->", " ", markdown, flags=re.S)
    t = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", t)
    t = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", t)
    t = re.sub(r"\[([^\]]*)\]\[[^\]]*\]", r"\1", t)
    t = re.sub(r"<(https?://[^>]*)>", r"\1", t)
    t = re.sub(r"[*_`]", "", t)
    return re.sub(r"\s+", " ", t)


def matches(patterns, text):
    return any(re.search(p, text, re.I) for p in patterns)


if planted.get("version") != 1 or planted.get("root") != "documents":
    fault("planted.json", "version or root")

# documents
root = here / planted["root"]
paths = [d["path"] for d in planted["documents"]]
listed = (here / "files.txt").read_text().split()
on_disk = sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())
if len(set(paths)) != len(paths):
    fault("documents", "a path occurs twice")
if sorted(paths) != sorted(listed):
    fault("documents", "not the files of files.txt")
if on_disk != sorted(listed):
    fault("documents", "the folder does not hold exactly the files of files.txt")
if not 60 <= len(paths) <= 120:
    fault("documents", f"{len(paths)} of them")
minutes = [p for p in paths if p.startswith("tsc/meetings/")]
if len(minutes) > 60:
    fault("documents", f"{len(minutes)} minutes")
for d in planted["documents"]:
    if set(d) != {"path", "date", "kind", "about"} or not d["kind"] or not d["about"]:
        fault(d["path"], "fields")
    if not d["path"].endswith(".md"):
        fault(d["path"], "not Markdown")
    if d["date"] is not None:
        datetime.date.fromisoformat(d["date"])

texts = {p: rendered((root / p).read_text(encoding="utf-8")) for p in on_disk}
raws = {p: re.sub(r"\s+", " ", (root / p).read_text(encoding="utf-8")) for p in on_disk}

# questions
wanted = {"number": 10, "who": 6, "yes/no": 6, "rule": 4, "reason": 4}
questions = planted["questions"]
if len({q["id"] for q in questions}) != len(questions):
    fault("questions", "an id occurs twice")
if len({q["question"] for q in questions}) != len(questions):
    fault("questions", "a question occurs twice")
kinds = collections.Counter()
unanswerable = 0
quotes = 0
for q in questions:
    i = q["id"]
    if q.get("unanswerable"):
        unanswerable += 1
        if set(q) != {"id", "question", "unanswerable", "why"} or not q["why"]:
            fault(i, "fields")
        continue
    if set(q) != {"id", "question", "kind", "answer", "accept", "reject", "answers"}:
        fault(i, "fields")
        continue
    kinds[q["kind"]] += 1
    for p in q["accept"] + q["reject"]:
        try:
            re.compile(p, re.I)
        except re.error as e:
            fault(i, f"pattern {p}: {e}")
    if not q["accept"]:
        fault(i, "nothing to accept")
    if not matches(q["accept"], q["answer"]):
        fault(i, "its own answer is not accepted")
    if matches(q["reject"], q["answer"]):
        fault(i, "its own answer is rejected")
    if matches(q["accept"], q["question"]):
        fault(i, "repeating the question would be accepted")
    if matches(q["accept"], ""):
        fault(i, "an empty answer would be accepted")
    if not q["answers"]:
        fault(i, "no quote")
    for a in q["answers"]:
        quotes += 1
        if a["document"] not in texts:
            fault(i, f"no document {a['document']}")
            continue
        if a["quote"] != re.sub(r"\s+", " ", a["quote"]).strip():
            fault(i, "white space in a quote")
        n = texts[a["document"]].count(a["quote"])
        if n != 1:
            fault(i, f"a quote occurs {n} times in {a['document']}")
        if a["quote"] not in raws[a["document"]]:
            fault(i, "a quote has markup inside")
        if not matches(q["accept"], a["quote"]):
            fault(i, "answering with the quote is not accepted")
        if matches(q["reject"], a["quote"]):
            fault(i, "answering with the quote is rejected")
if dict(kinds) != wanted:
    fault("questions", f"kinds {dict(kinds)}")
if unanswerable != 15 or len(questions) != 45:
    fault("questions", f"{len(questions)}, {unanswerable} unanswerable")

for f in faults:
    print(f)
print(
    f"{len(paths)} documents ({len(minutes)} minutes), {len(questions)} questions: "
    f"{sum(kinds.values())} answerable ({', '.join(f'{k} {v}' for k, v in sorted(kinds.items()))}), "
    f"{unanswerable} unanswerable; {quotes} quotes; {len(faults)} faults"
)
sys.exit(1 if faults else 0)
