use super::*;

fn labels(scale: &Scale) -> Vec<&str> {
    scale.ticks.iter().map(|t| t.label.as_str()).collect()
}

#[test]
fn linear_ticks_are_round_and_enclose_the_values() {
    assert_eq!(
        labels(&Scale::linear(0.0, 97.0)),
        ["0", "20", "40", "60", "80", "100"]
    );
    assert_eq!(labels(&Scale::linear(-0.3, 0.41))[0], "−0.4");
    let one = Scale::linear(5.0, 5.0);
    assert!(one.low() < 5.0 && one.high() > 5.0);
    assert_eq!(labels(&Scale::linear(0.0, 0.0))[0], "0");
}

#[test]
fn log_ticks_enclose_the_values() {
    let scale = Scale::log(0.3, 4.0);
    assert!(scale.low() <= 0.3 && scale.high() >= 4.0);
    assert!(labels(&scale).contains(&"1"), "{:?}", labels(&scale));
    assert_eq!(labels(&Scale::log(1.0, 1e6)).len(), 7);
    let wide = Scale::log(1e-250, 1e250);
    assert!(wide.ticks.len() < 20);
    assert!(wide.high() >= 1e250);
}

#[test]
fn extreme_values_have_finite_places() {
    for (low, high) in [(-1e300, 1e300), (1e-310, 2e-310), (1e15, 1e15 + 0.25)] {
        let scale = Scale::linear(low, high);
        assert!(scale.ticks.len() < 30);
        assert!(scale.at(low, 0.0, 1.0).is_finite());
        assert!(scale.at(high, 0.0, 1.0).is_finite());
    }
}
