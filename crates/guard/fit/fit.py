"""Fits the weights of the scorer: ridge logistic regression by Newton's method. Needs numpy.

    cargo run -p adjutant-guard --example measure -- <bipia folder> <paths>... --features features.tsv
    python3 crates/guard/fit/fit.py features.tsv crates/guard/data/weights.txt

Each line of the features: 1 for a planted sentence or 0 for an ordinary one, its document, its family, the features seen.
The paths are Cranfield, then collections of technical text.
"""

import collections
import sys

import numpy

PENALTY = 3.0
# Single words and pairs say less for sure.
FINE_PENALTY = 5.0
# Only words used by both sides say something about the wording and not the topic.
WORD_USES_MIN = 10
# How much one sentence of a family counts; everything else counts once.
COUNTS = {"own ordinary passages": 8.0, "bipia e-mails": 6.0, "passages": 6.0}
# Added to the base: the border lies below even odds, since a miss costs more than a fence.
BORDER = 0.25
ROUNDS_MAX = 30

KINDS = "open_write open_tell open_alter open_act open_deed question request meta answer".split()
AROUND = (
    "imperatives_none imperatives_some imperatives_many procedure linked letter technical new_words_most "
    "new_words_few context_little own_line place_first place_last between_asking questions_many item number "
    "definite object_definite open_indefinite personal your long please about_agents starts_small"
).split()


def crossed(seen):
    have = set(seen)
    pairs = [f"{one}*{other}" for one in KINDS if one in have for other in AROUND if other in have]
    return seen + tuple(pairs)


def read(path):
    lines = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
    return [(label == "1", document, family, tuple(seen.split())) for label, document, family, seen in lines]


def fit(rows, labels, counts, penalty):
    weights = numpy.zeros(rows.shape[1])

    def loss(weights):
        z = rows @ weights
        return float((counts * (numpy.logaddexp(0, z) - labels * z)).sum() + (penalty * weights**2).sum() / 2)

    now = loss(weights)
    for _ in range(ROUNDS_MAX):
        odds = 1 / (1 + numpy.exp(-numpy.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (counts * (odds - labels)) + penalty * weights
        curve = (rows * (counts * odds * (1 - odds))[:, None]).T @ rows + numpy.diag(penalty)
        step = numpy.linalg.solve(curve, slope)
        scale = 1.0
        while loss(weights - scale * step) > now and scale > 1e-4:
            scale /= 2
        weights = weights - scale * step
        before, now = now, loss(weights)
        if before - now < 0.1:
            break
    return weights


def report(lines, scores):
    """Of documents, by the gravest sentence of each: what is found at which border."""
    best = collections.defaultdict(lambda: -99.0)
    for (label, document, family, _), score in zip(lines, scores):
        key = (label, family.split("/")[0] if label else family, document)
        best[key] = max(best[key], score)
    for border in (-1.0, -0.7, -0.4, 0.0):
        counts = collections.defaultdict(lambda: [0, 0])
        for (label, family, document), value in best.items():
            part = "" if label or document[0] == "d" else " chunks"
            count = counts[("found " if label else "alarms ") + family[-24:] + part]
            count[0] += value > border
            count[1] += 1
        print(border, {name: f"{n}/{of}" for name, (n, of) in sorted(counts.items()) if of > 24})


def main():
    source, target = sys.argv[1:3]
    lines = read(source)
    uses = collections.Counter((line[0], name) for line in lines for name in line[3] if ":" in name)
    keep = lambda name: ":" not in name or min(uses[(True, name)], uses[(False, name)]) >= WORD_USES_MIN
    lines = [(*line[:3], crossed(tuple(name for name in line[3] if keep(name)))) for line in lines]
    names = sorted({name for line in lines for name in line[3]})
    index = {name: i for i, name in enumerate(names)}
    grouped = collections.Counter()
    for label, _, family, seen in lines:
        grouped[(label, seen)] += 1.0 if label else COUNTS.get(family, 1.0)
    print(len(names), "features,", len(grouped), "rows")
    rows = numpy.zeros((len(grouped), len(names) + 1), numpy.float32)
    rows[:, -1] = 1
    place = {}
    for number, (_, seen) in enumerate(grouped):
        place[seen] = number
        rows[number, [index[name] for name in seen]] = 1
    labels = numpy.array([label for label, _ in grouped], float)
    counts = numpy.array(list(grouped.values()))
    fine = lambda name: ":" in name or "*" in name
    penalty = numpy.array([FINE_PENALTY if fine(name) else PENALTY for name in names] + [0.001])
    weights = fit(rows, labels, counts, penalty)
    scores = rows @ weights
    report(lines, [scores[place[seen]] for _, _, _, seen in lines])
    with open(target, "w", encoding="utf-8") as out:
        out.write(f"base {round((weights[-1] + BORDER) * 1000)}\n")
        for name in names:
            if weight := round(weights[index[name]] * 1000):
                out.write(f"{name} {weight}\n")


main()
