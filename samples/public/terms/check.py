#!/usr/bin/env python3
"""Checks planted.json against the documents. Run in its own folder: python3 check.py"""
import json, os, re, sys
here = os.path.dirname(os.path.abspath(__file__))
data = json.load(open(os.path.join(here, "planted.json"), encoding="utf-8"))
root = os.path.join(here, data["root"])
KINDS = set("number who date yes-no rule reason where which".split())

def squash(s):
    return re.sub(r"\s+", " ", s).strip()

def plain(md):
    md = re.sub(r"\A---\n.*?\n---\n", "", md, flags=re.S)           # front matter
    md = re.sub(r"<!--.*?-->", "", md, flags=re.S)                   # comments
    md = re.sub(r"!?\[([^\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)", r"\1", md)  # links
    md = re.sub(r"<(https?://[^>\s]+|[^>\s]+@[^>\s]+)>", r"\1", md)  # autolinks
    md = re.sub(r"<a [^>]*></a>", "", md)
    out = []
    for line in md.split("\n"):
        line = re.sub(r"^\s*(>\s*)+", "", line)
        line = re.sub(r"^\[!\w+\]", "", line)
        line = re.sub(r"^\s*(#{1,6}\s+|[*+-]\s+|\d+\.\s+)", "", line)
        out.append(line)
    md = "\n".join(out)
    md = md.replace("**", "").replace("`", "").replace("|", " ")
    md = re.sub(r"(?<![\w*])\*(?=\S)([^*\n]+?)\*(?!\w)", r"\1", md)
    md = re.sub(r"(?<!\w)_(?=\S)([^_\n]+?)_(?!\w)", r"\1", md)
    return squash(md)

cache, bad = {}, []
def text(doc):
    if doc not in cache:
        cache[doc] = plain(open(os.path.join(root, doc), encoding="utf-8").read())
    return cache[doc]

ids, yes, no, docs, kinds = set(), 0, 0, set(), {}
for q in data["questions"]:
    i = q["id"]
    if i in ids: bad.append(f"{i}: id twice")
    ids.add(i)
    if not q.get("question", "").strip(): bad.append(f"{i}: no question")
    if q.get("unanswerable"):
        no += 1
        if not q.get("why"): bad.append(f"{i}: no why")
        if q.get("answers") or q.get("accept"): bad.append(f"{i}: unanswerable with answers")
        continue
    yes += 1
    kinds[q["kind"]] = kinds.get(q["kind"], 0) + 1
    if q["kind"] not in KINDS: bad.append(f"{i}: kind {q['kind']}")
    if not q.get("answer") or not q.get("accept") or not q.get("answers"): bad.append(f"{i}: field missing")
    try:
        acc = [re.compile(p, re.I) for p in q["accept"]]
        rej = [re.compile(p, re.I) for p in q.get("reject", [])]
    except re.error as e:
        bad.append(f"{i}: {e}"); continue
    for p in q["accept"]:
        if "(?=" in p or "(?!" in p or "(?<" in p or re.search(r"\\[1-9]", p): bad.append(f"{i}: not Rust: {p}")
    hit = False
    for a in q["answers"]:
        docs.add(a["document"])
        if a["quote"] != squash(a["quote"]): bad.append(f"{i}: white space in quote")
        try: t = text(a["document"])
        except OSError: bad.append(f"{i}: no document {a['document']}"); continue
        if a["quote"] not in t: bad.append(f"{i}: quote not found in {a['document']}: {a['quote'][:70]}")
        if any(p.search(a["quote"]) for p in acc): hit = True
        else: print(f"note {i}: no accept matches this quote: {a['quote'][:60]}")
        if any(p.search(a["quote"]) for p in rej): bad.append(f"{i}: reject matches the quote")
    if not hit: bad.append(f"{i}: no accept matches a quote")
    if not any(p.search(q["answer"]) for p in acc): print(f"note {i}: no accept matches the short answer: {q['answer']}")

if (yes, no) != (40, 20): bad.append(f"counts {yes}+{no}, not 40+20")
if len(docs) < 30: bad.append(f"only {len(docs)} documents")
print(f"{len(ids)} questions: {yes} answerable, {no} unanswerable; {len(docs)} documents with answers; kinds {kinds}")
for b in bad: print("BAD", b)
print("FAILED" if bad else "OK")
sys.exit(bool(bad))
