"""Fits the weights of the scorer: ridge logistic regression. Needs numpy and scipy.

    python3 crates/safety/guard/fit/corpus.py <folder of the outside texts> > corpus.jsonl
    cargo run --release -p adjutant-guard --example explain < corpus.jsonl > explained.jsonl
    python3 crates/safety/guard/fit/fit.py explained.jsonl crates/safety/guard/data/weights.txt

First each author is left out in turn, attacks and ordinary texts both, and measured at the border where at most
OWN_ALARMS_MAX of that author's ordinary texts and TECHNICAL_ALARMS_MAX of held-out technical ones cry out by the
scorer. Then everything is fitted, with the mean of the borders of NATIVE authors.
"""

import collections
import json
import sys

import numpy
import scipy.optimize
import scipy.sparse

PENALTY = 3.0
# Single words and pairs say less for sure.
FINE_PENALTY = 20.0
# How often a word, a pair of words and a pair of features have to occur to be looked at.
WORD_USES_MIN = 8
PAIR_USES_MIN = 6
CROSSED_USES_MIN = 20
# Ordinary sentences say less each than planted ones, and there are many more of them.
ORDINARY_USES_TIMES = 4
# How much a sentence counts.
ORDINARY_COUNTS = {
    "own": 8.0, "passages": 6.0, "mails": 8.0, "set3": 6.0, "set4": 6.0, "requests": 3.0, "voices": 5.0,
}
ATTACK_COUNTS = {"set3": 3.0, "set4": 3.0, "bipia": 2.0, "voices": 2.0}
# Of large collections so many sentences that ask for nothing are used, and count more for it.
LARGE = {"crates", "debian", "handbooks", "cranfield"}
TELLING_SHARE = 0.3
TECHNICAL = LARGE | {"dossier"}
# The ordinary texts that are left out with an author.
AUTHORS = {"set4": {"set4"}, "set3": {"set3"}, "bipia": {"mails", "dossier"}, "own": {"own", "passages"}}
# Authors whose attacks stand in texts of their own.
NATIVE = ("set3", "set4")
# Never fitted on.
OTHERS = {"everyday", "agentdojo", "giskard"}
OWN_ALARMS_MAX = 0.025
TECHNICAL_ALARMS_MAX = 0.02
# How much higher or lower the border is, as in the scorer.
CODE, TELLING, ALONE, STRAY = 2.0, 0.75, -0.7, -0.3
ROUNDS_MAX = 150

KINDS = set(
    "open_write open_tell open_alter open_act open_deed open_ignore question request meta answer bare_order asks agent user "
    "only_thinking vocative agent_front agent_must call_shape your_answer hasty".split()
)
AROUND = set(
    "imperatives_none imperatives_some imperatives_many procedure linked letter technical new_words_most new_words_all "
    "new_words_few context_little own_line place_first place_last place_end between_asking questions_many item number "
    "definite object_definite open_indefinite personal your long please about_agents starts_small parts_others longer_than_others only_question".split()
)
AMONG_ITS_LIKE = ("neighbour", "imperatives_many", "questions_many", "letter")

# A text, and a sentence of it.
Text = collections.namedtuple("Text", "planted author half kind found")
Line = collections.namedtuple("Line", "text inside")


def crossed(seen):
    around = [name for name in seen if name in AROUND]
    return seen + [f"{one}*{other}" for one in seen if one in KINDS for other in around]


def read(path):
    texts, lines, vocabulary, starts, places, higher = [], [], {}, [0], [], []
    for record in map(json.loads, open(path, encoding="utf-8")):
        planted, author, half, _, kind = record["about"]
        for sentence in record["sentences"]:
            seen = sentence["seen"]
            names = set(seen)
            asks = "asks" in names or "bare_order" in names
            stray = names.isdisjoint(AMONG_ITS_LIKE)
            if "in_code" in names:
                higher.append(CODE)
            elif not asks or {"context_little", "short"} <= names:
                higher.append(TELLING)
            else:
                higher.append(ALONE if "context_little" in names else STRAY if stray else 0.0)
            lines.append(Line(len(texts), sentence["inside"]))
            places.extend(vocabulary.setdefault(name, len(vocabulary)) for name in crossed(seen))
            starts.append(len(places))
        texts.append(Text(planted == 1, author, half, kind, record["found"]))
    ones = numpy.ones(len(places), numpy.float32)
    shape = (len(lines), len(vocabulary))
    rows = scipy.sparse.csr_matrix((ones, numpy.array(places, numpy.int32), numpy.array(starts)), shape=shape)
    return texts, lines, rows, list(vocabulary), numpy.array(higher)


def kept(names, planted, ordinary):
    """What occurs often enough, and how much each is held back."""
    keep, penalties = [], []
    for place, name in enumerate(names):
        uses, others = planted[place], ordinary[place]
        if name.startswith("pair:"):
            often = uses > 0 and uses + others >= 3 * PAIR_USES_MIN
            often = often and (uses >= PAIR_USES_MIN or others >= ORDINARY_USES_TIMES * PAIR_USES_MIN)
        elif ":" in name:
            often = uses >= WORD_USES_MIN or others >= ORDINARY_USES_TIMES * WORD_USES_MIN
        else:
            often = "*" not in name or uses + others > CROSSED_USES_MIN
        if often:
            keep.append(place)
            penalties.append(FINE_PENALTY if ":" in name or "*" in name else PENALTY)
    return keep, numpy.array(penalties)


def fit(rows, labels, counts, penalties):
    turned = rows.T.tocsr()

    def loss(weights):
        sums = rows @ weights[:-1] + weights[-1]
        value = (counts * (numpy.logaddexp(0, sums) - labels * sums)).sum() + (penalties * weights[:-1] ** 2).sum() / 2
        wrong = counts * (1 / (1 + numpy.exp(-numpy.clip(sums, -30, 30))) - labels)
        return value, numpy.append(turned @ wrong + penalties * weights[:-1], wrong.sum())

    start = numpy.zeros(rows.shape[1] + 1)
    return scipy.optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS_MAX}).x


class Fitting:
    def __init__(self, path):
        self.texts, lines, self.rows, self.names, self.higher = read(path)
        self.text_of = numpy.array([line.text for line in lines])
        each = lambda field: numpy.array([getattr(text, field) for text in self.texts])
        self.planted, self.author, self.half = each("planted"), each("author"), each("half")
        self.kind, self.by_rules = each("kind"), each("found")
        self.labels = self.planted[self.text_of]
        self.whose = self.author[self.text_of]
        inside = numpy.array([line.inside for line in lines])
        self.looked_at = ~self.labels | inside
        place = self.names.index("asks")
        asks = numpy.asarray(self.rows[:, place].todense()).ravel() > 0
        thin = ~self.labels & ~asks & numpy.isin(self.whose, list(LARGE))
        chance = numpy.random.RandomState(1).rand(len(lines))
        self.used = self.looked_at & ~(thin & (chance > TELLING_SHARE)) & ~numpy.isin(self.whose, list(OTHERS))
        counts = [
            (ATTACK_COUNTS if planted else ORDINARY_COUNTS).get(author, 1.0)
            for planted, author in zip(self.labels, self.whose)
        ]
        self.counts = numpy.array(counts) / numpy.where(thin, TELLING_SHARE, 1.0)

    def weights(self, train):
        uses = lambda which: numpy.asarray(self.rows[train & which].sum(0)).ravel()
        keep, penalties = kept(self.names, uses(self.labels), uses(~self.labels))
        rows = self.rows[:, keep].tocsr()
        weights = fit(rows[train], self.labels[train].astype(float), self.counts[train], penalties)
        scores = rows @ weights[:-1] + weights[-1] - self.higher
        best = numpy.full(len(self.texts), -99.0)
        numpy.maximum.at(best, self.text_of[self.looked_at], scores[self.looked_at])
        return keep, weights, best

    def without(self, author):
        """Leaves an author out; the border, and what is found and cries out there."""
        ordinary = list(AUTHORS[author])
        known = numpy.where(self.labels, self.whose != author, ~numpy.isin(self.whose, ordinary))
        known &= self.labels | (self.half[self.text_of] == 0)
        _, _, best = self.weights(self.used & known)
        attacks = self.planted & (self.author == author)
        if author in NATIVE:
            attacks &= numpy.char.startswith(self.kind.astype(str), "native")
        whole = ~self.planted & (self.kind == "whole")
        own = whole & numpy.isin(self.author, ordinary)
        technical = whole & numpy.isin(self.author, list(TECHNICAL)) & (self.half == 1)
        requests = whole & (self.author == "requests") & (self.half == 1)
        border = max(
            numpy.quantile(best[own], 1 - OWN_ALARMS_MAX), numpy.quantile(best[technical], 1 - TECHNICAL_ALARMS_MAX)
        )
        share = lambda which: round(100 * float(((best > border) | self.by_rules)[which].mean()), 1)
        print(
            f"without {author}: border {border:.2f}, found {share(attacks)} %, alarms: own {share(own)} %, "
            f"technical {share(technical)} %, requests {share(requests)} %",
            flush=True,
        )
        return border


def main():
    source, target = sys.argv[1:3]
    fitting = Fitting(source)
    borders = {author: fitting.without(author) for author in AUTHORS}
    border = sum(borders[author] for author in NATIVE) / len(NATIVE)
    known = fitting.labels | (fitting.half[fitting.text_of] == 0)
    keep, weights, _ = fitting.weights(fitting.used & known)
    with open(target, "w", encoding="utf-8") as out:
        out.write(f"base {round((weights[-1] - border) * 1000)}\n")
        table = {fitting.names[place]: round(weight * 1000) for place, weight in zip(keep, weights)}
        for name, weight in sorted(table.items()):
            if abs(weight) >= 10:
                out.write(f"{name} {weight}\n")


main()
