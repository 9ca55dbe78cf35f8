//! UCB1 in integers: how much a choice may still be worth, from what it gave so far and how seldom it was tried. All
//! values are in parts per million, so that the same record leads to the same choice on every machine.

/// One, in parts per million.
const ONE: u64 = 1_000_000;

/// The natural logarithm of 2, with 32 binary places.
const LN_2: u64 = 2_977_044_472;

/// The mean of what was given, plus `sqrt(2 ln(tries of all) / tries of this one)`; both are rounded down.
pub(super) fn upper_bound(sum: u64, tries: u32, tries_of_all: u32) -> u64 {
    let tries = u64::from(tries.max(1));
    // The root of parts per million squared is parts per million again; divided last, so that as little as can be is lost.
    let spread = 2 * natural_logarithm(tries_of_all) * ONE / tries;
    sum / tries + spread.isqrt()
}

/// The natural logarithm in parts per million, rounded to the nearest; of zero as of one.
pub(super) fn natural_logarithm(number: u32) -> u64 {
    let Some(whole) = number.checked_ilog2() else {
        return 0;
    };
    // The number is 2^whole times a mantissa from 1 to 2. Squaring the mantissa doubles its logarithm to base 2: if
    // that reaches 2, the next binary place of the logarithm is a 1.
    let mut mantissa = (u64::from(number) << 31) >> whole;
    let mut binary = u64::from(whole);
    for _ in 0..PLACES {
        mantissa = (mantissa * mantissa) >> 31;
        binary <<= 1;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            binary += 1;
        }
    }
    let scaled = u128::from(binary) * u128::from(LN_2) * u128::from(ONE);
    let rounded = (scaled + (1 << (PLACES + 31))) >> (PLACES + 32);
    u64::try_from(rounded).unwrap_or(u64::MAX)
}

/// Binary places of the logarithm to base 2: enough for a part per million with room to spare.
const PLACES: u32 = 27;

#[cfg(test)]
#[path = "upper_bound_tests.rs"]
mod tests;
