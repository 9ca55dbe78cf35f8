#!/usr/bin/env python3
"""Checks planted.json against documents/: quotes, patterns, ids, counts, list of documents."""
import html
import json
import os
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
KEY = json.load(open(os.path.join(HERE, "planted.json"), encoding="utf-8"))
ROOT = os.path.join(HERE, KEY["root"])
errors = []
cache = {}


def collapse(text):
    return re.sub(r"\s+", " ", text).strip()


def text_of(path):
    if path not in cache:
        full = os.path.join(ROOT, path)
        if path.endswith(".docx"):
            with zipfile.ZipFile(full) as z:
                xml = z.read("word/document.xml").decode("utf-8")
            xml = re.sub(r"</w:p>|</w:tc>|<w:br[^>]*>|<w:tab/>", " ", xml)
            text = html.unescape(re.sub(r"<[^>]+>", "", xml))
        else:
            text = open(full, encoding="utf-8").read()
            if path.endswith(".html"):
                text = re.sub(r"(?s)<(script|style|head)\b.*?</\1>", " ", text)
                text = re.sub(r"</?(p|div|h\d|li|ul|ol|table|tr|td|th|section|header|footer|br)\b[^>]*>", " ", text)
                text = html.unescape(re.sub(r"<[^>]+>", "", text))
        cache[path] = collapse(text)
    return cache[path]


def walk(node, where):
    """Every object with document and quote is a quote to be verified."""
    if isinstance(node, dict):
        if "document" in node and "quote" in node:
            path = node["document"]
            if path not in listed:
                errors.append(f"{where}: document not listed: {path}")
            elif collapse(node["quote"]) not in text_of(path):
                errors.append(f"{where}: quote not in {path}: {node['quote']!r}")
            elif not node["quote"].strip():
                errors.append(f"{where}: empty quote")
        for k, v in node.items():
            walk(v, f"{where}.{k}")
    elif isinstance(node, list):
        for i, v in enumerate(node):
            walk(v, f"{where}[{v.get('id', i) if isinstance(v, dict) else i}]")


listed = [d["path"] for d in KEY["documents"]]
found = sorted(os.path.relpath(os.path.join(r, f), ROOT).replace(os.sep, "/") for r, _, fs in os.walk(ROOT) for f in fs)
if sorted(listed) != found:
    errors.append(f"documents differ: only listed {set(listed) - set(found)}, only on disk {set(found) - set(listed)}")
if len(listed) != len(set(listed)):
    errors.append("a document is listed twice")
if not 30 <= len(found) <= 36:
    errors.append(f"{len(found)} documents")
words = {p: len(text_of(p).split()) for p in found}
for p, n in words.items():
    if not 200 <= n <= 1500:
        errors.append(f"{p}: {n} words")
if not 15000 <= sum(words.values()) <= 25000:
    errors.append(f"{sum(words.values())} words in total")

walk({k: v for k, v in KEY.items() if k != "documents"}, "planted")

for name, count in [("conflicts", 20), ("updates", 12), ("decoys", 12), ("obligations", 15), ("gaps", 10), ("questions", 30)]:
    if len(KEY[name]) != count:
        errors.append(f"{name}: {len(KEY[name])}, expected {count}")
ids = [x["id"] for n in ("conflicts", "updates", "decoys", "obligations", "gaps", "superseded", "questions") for x in KEY[n]]
if len(ids) != len(set(ids)):
    errors.append("ids are not unique")

for x in KEY["conflicts"]:
    if x["nature"] not in ("error", "claim", "disagreement", "arithmetic", "policy"):
        errors.append(f"{x['id']}: nature {x['nature']}")
    if len(x["sides"]) < 2 or len({s["value"] for s in x["sides"]}) < 2:
        errors.append(f"{x['id']}: needs two sides with different values")
for x in KEY["updates"]:
    if x["how"] not in ("version", "amendment", "correction", "date"):
        errors.append(f"{x['id']}: how {x['how']}")
    if x["old"]["value"] == x["new"]["value"]:
        errors.append(f"{x['id']}: old and new are equal")
for x in KEY["decoys"]:
    if len(x["sides"]) < 2:
        errors.append(f"{x['id']}: needs two sides")
status = {}
for x in KEY["obligations"]:
    status[x["status"]] = status.get(x["status"], 0) + 1
    if (x["status"] == "fulfilled") != (x["fulfilled_by"] is not None):
        errors.append(f"{x['id']}: status and fulfilled_by disagree")
    if x["status"] == "overdue" and not (x["due"] and x["due"] < KEY["today"]):
        errors.append(f"{x['id']}: overdue but due {x['due']}")
    if x["status"] == "open" and x["due"] and x["due"] < KEY["today"]:
        errors.append(f"{x['id']}: open but due {x['due']}")
for name in ("fulfilled", "open", "overdue"):
    if status.get(name, 0) < 5:
        errors.append(f"obligations {name}: {status.get(name, 0)}")
for x in KEY["gaps"]:
    if not x["hints"]:
        errors.append(f"{x['id']}: no hints")
for x in KEY["superseded"]:
    for side in ("old", "new"):
        if x[side] not in listed:
            errors.append(f"{x['id']}: {side} not listed")

answered = [x for x in KEY["questions"] if not x.get("unanswerable")]
if len(answered) != 20:
    errors.append(f"{len(answered)} answerable questions")
for x in answered:
    if x["kind"] not in ("number", "date", "person", "list", "yes_no", "reason", "rule"):
        errors.append(f"{x['id']}: kind {x['kind']}")
    if not x["answers"]:
        errors.append(f"{x['id']}: no answers")
    for a in x["accept"]:
        if not re.search(a, x["answer"], re.I):
            errors.append(f"{x['id']}: accept {a!r} does not match the answer")
    for r in x["reject"]:
        if re.search(r, x["answer"], re.I):
            errors.append(f"{x['id']}: reject {r!r} matches the answer")
for name in ("deep_dive", "risk_assessment", "go_no_go"):
    m = KEY["missions"][name]
    if not 5 <= len(m["must_say"]) <= 8:
        errors.append(f"{name}: {len(m['must_say'])} things to say")
    if any(not y["quotes"] for y in m["must_say"]):
        errors.append(f"{name}: a thing to say without quotes")

for e in errors:
    print("FAIL", e)
print(f"{len(found)} documents, {sum(words.values())} words, {len(ids)} items, {len(errors)} errors")
sys.exit(1 if errors else 0)
