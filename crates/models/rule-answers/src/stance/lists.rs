//! The words that take sides, deny, connect and hedge.

/// Which side of what a word speaks for, by its stem: one line for each pair of opposites.
pub(super) const AXES: &[(&[&str], &[&str])] = &[
    (
        &[
            "increas", "rais", "rise", "grow", "higher", "elev", "high", "gain",
        ],
        &[
            "decreas", "reduc", "reduct", "lower", "fall", "drop", "declin", "shrink", "low",
            "less", "fewer",
        ],
    ),
    (
        &["effective", "effectively", "benefici"],
        &["ineffect", "useless", "futil"],
    ),
    (
        &["safe", "harmless", "toler"],
        &["unsaf", "danger", "harm", "toxic", "hazard"],
    ),
    (&["superior", "better", "outperform"], &["inferior", "wors"]),
    (&["improv", "strengthen"], &["worsen", "deterior", "weaken"]),
    (
        &["support", "favour", "favor", "recommend", "endors"],
        &["oppos", "discourag"],
    ),
    (
        &["approv", "grant", "accept"],
        &["reject", "refus", "deni", "withdraw", "withdrawn"],
    ),
    (&["succeed", "success"], &["fail", "failur"]),
    (&["fast", "faster", "quick", "quicker"], &["slow", "slower"]),
    (&["cheap", "cheaper", "inexpens"], &["expens", "costlier"]),
    (&["open"], &["close"]),
    (&["allow", "permit"], &["forbid", "prohibit", "ban"]),
    (&["stabl", "reliabl"], &["unstabl", "unreli"]),
];
pub(super) const DENIALS: &[&str] = &[
    "no", "not", "never", "none", "neither", "nor", "without", "cannot", "lack", "lacks", "lacked",
    "unable", "failed", "fails", "hardly", "unlikely",
];
/// Words between a denial and `than` that make both a limit.
pub(super) const OF_LIMITS: &[&str] = &["more", "less", "fewer", "later", "earlier", "longer"];
/// Verbs that connect what a sentence is about, as stems.
pub(super) const CONNECTING: &[&str] = &[
    "caus", "occur", "show", "find", "report", "observ", "lead", "happen", "take", "make", "see",
];
pub(super) const STATING: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "remain", "remains", "remained", "stayed", "too",
];
/// What there is none of where there is no effect at all.
pub(super) const EFFECTS: &[&str] = &[
    "effect", "differ", "benefit", "chang", "associ", "impact", "relat", "evid",
];
pub(super) const HEDGES: &[&str] = &[
    "may",
    "might",
    "could",
    "possibly",
    "perhaps",
    "suggest",
    "suggests",
    "suggested",
    "appears",
    "appeared",
    "seems",
    "preliminary",
    "pilot",
    "uncertain",
    "uncertainty",
    "unclear",
    "inconclusive",
    "limited",
    "limitation",
    "limitations",
    "underpowered",
    "caution",
    "tentative",
    "exploratory",
    "unconfirmed",
];
pub(super) const HEDGING_PHRASES: &[&str] = &[
    "small sample",
    "few patients",
    "wide confidence",
    "not statistically significant",
];
