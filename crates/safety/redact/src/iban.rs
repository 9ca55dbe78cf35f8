//! IBANs, by the country's length and the check digits.

use crate::checksums;
use crate::kind::{Found, Kind};
use crate::text::{Class, Text};

const LENGTH_MAX: usize = 34;

const LENGTHS: &[(&[u8; 2], usize)] = &[
    (b"AD", 24),
    (b"AE", 23),
    (b"AL", 28),
    (b"AT", 20),
    (b"AZ", 28),
    (b"BA", 20),
    (b"BE", 16),
    (b"BG", 22),
    (b"BH", 22),
    (b"BR", 29),
    (b"BY", 28),
    (b"CH", 21),
    (b"CR", 22),
    (b"CY", 28),
    (b"CZ", 24),
    (b"DE", 22),
    (b"DK", 18),
    (b"DO", 28),
    (b"EE", 20),
    (b"EG", 29),
    (b"ES", 24),
    (b"FI", 18),
    (b"FO", 18),
    (b"FR", 27),
    (b"GB", 22),
    (b"GE", 22),
    (b"GI", 23),
    (b"GL", 18),
    (b"GR", 27),
    (b"GT", 28),
    (b"HR", 21),
    (b"HU", 28),
    (b"IE", 22),
    (b"IL", 23),
    (b"IQ", 23),
    (b"IS", 26),
    (b"IT", 27),
    (b"JO", 30),
    (b"KW", 30),
    (b"KZ", 20),
    (b"LB", 28),
    (b"LC", 32),
    (b"LI", 21),
    (b"LT", 20),
    (b"LU", 20),
    (b"LV", 21),
    (b"LY", 25),
    (b"MC", 27),
    (b"MD", 24),
    (b"ME", 22),
    (b"MK", 19),
    (b"MR", 27),
    (b"MT", 31),
    (b"MU", 30),
    (b"NL", 18),
    (b"NO", 15),
    (b"PK", 24),
    (b"PL", 28),
    (b"PS", 29),
    (b"PT", 25),
    (b"QA", 29),
    (b"RO", 24),
    (b"RS", 22),
    (b"SA", 24),
    (b"SC", 31),
    (b"SE", 24),
    (b"SI", 19),
    (b"SK", 24),
    (b"SM", 27),
    (b"ST", 25),
    (b"SV", 28),
    (b"TL", 23),
    (b"TN", 24),
    (b"TR", 26),
    (b"UA", 29),
    (b"VA", 22),
    (b"VG", 24),
    (b"XK", 20),
];

pub(crate) fn find(text: &Text<'_>, first: usize, found: &mut Vec<Found>) {
    let head = text.token_text(first).as_bytes();
    let [one, two, three, four, ..] = head else {
        return;
    };
    if !(one.is_ascii_alphabetic()
        && two.is_ascii_alphabetic()
        && three.is_ascii_digit()
        && four.is_ascii_digit())
    {
        return;
    }
    let country = [one.to_ascii_uppercase(), two.to_ascii_uppercase()];
    let Some((_, length)) = LENGTHS.iter().find(|(code, _)| **code == country) else {
        return;
    };
    let mut compact = Vec::with_capacity(LENGTH_MAX);
    let mut at = first;
    while matches!(
        text.class(at),
        Some(Class::Digits | Class::Mixed | Class::Word)
    ) {
        compact.extend(
            text.token_text(at)
                .bytes()
                .map(|byte| byte.to_ascii_uppercase()),
        );
        if compact.len() >= *length {
            break;
        }
        if !text.is_blank(at + 1) && !text.is_mark(at + 1, "-") {
            break;
        }
        at += 2;
    }
    if compact.len() == *length && checksums::iban(&compact) {
        found.push(Found {
            kind: Kind::Iban,
            span: text.start(first)..text.end(at),
            reason: "country's IBAN length and valid check digits",
        });
    }
}
