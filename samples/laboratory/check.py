#!/usr/bin/env python3
"""Checks planted.json against documents/. Prints the counts; exit code 1 if anything is wrong."""
import html, json, pathlib, re, sys, zipfile
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
KEY = json.loads((HERE / "planted.json").read_text(encoding="utf-8"))
ROOT = HERE / KEY["root"]
bad = []


def collapse(text):
    return re.sub(r"\s+", " ", text).strip()


def visible(path):
    if path.suffix == ".docx":
        xml = zipfile.ZipFile(path).read("word/document.xml").decode("utf-8")
        xml = re.sub(r"</w:p>|<w:tab\s*/>|<w:br\s*/>", " ", xml)
        return collapse(html.unescape(re.sub(r"<[^>]+>", "", xml)))
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = re.sub(r"(?s)<head>.*?</head>", " ", text)
        text = re.sub(r"</?(p|div|br|h\d|li|ul|ol|tr|td|th|table)\b[^>]*>", " ", text)
        text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return collapse(text)


files = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.is_file())
texts = {f: visible(ROOT / f) for f in files}
listed = [d["path"] for d in KEY["documents"]]
for f in set(files) ^ set(listed):
    bad.append(f"listed and present differ: {f}")
if len(listed) != len(set(listed)):
    bad.append("a document is listed twice")
for d in KEY["documents"]:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", d["date"]) or not d["kind"] or not d["about"]:
        bad.append(f"document entry incomplete: {d['path']}")

words = {f: len((t.replace(",", " ") if f.endswith(".csv") else t).split()) for f, t in texts.items()}
for f, n in words.items():
    if not 200 <= n <= 1500:
        bad.append(f"{f}: {n} words")
total = sum(words.values())
if not 15000 <= total <= 22000:
    bad.append(f"{total} words in all")
if not 30 <= len(files) <= 34:
    bad.append(f"{len(files)} documents")

quotes = 0


def walk(node, where):
    global quotes
    if isinstance(node, dict):
        where = node.get("id", where)
        if "quote" in node and "document" in node:
            quotes += 1
            text = texts.get(node["document"])
            if text is None:
                bad.append(f"{where}: no document {node['document']}")
            elif not node["quote"] or collapse(node["quote"]) not in text:
                bad.append(f"{where}: quote not in {node['document']}: {node['quote']}")
        for key, value in node.items():
            walk(value, where if "id" in node else f"{where}/{key}")
    elif isinstance(node, list):
        for value in node:
            walk(value, where)


walk({k: v for k, v in KEY.items() if k != "documents"}, "")

expected = {"conflicts": 15, "updates": 10, "decoys": 10, "obligations": 15, "gaps": 10, "questions": 30}
for kind, n in expected.items():
    if len(KEY[kind]) != n:
        bad.append(f"{kind}: {len(KEY[kind])} instead of {n}")
ids = [x["id"] for k in [*expected, "superseded"] for x in KEY[k]]
for i, n in Counter(ids).items():
    if n > 1:
        bad.append(f"id used twice: {i}")

for c in KEY["conflicts"]:
    if c["nature"] not in {"error", "claim", "disagreement", "arithmetic", "policy"}:
        bad.append(f"{c['id']}: nature {c['nature']}")
    if len(c["sides"]) < 2 or len({s["value"] for s in c["sides"]}) < 2:
        bad.append(f"{c['id']}: fewer than two sides or values")
for d in KEY["decoys"]:
    if len(d["sides"]) < 2 or not d["why"]:
        bad.append(f"{d['id']}: incomplete")
for u in KEY["updates"]:
    if u["how"] not in {"version", "amendment", "correction", "date"} or u["old"]["value"] == u["new"]["value"]:
        bad.append(f"{u['id']}: incomplete")
state = Counter(o["status"] for o in KEY["obligations"])
for s in ("fulfilled", "open", "overdue"):
    if state[s] < 5:
        bad.append(f"obligations {s}: {state[s]}")
for o in KEY["obligations"]:
    if (o["status"] == "fulfilled") != (o["fulfilled_by"] is not None):
        bad.append(f"{o['id']}: status and fulfilled_by do not agree")
    if o["due"] and o["status"] != "fulfilled" and (o["due"] < KEY["today"]) != (o["status"] == "overdue"):
        bad.append(f"{o['id']}: status does not follow from the date")
for g in KEY["gaps"]:
    if not g["hints"]:
        bad.append(f"{g['id']}: no hint")
for s in KEY["superseded"]:
    for side in ("old", "new"):
        if s[side] not in texts:
            bad.append(f"{s['id']}: no document {s[side]}")

answerable = [x for x in KEY["questions"] if not x.get("unanswerable")]
if len(answerable) != 20:
    bad.append(f"{len(answerable)} answerable questions")
for x in KEY["questions"]:
    if x.get("unanswerable"):
        if not x["why"]:
            bad.append(f"{x['id']}: no reason")
        continue
    if x["kind"] not in {"number", "date", "person", "list", "yes_no", "reason", "rule"}:
        bad.append(f"{x['id']}: kind {x['kind']}")
    if not x["answers"] or not x["accept"]:
        bad.append(f"{x['id']}: no answers or no accept")
    for pattern in x["accept"]:
        if not re.search(pattern, x["answer"]):
            bad.append(f"{x['id']}: accept pattern does not match the answer: {pattern}")
    for pattern in x["reject"]:
        if re.search(pattern, x["answer"]):
            bad.append(f"{x['id']}: reject pattern matches the answer: {pattern}")

if set(KEY["missions"]) != {"deep_dive", "risk_assessment", "go_no_go"}:
    bad.append("missions")
for name, m in KEY["missions"].items():
    if not 5 <= len(m["must_say"]) <= 8 or not m["objective"] or any(not s["quotes"] for s in m["must_say"]):
        bad.append(f"mission {name} incomplete")

print(f"{len(files)} documents, {total} words ({min(words.values())} to {max(words.values())} each), formats {dict(Counter(pathlib.Path(f).suffix for f in files))}")
print(", ".join(f"{len(KEY[k])} {k}" for k in [*expected, "superseded", "missions"]) + f", {quotes} quotes, obligations {dict(state)}")
for b in bad:
    print("WRONG", b)
print("FAILED" if bad else "PASSED")
sys.exit(bool(bad))
