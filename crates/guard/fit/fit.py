"""Fits the weights of the scorer: ridge logistic regression by Newton's method, standard library only.

    cargo run -p adjutant-guard --example measure -- <bipia folder> <paths>... --features features.tsv
    python3 crates/guard/fit/fit.py features.tsv crates/guard/data/weights.txt

Each line of the features: 1 for a planted sentence or 0 for an ordinary one, its document, its family, the features seen.
"""

import collections
import math
import sys

PENALTY = 3.0
# Single words say less for sure, and only those used by both sides say something about the wording and not the topic.
WORD_PENALTY = 5.0
WORD_USES_MIN = 10
# How much one sentence of a family counts; everything else counts once.
COUNTS = {"own ordinary passages": 6.0, "bipia e-mails": 6.0, "passages": 4.0}
# Added to the base: the border lies below even odds, since a miss costs more than a fence.
BORDER = 0.5
ROUNDS_MAX = 40


def read(path):
    lines = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
    return [(label == "1", document, family, tuple(seen.split())) for label, document, family, seen in lines]


def solve(matrix, right):
    """Cholesky; the matrix is symmetric and positive."""
    size = len(right)
    low = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(map(float.__mul__, low[i][:j], low[j][:j]))
            low[i][j] = math.sqrt(rest) if i == j else rest / low[j][j]
    half = []
    for i in range(size):
        half.append((right[i] - sum(map(float.__mul__, low[i][:i], half))) / low[i][i])
    out = [0.0] * size
    for i in reversed(range(size)):
        out[i] = (half[i] - sum(low[j][i] * out[j] for j in range(i + 1, size))) / low[i][i]
    return out


def fit(rows, penalty):
    """Rows are (seen indexes, label, count); the last index is the base and stands in every row."""
    size = len(penalty)
    weights = [0.0] * size

    def loss(weights):
        total = sum(p * w * w for p, w in zip(penalty, weights)) / 2
        for seen, label, count in rows:
            z = sum(weights[i] for i in seen)
            total += count * (max(z, 0.0) + math.log1p(math.exp(-abs(z))) - (z if label else 0.0))
        return total

    now = loss(weights)
    for _ in range(ROUNDS_MAX):
        slope = [p * w for p, w in zip(penalty, weights)]
        curve = [[0.0] * size for _ in range(size)]
        for i in range(size):
            curve[i][i] = penalty[i]
        for seen, label, count in rows:
            z = max(-30.0, min(30.0, sum(weights[i] for i in seen)))
            odds = 1 / (1 + math.exp(-z))
            bend = count * odds * (1 - odds)
            miss = count * (odds - label)
            for i in seen:
                slope[i] += miss
                line = curve[i]
                for j in seen:
                    line[j] += bend
        step = solve(curve, slope)
        scale = 1.0
        while True:
            tried = [w - scale * s for w, s in zip(weights, step)]
            new = loss(tried)
            if new <= now or scale < 1e-4:
                break
            scale /= 2
        weights = tried
        if now - new < 0.01:
            break
        now = new
    return weights


def report(lines, score):
    """Of documents, by the gravest sentence of each: what is found at which border."""
    best = collections.defaultdict(lambda: -99.0)
    for label, document, family, seen in lines:
        key = (label, family.split("/")[0] if label else family, document)
        best[key] = max(best[key], score[seen])
    for border in (-1.5, -1.0, -0.7, -0.4, 0.0):
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
    lines = [(*line[:3], tuple(name for name in line[3] if keep(name))) for line in lines]
    names = sorted({name for line in lines for name in line[3]})
    print(len(names), "features")
    index = {name: i for i, name in enumerate(names)}
    grouped = collections.Counter()
    for label, _, family, seen in lines:
        grouped[(label, seen)] += 1.0 if label else COUNTS.get(family, 1.0)
    base = len(names)
    rows = [([index[name] for name in seen] + [base], label, count) for (label, seen), count in grouped.items()]
    penalty = [WORD_PENALTY if ":" in name else PENALTY for name in names] + [0.001]
    weights = fit(rows, penalty)
    score = {seen: sum(weights[index[name]] for name in seen) + weights[base] for _, seen in grouped}
    report(lines, score)
    with open(target, "w", encoding="utf-8") as out:
        out.write(f"base {round((weights[base] + BORDER) * 1000)}\n")
        for name in names:
            out.write(f"{name} {round(weights[index[name]] * 1000)}\n")


main()
