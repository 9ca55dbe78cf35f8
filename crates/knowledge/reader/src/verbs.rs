//! What verbs and nouns tell of acts: lists of general English words, in any of their forms.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::words::stemmed;

/// Verbs of handing over, telling, making and deciding: what people promise to do.
static ACTS: Stems = LazyLock::new(|| stems(include_str!("../data/acts.txt")));
/// Of those, the verbs of handing over: who promises one of them promises it once.
static HANDING_OVER: Stems = LazyLock::new(|| stems(include_str!("../data/handing_over.txt")));
/// Verbs that name a state or an effect, not an act.
static STATES: Stems = LazyLock::new(|| stems(include_str!("../data/states.txt")));
/// What is done with a thing that then exists or is known. `No frost was observed` is a finding, `no test was made` is a gap.
static MAKING: Stems = LazyLock::new(|| stems(include_str!("../data/making.txt")));
/// Words for what is written down: who promises one has kept the promise when it exists.
static WRITINGS: Stems = LazyLock::new(|| stems(include_str!("../data/writings.txt")));

type Stems = LazyLock<HashSet<String>>;

fn stems(list: &str) -> HashSet<String> {
    list.split_whitespace().map(stemmed).collect()
}

pub(crate) fn is_act(small: &str) -> bool {
    ACTS.contains(&stemmed(small))
}

pub(crate) fn is_handing_over(small: &str) -> bool {
    HANDING_OVER.contains(&stemmed(small))
}

pub(crate) fn is_state(small: &str) -> bool {
    STATES.contains(&stemmed(small))
}

pub(crate) fn is_making(small: &str) -> bool {
    MAKING.contains(&stemmed(small)) || matches!(small, "done" | "begun")
}

pub(crate) fn is_writing(small: &str) -> bool {
    WRITINGS.contains(&stemmed(small))
}
