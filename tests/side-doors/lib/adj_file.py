"""Writes an export file again, with one change, and with a new `end` line as docs/export-file.md describes it.

adj_file.py EDIT FROM TO
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blake3  # noqa: E402

edit, source, target = sys.argv[1:4]
raw = open(source, "rb").read().decode().splitlines()
lines, changed = [], edit == "same"
for text in raw[:-1]:
    line = json.loads(text)
    kind = next(iter(line))
    body = line[kind]
    touched = False
    if kind == "mission":
        summary = body["summary"]
        if edit == "phase":
            summary["phase"] = "failed" if summary.get("phase") != "failed" else "completed"
            touched = True
        if edit in ("cost", "times"):
            def walk(d):
                hit = False
                for k, v in d.items():
                    if isinstance(v, dict):
                        hit |= walk(v)
                    elif isinstance(v, int) and not isinstance(v, bool):
                        is_time = "at" in k.split("_") or v > 10**12
                        if is_time == (edit == "times"):
                            d[k] = v + (86_400_000 if is_time else 7)
                            hit = True
                return hit
            touched = walk({k: v for k, v in summary.items() if k == ""} or summary)
        if edit == "kept":
            body["kept"] = "erased" if body.get("kept") != "erased" else "archived"
            touched = True
    if kind == "adjutant" and edit == "made":
        body["made_at"] += 86_400_000
        touched = True
    if kind == "attestation" and edit == "unsigned":
        changed = True
        continue
    changed |= touched
    lines.append(json.dumps(line, separators=(",", ":"), ensure_ascii=False) if touched else text)
if not changed:
    sys.exit("no such part")
before = "".join(line + "\n" for line in lines).encode()
end = json.loads(raw[-1])["end"]
end["lines"] = len(lines)
end["hash"] = blake3.hash(before).hex()
with open(target, "wb") as out:
    out.write(before + json.dumps({"end": end}, separators=(",", ":")).encode() + b"\n")
