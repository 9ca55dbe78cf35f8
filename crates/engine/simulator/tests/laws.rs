//! The laws hold in every simulated world: random ones, and ones where the host dies at each boundary in turn. `make sim`
//! runs thousands of worlds in an optimised build, and fails if they do not reach everything on the coverage list.
#![expect(clippy::panic, reason = "a test that panics is a test that fails")]

use adjutant_mission::AgentLevel;
use adjutant_simulator::{Report, explore, replay, try_every_boundary};

fn random_seeds(seeds: std::ops::Range<u64>) {
    let mut report = Report::default();
    if let Err(violation) = explore(seeds, &mut report) {
        panic!("{violation}");
    }
}

fn every_boundary(seeds: std::ops::Range<u64>) {
    let mut report = Report::default();
    for seed in seeds {
        if let Err(violation) = try_every_boundary(seed, &mut report) {
            panic!("{violation}");
        }
    }
}

#[test]
fn the_laws_hold_in_random_worlds() {
    random_seeds(1_000_000..1_000_500);
}

/// Each of these once broke a law.
#[test]
fn the_laws_hold_where_they_once_did_not() {
    for seed in [7, 1_036, 1_744, 7_521, 14_770, 30_934, 62_395, 1_001_026] {
        random_seeds(seed..seed + 1);
    }
}

#[test]
fn the_laws_hold_when_the_host_dies_at_any_boundary() {
    every_boundary(2_000_000..2_000_006);
}

#[test]
fn a_seed_is_the_same_run_every_time() {
    for seed in 0..50 {
        let (first, again) = (
            replay(seed, adjutant_simulator::Crashes::Random),
            replay(seed, adjutant_simulator::Crashes::Random),
        );
        assert_eq!(first.0, again.0);
    }
}

#[test]
fn law_6_nobody_skips_a_level() {
    use AgentLevel::{L1, L2, L3, L4, L5};
    let allowed = [(L1, L2), (L2, L3), (L2, L4), (L3, L4), (L4, L5)];
    for from in [L1, L2, L3, L4, L5] {
        for to in [L1, L2, L3, L4, L5] {
            assert_eq!(
                from.may_start(to),
                allowed.contains(&(from, to)),
                "{from:?} -> {to:?}"
            );
        }
    }
}
