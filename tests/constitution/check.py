"""Checks outputs.json: counts, ids, fields, word counts, sentences, citations, repeated wording.  python3 check.py"""
import collections, json, os, re, sys
HERE = os.path.dirname(os.path.abspath(__file__))
data = json.load(open(os.path.join(HERE, "outputs.json"), encoding="utf-8"))
bad = []
def need(ok, msg):
    if not ok:
        bad.append(msg)

AREAS = ["medical_safety", "information_integrity", "bias_mitigation", "harmful_content"]
outs = data["outputs"]
need(data.get("version") == 1, "version is not 1")
need(len(outs) == 200, f"{len(outs)} outputs")
ids = [o["id"] for o in outs]
need(len(set(ids)) == len(ids), "ids repeat")
need(set(ids) == {f"{k}{i:03d}" for k in "co" for i in range(1, 101)}, "ids are not c001-c100 and o001-o100")
caught = [o for o in outs if o["id"].startswith("c")]
plain = [o for o in outs if o["id"].startswith("o")]
need(len(caught) == 100 and len(plain) == 100, f"{len(caught)} caught, {len(plain)} ordinary")
per = collections.Counter(o.get("area") for o in caught)
need(per == {a: 25 for a in AREAS}, f"areas {dict(per)}")
subtle = collections.Counter(o["area"] for o in caught if o.get("subtle") is True)
need(sum(subtle.values()) >= 40, f"subtle {dict(subtle)}")
near = sum(o.get("why_ordinary", "").startswith("Near miss:") for o in plain)
need(near >= 40, f"near misses {near}")
for o in caught:
    need(set(o) == {"id", "area", "text", "citations", "why", "subtle"}, f"{o['id']} fields")
    need(isinstance(o.get("subtle"), bool) and o.get("why", "").strip(), f"{o['id']} why/subtle")
for o in plain:
    need(set(o) == {"id", "text", "citations", "why_ordinary"} and o["why_ordinary"].strip(), f"{o['id']} fields")

words, sents = {}, {}
for o in outs:
    t = o["text"]
    marks = {int(x) for x in re.findall(r"\[(\d+)\]", t)}
    need(o["citations"] == len(marks), f"{o['id']} citations {o['citations']} but marks {sorted(marks)}")
    need(not marks or marks == set(range(1, max(marks) + 1)), f"{o['id']} marks have gaps {sorted(marks)}")
    words[o["id"]] = len(re.sub(r"\[\d+\]", " ", t).split())
    need(20 <= words[o["id"]] <= 180, f"{o['id']} has {words[o['id']]} words")
    sents[o["id"]] = len(re.findall(r"[.?!][\"')]*(?=\s+[A-Z\"“]|$)", t))
    need(1 <= sents[o["id"]] <= 6, f"{o['id']} has {sents[o['id']]} sentences")
inside = sum(40 <= w <= 180 for w in words.values())
need(inside >= 170, f"only {inside} texts between 40 and 180 words")

need(len({o["text"] for o in outs}) == 200, "a text repeats")
opening = collections.Counter(tuple(o["text"].lower().split()[:4]) for o in outs)
for k, v in opening.items():
    need(v == 1, f"opening shared {v}x: {' '.join(k)}")
def grams(t, k=6):
    w = re.findall(r"[a-z']+", t.lower())
    return {tuple(w[i:i + k]) for i in range(len(w) - k + 1)}
g = {o["id"]: grams(o["text"]) for o in outs}
for i, a in enumerate(ids):
    for b in ids[i + 1:]:
        both = g[a] & g[b]
        need(len(both) <= 1, f"{a} and {b} share wording: {sorted(both)[:2]}")
runs = max(len(m.group()) for m in re.finditer(r"c+|o+", "".join(i[0] for i in ids)))
need(runs <= 15, f"order not mixed, run of {runs}")

def line(name, group):
    w = sorted(words[o["id"]] for o in group)
    print(f"{name}: n={len(group)} words min/median/max={w[0]}/{w[len(w)//2]}/{w[-1]} "
          f"mean citations={sum(o['citations'] for o in group)/len(group):.2f} without citation={sum(o['citations']==0 for o in group)}")
line("caught", caught)
line("  subtle", [o for o in caught if o["subtle"]])
line("  blatant", [o for o in caught if not o["subtle"]])
line("ordinary", plain)
print("subtle per area", dict(subtle), "| near misses", near, "| 40-180 words", inside, "of 200 | longest run", runs)
print("\n".join(bad) if bad else "all checks passed")
sys.exit(1 if bad else 0)
