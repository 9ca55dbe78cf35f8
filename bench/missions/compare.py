"""How much of their text the reports of one folder share, two by two.

usage: python3 bench/missions/compare.py FOLDER     FOLDER: Markdown reports, one a mission

Sources, and how the document was made, are left out: also the notices on the first page that say so (not reviewed, made
offline, with stand-ins), the field of the mission, and the title, which is the objective that all of them have. A sentence is shared if the other report has it letter for letter (digits
of citations left out). The share is that of the shorter report of the two, so it is the larger of both views.
"""

import collections
import itertools
import pathlib
import re
import sys

LEFT_OUT = re.compile(
    r"^#+ (Sources and passages|How this document was made|What people decided|Decisions made by people|The field"
    r"|Quotes that could not be confirmed)", re.I)
TITLE = re.compile(r"^# ")
NOTICES = {"Not reviewed", "With stand-ins", "Made offline"}
HEADING = re.compile(r"^#{1,2} ")
WORDS_MIN = 4


def without_notices(lines):
    """The lines without the callouts that say how the document was made."""
    at = 0
    while at < len(lines):
        if not lines[at].startswith("> [!"):
            yield lines[at]
            at += 1
            continue
        end = at
        while end < len(lines) and lines[end].startswith(">"):
            end += 1
        title = next((line for line in lines[at + 1:end] if "**" in line), "").strip("> *")
        if title not in NOTICES:
            yield from lines[at:end]
        at = end


def sentences(text):
    kept, inside = [], True
    for line in without_notices(text.splitlines()):
        if HEADING.match(line):
            inside = not LEFT_OUT.match(line) and not TITLE.match(line)
        elif inside and line.strip() and not line.startswith("!["):
            kept.append(line)
    found = set()
    for line in kept:
        line = re.sub(r"\[\\?\[?\d+\\?\]?\]\([^)]*\)|\[\d+\]|[*_`>|#\\]", " ", line)
        for sentence in re.split(r"(?<=[.!?:;])\s+|\s{3,}", line):
            words = re.findall(r"\w+", sentence.lower())
            if len(words) >= WORDS_MIN:
                found.add(" ".join(words))
    return found


def main(folder):
    reports = {at.stem: sentences(at.read_text()) for at in sorted(pathlib.Path(folder).glob("*.md"))}
    if len(reports) < 2:
        sys.exit(f"{folder} has fewer than two reports (*.md)")
    pairs = []
    for one, two in itertools.combinations(reports, 2):
        shared = reports[one] & reports[two]
        pairs.append((len(shared) / max(1, min(len(reports[one]), len(reports[two]))), one, two))
    pairs.sort(reverse=True)
    for share, one, two in pairs[:15]:
        print(f"{share:4.0%}  {one} ({len(reports[one])})  {two} ({len(reports[two])})")
    over = sum(share > 0.5 for share, _, _ in pairs)
    print(f"{over} of {len(pairs)} pairs share more than half")
    counts = collections.Counter(sentence for report in reports.values() for sentence in report)
    print("shared by most reports:")
    for sentence, count in counts.most_common(12):
        print(f"  {count:2}  {sentence[:110]}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
