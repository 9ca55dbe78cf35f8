//! National ids with letters in them.

use crate::checksums::{is_day, remainder_97, to_number, weighted_sum};
use crate::kind::{Found, Kind};
use crate::text::{Class, Text};

const LENGTH_MAX: usize = 20;
const GROUPS_MAX: usize = 7;

type Check = fn(&[u8]) -> bool;

/// Length, check, reason. All are accepted by form and check characters alone.
const RULES: &[(usize, Check, &str)] = &[
    (9, british, "UK National Insurance number"),
    (9, spanish, "Spanish DNI or NIE"),
    (9, singaporean, "Singapore NRIC"),
    (10, finnish, "Finnish personal code"),
    (8, irish, "Irish PPS number"),
    (9, irish, "Irish PPS number"),
    (10, indian, "Indian PAN"),
    (11, american, "US Medicare beneficiary id"),
    (12, german, "German social insurance number"),
    (15, french, "French social security number with a valid key"),
    (16, italian, "Italian codice fiscale"),
    (18, chinese, "Chinese resident id"),
    (18, mexican, "Mexican CURP"),
];

/// Tries the code that starts with this token, joined over single spaces, hyphens and full stops.
pub(crate) fn find(text: &Text<'_>, first: usize, found: &mut Vec<Found>) {
    if first.checked_sub(1).is_some_and(|before| {
        text.is_any_mark(before, "-_/.") && first > 1 && !text.is(first - 2, Class::Space)
    }) {
        return;
    }
    let mut compact: Vec<u8> = Vec::with_capacity(LENGTH_MAX);
    let mut at = first;
    let mut joined_by_blank = false;
    for _ in 0..GROUPS_MAX {
        if !matches!(
            text.class(at),
            Some(Class::Digits | Class::Mixed | Class::Word)
        ) || !text.token_text(at).is_ascii()
        {
            return;
        }
        let part = text.token_text(at);
        if compact.len() + part.len() > LENGTH_MAX {
            return;
        }
        compact.extend(part.bytes());
        if let Some(reason) = find_reason(text, first, at, &compact, joined_by_blank) {
            found.push(Found {
                kind: Kind::NationalId,
                span: text.start(first)..text.end(at),
                reason,
            });
            return;
        }
        if !text.is_blank(at + 1) && !text.is_any_mark(at + 1, "-.+") {
            return;
        }
        joined_by_blank |= text.is_blank(at + 1);
        at += 2;
    }
}

fn find_reason(
    text: &Text<'_>,
    first: usize,
    last: usize,
    compact: &[u8],
    joined_by_blank: bool,
) -> Option<&'static str> {
    let is_code = compact.len() >= 8 && compact.iter().any(u8::is_ascii_digit);
    if !is_code
        || text.is_any_mark(last + 1, "-_")
            && !text.is(last + 2, Class::Space)
            && text.class(last + 2).is_some()
    {
        return None;
    }
    let upper: Vec<u8> = compact.iter().map(u8::to_ascii_uppercase).collect();
    // Only some codes are written with gaps; other lower-case words next to numbers are prose.
    if joined_by_blank && upper != compact {
        return None;
    }
    let (_, _, reason) = RULES
        .iter()
        .find(|(length, check, _)| *length == upper.len() && check(&upper))?;
    let grouped_in_life = [
        "UK National Insurance number",
        "French social security number with a valid key",
        "German social insurance number",
        "Italian codice fiscale",
        "Spanish DNI or NIE",
    ]
    .contains(reason);
    (!joined_by_blank || grouped_in_life && text.start(first) < text.end(last)).then_some(*reason)
}

/// `A` is a letter, `9` a digit, `*` either; anything else stands for itself.
fn has_form(code: &[u8], form: &str) -> bool {
    code.len() == form.len()
        && code
            .iter()
            .zip(form.bytes())
            .all(|(byte, wanted)| match wanted {
                b'A' => byte.is_ascii_uppercase(),
                b'9' => byte.is_ascii_digit(),
                b'*' => byte.is_ascii_alphanumeric(),
                other => *byte == other,
            })
}

fn digits(code: &[u8]) -> Vec<u8> {
    code.iter()
        .filter(|byte| byte.is_ascii_digit())
        .map(|byte| byte - b'0')
        .collect()
}

fn british(code: &[u8]) -> bool {
    has_form(code, "AA999999A")
        && matches!(code[8], b'A'..=b'D')
        && !b"DFIUV".contains(&code[0])
        && !b"DFIUVO".contains(&code[1])
        && !["BG", "GB", "NK", "KN", "TN", "NT", "ZZ"]
            .iter()
            .any(|prefix| code.starts_with(prefix.as_bytes()))
}

fn spanish(code: &[u8]) -> bool {
    const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let value = if has_form(code, "99999999A") {
        to_number(&digits(code))
    } else if has_form(code, "A9999999A") && matches!(code[0], b'X'..=b'Z') {
        u64::from(code[0] - b'X') * 10_000_000 + to_number(&digits(code))
    } else {
        return false;
    };
    usize::try_from(value % 23).is_ok_and(|place| LETTERS[place] == code[8])
}

fn singaporean(code: &[u8]) -> bool {
    if !has_form(code, "A9999999A") {
        return false;
    }
    let sum = weighted_sum(&digits(code), &[2, 7, 6, 5, 4, 3, 2]);
    let (shift, letters) = match code[0] {
        b'S' => (0, b"JZIHGFEDCBA"),
        b'T' => (4, b"JZIHGFEDCBA"),
        b'F' => (0, b"XWUTRQPNMLK"),
        b'G' => (4, b"XWUTRQPNMLK"),
        _ => return false,
    };
    usize::try_from((sum + shift) % 11).is_ok_and(|place| letters[place] == code[8])
}

fn finnish(code: &[u8]) -> bool {
    const LETTERS: &[u8; 31] = b"0123456789ABCDEFHJKLMNPRSTUVWXY";
    if !has_form(code, "999999999*") {
        return false;
    }
    let digits = digits(&code[..9]);
    is_day(to_number(&digits[..2]), to_number(&digits[2..4]))
        && usize::try_from(to_number(&digits) % 31).is_ok_and(|place| LETTERS[place] == code[9])
        && code[9].is_ascii_uppercase()
}

fn irish(code: &[u8]) -> bool {
    let second = match code.len() {
        8 => 0,
        _ if has_form(code, "9999999AA") && matches!(code[8], b'A'..=b'I' | b'W') => {
            if code[8] == b'W' {
                0
            } else {
                u32::from(code[8] - b'A' + 1) * 9
            }
        }
        _ => return false,
    };
    has_form(&code[..8], "9999999A") && {
        let rest = (weighted_sum(&digits(&code[..7]), &[8, 7, 6, 5, 4, 3, 2]) + second) % 23;
        u32::from(code[7] - b'A' + 1) == rest || (rest == 0 && code[7] == b'W')
    }
}

fn indian(code: &[u8]) -> bool {
    has_form(code, "AAAPA9999A")
}

fn american(code: &[u8]) -> bool {
    let form = |place: usize, byte: u8| match place {
        0 => matches!(byte, b'1'..=b'9'),
        3 | 6 | 9 | 10 => byte.is_ascii_digit(),
        1 | 4 | 7 | 8 => byte.is_ascii_uppercase() && !b"SLOIBZ".contains(&byte),
        _ => byte.is_ascii_alphanumeric() && !b"SLOIBZ".contains(&byte),
    };
    code.len() == 11
        && code
            .iter()
            .enumerate()
            .all(|(place, byte)| form(place, *byte))
}

fn german(code: &[u8]) -> bool {
    if !has_form(code, "99999999A999") {
        return false;
    }
    let letter = code[8] - b'A' + 1;
    let mut digits = digits(&code[..8]);
    digits.extend([letter / 10, letter % 10, code[9] - b'0', code[10] - b'0']);
    let sum: u32 = digits
        .iter()
        .zip([2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1])
        .map(|(digit, weight)| {
            let product = u32::from(*digit) * weight;
            product / 10 + product % 10
        })
        .sum();
    sum % 10 == u32::from(code[11] - b'0')
}

fn french(code: &[u8]) -> bool {
    let (form, less) = match code.get(6) {
        Some(b'A') => ("999992A99999999", 1_000_000),
        Some(b'B') => ("999992B99999999", 2_000_000),
        _ => return false,
    };
    if !has_form(code, form) {
        return false;
    }
    let plain: Vec<u8> = code[..13]
        .iter()
        .map(|byte| {
            if byte.is_ascii_digit() {
                byte - b'0'
            } else {
                0
            }
        })
        .collect();
    let rest = (remainder_97(&plain) + 97 * 97 * 97 * 97 - less) % 97;
    97 - rest == to_number(&digits(&code[13..]))
}

fn italian(code: &[u8]) -> bool {
    const ODD: [u32; 26] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24,
        23,
    ];
    if !has_form(code, "AAAAAA**A**A***A") {
        return false;
    }
    let sum: u32 = code[..15]
        .iter()
        .enumerate()
        .map(|(place, byte)| {
            let value = if byte.is_ascii_digit() {
                byte - b'0'
            } else {
                byte - b'A'
            };
            if place % 2 == 0 {
                ODD[usize::from(value)]
            } else {
                u32::from(value)
            }
        })
        .sum();
    sum % 26 == u32::from(code[15] - b'A')
}

fn chinese(code: &[u8]) -> bool {
    has_form(code, "99999999999999999X")
        && crate::national::chinese_with_check(&digits(&code[..17]), 10)
}

fn mexican(code: &[u8]) -> bool {
    has_form(code, "AAAA999999AAAAAA*9")
        && matches!(code[10], b'H' | b'M')
        && is_day(
            to_number(&digits(&code[8..10])),
            to_number(&digits(&code[6..8])),
        )
}
