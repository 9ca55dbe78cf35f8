#!/usr/bin/env python3
"""Learns the weights in crates/knowledge/reader/src/confidence.rs, and says how good they are.

    cargo run --release -p adjutant-reader --example measure_reader -- --signs=signs.jsonl WORLD...
    python3 bench/reader/learn_confidence.py signs.jsonl [--write crates/knowledge/reader/src/confidence.rs]

Needs scikit-learn. Learned are questions that are answered right against those without an answer; a wrong answer teaches
neither. Then slope and offset are set so that a probability is the share of right answers, wrong ones counted.
Figures are leave-one-world-out: each world is judged by a model that has not seen it.
"""
import json
import re
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

REGULARISATION = 0.05
GOAL_RIGHT, GOAL_DECLARED = 0.7, 0.8


def fit(rows):
    """Weights and bias in the units of the signs."""
    rows = [row for row in rows if row["is_right"] or not row["has_answer"]]
    signs = np.array([row["signs"] for row in rows])
    scale = StandardScaler().fit(signs)
    model = LogisticRegression(C=REGULARISATION, max_iter=5000)
    model.fit(scale.transform(signs), [row["is_right"] for row in rows])
    weights = model.coef_[0] / scale.scale_
    return weights, model.intercept_[0] - weights @ scale.mean_


def odds(model, rows):
    return np.array([row["signs"] for row in rows]) @ model[0] + model[1]


def calibration(values, rows):
    """Slope and offset from log-odds to the log-odds of a right answer."""
    model = LogisticRegression(C=1e6, max_iter=5000)
    model.fit(values.reshape(-1, 1), [row["is_right"] for row in rows])
    return model.coef_[0][0], model.intercept_[0]


def shares(chances, rows, least):
    """Answered right of those with an answer, declared of those without, right but declared."""
    with_answer = [(c, row) for c, row in zip(chances, rows) if row["has_answer"]]
    without = [c for c, row in zip(chances, rows) if not row["has_answer"]]
    right = sum(c >= least and row["is_right"] for c, row in with_answer)
    lost = sum(c < least and row["is_right"] for c, row in with_answer)
    declared = sum(c < least for c in without)
    return right / len(with_answer), declared / len(without), lost / len(with_answer)


def chance(values, slope, offset):
    return 1 / (1 + np.exp(-(slope * values + offset)))


def main():
    rows = [json.loads(line) for line in open(sys.argv[1])]
    worlds = list(dict.fromkeys(row["world"] for row in rows))
    held_out = np.zeros(len(rows))
    for world in worlds:
        model = fit([row for row in rows if row["world"] != world])
        for at, row in enumerate(rows):
            if row["world"] == world:
                held_out[at] = odds(model, [row])[0]
    slope, offset = calibration(held_out, rows)
    chances = chance(held_out, slope, offset)

    print(f"{len(rows)} questions of {len(worlds)} worlds, each judged by a model without its world")
    print("threshold  right  declared  right but declared")
    best = None
    for least in np.arange(0.2, 0.8, 0.02):
        right, declared, lost = shares(chances, rows, least)
        print(f"     {least:.2f}  {right:5.1%}     {declared:5.1%}               {lost:5.1%}")
        gap = abs(right / GOAL_RIGHT - declared / GOAL_DECLARED)
        if best is None or gap < best[0]:
            best = (gap, least)
    least = best[1]
    print(f"at {least:.2f}:")
    model = fit(rows)
    trained = chance(odds(model, rows), slope, offset)
    for world in worlds:
        own = [at for at, row in enumerate(rows) if row["world"] == world]
        of = [rows[at] for at in own]
        right, declared, lost = shares(chances[own], of, least)
        after = shares(trained[own], of, least)
        any_right = sum(row["is_right"] for row in of) / sum(row["has_answer"] for row in of)
        print(
            f"  {world:12} right {right:4.0%}  declared {declared:4.0%}  right but declared {lost:4.0%}"
            f"  passages right {any_right:4.0%}  (after training {after[0]:4.0%}, {after[1]:4.0%})"
        )
    total = shares(trained, rows, least)
    print(f"  after training: right {total[0]:.1%}, declared {total[1]:.1%}")
    print("calibration: said, and so it was")
    order = np.argsort(chances)
    for part in np.array_split(order, 5):
        right = np.mean([rows[at]["is_right"] for at in part])
        print(f"  {np.mean(chances[part]):.2f}  {right:.2f}  of {len(part)}")

    weights = [slope * weight for weight in model[0]]
    bias = slope * model[1] + offset
    print("weights:", " ".join(f"{weight:.2f}" for weight in weights), f"bias {bias:.2f}")
    if "--write" in sys.argv:
        path = sys.argv[sys.argv.index("--write") + 1]
        text = open(path).read()
        table = ", ".join(f"{weight:.2f}" for weight in weights)
        text = re.sub(r"(const WEIGHTS: \[f64; COUNT\] = )\[[^\]]*\];", rf"\g<1>[{table}];", text)
        text = re.sub(r"(const BIAS: f64 = )[^;]*;", rf"\g<1>{bias:.2f};", text)
        text = re.sub(r"(const ANSWERED_MIN: f64 = )[^;]*;", rf"\g<1>{least:.2f};", text)
        open(path, "w").write(text)


if __name__ == "__main__":
    main()
