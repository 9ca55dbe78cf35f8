//! Words that no passage has: longer words that begin with them, the two words they are made of, or the nearest spelling.

use std::cmp::Reverse;

use crate::found::TermOrigin;
use crate::index::Shape;
use crate::search::scope::Scope;
use crate::search::words::Term;

/// How many words stand in for one.
const ALIKE_MAX: usize = 4;
/// Shorter words begin too many others.
const BEGINNING_LETTERS_MIN: usize = 5;
/// Either half of a compound.
const HALF_LETTERS_MIN: usize = 4;
/// Shorter words are near too many others.
const MISSPELLED_LETTERS_MIN: u8 = 4;
/// From here on two letters may be wrong.
const TWO_WRONG_LETTERS_MIN: u8 = 8;

pub(crate) fn alike(scope: &Scope<'_>, forms: &[String], weight: f64) -> Vec<Term> {
    let mut terms = Vec::new();
    // One form is enough: languages that bring it to different stems spell it alike.
    let Some(form) = forms.first() else {
        return terms;
    };
    let longer = beginning_with(scope, form);
    if !longer.is_empty() {
        terms.push(standing_in(scope, form, weight, longer));
    } else if let Some((first, second)) = halves(scope, form) {
        terms.push(standing_in(scope, form, weight, vec![first]));
        terms.push(standing_in(scope, form, weight, vec![second]));
    } else {
        let near = nearest(scope, form);
        if !near.is_empty() {
            terms.push(standing_in(scope, form, weight, near));
        }
    }
    terms
}

fn standing_in(scope: &Scope<'_>, form: &str, weight: f64, numbers: Vec<u32>) -> Term {
    let text: Vec<&str> = numbers
        .iter()
        .map(|number| scope.index.term(*number as usize))
        .collect();
    let text = format!("{form}: {}", text.join(", "));
    Term::of(scope, TermOrigin::Spelled, text, weight, numbers)
}

/// The most frequent, at most so many.
fn chosen(scope: &Scope<'_>, mut found: Vec<u32>) -> Vec<u32> {
    found.sort_unstable_by_key(|number| (Reverse(scope.chunks_with[*number as usize]), *number));
    found.truncate(ALIKE_MAX);
    found
}

fn is_used(scope: &Scope<'_>, number: usize) -> bool {
    scope.chunks_with[number] > 0
}

fn beginning_with(scope: &Scope<'_>, form: &str) -> Vec<u32> {
    if form.chars().count() < BEGINNING_LETTERS_MIN {
        return Vec::new();
    }
    let first = scope.index.first_from(form);
    let found = (first..scope.index.term_count())
        .take_while(|number| scope.index.term(*number).starts_with(form))
        .filter(|number| is_used(scope, *number))
        .filter_map(|number| u32::try_from(number).ok())
        .collect();
    chosen(scope, found)
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

fn nearest(scope: &Scope<'_>, form: &str) -> Vec<u32> {
    let shape = Shape::of(form);
    if shape.count < MISSPELLED_LETTERS_MIN || form.chars().any(char::is_numeric) {
        return Vec::new();
    }
    let most = if shape.count >= TWO_WRONG_LETTERS_MIN {
        2
    } else {
        1
    };
    let letters: Vec<char> = form.chars().collect();
    for wrong in 1..=most {
        let found: Vec<u32> = scope
            .index
            .shapes
            .iter()
            .enumerate()
            .filter(|(_, other)| may_be_near(shape, **other, wrong))
            .filter(|(number, _)| is_used(scope, *number))
            .filter(|(number, _)| {
                let other: Vec<char> = scope.index.term(*number).chars().collect();
                distance(&letters, &other) <= wrong as usize
            })
            .filter_map(|(number, _)| u32::try_from(number).ok())
            .collect();
        if !found.is_empty() {
            return chosen(scope, found);
        }
    }
    Vec::new()
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
