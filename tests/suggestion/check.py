#!/usr/bin/env python3
"""Measures `adjutant suggest` on a set of intents, and prints totals only.

    python3 tests/suggestion/check.py ADJUTANT [tests/suggestion/intents.json]

Uses an empty data folder, so nothing was ever run: what is measured is words, types and templates."""
import json, os, subprocess, sys, tempfile
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

program = sys.argv[1]
file = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).with_name("intents.json")
data = json.loads(file.read_text(encoding="utf-8"))
intents = data["intents"] if isinstance(data, dict) else data
home = tempfile.TemporaryDirectory()
environment = dict(os.environ, ADJUTANT_HOME=home.name, ADJUTANT_USER="you")


def suggest(one):
    ran = subprocess.run([program, "suggest", one["intent"], "--json"], env=environment, capture_output=True, text=True)
    return json.loads(ran.stdout)


def same(tools):
    return sorted({tool.replace("L5-RAG", "recall") for tool in tools})


def is_right(one, suggested):
    first = same(task["tool"] for task in suggested["graph"]["tasks"] if not task["depends_on"])
    if not one["first"]:
        return first == []
    return any(first == same(wanted) for wanted in [one["first"], *one.get("first_also", [])])


with ThreadPoolExecutor(2) as pool:
    answers = list(pool.map(suggest, intents))
pairs = list(zip(intents, answers))

groups = OrderedDict((name, [0, 0]) for name in ["no tool", "one tool", "two tools", "three and more"])
for one, suggested in pairs:
    count = len(one["all"])
    name = ["no tool", "one tool", "two tools"][count] if count < 3 else "three and more"
    groups[name][1] += 1
    groups[name][0] += is_right(one, suggested)
print("right first tools (without a tool: none is suggested)")
for name, (right, all_) in groups.items():
    print(f"  {name:16} {right:3} of {all_}")
right = sum(is_right(*pair) for pair in pairs)
print(f"  {'all':16} {right:3} of {len(pairs)} ({100 * right / len(pairs):.0f} %)")

none = [suggested for one, suggested in pairs if not one["first"]]
asked = sum(suggested.get("ail_required") in ("nothing_fits", "low_confidence") for suggested in none)
print(f"without a tool, and asked because nothing fits or the confidence is low: {asked} of {len(none)}")
sure = [pair for pair in pairs if pair[1]["graph"]["tasks"] and pair[1].get("ail_required") not in ("nothing_fits", "low_confidence")]
print(f"at least 60 % sure: {len(sure)}, of these right: {sum(is_right(*pair) for pair in sure)}")

print("confidence of suggestions with tools, in steps of twenty: said, right, of how many")
for low in range(0, 100, 20):
    bucket = [pair for pair in pairs if pair[1]["graph"]["tasks"] and low <= 100 * pair[1]["confidence"]["value"] < low + 20 + (low == 80)]
    if bucket:
        said = sum(suggested["confidence"]["value"] for _, suggested in bucket) / len(bucket)
        share = sum(is_right(*pair) for pair in bucket) / len(bucket)
        print(f"  {low:3} to {low + 20:3} %: said {100 * said:.0f} %, right {100 * share:.0f} %, {len(bucket)}")
