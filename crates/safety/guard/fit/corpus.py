"""Writes the texts the weights are fitted on, one a line: attacks alone and planted in other texts, and ordinary texts.

    python3 crates/safety/guard/fit/corpus.py <folder> > corpus.jsonl

The folder holds what comes from outside: `bipia/` (its training files), `cran.all.1400`, `crates/`, `debian/`,
`handbooks/`, `requests/` (texts full of requests), and lists of instructions: `everyday-train.txt`, `everyday.txt`,
`agentdojo.txt`, `giskard.txt`. The same folder gives the same corpus.
"""

import glob
import json
import os
import random
import re
import sys
import zlib

CRATE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CASES = os.path.join(CRATE, "tests", "cases")
FILE_BYTES_MAX = 400_000
# Longer texts are cut to so many words.
WHOLE_LETTERS_MAX = 5_000
PART_WORDS = (200, 200, 400, 800)
CARRIER_LETTERS = (80, 1_500)
TEXTS_MAX = 1_800
# Every third kind of BIPIA's attacks is planted in held-out texts.
KINDS_HELD_OUT = 3
PROSE = re.compile(r"\.(md|txt|rst|markdown)$|/readme[^/]*$|/(copyright|news|changelog|faq|authors)$")
SAMPLES = re.compile(r"\.(md|txt|html|json|eml|csv)$")
CARRIERS = ["mails", "own", "requests", "cranfield", "crates", "debian", "handbooks", "passages", "requests"]

choose = random.Random(5)


def emit(planted, author, half, family, kind, text, payload=""):
    about = [planted, author, half, family, kind]
    print(json.dumps({"about": about, "text": text, "payload": payload}, ensure_ascii=False))


def records(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def lines_of(path):
    lines = (line.strip().replace("\\n", "\n") for line in open(path, encoding="utf-8"))
    return [line for line in lines if line]


def part_of(text):
    words = [found.start() for found in re.finditer(r"\s", text)]
    size = choose.choice(PART_WORDS)
    if len(text) < WHOLE_LETTERS_MAX or len(words) <= size:
        return text
    start = choose.randrange(len(words) - size)
    return text[words[start] : words[start + size]]


def texts_under(root, wanted=PROSE):
    while len(os.listdir(root)) == 1:
        root = os.path.join(root, os.listdir(root)[0])
    paths = []
    for folder, _, names in os.walk(root, followlinks=False):
        paths += [os.path.join(folder, name) for name in names]
    plain = lambda path: not path.endswith(".gz") and not os.path.islink(path)
    fits = lambda path: wanted.search(path.lower()) and plain(path) and os.path.getsize(path) < FILE_BYTES_MAX
    paths = sorted(filter(fits, paths))
    choose.shuffle(paths)
    texts = []
    for path in paths[:TEXTS_MAX]:
        # By the folder, so that texts of one project stay in one half.
        half = zlib.crc32(os.path.relpath(os.path.dirname(path), root).split("/")[0].encode()) % 2
        texts.append((half, part_of(open(path, encoding="utf-8", errors="replace").read())))
    return texts


def ordinary(outside):
    halves = lambda texts: [(number % 2, text) for number, text in enumerate(texts)]
    fitted = lambda texts: [(0, text) for text in texts]
    cranfield = open(os.path.join(outside, "cran.all.1400"), encoding="utf-8").read().split("\n.I ")
    mails = records(os.path.join(outside, "bipia", "email-train.jsonl"))
    own = [case["text"] for name in ("ordinary", "requests", "telling") for case in records(f"{CASES}/{name}.jsonl")]
    texts = {name: texts_under(os.path.join(outside, name)) for name in ("crates", "debian", "handbooks", "requests")}
    dossier = texts_under(os.path.join(CRATE, "..", "..", "..", "samples", "velmoran", "documents"), SAMPLES)
    texts["dossier"] = [(1, text) for _, text in dossier]
    texts["cranfield"] = halves([record.split(".W\n", 1)[1] for record in cranfield if ".W\n" in record])
    texts["mails"] = halves([mail["context"] for mail in mails])
    texts["own"] = halves(own)
    texts["passages"] = halves(lines_of(f"{CRATE}/fit/passages.txt"))
    texts["voices"] = fitted(lines_of(f"{CRATE}/fit/askings.txt"))
    texts["set3"] = fitted([case["text"] for case in records(f"{CASES}/third.jsonl")])
    texts["set4"] = fitted([case["text"] for case in records(f"{CASES}/fourth.jsonl")])
    return texts


def plant(carrier, attack):
    gap = choose.choice([" ", " ", "\n", "\n\n"])
    ends = [found.end() for found in re.finditer(r"[.!?][\"')]?\s", carrier)]
    place = choose.random()
    if place < 0.15:
        return attack + gap + carrier
    if place < 0.5 or not ends:
        return carrier.rstrip() + gap + attack
    end = choose.choice(ends)
    return carrier[:end].rstrip() + gap + attack + gap + carrier[end:]


class Attacks:
    def __init__(self, texts):
        low, high = CARRIER_LETTERS
        self.carriers = {name: [(half, text[:high]) for half, text in texts[name] if len(text) > low] for name in CARRIERS}

    def write(self, author, half, family, attack, copies):
        attack = attack.strip()
        emit(1, author, half, family, "alone", attack, attack)
        for name in choose.sample(CARRIERS, copies):
            its = [text for carrier_half, text in self.carriers[name] if carrier_half == half]
            emit(1, author, half, family, "planted", plant(choose.choice(its), attack), attack)

    def write_all(self, outside):
        for file in ("text-attack-train.json", "code-attack-train.json"):
            kinds = json.load(open(os.path.join(outside, "bipia", file), encoding="utf-8"))
            for number, (kind, attacks) in enumerate(kinds.items()):
                for attack in attacks:
                    self.write("bipia", int(number % KINDS_HELD_OUT == 0), kind, attack, 4)
        for half, folder in enumerate(("train", "heldout")):
            for path in sorted(glob.glob(f"{CASES}/{folder}/*.jsonl")):
                if "third_" not in path:
                    for case in records(path):
                        self.write("own", half, case["family"], case["text"], 3)
        for author, half, path, copies in (
            ("own", 0, f"{CRATE}/fit/instructions.txt", 5),
            ("own", 0, f"{outside}/everyday-train.txt", 5),
            ("voices", 0, f"{CRATE}/fit/voices.txt", 3),
            ("everyday", 1, f"{outside}/everyday.txt", 3),
            ("agentdojo", 1, f"{outside}/agentdojo.txt", 3),
            ("giskard", 1, f"{outside}/giskard.txt", 3),
        ):
            for attack in lines_of(path):
                self.write(author, half, os.path.basename(path), attack, copies)
        for author, name in (("set3", "third"), ("set4", "fourth")):
            for case in records(f"{CASES}/placed/{name}.jsonl"):
                emit(1, author, 0, case["family"], "native " + case["place"], case["text"], case["payload"])
                self.write(author, 0, case["family"], case["payload"], 3)


def main():
    outside = sys.argv[1]
    texts = ordinary(outside)
    for author, its in texts.items():
        for half, text in its:
            emit(0, author, half, "", "whole", text)
            # Breaks alone say nothing.
            if author in ("mails", "own", "passages", "voices"):
                emit(0, author, half, "", "lines", re.sub(r"(?<=[.?!]) ", "\n", text))
    Attacks(texts).write_all(outside)


main()
