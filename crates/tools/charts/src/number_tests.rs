use super::*;

#[test]
fn ticks_have_the_decimals_of_their_step() {
    assert_eq!(tick(0.5, 0.25, 1.0), "0.50");
    assert_eq!(tick(1500.0, 500.0, 2000.0), "1,500");
    assert_eq!(tick(-20.0, 10.0, 20.0), "−20");
    assert_eq!(tick(2_500_000.0, 500_000.0, 3e6), "2.5 M");
    assert_eq!(tick(0.0, 1e20, 1e21), "0");
    assert_eq!(tick(2e20, 1e20, 1e21), "2e20");
}

#[test]
fn values_are_short() {
    assert_eq!(value(1234.56), "1,234.6");
    assert_eq!(value(-0.5), "−0.5");
    assert_eq!(value(12_340_000.0), "12.34 M");
    assert_eq!(value(1e-9), "1e-9");
    assert_eq!(percent(0.125), "12.5%");
}

#[test]
fn a_minus_that_rounds_away_is_not_written() {
    assert_eq!(fixed(-0.001, 1), "0.0");
}
