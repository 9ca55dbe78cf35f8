//! The check digits of numbers, as plain arithmetic. Digits come as values 0 to 9.

pub(crate) fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let value = u32::from(*digit) * if place % 2 == 1 { 2 } else { 1 };
            if value > 9 { value - 9 } else { value }
        })
        .sum();
    !digits.is_empty() && sum.is_multiple_of(10)
}

/// The sum of the digits, each times its weight; digits beyond the weights do not count.
pub(crate) fn weighted_sum(digits: &[u8], weights: &[u32]) -> u32 {
    digits
        .iter()
        .zip(weights)
        .map(|(digit, weight)| u32::from(*digit) * weight)
        .sum()
}

pub(crate) fn remainder_97(digits: &[u8]) -> u64 {
    digits
        .iter()
        .fold(0, |sum, digit| (sum * 10 + u64::from(*digit)) % 97)
}

pub(crate) fn to_number(digits: &[u8]) -> u64 {
    digits.iter().take(19).fold(0_u64, |sum, digit| {
        sum.wrapping_mul(10).wrapping_add(u64::from(*digit))
    })
}

/// ISO 7064, modulus 11,10.
pub(crate) fn iso_11_10(digits: &[u8]) -> bool {
    let Some((check, body)) = digits.split_last() else {
        return false;
    };
    let mut product = 10;
    for digit in body {
        let sum = (u32::from(*digit) + product) % 10;
        product = if sum == 0 { 10 } else { sum } * 2 % 11;
    }
    (11 - product) % 10 == u32::from(*check)
}

pub(crate) fn verhoeff(digits: &[u8]) -> bool {
    const TURNS: [[u8; 10]; 8] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
        [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
        [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
        [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
        [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
        [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
        [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
    ];
    let check = digits
        .iter()
        .rev()
        .enumerate()
        .fold(0, |state, (place, digit)| {
            dihedral(state, TURNS[place % 8][usize::from(*digit % 10)])
        });
    check == 0
}

/// Multiplication in the symmetries of a regular pentagon.
fn dihedral(left: u8, right: u8) -> u8 {
    match (left < 5, right < 5) {
        (true, true) => (left + right) % 5,
        (true, false) => (left + right - 5) % 5 + 5,
        (false, true) => (left - 5 + 5 - right) % 5 + 5,
        (false, false) => (left + 5 - right) % 5,
    }
}

/// Letters count as two digits, A = 10; anything else gives `None`.
pub(crate) fn iban(compact: &[u8]) -> bool {
    if compact.len() < 5 {
        return false;
    }
    let (head, body) = compact.split_at(4);
    let mut rest = 0_u32;
    for byte in body.iter().chain(head) {
        rest = match byte {
            b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
            b'A'..=b'Z' => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
            _ => return false,
        };
    }
    rest == 1
}

/// Whether this day exists; 29 February is always accepted.
pub(crate) fn is_day(day: u64, month: u64) -> bool {
    let last = match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=last).contains(&day)
}
