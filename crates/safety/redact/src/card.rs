//! Payment cards: the ranges of the issuers and the Luhn digit.

use crate::checksums::{luhn, to_number};
use crate::kind::{Found, Kind};
use crate::numbers::Run;
use crate::text::Text;

const SHAPES: &[&[u8]] = &[
    &[4, 4, 4, 4, 3],
    &[4, 4, 4, 4],
    &[4, 6, 5],
    &[4, 6, 4],
    &[4, 4, 4, 1],
    &[4, 4, 5],
    &[13],
    &[14],
    &[15],
    &[16],
    &[18],
    &[19],
];

const OTHER: &[&str] = &[
    "order",
    "tracking",
    "invoice",
    "parcel",
    "imei",
    "isbn",
    "timestamp",
    "epoch",
    "ean",
    "gtin",
];

pub(crate) fn find(text: &Text<'_>, run: &Run, first: usize, found: &mut Vec<Found>) {
    for shape in SHAPES {
        if !run.has_shape(shape, " -.") {
            continue;
        }
        let last = run.last(shape.len());
        let digits = run.digits(shape.len());
        if !text.is_part_of_longer(first, last)
            && is_issued(digits)
            && luhn(digits)
            && !is_other_number(text, first, shape)
        {
            found.push(Found {
                kind: Kind::Card,
                span: text.start(first)..text.end(last),
                reason: "card range with a valid check digit",
            });
            return;
        }
    }
}

fn is_other_number(text: &Text<'_>, first: usize, shape: &[u8]) -> bool {
    shape.len() == 1 && text.cue_before(first, OTHER, 3)
}

fn is_issued(digits: &[u8]) -> bool {
    let two = to_number(&digits[..2]);
    let three = to_number(&digits[..3]);
    let four = to_number(&digits[..4]);
    match digits.len() {
        13 => digits[0] == 4,
        14 => matches!(two, 36 | 38 | 39) || (300..=305).contains(&three),
        15 => matches!(two, 34 | 37),
        16 => {
            digits[0] == 4
                || (51..=55).contains(&two)
                || (2221..=2720).contains(&four)
                || four == 6011
                || two == 65
                || (644..=649).contains(&three)
                || (3528..=3589).contains(&four)
                || two == 62
                || matches!(four, 5018 | 5020 | 5038 | 6304 | 6759 | 6761 | 6763)
        }
        18 | 19 => {
            digits[0] == 4 || two == 62 || two == 67 || matches!(four, 5018 | 5020 | 5038 | 6304)
        }
        _ => false,
    }
}
