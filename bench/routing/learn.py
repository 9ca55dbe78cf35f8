#!/usr/bin/env python3
"""Learns the table by which `ask` chooses a mission without a language model, and says how good it is.

    cargo run -p adjutant-rule-answers --example routing_signs < tests/routing/development.json > target/routing-signs.jsonl
    python3 bench/routing/learn.py target/routing-signs.jsonl [--write crates/models/rule-answers/data/routing_weights.txt]

Needs scikit-learn. Two logistic regressions on the signs that the program itself computes: whether a question wants a fact
and no mission at all, and, learned from the others alone, which mission serves it. Figures are
leave-one-author-out: each objective is judged by a table that has seen nothing by its author. The slope that makes a
probability the share of right choices is set on those judgements.
"""
import collections
import json
import sys

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

REGULARISATION = 0.5
# A sign of one author and fewer fields tells of the subject rather than of the work that is wanted.
AUTHORS_MIN = 2
FIELDS_MIN = 3
# In hundredths; a smaller weight is left out of the table.
WEIGHT_MIN = 5
# Others word things otherwise, so a probability is never sharpened beyond what was fitted.
SLOPE_MAX = 1.0
SURE = 0.6
FACT = "fact"


def regression():
    return LogisticRegression(C=REGULARISATION, max_iter=300, tol=1e-3)


def fit(signs, wanted, kinds):
    """The weights of each kind, a row for each, and what each begins with. Those of a fact are odds against all missions."""
    wanted = np.array(wanted)
    served = wanted != FACT
    mission = regression().fit(signs[served], wanted[served])
    fact = regression().fit(signs, wanted == FACT)
    weights, begin = np.zeros((len(kinds), signs.shape[1])), np.zeros(len(kinds))
    for row, kind in enumerate(mission.classes_):
        weights[kinds.index(kind)], begin[kinds.index(kind)] = mission.coef_[row], mission.intercept_[row]
    weights[kinds.index(FACT)], begin[kinds.index(FACT)] = fact.coef_[0], fact.intercept_[0]
    return weights, begin


def common_signs(rows):
    authors, fields = collections.defaultdict(set), collections.defaultdict(set)
    for row in rows:
        for sign in row["signs"]:
            authors[sign].add(row["author"])
            fields[sign].add((row["author"], row["field"]))
    return {sign for sign in fields if len(authors[sign]) >= AUTHORS_MIN or len(fields[sign]) >= FIELDS_MIN}


def held_out_odds(rows, kinds):
    odds = np.zeros((len(rows), len(kinds)))
    for author in dict.fromkeys(row["author"] for row in rows):
        seen = [row for row in rows if row["author"] != author]
        unseen = [at for at, row in enumerate(rows) if row["author"] == author]
        # Which signs are common is asked of the seen authors only.
        known = common_signs(seen)
        vectors = DictVectorizer()
        signs = vectors.fit_transform([{s: v for s, v in row["signs"].items() if s in known} for row in seen])
        weights, begin = fit(signs, [row["best"] for row in seen], kinds)
        odds[unseen] = vectors.transform([rows[at]["signs"] for at in unseen]) @ weights.T + begin
    return odds


def chances(odds, slope, kinds):
    fact = kinds.index(FACT)
    missions = odds.copy()
    missions[:, fact] = -np.inf
    shifted = slope * (missions - missions.max(axis=1, keepdims=True))
    shares = np.exp(shifted)
    shares /= shares.sum(axis=1, keepdims=True)
    of_fact = 1.0 / (1.0 + np.exp(-odds[:, fact]))
    shares *= 1.0 - of_fact[:, None]
    shares[:, fact] = of_fact
    return shares


def best_slope(odds, truth, kinds):
    served = truth != kinds.index(FACT)

    def loss(slope):
        return -np.mean(np.log(chances(odds[served], slope, kinds)[np.arange(served.sum()), truth[served]]))

    return minimize_scalar(loss, bounds=(0.2, 3.0), method="bounded").x


def report(rows, kinds, probability):
    fact = kinds.index(FACT)
    missions = probability.copy()
    missions[:, fact] = -1.0
    order = np.argsort(-missions, axis=1)
    named = np.array(kinds)[order]
    is_mission = np.array([row["best"] != FACT for row in rows])
    truth = np.array([row["best"] for row in rows])
    first = named[:, 0] == truth
    three = (named[:, :3] == truth[:, None]).any(axis=1)
    top = missions.max(axis=1)
    print(f"{is_mission.sum()} objectives: first {first[is_mission].mean():.1%}, within three {three[is_mission].mean():.1%}")
    for author in dict.fromkeys(row["author"] for row in rows):
        of = np.array([row["author"] == author for row in rows]) & is_mission
        print(f"  {author:24} {of.sum():4}  first {first[of].mean():6.1%}  within three {three[of].mean():6.1%}")
    for mission in kinds:
        of = truth == mission
        if mission != FACT:
            print(f"  {mission:24} {of.sum():4}  first {first[of].mean():6.1%}  within three {three[of].mean():6.1%}")
    print("chance  objectives  right")
    for low in np.arange(0.0, 1.0, 0.1):
        within = is_mission & (top >= low) & (top < low + 0.1 + (low > 0.85))
        if within.any():
            print(f"  {low:.1f}   {within.sum():6}     {first[within].mean():6.1%}")
    sure = is_mission & (top >= SURE)
    print(f"at least {SURE:.0%} sure: {sure.sum()} of {is_mission.sum()}, right {first[sure].mean():.1%}")
    print(f"questions for a fact: {(~is_mission).sum()}, of which taken for a mission: {(~is_mission & (top >= SURE)).sum()}")


def write(path, rows, kinds, slope):
    known = common_signs(rows)
    vectors = DictVectorizer()
    signs = vectors.fit_transform([{s: v for s, v in row["signs"].items() if s in known} for row in rows])
    all_weights, begin = fit(signs, [row["best"] for row in rows], kinds)

    def cells(weights):
        whole = [(kind, round(100 * weight)) for kind, weight in enumerate(weights)]
        return " ".join(f"{kind}={weight}" for kind, weight in whole if abs(weight) >= WEIGHT_MIN)

    lines = [f"# Learned by bench/routing/learn.py from {len(rows)} objectives: {len(known)} signs. Do not edit.",
             "# A sign, a tab, and for each kind (its place in the list) the weight in hundredths."]
    lines += [f"kinds\t{' '.join(kinds)}", f"slope\t{round(100 * slope)}", f"bias\t{cells(begin)}"]
    rows_of = ((name, cells(all_weights[:, at])) for at, name in enumerate(vectors.feature_names_))
    lines += [f"{name}\t{row}" for name, row in rows_of if row]
    open(path, "w", encoding="utf-8").write("\n".join(lines) + "\n")
    print(f"{path}: {len(lines) - 5} signs")


def main():
    rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    kinds = sorted({row["best"] for row in rows})
    odds = held_out_odds(rows, kinds)
    truth = np.array([kinds.index(row["best"]) for row in rows])
    fitted = best_slope(odds, truth, kinds)
    slope = min(fitted, SLOPE_MAX)
    print(f"slope {slope:.2f}, fitted to the held-out authors {fitted:.2f}")
    report(rows, kinds, chances(odds, slope, kinds))
    if "--write" in sys.argv:
        write(sys.argv[sys.argv.index("--write") + 1], rows, kinds, slope)


if __name__ == "__main__":
    main()
