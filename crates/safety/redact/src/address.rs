//! Postal addresses: a street with its number, and the postcode and town behind it, in the order of several
//! countries. Streets without a number and towns without a street are not reported, except `Town, ST 12345`.

mod town;

use crate::kind::{Found, Kind};
use crate::list::List;
use crate::text::{Class, Text};
use town::{british_code_end, state_and_code, town_end};

const WORDS_MAX: usize = 5;
const LABELLED_MAX: usize = 120;

/// Words for a street that follow its name.
static STREETS_AFTER: List = List::new(include_str!("../lists/address_streets_after.txt"));

/// Words for a street that precede its name.
static STREETS_BEFORE: List = List::new(include_str!("../lists/address_streets_before.txt"));

/// Endings of one-word streets, which are followed by their number.
const STREET_ENDINGS: &str = include_str!("../lists/address_street_endings.txt");

static LABELS: List = List::new(include_str!("../lists/address_labels.txt"));

static UNITS: List = List::new(include_str!("../lists/address_units.txt"));

static SMALL: List = List::new(include_str!("../lists/address_small.txt"));

pub(crate) fn find(text: &Text<'_>, found: &mut Vec<Found>) {
    let mut at = 0;
    while at < text.tokens.len() {
        let span = match text.tokens[at].class {
            Class::Digits | Class::Mixed => {
                number_first(text, at).or_else(|| british_postcode(text, at))
            }
            Class::Word => labelled(text, at)
                .or_else(|| street_first(text, at))
                .or_else(|| one_word_street(text, at))
                .or_else(|| several_words_street(text, at))
                .or_else(|| box_number(text, at))
                .or_else(|| american_town(text, at)),
            _ => None,
        };
        if let Some((first, last, reason)) = span {
            found.push(Found {
                kind: Kind::Address,
                span: text.start(first)..text.end(last),
                reason,
            });
            at = last + 1;
        } else {
            at += 1;
        }
    }
}

type Hit = (usize, usize, &'static str);

fn is_capital(text: &Text<'_>, index: usize) -> bool {
    text.is(index, Class::Word)
        && text
            .token_text(index)
            .chars()
            .next()
            .is_some_and(char::is_uppercase)
}

fn is_house_number(text: &Text<'_>, index: usize) -> bool {
    let word = text.token_text(index);
    match text.class(index) {
        Some(Class::Digits) => word.len() <= 5 && !word.starts_with('0'),
        Some(Class::Mixed) => {
            let letters = word.trim_start_matches(|character: char| character.is_ascii_digit());
            letters.len() == 1 && word.len() <= 5 && letters.len() < word.len()
        }
        _ => false,
    }
}

/// The token after a number with its letter or second number: `12`, `12 b`, `12-14`, `12/3`.
fn house_number_end(text: &Text<'_>, index: usize) -> usize {
    let mut last = index;
    if text.is_any_mark(last + 1, "-/–") && is_house_number(text, last + 2) {
        last += 2;
    }
    if text.is_blank(last + 1)
        && (text.is_word(last + 2, &["bis", "ter"])
            || text.is(last + 2, Class::Word)
                && text.token_text(last + 2).len() == 1
                && !text.is_word(last + 2, &["i", "m", "o", "y", "à", "e", "a", "l", "g"]))
    {
        last += 2;
    }
    last
}

/// `12 Harbour Street`, `221B Baker Street`, `8 rue de la Paix`.
fn number_first(text: &Text<'_>, first: usize) -> Option<Hit> {
    let joined = first > 0
        && (text.is_any_mark(first - 1, "-.,/_$€£#:") && !text.is_any_mark(first - 1, "#,:")
            || first > 1
                && text.is_any_mark(first - 1, ".,:")
                && text.is(first - 2, Class::Digits));
    if !is_house_number(text, first) || joined {
        return None;
    }
    let mut at = house_number_end(text, first) + 1;
    if text.is_mark(at, ",") {
        at += 1;
    }
    if !text.is(at, Class::Space) {
        return None;
    }
    at = text.skip_space(at);
    if text.is_word(at, &STREETS_BEFORE) {
        let last = street_name_end(text, at)?;
        return Some((
            unit_before(text, first),
            town_end(text, last),
            "number and street",
        ));
    }
    let mut words = 0;
    while words < WORDS_MAX {
        let ordinal = text.is(at, Class::Mixed) && words == 0 && text.token_text(at).len() <= 5;
        if !(is_capital(text, at) || ordinal) {
            return None;
        }
        if words > 0
            && text.is_word(at, &STREETS_AFTER)
            && !(text.is_word(at, &["st", "dr"]) && words == 0)
        {
            let mut last = at;
            // "Oxford Street West", "St." with its full stop.
            if text.is_mark(last + 1, ".")
                && text.token_text(at).len() <= 4
                && continues_after_stop(text, last + 1)
            {
                last += 1;
            }
            if text.is_blank(last + 1)
                && text.is_word(
                    last + 2,
                    &[
                        "west", "east", "north", "south", "nw", "ne", "sw", "se", "n", "s", "w",
                        "e",
                    ],
                )
            {
                last += 2;
            }
            return Some((
                unit_before(text, first),
                town_end(text, last),
                "number and street",
            ));
        }
        words += 1;
        let mut next = at + 1;
        if text.is_any_mark(next, ".'’-") {
            next += 1;
        }
        if text.is(next, Class::Word) && next == at + 2 && text.token_text(next).len() == 1 {
            next += 1;
        }
        at = text.skip_space(next);
    }
    None
}

/// `Flat 2, 12 Harbour Street`, `Unit 4/12 Harbour Street`.
fn unit_before(text: &Text<'_>, first: usize) -> usize {
    let mut at = first;
    let comma = at >= 2 && text.is_blank(at - 1) && text.is_mark(at - 2, ",");
    let number = if comma {
        at.checked_sub(3)
    } else {
        at.checked_sub(2).filter(|_| text.is_mark(at - 1, "/"))
    };
    if let Some(number) = number
        && number >= 2
        && is_house_number(text, number)
        && text.is_blank(number - 1)
        && text.is_word(number - 2, &UNITS)
    {
        at = number - 2;
    }
    at
}

fn continues_after_stop(text: &Text<'_>, stop: usize) -> bool {
    text.is_mark(stop + 1, ",")
        || text.is_blank(stop + 1)
            && (text.is(stop + 2, Class::Digits)
                || text.is_word(stop + 2, &UNITS)
                || text.is_mark(stop + 2, "#"))
}

/// `rue de la Paix`, `Calle Mayor`, `ul. Nowy Świat`: the last token of the name after the word for a street.
fn street_name_end(text: &Text<'_>, street: usize) -> Option<usize> {
    let mut at = street + 1;
    if text.is_any_mark(at, ".") || text.is_mark(at, "/") {
        at += 1;
    }
    let mut last = None;
    for _ in 0..WORDS_MAX + 2 {
        at = text.skip_space(at);
        let elided = text.token_text(at).contains(['\'', '’']);
        if is_capital(text, at) || elided {
            last = Some(at);
        } else if !(text.is_word(at, &SMALL) || last.is_none() && is_numbered_name(text, at)) {
            break;
        }
        at += 1;
        if text.is_any_mark(at, "-'’") {
            at += 1;
        }
    }
    last
}

/// `rue du 8 Mai`, `via 25 Aprile`.
fn is_numbered_name(text: &Text<'_>, at: usize) -> bool {
    text.is(at, Class::Digits)
        && text.token_text(at).len() <= 2
        && text.is_blank(at + 1)
        && is_capital(text, at + 2)
}

/// `Calle Mayor, 5`, `Via Roma 12`, `ul. Długa 7/3`.
fn street_first(text: &Text<'_>, first: usize) -> Option<Hit> {
    if !text.is_word(first, &STREETS_BEFORE) {
        return None;
    }
    // One letter is a street only as "C/ Mayor".
    if text.token_text(first).len() == 1 && !text.is_mark(first + 1, "/") {
        return None;
    }
    let name = street_name_end(text, first)?;
    let mut at = name + 1;
    if text.is_mark(at, ",") {
        at += 1;
    }
    at = text.skip_space(at);
    if text.is_word(at, &["n", "nº", "no", "núm", "num", "nr"]) {
        at += 1;
        if text.is_any_mark(at, ".º°") {
            at += 1;
        }
        at = text.skip_space(at);
    }
    is_house_number(text, at).then(|| {
        (
            first,
            town_end(text, house_number_end(text, at)),
            "street and number",
        )
    })
}

/// `Hauptstraße 12`, `Torstr. 5`, `Keizersgracht 12`.
fn one_word_street(text: &Text<'_>, first: usize) -> Option<Hit> {
    let number_follows = text.is_blank(first + 1) && is_house_number(text, first + 2)
        || text.is_mark(first + 1, ".");
    if !number_follows || !is_capital(text, first) {
        return None;
    }
    let lower = text.token_text(first).to_lowercase();
    let ends = STREET_ENDINGS.lines().any(|ending| {
        lower.ends_with(ending) && lower.chars().count() > ending.chars().count() + 1
    });
    if !ends {
        return None;
    }
    let mut at = first + 1;
    if text.is_mark(at, ".") {
        at += 1;
    }
    if !text.is_blank(at) || !is_house_number(text, at + 1) {
        return None;
    }
    let number = house_number_end(text, at + 1);
    let last = town_end(text, number);
    // Weak endings occur in many other words, so a town must follow.
    let weak = [
        "hof", "ring", "tie", "berg", "wall", "markt", "platz", "str", "hofstr", "brücke", "weg",
        "plein", "kade",
    ]
    .iter()
    .any(|ending| lower.ends_with(ending))
        && !lower.ends_with("weg");
    if last == number
        && (weak && !text.is_mark(first + 1, ".")
            || text.is_any_mark(number + 1, "%.:") && text.is(number + 2, Class::Digits))
    {
        return None;
    }
    Some((first_of_compound(text, first), last, "street and number"))
}

/// `Karl-Marx-Straße`, `Neue Schönhauser Straße`: back over what is joined by hyphens.
fn first_of_compound(text: &Text<'_>, mut first: usize) -> usize {
    for _ in 0..WORDS_MAX {
        if first >= 2 && text.is_mark(first - 1, "-") && text.is(first - 2, Class::Word) {
            first -= 2;
        } else {
            break;
        }
    }
    first
}

/// `Am Markt 5, 12345 Berlin`, `Karl-Marx-Allee 3`, `Unter den Linden 77, 10117 Berlin`: names of any sort, if a
/// postcode and a town follow or the last word is a word for a street.
fn several_words_street(text: &Text<'_>, first: usize) -> Option<Hit> {
    let joined = first > 1 && text.is_any_mark(first - 1, "-");
    if !is_capital(text, first) || joined {
        return None;
    }
    let mut last_word = first;
    let mut at = first + 1;
    for _ in 0..WORDS_MAX {
        let next = if text.is_blank(at) || text.is_mark(at, "-") {
            at + 1
        } else {
            break;
        };
        if is_capital(text, next) || text.is_word(next, &SMALL) {
            last_word = next;
            at = next + 1;
        } else {
            break;
        }
    }
    if text.is_mark(at, ".") {
        at += 1;
    }
    if !text.is_blank(at) || !is_house_number(text, at + 1) {
        return None;
    }
    let number = house_number_end(text, at + 1);
    let last = town_end(text, number);
    // "Room 101, floor 3" has no postcode.
    let long_number = text.is(last, Class::Digits) && text.token_text(last).len() >= 5;
    if text.is_word(first, &UNITS) && !long_number {
        return None;
    }
    let named = last_word > first
        && text.is_word(
            last_word,
            &[
                "straße", "strasse", "str", "weg", "platz", "allee", "damm", "ring", "ufer",
                "gasse", "väg", "vei", "straat", "laan", "plads",
            ],
        );
    (last > number && text.is_mark(number + 1, ",") || named).then_some((
        first,
        last,
        "street, number and town",
    ))
}

fn box_number(text: &Text<'_>, first: usize) -> Option<Hit> {
    let number = if text.is_word(first, &["postfach", "apartado", "postbus", "postboks"]) {
        text.skip_space(first + 1)
    } else if text.is_word(first, &["p", "po"]) {
        let word = (first + 1..first + 6).find(|index| text.is_word(*index, &["box"]))?;
        text.skip_space(word + 1)
    } else {
        return None;
    };
    text.is(number, Class::Digits)
        .then(|| (first, town_end(text, number), "post box"))
}

/// `Springfield, IL 62704`
fn american_town(text: &Text<'_>, first: usize) -> Option<Hit> {
    if !(is_capital(text, first) && text.is_mark(first + 1, ",") && text.is_blank(first + 2)) {
        return None;
    }
    let last = state_and_code(text, first + 3)?;
    let mut start = first;
    for _ in 0..2 {
        if start >= 2 && text.is_blank(start - 1) && is_capital(text, start - 2) {
            start -= 2;
        } else {
            break;
        }
    }
    Some((start, last, "town, state and postcode"))
}

/// `Address: …` covers the rest of the line or value, if it contains a number.
fn labelled(text: &Text<'_>, label: usize) -> Option<Hit> {
    if !text.cue_before(label + 1, &LABELS, 1) {
        return None;
    }
    if label >= 2
        && text.is_word(
            label - 2,
            &[
                "ip", "email", "e", "mail", "mac", "web", "url", "server", "wallet", "memory",
            ],
        )
    {
        return None;
    }
    let spoken = text.is_word(
        label,
        &["at", "wohnhaft", "demeurant", "domicilié", "domiciliée"],
    );
    let mut at = label + 1;
    let mut colon = spoken;
    while text.is_any_mark(at, ":\"'=：") || text.is(at, Class::Space) {
        colon |= text.is_any_mark(at, ":=：");
        at += 1;
        if at > label + 6 {
            return None;
        }
    }
    if !colon {
        return None;
    }
    let first = at;
    let limit = text.start(first) + LABELLED_MAX;
    let mut last = None;
    let mut digits = false;
    while let Some(class) = text.class(at) {
        let sentence = text.is_mark(at, ".")
            && text.is(at + 1, Class::Space)
            && (at == first || text.token_text(at - 1).len() > 3)
            && !text.is(at + 2, Class::Digits);
        if class == Class::Line
            || text.is_any_mark(at, "\"\\;|<>()[]{}=@\t")
            || sentence
            || text.end(at) > limit
            || is_field(text, at)
        {
            break;
        }
        digits |= matches!(class, Class::Digits | Class::Mixed);
        if !matches!(class, Class::Space | Class::Mark) {
            last = Some(at);
        }
        at += 1;
    }
    last.filter(|_| digits)
        .map(|last| (first, last, "value of an address field"))
}

/// The next field on the same line: `Phone:`.
fn is_field(text: &Text<'_>, at: usize) -> bool {
    text.is(at, Class::Word) && text.is_any_mark(at + 1, ":：")
        || text.is_word(at, &["email", "and", "since", "who", "dob"])
        || text.is_word(at, &crate::phone::CUES)
}

fn british_postcode(text: &Text<'_>, first: usize) -> Option<Hit> {
    let last = british_code_end(text, first)?;
    Some((first, last, "British postcode"))
}
