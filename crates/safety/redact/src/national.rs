//! Numeric national ids, by shape, check digits and, where these are not enough, a cue.

use crate::checksums::{is_day, iso_11_10, luhn, remainder_97, to_number, verhoeff, weighted_sum};
use crate::kind::{Found, Kind};
use crate::list::List;
use crate::numbers::Run;
use crate::text::{Class, Text};

const CUE_WORDS: usize = 6;

/// Words that mark a number as something else.
pub(crate) static OTHER_NUMBERS: List =
    List::new(include_str!("../lists/national_other_numbers.txt"));

struct Rule {
    reason: &'static str,
    /// Shapes that need no cue.
    telling: &'static [&'static [u8]],
    /// Shapes that need one of the cues.
    cued: &'static [&'static [u8]],
    separators: &'static str,
    cues: &'static [&'static str],
    check: fn(&[u8]) -> bool,
}

const RULES: &[Rule] = &[
    Rule {
        reason: "French social security number with a valid key",
        telling: &[&[1, 2, 2, 2, 3, 3, 2], &[13, 2], &[15], &[1, 2, 2, 5, 3, 2]],
        cued: &[&[13], &[1, 2, 2, 2, 3, 3]],
        separators: " -",
        cues: &[
            "nir",
            "sécu",
            "insee",
            "sécurité sociale",
            "securite sociale",
        ],
        check: french,
    },
    Rule {
        reason: "Chinese resident id",
        telling: &[&[18]],
        cued: &[],
        separators: "",
        cues: &[],
        check: chinese,
    },
    Rule {
        reason: "US social security number",
        telling: &[&[3, 2, 4]],
        cued: &[],
        separators: "-",
        cues: &[],
        check: american,
    },
    Rule {
        reason: "US social security number",
        telling: &[],
        cued: &[&[9], &[3, 2, 4]],
        separators: " .-",
        cues: &[
            "ssn",
            "social security",
            "social",
            "taxpayer",
            "itin",
            "tin",
            "ss",
        ],
        check: |digits| american(digits) || digits[0] == 9,
    },
    Rule {
        reason: "Brazilian CPF",
        telling: &[&[3, 3, 3, 2]],
        cued: &[&[11], &[9, 2]],
        separators: ".-",
        cues: &["cpf"],
        check: brazilian,
    },
    Rule {
        reason: "NHS number",
        telling: &[&[3, 3, 4]],
        cued: &[&[10], &[3, 3, 4]],
        separators: " -",
        cues: &["nhs"],
        check: british,
    },
    Rule {
        reason: "German tax id",
        telling: &[&[11], &[2, 3, 3, 3]],
        cued: &[],
        separators: " /",
        cues: &[],
        check: german,
    },
    Rule {
        reason: "German tax id",
        telling: &[],
        cued: &[&[11], &[2, 3, 3, 3]],
        separators: " /",
        cues: &[
            "steuer id",
            "idnr",
            "steueridentifikationsnummer",
            "steuernummer",
            "steuerid",
            "identifikationsnummer",
            "tin",
        ],
        check: iso_11_10,
    },
    Rule {
        reason: "Norwegian birth number",
        telling: &[&[11], &[6, 5]],
        cued: &[],
        separators: " ",
        cues: &[],
        check: norwegian,
    },
    Rule {
        reason: "Turkish id number",
        telling: &[&[11]],
        cued: &[],
        separators: "",
        cues: &[],
        check: turkish,
    },
    Rule {
        reason: "PESEL",
        telling: &[&[11]],
        cued: &[],
        separators: "",
        cues: &[],
        check: polish,
    },
    Rule {
        reason: "Belgian national number",
        telling: &[&[2, 2, 2, 3, 2]],
        cued: &[&[11], &[6, 3, 2], &[6, 5]],
        separators: ".- ",
        cues: &[
            "rijksregisternummer",
            "registre national",
            "niss",
            "insz",
            "national number",
            "rrn",
        ],
        check: belgian,
    },
    Rule {
        reason: "Aadhaar number",
        telling: &[&[4, 4, 4]],
        cued: &[&[12]],
        separators: " -",
        cues: &["aadhaar", "aadhar", "uidai", "uid", "आधार"],
        check: |digits| digits[0] >= 2 && verhoeff(digits),
    },
    Rule {
        reason: "personnummer",
        telling: &[&[6, 4], &[8, 4]],
        cued: &[&[10], &[12]],
        separators: "-",
        cues: &[
            "personnummer",
            "pnr",
            "personal identity",
            "samordningsnummer",
            "personnr",
        ],
        check: swedish,
    },
    Rule {
        reason: "Korean resident number",
        telling: &[&[6, 7]],
        cued: &[],
        separators: "-",
        cues: &[],
        check: korean,
    },
    Rule {
        reason: "Swiss AHV number",
        telling: &[&[3, 4, 4, 2]],
        cued: &[&[13]],
        separators: ". ",
        cues: &["ahv", "avs", "ahvn13", "navs"],
        check: swiss,
    },
    Rule {
        reason: "South African id number",
        telling: &[],
        cued: &[&[13], &[6, 4, 3], &[6, 4, 2, 1]],
        separators: " ",
        cues: &["id", "identity", "rsa", "sa"],
        check: |digits| luhn(digits) && is_day(to_number(&digits[4..6]), to_number(&digits[2..4])),
    },
    Rule {
        reason: "Danish CPR number",
        telling: &[],
        cued: &[&[6, 4], &[10]],
        separators: "- ",
        cues: &["cpr", "personnummer", "cprnr"],
        check: |digits| is_day(to_number(&digits[..2]), to_number(&digits[2..4])),
    },
    Rule {
        reason: "BSN",
        telling: &[],
        cued: &[&[9], &[4, 2, 3], &[3, 3, 3]],
        separators: " .",
        cues: &["bsn", "burgerservicenummer", "sofinummer", "sofi"],
        check: dutch,
    },
    Rule {
        reason: "Canadian SIN",
        telling: &[],
        cued: &[&[9], &[3, 3, 3]],
        separators: " -",
        cues: &["sin", "social insurance", "nas", "assurance sociale"],
        check: luhn,
    },
    Rule {
        reason: "Australian tax file number",
        telling: &[],
        cued: &[&[9], &[3, 3, 3], &[8], &[2, 3, 3]],
        separators: " -",
        cues: &["tfn", "tax file", "tax file number"],
        check: |digits| weighted_sum(digits, &[1, 4, 3, 7, 5, 8, 6, 9, 10]).is_multiple_of(11),
    },
    Rule {
        reason: "Australian Medicare number",
        telling: &[],
        cued: &[&[4, 5, 1, 1], &[4, 5, 1], &[10], &[11], &[10, 1]],
        separators: " -/",
        cues: &["medicare"],
        check: |digits| {
            (2..=6).contains(&digits[0])
                && weighted_sum(&digits[..8], &[1, 3, 7, 9, 1, 3, 7, 9]) % 10
                    == u32::from(digits[8])
        },
    },
    Rule {
        reason: "Austrian social insurance number",
        telling: &[],
        cued: &[&[4, 6], &[10]],
        separators: " -/",
        cues: &[
            "svnr",
            "sozialversicherungsnummer",
            "sv nr",
            "sv nummer",
            "versicherungsnummer",
        ],
        check: |digits| {
            weighted_sum(digits, &[3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 == u32::from(digits[3])
        },
    },
    Rule {
        reason: "Portuguese tax number",
        telling: &[],
        cued: &[&[9], &[3, 3, 3]],
        separators: " ",
        cues: &["nif", "contribuinte"],
        check: |digits| {
            let rest = weighted_sum(digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
            u32::from(digits[8]) == if rest < 2 { 0 } else { 11 - rest }
        },
    },
    Rule {
        reason: "Japanese individual number",
        telling: &[],
        cued: &[&[12], &[4, 4, 4]],
        separators: " -",
        cues: &[
            "my number",
            "mynumber",
            "個人番号",
            "マイナンバー",
            "individual number",
        ],
        check: |_| true,
    },
    Rule {
        reason: "Israeli id number",
        telling: &[],
        cued: &[&[9]],
        separators: "",
        cues: &["teudat zehut", "zehut", "israeli id"],
        check: luhn,
    },
    Rule {
        reason: "Russian SNILS or INN",
        telling: &[],
        cued: &[&[3, 3, 3, 2], &[11], &[12]],
        separators: "- ",
        cues: &["snils", "снилс", "inn", "инн"],
        check: |_| true,
    },
];

pub(crate) fn find(text: &Text<'_>, run: &Run, first: usize, found: &mut Vec<Found>) {
    for rule in RULES {
        let telling = rule.telling.iter().map(|shape| (*shape, true));
        let cued = rule.cued.iter().map(|shape| (*shape, false));
        for (shape, is_telling) in telling.chain(cued) {
            if !run.has_shape(shape, rule.separators) {
                continue;
            }
            let last = run.last(shape.len());
            if text.is_part_of_longer(first, last) || !(rule.check)(run.digits(shape.len())) {
                continue;
            }
            let believed = if is_telling {
                !is_other_number(text, first, shape)
            } else {
                text.cue_before(first, rule.cues, CUE_WORDS) || text.cue_after(last, rule.cues, 2)
            };
            if believed {
                found.push(Found {
                    kind: Kind::NationalId,
                    span: text.start(first)..text.end(last),
                    reason: rule.reason,
                });
                return;
            }
        }
    }
}

/// Grouped numbers are unambiguous; an ungrouped one may be an order number.
fn is_other_number(text: &Text<'_>, first: usize, shape: &[u8]) -> bool {
    let sign = first
        .checked_sub(1)
        .is_some_and(|before| text.is_any_mark(before, "+#$€£("));
    // A word on the line above refers to another number.
    let in_line = |cue: Option<usize>| {
        cue.is_some_and(|at| (at..first).all(|token| text.class(token) != Some(Class::Line)))
    };
    sign || (shape.len() == 1 && in_line(text.cue_position(first, &OTHER_NUMBERS, 3)))
        || (in_line(text.cue_position(first, &crate::phone::CUES, 3))
            && text.class(first) == Some(Class::Digits))
}

fn american(digits: &[u8]) -> bool {
    let (area, group, serial) = (
        to_number(&digits[..3]),
        to_number(&digits[3..5]),
        to_number(&digits[5..]),
    );
    area != 0 && area != 666 && area < 900 && group != 0 && serial != 0
}

fn french(digits: &[u8]) -> bool {
    let month = to_number(&digits[3..5]);
    let sex = matches!(digits[0], 1 | 2 | 3 | 4 | 7 | 8);
    let plausible = sex && ((1..=12).contains(&month) || (20..=42).contains(&month) || month >= 50);
    plausible
        && (digits.len() == 13 || 97 - remainder_97(&digits[..13]) == to_number(&digits[13..]))
}

fn chinese(digits: &[u8]) -> bool {
    chinese_with_check(&digits[..17], digits[17])
}

pub(crate) fn chinese_with_check(body: &[u8], check: u8) -> bool {
    let year = to_number(&body[6..10]);
    let sum = weighted_sum(body, &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2])
        + u32::from(check);
    (1900..2100).contains(&year)
        && is_day(to_number(&body[12..14]), to_number(&body[10..12]))
        && sum % 11 == 1
}

fn brazilian(digits: &[u8]) -> bool {
    let first = weighted_sum(digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10 % 11 % 10;
    let second = weighted_sum(digits, &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10 % 11 % 10;
    first == u32::from(digits[9])
        && second == u32::from(digits[10])
        && digits.iter().any(|digit| *digit != digits[0])
}

fn british(digits: &[u8]) -> bool {
    let check = 11 - weighted_sum(digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    check % 11 == u32::from(digits[9]) && digits.iter().any(|digit| *digit != digits[0])
}

/// Exactly one of the first ten digits occurs twice or three times, which excludes most other numbers.
fn german(digits: &[u8]) -> bool {
    let mut counts = [0_u8; 10];
    for digit in &digits[..10] {
        counts[usize::from(*digit)] += 1;
    }
    let repeated = counts.iter().filter(|count| **count > 1).count();
    digits[0] != 0 && repeated == 1 && counts.iter().all(|count| *count <= 3) && iso_11_10(digits)
}

fn norwegian(digits: &[u8]) -> bool {
    let day = to_number(&digits[..2]);
    let day = if day > 40 { day - 40 } else { day };
    is_day(day, to_number(&digits[2..4]))
        && weighted_sum(digits, &[3, 7, 6, 1, 8, 9, 4, 5, 2, 1]).is_multiple_of(11)
        && weighted_sum(digits, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}

fn turkish(digits: &[u8]) -> bool {
    let odd = weighted_sum(digits, &[1, 0, 1, 0, 1, 0, 1, 0, 1]);
    let even = weighted_sum(digits, &[0, 1, 0, 1, 0, 1, 0, 1]);
    let all = weighted_sum(digits, &[1; 10]);
    digits[0] != 0
        && (odd * 7 + 10 * 8 - even) % 10 == u32::from(digits[9])
        && all % 10 == u32::from(digits[10])
}

fn polish(digits: &[u8]) -> bool {
    is_day(to_number(&digits[4..6]), to_number(&digits[2..4]) % 20)
        && weighted_sum(digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10)
}

fn belgian(digits: &[u8]) -> bool {
    let body = to_number(&digits[..9]);
    let check = to_number(&digits[9..]);
    check == 97 - body % 97 || check == 97 - (2_000_000_000 + body) % 97
}

fn swedish(digits: &[u8]) -> bool {
    let short = &digits[digits.len() - 10..];
    let day = to_number(&short[4..6]);
    let century = digits.len() == 10 || matches!(to_number(&digits[..2]), 18..=20);
    century
        && is_day(
            if day > 60 { day - 60 } else { day },
            to_number(&short[2..4]),
        )
        && luhn(short)
}

fn korean(digits: &[u8]) -> bool {
    let check = (11 - weighted_sum(digits, &[2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11) % 10;
    is_day(to_number(&digits[4..6]), to_number(&digits[2..4])) && check == u32::from(digits[12])
}

fn swiss(digits: &[u8]) -> bool {
    digits.starts_with(&[7, 5, 6])
        && weighted_sum(digits, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).is_multiple_of(10)
}

fn dutch(digits: &[u8]) -> bool {
    let sum = weighted_sum(digits, &[9, 8, 7, 6, 5, 4, 3, 2]);
    sum % 11 == u32::from(digits[8]) && to_number(digits) != 0
}
