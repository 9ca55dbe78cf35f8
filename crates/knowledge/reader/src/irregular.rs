//! Words whose forms have different stems: `took` is a form of `take`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One word per line, the usual form first.
const WORDS: &str = include_str!("../data/irregular.txt");

static FORMS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = WORDS.lines().filter_map(|line| line.split_once(' '));
    let forms = lines.flat_map(|(usual, forms)| forms.split(' ').map(move |form| (form, usual)));
    forms.collect()
});

/// The usual form of a word in lower case.
pub(crate) fn usual_form(small: &str) -> &str {
    FORMS.get(small).copied().unwrap_or(small)
}
