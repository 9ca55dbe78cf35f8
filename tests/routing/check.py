#!/usr/bin/env python3
"""Checks objectives.json: count, unique ids and texts, valid mission ids, at least 4 per mission, length."""
import json, re, sys
from collections import Counter
from pathlib import Path

here = Path(__file__).resolve().parent
facts = here.parents[1] / "crates/missions/catalogue/src/missions.rs"
missions = re.findall(r'MissionFacts \{\s+id: "(\w+)"', facts.read_text(encoding="utf-8"))
data = json.loads((here / "objectives.json").read_text(encoding="utf-8"))
objs = data["objectives"]
errors = []

def need(ok, what):
    if not ok:
        errors.append(what)

need(data.get("version") == 1, "version is not 1")
need(len(missions) == 24 == len(set(missions)), f"{len(missions)} missions read, 24 expected")
need(len(objs) == 100, f"{len(objs)} objectives, 100 expected")
need(len({o["id"] for o in objs}) == len(objs), "ids not unique")
need(len({o["objective"].casefold() for o in objs}) == len(objs), "objective texts not unique")
for o in objs:
    i = o["id"]
    need(set(o) == {"id", "objective", "best", "also"}, f"{i}: keys {sorted(o)}")
    need(o["best"] in missions, f"{i}: unknown best {o['best']}")
    need(all(a in missions for a in o["also"]), f"{i}: unknown also {o['also']}")
    need(len(o["also"]) <= 2 and len(set(o["also"])) == len(o["also"]) and o["best"] not in o["also"],
         f"{i}: also {o['also']}")
    n = len(o["objective"].split())
    need(5 <= n <= 40, f"{i}: {n} words")
best = Counter(o["best"] for o in objs)
also = Counter(a for o in objs for a in o["also"])
for m in missions:
    need(best[m] >= 4, f"{m}: only {best[m]} as best")
    print(f"{m:20} best {best[m]:2}  also {also[m]:2}")
print(f"{len(objs)} objectives, {sum(1 for o in objs if o['also'])} with also, "
      f"words {min(len(o['objective'].split()) for o in objs)}-{max(len(o['objective'].split()) for o in objs)}")
for e in errors:
    print("ERROR", e)
print("FAILED" if errors else "OK")
sys.exit(1 if errors else 0)
