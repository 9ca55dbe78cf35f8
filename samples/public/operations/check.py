"""Checks planted.json: ids, quotes found in rendered text, accept patterns, counts."""
import json, os, re, sys
HERE = os.path.dirname(os.path.abspath(__file__))

def plain(t):
    t = re.sub(r"\A---\n.*?\n---\n", "", t, flags=re.S)           # front matter
    t = re.sub(r"^\[[^\]]+\]:\s*\S+.*$", "", t, flags=re.M)         # link definitions
    t = re.sub(r"^[ \t]*(>[ \t]?)+", "", t, flags=re.M)             # block quotes
    t = re.sub(r"^[ \t]*([-*+]|\d+[.)])[ \t]+", "", t, flags=re.M)  # list markers
    t = re.sub(r"^[ \t]*#{1,6}[ \t]+", "", t, flags=re.M)           # headings
    t = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", t)                      # images
    t = re.sub(r"\[([^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)", r"\1", t)  # inline links
    t = re.sub(r"\[([^\[\]]+)\]\[[^\[\]]*\]", r"\1", t)             # reference links
    t = re.sub(r"(?<![\w\]])\[([A-Za-z][^\[\]]*)\](?!\()", r"\1", t)  # shortcut links
    t = re.sub(r"</?[a-z][^<>]*>", " ", t)                          # html tags
    t = t.replace("`", "")
    t = re.sub(r"\*\*|__", "", t)
    t = re.sub(r"(?<![\w*])\*(?=\S)([^*\n]+?)\*(?![\w*])", r"\1", t)
    t = re.sub(r"(?<!\w)_(?=\S)([^_\n]+?)_(?!\w)", r"\1", t)
    return re.sub(r"\s+", " ", t)

data = json.load(open(os.path.join(HERE, "planted.json"), encoding="utf-8"))
qs = data["questions"]
bad = []
if len({q["id"] for q in qs}) != len(qs): bad.append("ids not unique")
if len({q["question"] for q in qs}) != len(qs): bad.append("questions not unique")
KINDS = {"number", "who", "date", "yes-no", "rule", "reason", "where", "which"}
cache, docs, kinds, yes, no = {}, set(), {}, 0, 0
for q in qs:
    if q.get("unanswerable"):
        no += 1
        if not q.get("why"): bad.append(q["id"] + ": no why")
        continue
    yes += 1
    if q["kind"] not in KINDS: bad.append(q["id"] + ": kind")
    kinds[q["kind"]] = kinds.get(q["kind"], 0) + 1
    pats = []
    for k in ("accept", "reject"):
        for p in q[k]:
            try: r = re.compile(p, re.I)
            except re.error as e: bad.append(f"{q['id']}: {p}: {e}"); continue
            if re.search(r"\(\?[=!<]|\\[1-9]", p): bad.append(f"{q['id']}: not portable to Rust: {p}")
            if k == "accept": pats.append(r)
    if not pats: bad.append(q["id"] + ": no accept")
    if not q["answers"]: bad.append(q["id"] + ": no answers")
    for a in q["answers"]:
        p = os.path.join(HERE, data["root"], a["document"])
        if not os.path.exists(p): bad.append(f"{q['id']}: no file {a['document']}"); continue
        docs.add(a["document"])
        if p not in cache: cache[p] = plain(open(p, encoding="utf-8").read())
        n = cache[p].count(a["quote"])
        if re.sub(r"\s+", " ", a["quote"]).strip() != a["quote"]: bad.append(q["id"] + ": quote white space")
        if n != 1: bad.append(f"{q['id']}: quote found {n} times: {a['quote'][:60]}")
        if not any(r.search(a["quote"]) for r in pats): bad.append(f"{q['id']}: no accept matches: {a['quote'][:60]}")
    if not any(r.search(q["answer"]) for r in pats): bad.append(f"{q['id']}: no accept matches own answer: {q['answer']}")
    for p in q["reject"]:
        if any(re.search(p, a["quote"], re.I) for a in q["answers"]): bad.append(q["id"] + ": reject matches quote")
if (len(qs), yes, no) != (60, 40, 20): bad.append("counts")
if len(docs) < 30: bad.append("fewer than 30 documents")
print(f"{len(qs)} questions, {yes} answerable, {no} unanswerable, {len(docs)} documents quoted, kinds {kinds}")
print("\n".join(bad) if bad else "OK")
sys.exit(bool(bad))
