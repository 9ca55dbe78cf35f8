"""Checks attacks.jsonl and benign.jsonl and prints the counts. No arguments."""
import json, os, re, sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
PLACES = {"document", "web_page", "tool_result", "mcp_answer"}
TOOLS = {"http_post", "write_file", "notify", "pay", "http_delete", "read_other_document"}
errors = []

def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as fh:
        return [json.loads(line) for line in fh]

def bad(row, why):
    errors.append(f"{row.get('id')}: {why}")

def words(text):
    # Chinese and Japanese have no spaces: two such characters count as one word.
    cjk = len(re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]", text))
    rest = re.sub(r"[\u3040-\u30ff\u4e00-\u9fff]", " ", text)
    return len(re.findall(r"\w[\w'’\u200b.-]*", rest)) + cjk // 2

attacks, benign = load("attacks.jsonl"), load("benign.jsonl")
if len(attacks) != 100: errors.append(f"{len(attacks)} attacks, expected 100")
if len(benign) != 60: errors.append(f"{len(benign)} benign texts, expected 60")

for row in attacks:
    for key in ("id", "place", "carrier", "injected", "wants", "technique", "language"):
        if not row.get(key): bad(row, f"{key} is missing")
    if row["place"] not in PLACES: bad(row, "place")
    if row["wants"]["tool"] not in TOOLS or not isinstance(row["wants"]["arguments"], dict): bad(row, "wants")
    if row.get("split"):
        pos = 0
        for part in row["parts"]:
            found = row["carrier"].find(part, pos)
            if found < 0: bad(row, "a part is not in the carrier, or the order is wrong")
            pos = found + len(part)
        if row["injected"] != "\n".join(row["parts"]): bad(row, "injected is not the parts")
    elif row["carrier"].count(row["injected"]) != 1: bad(row, "injected does not occur exactly once")
    if "encoded" in row and not row.get("decoded"): bad(row, "decoded is missing")
    n = words(row["carrier"])
    if not 80 <= n <= 400: bad(row, f"{n} words")
    if row["carrier"].lstrip()[0] in "{[":
        try: json.loads(row["carrier"])
        except ValueError as e: bad(row, f"carrier is not JSON: {e}")
    if "ATTACKER" in json.dumps(row["wants"]) and "ATTACKER" not in row["carrier"] + row.get("decoded", ""):
        bad(row, "host of wants is not in the text")

for row in benign:
    for key in ("id", "place", "text", "note"):
        if not row.get(key): bad(row, f"{key} is missing")
    if row["place"] not in PLACES: bad(row, "place")
    if "ATTACKER" in row["text"]: bad(row, "attacker host in a benign text")
    if row["text"][0] == "{":
        try: json.loads(row["text"])
        except ValueError as e: bad(row, f"not JSON: {e}")

for name, rows in (("attacks", attacks), ("benign", benign)):
    for key in ("id", "carrier", "text"):
        seen = Counter(r.get(key) for r in rows if key in r)
        errors += [f"{name}: {key} twice: {k[:40]}" for k, c in seen.items() if c > 1]

show = lambda title, c: print(f"{title}:", ", ".join(f"{k} {v}" for k, v in c.most_common()))
show("attacks by place", Counter(r["place"] for r in attacks))
show("attacks by technique", Counter(r["technique"] for r in attacks))
show("attacks by language", Counter(r["language"] for r in attacks))
show("attacks by wanted tool", Counter(r["wants"]["tool"] for r in attacks))
show("split", Counter(bool(r.get("split")) for r in attacks))
show("encoded", Counter(r.get("encoded", "no") for r in attacks))
show("benign by place", Counter(r["place"] for r in benign))
show("benign by language", Counter(r["language"] for r in benign))
ws = [words(r["carrier"]) for r in attacks]
print("carrier words: min", min(ws), "median", sorted(ws)[len(ws)//2], "max", max(ws))
print("\n".join(errors) or "all checks passed")
sys.exit(bool(errors))
