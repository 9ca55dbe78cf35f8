#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

use proptest::prelude::*;

use super::{GammaMixture, shrunk_ratio};

/// By SciPy 1.17: `q = p f1 / (p f1 + (1 - p) f2)` with `f = nbinom.pmf(n, a, b / (b + E))`,
/// `exp(q (psi(a1 + n) - log(b1 + E)) + (1 - q) (psi(a2 + n) - log(b2 + E)))`, and `brentq` of
/// `q gamma.cdf(x, a1 + n, scale=1/(b1 + E)) + (1 - q) gamma.cdf(x, a2 + n, scale=1/(b2 + E))` at 0.05 and 0.95.
#[test]
fn means_and_quantiles_are_those_of_scipy() {
    for (observed, expected, mean, low, high) in [
        (
            61,
            170.0 * 258.0 / 1884.0,
            2.572284210740771,
            2.0568412994918726,
            3.177763401608952,
        ),
        (
            52,
            170.0 * 297.0 / 1884.0,
            1.8566188722223478,
            1.451899653338945,
            2.3493862438544317,
        ),
        (
            31,
            170.0 * 106.0 / 1884.0,
            3.1529861038461915,
            2.294700544421626,
            4.224966171534094,
        ),
        (
            3,
            0.5,
            3.367961303785578,
            0.7228806360706661,
            10.477483160689097,
        ),
        (
            1,
            2.0,
            0.40939110938729106,
            0.11548739755802859,
            1.1236946942595272,
        ),
        (
            0,
            1.5,
            0.057418577807951274,
            2.3623454472141646e-05,
            0.8245191164382781,
        ),
    ] {
        let found = shrunk_ratio(observed, expected, &GammaMixture::CUSTOMARY, 0.9).unwrap();
        let near = |found: f64, wanted: f64| (found / wanted - 1.0).abs() < 1e-8;
        assert!(near(found.mean, mean), "{observed} {expected}: {found:?}");
        assert!(
            near(found.interval.low, low),
            "{observed} {expected}: {found:?}"
        );
        assert!(
            near(found.interval.high, high),
            "{observed} {expected}: {found:?}"
        );
    }
}

#[test]
fn what_cannot_be_expected_has_no_ratio() {
    for (expected, level) in [
        (0.0, 0.9),
        (-1.0, 0.9),
        (f64::NAN, 0.9),
        (1.0, 1.0),
        (1.0, 0.0),
    ] {
        assert_eq!(
            shrunk_ratio(3, expected, &GammaMixture::CUSTOMARY, level),
            None
        );
    }
}

proptest! {
    #[test]
    fn more_reports_never_lower_the_ratio_and_its_mean_is_inside(
        observed in 0_u64..200, expected in 0.05_f64..100.0
    ) {
        let prior = GammaMixture::CUSTOMARY;
        let less = shrunk_ratio(observed, expected, &prior, 0.9).unwrap();
        let more = shrunk_ratio(observed + 1, expected, &prior, 0.9).unwrap();
        prop_assert!(more.mean >= less.mean);
        prop_assert!(less.interval.low <= less.mean && less.mean <= less.interval.high);
    }
}
