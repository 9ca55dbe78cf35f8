//! Values in statements and what they are values of: words around them in the same clause, and what sets one case apart
//! from another, such as a dose, a week or a study's number.

use std::collections::{BTreeMap, BTreeSet};

use crate::kindred::amount_stem;
use crate::strengths::STRENGTHS;
use crate::text::{Quantity, Stems, dates_in, is_stop_word, number, quantities, words};

/// How far around a number the thing it is about is looked for, in words.
const REACH: usize = 12;
/// How many words after a number may make it a limit.
const FEW: usize = 4;
/// How many words two values share at least, and which share of the fewer.
const SHARED_MIN: usize = 2;
const SHARED_SHARE_MIN: f64 = 0.66;
/// How much closer numbers may be that are only told roughly.
const ROUGHLY: f64 = 0.1;

/// Units that measure; all others are things that are counted.
const MEASURES: &[&str] = &[
    "%",
    "$",
    "£",
    "¥",
    "€",
    "mg",
    "kg",
    "g",
    "mmhg",
    "mmol",
    "ml",
    "month",
    "week",
    "day",
    "year",
    "hour",
    "minut",
    "second",
    "metr",
    "meter",
    "km",
    "mm",
    "cm",
    "tonn",
    "ton",
    "litr",
    "degre",
    "point",
    "millimetr",
    "centimetr",
    "kilometr",
    "c",
];
/// Words before a number that make it a limit and no value.
const LIMITING: &[&str] = &[
    "above",
    "below",
    "over",
    "under",
    "least",
    "most",
    "than",
    "exceed",
    "exceeds",
    "exceeding",
    "within",
    "between",
    "from",
    "until",
    "every",
    "maximum",
    "minimum",
];
const ROUGH: &[&str] = &[
    "about",
    "almost",
    "nearly",
    "roughly",
    "approximately",
    "around",
    "some",
    "circa",
];
/// What may follow a number that is a limit: `4.8 mmol/L or lower`.
const OR_LIMITING: &[&str] = &["above", "below", "fewer", "higher", "less", "lower", "more"];
/// Words that make of what follows a case that may never come.
const CONDITIONAL: &[&str] = &["if", "unless", "when", "whenever", "until"];
/// Words that tell two things of a kind apart.
const OPPOSED: &[(&str, &str)] = &[
    ("low", "high"),
    ("lower", "upper"),
    ("lower", "higher"),
    ("minimum", "maximum"),
    ("best", "worst"),
    ("actual", "planned"),
    ("more", "less"),
];
/// Words by which two statements are on different cases, whatever they say of them.
const SETTING_APART: &[(&str, &str)] = &[
    ("new", "old"),
    ("with", "without"),
    ("before", "after"),
    ("first", "second"),
    ("men", "women"),
    ("left", "right"),
    ("import", "export"),
    ("gross", "net"),
];
/// Words that make some of a thing out of all of it.
const NARROWING: &[&str] = &[
    "serious", "severe", "fatal", "major", "minor", "mild", "moderate", "related",
];
/// Words that say nothing of what is measured.
const EMPTY: &[&str] = &[
    "million", "billion", "thousand", "eur", "euro", "usd", "gbp", "dollar", "now", "confirm",
    "say", "state", "report", "show", "total", "amount", "approxim", "roughli", "almost", "least",
    "most", "put", "caus", "occur", "find", "observ",
];

/// Who was studied is told by these, and other studies have other people.
const OF_PEOPLE: &[&str] = &["age"];
/// What is so many times as much is another quantity.
const TIMES_MAX: f64 = 50.0;
/// What is numbered: `site 11`, also where the next word could be what is counted.
const NUMBERED: &[&str] = &[
    "amendment",
    "annex",
    "article",
    "batch",
    "chapter",
    "clause",
    "criterion",
    "day",
    "group",
    "item",
    "lot",
    "part",
    "patient",
    "phase",
    "question",
    "room",
    "section",
    "site",
    "stage",
    "step",
    "subject",
    "table",
    "unit",
    "version",
    "visit",
    "week",
];

pub(super) struct Value {
    /// Which claim it stands in.
    pub(super) claim: usize,
    pub(super) unit: String,
    pub(super) written: String,
    value: f64,
    /// Half of its last digit.
    step: f64,
    about: BTreeSet<String>,
    small: BTreeSet<String>,
    /// Values of other measures in the same clause.
    beside: BTreeMap<String, Vec<f64>>,
    labels: Labels,
    years: BTreeSet<u16>,
    /// `by 4` and `4 a year` are not `to 4` and `4`.
    manner: (bool, bool),
}

impl Value {
    pub(super) fn equals(&self, other: &Self) -> bool {
        (self.value - other.value).abs() <= self.step.max(other.step)
    }

    pub(super) fn is(&self, quantity: &Quantity) -> bool {
        self.unit == quantity.unit && (self.value - quantity.value).abs() <= self.step
    }
}

/// Whether two values cannot both be right.
pub(super) fn at_odds(own: &Value, other: &Value) -> bool {
    if own.unit != other.unit || own.equals(other) || own.manner != other.manner {
        return false;
    }
    let both = own.about.intersection(&other.about).count();
    let fewer = own.about.len().min(other.about.len());
    let alike = both >= SHARED_MIN && both as f64 / fewer as f64 >= SHARED_SHARE_MIN;
    let (least, most) = (
        own.value.abs().min(other.value.abs()),
        own.value.abs().max(other.value.abs()),
    );
    if least > 0.0 && most / least > TIMES_MAX {
        return false;
    }
    let narrowed = |word: &&str| own.small.contains(*word) != other.small.contains(*word);
    let apart = NARROWING.iter().any(narrowed)
        || own.labels.differ(&other.labels)
        || (!own.years.is_empty()
            && !other.years.is_empty()
            && own.years.is_disjoint(&other.years))
        || opposed(&own.small, &other.small)
        || own.beside.iter().any(|(unit, values)| {
            let others = other.beside.get(unit);
            others.is_some_and(|others| !values.iter().any(|value| others.contains(value)))
        });
    alike && !apart
}

/// Whether two statements are on other times, other people, or the same with and without something.
pub(super) fn set_apart(own: &str, other: &str) -> bool {
    let small = |text: &str| -> BTreeSet<String> {
        words(text)
            .iter()
            .map(|at| at.text.to_lowercase())
            .collect()
    };
    let (own, other) = (small(own), small(other));
    SETTING_APART.iter().any(|pair| parted(pair, &own, &other))
}

fn parted((a, b): &(&str, &str), own: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let only =
        |set: &BTreeSet<String>, has: &str, not: &str| set.contains(has) && !set.contains(not);
    (only(own, a, b) && only(other, b, a)) || (only(own, b, a) && only(other, a, b))
}

fn opposed(own: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let mut all = OPPOSED.iter().chain(SETTING_APART);
    all.any(|pair| parted(pair, own, other))
}

/// The values of a statement that stand alone in their clause and unit.
pub(super) fn values(text: &str, claim: usize, stems: &mut Stems) -> Vec<Value> {
    let mut found = Vec::new();
    for clause in clauses(text) {
        let all = quantities(clause, stems);
        for quantity in &all {
            let same = all.iter().filter(|at| at.unit == quantity.unit).count();
            if same == 1 {
                found.extend(value(clause, quantity, &all, claim, stems));
            }
        }
    }
    found
}

fn value(
    clause: &str,
    quantity: &Quantity,
    all: &[Quantity],
    claim: usize,
    stems: &mut Stems,
) -> Option<Value> {
    let words = words(clause);
    let small: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    let before = &small[quantity.at.saturating_sub(3)..quantity.at];
    let up_to = before
        .windows(2)
        .any(|pair| pair[0] == "up" && pair[1] == "to");
    if up_to || before.iter().any(|word| LIMITING.contains(&word.as_str())) {
        return None;
    }
    let mut after = small[quantity.at..].windows(2).take(FEW);
    let or_limiting = after.any(|pair| pair[0] == "or" && OR_LIMITING.contains(&pair[1].as_str()));
    let conditional = |word: &String| CONDITIONAL.contains(&word.as_str());
    let strength = STRENGTHS.contains(&quantity.unit.as_str());
    if strength || or_limiting || small[..quantity.at].iter().any(conditional) {
        return None;
    }
    let dates = dates_in(clause);
    let in_date = |at: usize| dates.iter().any(|(_, words)| words.contains(&at));
    if in_date(quantity.at) {
        return None;
    }
    let reach = quantity.at.saturating_sub(REACH)..(quantity.at + REACH + 1).min(small.len());
    let mut about = BTreeSet::new();
    for at in reach {
        let word = small[at].as_str();
        let stem = stems.stem(word).to_owned();
        let of_unit = at > quantity.at && clause[..words[at].start].ends_with('/');
        let silent = is_stop_word(word)
            || of_unit
            || in_date(at)
            || EMPTY.contains(&stem.as_str())
            || word.starts_with(|char: char| char.is_ascii_digit())
            || word.chars().count() < 2
            || stem == quantity.unit
            || all
                .iter()
                .any(|other| other.unit == stem && MEASURES.contains(&stem.as_str()));
        if !silent {
            about.insert(amount_stem(&stem).to_owned());
        }
    }
    if OF_PEOPLE.iter().any(|stem| about.contains(*stem)) {
        return None;
    }
    let digits = words.get(quantity.at)?.text;
    let bare = number(digits).filter(|bare| *bare != 0.0);
    let scale = bare.map_or(1.0, |bare| quantity.value / bare);
    let decimals = digits.split_once('.').map_or(0, |(_, after)| after.len());
    let rough = before.iter().any(|word| ROUGH.contains(&word.as_str()));
    let step = 0.5 * scale / 10f64.powi(i32::try_from(decimals).unwrap_or(0));
    let per = clause[words.get(quantity.at)?.end..]
        .to_lowercase()
        .replace(&quantity.unit, " ");
    let per = [" per ", " a ", " an ", " each", " every"]
        .iter()
        .any(|mark| per.chars().take(24).collect::<String>().contains(mark));
    let mut beside: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for other in all {
        if other.unit != quantity.unit && MEASURES.contains(&other.unit.as_str()) {
            beside
                .entry(other.unit.clone())
                .or_default()
                .push(other.value);
        }
    }
    Some(Value {
        claim,
        unit: quantity.unit.clone(),
        written: match MEASURES.contains(&quantity.unit.as_str()) {
            true => quantity.written.clone(),
            false => digits.to_owned(),
        },
        value: quantity.value,
        step: if rough {
            step.max(ROUGHLY * quantity.value.abs())
        } else {
            step
        },
        about,
        beside,
        labels: labels(clause),
        years: dates.iter().map(|(date, _)| date.year()).collect(),
        manner: (before.last().is_some_and(|word| word == "by"), per),
        small: small.into_iter().collect(),
    })
}

/// What stands between commas, colons and brackets; a comma inside a number parts nothing.
fn clauses(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, char) in text.char_indices() {
        let digit = |char: Option<char>| char.is_some_and(|char| char.is_ascii_digit());
        let inside = char == ','
            && digit(text[..at].chars().next_back())
            && digit(text[at + 1..].chars().next());
        if ",;:()".contains(char) && !inside {
            found.push(&text[from..at]);
            from = at + 1;
        }
    }
    found.push(&text[from..]);
    found
}

/// Numbers that belong to a name: `CAIRN-2`, `week 12`, `pier 3`.
pub(crate) struct Labels {
    of: BTreeMap<String, BTreeSet<String>>,
    /// All words, written small.
    small: BTreeSet<String>,
    /// `the site`, and of `19 sites` the word for one.
    single: BTreeSet<String>,
    counted: BTreeSet<String>,
}

impl Labels {
    /// Whether both number the same kind of thing, and none alike; or one speaks of a numbered one and the other of such
    /// things without it.
    pub(crate) fn differ(&self, other: &Self) -> bool {
        self.one_of_many(other)
            || other.one_of_many(self)
            || !self.single.is_disjoint(&other.counted)
            || !other.single.is_disjoint(&self.counted)
            || self.of.iter().any(|(name, own)| {
                let others = other.of.get(name);
                others.is_some_and(|others| own.is_disjoint(others))
            })
    }

    fn one_of_many(&self, other: &Self) -> bool {
        self.of.iter().any(|(name, own)| {
            let unnumbered = !other.of.contains_key(name)
                && (other.small.contains(name) || other.small.contains(&format!("{name}s")));
            unnumbered && own.is_disjoint(&other.small)
        })
    }
}

pub(crate) fn labels(text: &str) -> Labels {
    let words = words(text);
    let mut of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for pair in words.windows(2) {
        let between = &text[pair[0].end..pair[1].start];
        let name = pair[0].text.to_lowercase();
        let joined = between == "-" || between == " ";
        let after = &text[pair[1].end..];
        // A number that measures or counts something is no label.
        let numbered = NUMBERED.contains(&name.as_str());
        let counts = !numbered && after.starts_with([' ', '%']) && between == " " && {
            let next = after.trim_start().chars().next();
            next.is_some_and(|char| char.is_lowercase() || char == '%')
        };
        if joined
            && number(pair[1].text).is_some()
            && number(&name).is_none()
            && !is_stop_word(&name)
            && !counts
        {
            of.entry(name).or_default().insert(pair[1].text.to_owned());
        }
    }
    let small = words.iter().map(|at| at.text.to_lowercase()).collect();
    let mut single = BTreeSet::new();
    let mut counted = BTreeSet::new();
    for pair in words.windows(2) {
        let (first, second) = (pair[0].text.to_lowercase(), pair[1].text.to_lowercase());
        if first == "the" {
            single.insert(second);
        } else if let (Some(one), true) = (second.strip_suffix('s'), number(&first).is_some()) {
            counted.insert(one.to_owned());
        }
    }
    Labels {
        of,
        small,
        single,
        counted,
    }
}
