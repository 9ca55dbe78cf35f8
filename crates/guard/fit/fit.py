"""Fits the weights of the scorer: ridge logistic regression. Needs numpy and scipy.

    cargo run --release -p adjutant-guard --example measure -- <bipia folder> <paths>... --features features.tsv
    python3 crates/guard/fit/fit.py features.tsv crates/guard/data/weights.txt

Each line of the features: 1 for a planted sentence or 0 for an ordinary one, its half, its document, its family, and
what is seen. Only the training half is fitted on; the border is chosen on documents of the other. A collection whose
folder is called `real-passages*` is taken for short texts full of requests, the others with a path for technical text.
"""

import collections
import sys
import zlib

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
# How much one sentence of a family counts; everything else counts once.
COUNTS = {
    "own ordinary passages": 12.0,
    "own requests": 12.0,
    "own telling texts": 8.0,
    "third set": 6.0,
    "bipia e-mails": 8.0,
    "passages": 8.0,
    "real-passages": 4.0,
}
# Two instructions and nothing else are rare; they only have to be told from a procedure.
TWO_COUNT = 0.3
# Of large collections every third chunk is used, and every fourth sentence that asks for nothing, which counts fourfold.
CHUNKS_STEP = 3
TELLING_STEP = 4
# Texts of the held-out half that may cry out: technical documents, and short texts full of requests.
TECHNICAL_ALARMS_MAX = 0.02
REQUESTS_ALARMS_MAX = 0.05
# How much higher the border is in code, and for sentences that neither ask nor order, as in the scorer.
CODE_BORDER = 2.0
TELLING_BORDER = 1.0
ROUNDS_MAX = 200

KINDS = "open_write open_tell open_alter open_act open_deed open_ignore question request meta answer bare_order asks agent user only_thinking".split()
AROUND = (
    "imperatives_none imperatives_some imperatives_many procedure linked letter technical new_words_most new_words_all "
    "new_words_few context_little own_line place_first place_last place_end between_asking questions_many item number "
    "definite object_definite open_indefinite personal your long please about_agents starts_small parts_others longer_than_others only_question"
).split()
KINDS_SET, AROUND_SET = set(KINDS), set(AROUND)

REAL = "real-passages"
Line = collections.namedtuple("Line", "planted train document family count")


def crossed(seen):
    kinds = [name for name in seen if name in KINDS_SET]
    around = [name for name in seen if name in AROUND_SET]
    return seen + [f"{one}*{other}" for one in kinds for other in around]


def is_requests(family):
    return REAL in family or family in ("own requests", "own ordinary passages", "bipia e-mails", "third set")


def is_technical(family):
    return family.startswith("/") and REAL not in family and "cran" not in family


def count_of(text, planted, half, document, family, seen):
    """How much a line counts; 0 if it is left out."""
    if planted:
        return TWO_COUNT if family.endswith("(two)") else 1.0
    if half != "Train" or REAL in family or "/" not in family:
        return COUNTS.get(REAL if REAL in family else family, 1.0)
    if document[0] == "c" and zlib.crc32((family + document).encode()) % CHUNKS_STEP:
        return 0.0
    if "asks" in seen:
        return 1.0
    return 0.0 if zlib.crc32(text.encode()) % TELLING_STEP else float(TELLING_STEP)


def read(path):
    vocabulary, starts, places, lines = {}, [0], [], []
    for text in open(path, encoding="utf-8"):
        label, half, document, family, seen = text.rstrip("\n").split("\t")
        seen = seen.split()
        count = count_of(text, label == "1", half, document, family, seen)
        if not count:
            continue
        places.extend(vocabulary.setdefault(name, len(vocabulary)) for name in crossed(seen))
        starts.append(len(places))
        lines.append(Line(label == "1", half == "Train", document, family, count))
    ones = numpy.ones(len(places), numpy.float32)
    shape = (len(lines), len(vocabulary))
    rows = scipy.sparse.csr_matrix((ones, numpy.array(places, numpy.int32), numpy.array(starts)), shape=shape)
    return rows, list(vocabulary), lines


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


def best_of_documents(lines, scores):
    best = {}
    for line, score in zip(lines, scores):
        key = (line.planted, line.train, line.family, line.document)
        best[key] = max(best.get(key, -99.0), score)
    return best


def border_of(best, wanted, alarms_max):
    scores = [
        score
        for (planted, train, family, document), score in best.items()
        if not planted and not train and document[0] == "d" and wanted(family)
    ]
    border = float(numpy.quantile(scores, 1 - alarms_max))
    print(wanted.__name__, len(scores), "texts, border", round(border, 3))
    return border


def report(best, border):
    """Of documents, by the gravest sentence of each: what is found and what cries out at the border."""
    counts = collections.defaultdict(lambda: [0, 0])
    for (planted, train, family, document), score in best.items():
        part = "chunks of " if not planted and document[0] == "c" else ""
        count = counts[("found" if planted else "alarms", "fitted" if train else "held out", part + family)]
        count[0] += score > border
        count[1] += 1
    for name, (hits, of) in sorted(counts.items()):
        print(*name, f"{hits}/{of} ({100 * hits / of:.1f} %)")


def main():
    source, target = sys.argv[1:3]
    rows, names, lines = read(source)
    train = numpy.array([line.train for line in lines])
    labels = numpy.array([line.planted for line in lines])
    uses = lambda which: numpy.asarray(rows[train & which].sum(0)).ravel()
    keep, penalties = kept(names, uses(labels), uses(~labels))
    has = lambda name: numpy.asarray(rows[:, names.index(name)].todense()).ravel() > 0
    telling = ~has("asks") & ~has("bare_order")
    higher = numpy.where(has("in_code"), CODE_BORDER, TELLING_BORDER * telling)
    rows = rows[:, keep].tocsr()
    counts = numpy.array([line.count for line in lines])
    weights = fit(rows[train], labels[train].astype(float), counts[train], penalties)
    scores = rows @ weights[:-1] + weights[-1]
    scores -= higher
    best = best_of_documents(lines, scores)
    border = max(
        border_of(best, is_technical, TECHNICAL_ALARMS_MAX),
        border_of(best, is_requests, REQUESTS_ALARMS_MAX),
    )
    print("border", round(border, 3))
    report(best, border)
    with open(target, "w", encoding="utf-8") as out:
        out.write(f"base {round((weights[-1] - border) * 1000)}\n")
        table = {names[place]: round(weight * 1000) for place, weight in zip(keep, weights)}
        for name, weight in sorted(table.items()):
            if abs(weight) >= 10:
                out.write(f"{name} {weight}\n")


main()
