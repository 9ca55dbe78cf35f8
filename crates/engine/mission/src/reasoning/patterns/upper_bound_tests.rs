use super::{natural_logarithm, upper_bound};

/// ln(n) to six places, from a published table.
const LOGARITHMS: [(u32, u64); 14] = [
    (1, 0),
    (2, 693_147),
    (3, 1_098_612),
    (4, 1_386_294),
    (5, 1_609_438),
    (6, 1_791_759),
    (7, 1_945_910),
    (8, 2_079_442),
    (10, 2_302_585),
    (20, 2_995_732),
    (40, 3_688_879),
    (100, 4_605_170),
    (1_000_000, 13_815_511),
    (u32::MAX, 22_180_710),
];

#[test]
fn logarithms_are_those_of_the_table() {
    for (number, expected) in LOGARITHMS {
        assert_eq!(natural_logarithm(number), expected, "ln({number})");
    }
    assert_eq!(natural_logarithm(0), 0);
}

#[test]
fn a_larger_number_never_has_a_smaller_logarithm() {
    for number in 1..10_000 {
        assert!(natural_logarithm(number) <= natural_logarithm(number + 1));
    }
}

#[test]
fn bounds_are_those_of_the_formula_to_a_part_per_million() {
    for (sum, tries, of_all, expected) in [
        // Mean 0.5 after one try of one: nothing to explore, ln(1) is 0.
        (500_000, 1, 1, 500_000),
        // 0.5 + sqrt(2 ln 3) = 1.9823038
        (500_000, 1, 3, 1_982_304),
        // 0.9 + sqrt(2 ln 10 / 4) = 1.9729830
        (3_600_000, 4, 10, 1_972_983),
        // 0 + sqrt(2 ln 40 / 40) = 0.4294694
        (0, 40, 40, 429_469),
    ] {
        let bound = upper_bound(sum, tries, of_all);
        assert!(bound.abs_diff(expected) <= 1, "{bound} for {expected}");
    }
}

#[test]
fn what_was_tried_less_may_be_worth_more() {
    assert!(upper_bound(600_000, 1, 8) > upper_bound(6 * 700_000, 6, 8));
    assert!(upper_bound(600_000, 1, 8) < upper_bound(700_000, 1, 8));
}
