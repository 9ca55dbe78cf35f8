//! Words that no passage has: longer words that begin with them, the two words they are made of, or the nearest spelling.

use std::cmp::Reverse;

use crate::index::Shape;
use crate::search::scope::Scope;
use crate::search::words::Term;
use crate::search_result::TermOrigin;

/// How many words stand in for one.
const STAND_INS_MAX: usize = 4;
/// Shorter words begin too many others.
const BEGINNING_LETTERS_MIN: usize = 5;
/// Either half of a compound.
const HALF_LETTERS_MIN: usize = 4;
/// Shorter words are near too many others.
const MISSPELLED_LETTERS_MIN: u8 = 4;
/// From here on two letters may be wrong.
const TWO_WRONG_LETTERS_MIN: u8 = 8;

/// Terms that stand in for a word no passage has; `forms` is the word as each language stems it.
pub(crate) fn similarly_spelled(
    scope: &Scope<'_>,
    word: &str,
    forms: &[String],
    weight: f64,
) -> Vec<Term> {
    let mut longer = forms.iter().map(|form| beginning_with(scope, form));
    if let Some(longer) = longer.find(|numbers| !numbers.is_empty()) {
        return vec![standing_in(scope, word, weight, longer)];
    }
    if let Some((first, second)) = forms.iter().find_map(|form| halves(scope, form)) {
        return vec![
            standing_in(scope, word, weight, vec![first]),
            standing_in(scope, word, weight, vec![second]),
        ];
    }
    let near = nearest(scope, forms);
    if near.is_empty() {
        return Vec::new();
    }
    vec![standing_in(scope, word, weight, near)]
}

fn standing_in(scope: &Scope<'_>, word: &str, weight: f64, numbers: Vec<u32>) -> Term {
    let text: Vec<&str> = numbers
        .iter()
        .map(|number| scope.index.term(*number as usize))
        .collect();
    let text = format!("{word}: {}", text.join(", "));
    Term::new(scope, TermOrigin::Spelled, text, weight, numbers)
}

/// The most frequent, at most so many.
fn most_frequent(scope: &Scope<'_>, mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable_by_key(|number| (Reverse(scope.chunks_with[*number as usize]), *number));
    numbers.truncate(STAND_INS_MAX);
    numbers
}

fn is_used(scope: &Scope<'_>, number: usize) -> bool {
    scope.chunks_with[number] > 0
}

fn beginning_with(scope: &Scope<'_>, form: &str) -> Vec<u32> {
    if form.chars().count() < BEGINNING_LETTERS_MIN {
        return Vec::new();
    }
    let first = scope.index.first_from(form);
    let numbers = (first..scope.index.term_count())
        .take_while(|number| scope.index.term(*number).starts_with(form))
        .filter(|number| is_used(scope, *number))
        .filter_map(|number| u32::try_from(number).ok())
        .collect();
    most_frequent(scope, numbers)
}

fn halves(scope: &Scope<'_>, form: &str) -> Option<(u32, u32)> {
    let find = |half: &str| -> Option<u32> {
        let number = scope.index.find(half)?;
        let long = half.chars().count() >= HALF_LETTERS_MIN;
        (long && is_used(scope, number)).then(|| u32::try_from(number).ok())?
    };
    form.char_indices().find_map(|(at, _)| {
        let (first, second) = form.split_at(at);
        let first = find(first).or_else(|| find(first.strip_suffix('s')?));
        Some((first?, find(second)?))
    })
}

fn nearest(scope: &Scope<'_>, forms: &[String]) -> Vec<u32> {
    for wrong in 1..=2 {
        let mut numbers: Vec<u32> = forms
            .iter()
            .flat_map(|form| spelled_with(scope, form, wrong))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        if !numbers.is_empty() {
            return most_frequent(scope, numbers);
        }
    }
    Vec::new()
}

/// The words that differ from the form by so many letters at most.
fn spelled_with(scope: &Scope<'_>, form: &str, wrong: u8) -> Vec<u32> {
    let shape = Shape::new(form);
    let shortest = if wrong > 1 {
        TWO_WRONG_LETTERS_MIN
    } else {
        MISSPELLED_LETTERS_MIN
    };
    if shape.count < shortest || form.chars().any(char::is_numeric) {
        return Vec::new();
    }
    let letters: Vec<char> = form.chars().collect();
    let shapes = scope.index.shapes.iter().enumerate();
    shapes
        .filter(|(_, other)| may_be_near(shape, **other, wrong))
        .filter(|(number, _)| is_used(scope, *number))
        .filter(|(number, _)| {
            let other: Vec<char> = scope.index.term(*number).chars().collect();
            distance(&letters, &other) <= usize::from(wrong)
        })
        .filter_map(|(number, _)| u32::try_from(number).ok())
        .collect()
}

/// Rules out most words without reading them.
fn may_be_near(left: Shape, right: Shape, wrong: u8) -> bool {
    left.count.abs_diff(right.count) <= wrong
        && (left.letters ^ right.letters).count_ones() <= 2 * u32::from(wrong)
}

/// Letters to change, leave out, put in or swap with the next.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let changed = above[j] + usize::from(a != b);
            let mut least = changed.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(left.len())
}
