//! Two samples or pairs compared by ranks.

use libm::sqrt;
use serde::Deserialize;

use crate::counting::{self, Distribution};
use crate::distributions::normal_p;
use crate::moments::Ranks;
use crate::{Alternative, Answer, Figures, Refusal, checks};

/// How a p-value of a rank test is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankMethod {
    /// Exact for small samples without ties, else asymptotic.
    #[default]
    Auto,
    Exact,
    Asymptotic,
}

/// Whether an asymptotic p-value is corrected by half a step towards the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Continuity {
    #[default]
    Corrected,
    Plain,
}

impl Continuity {
    fn step(self) -> f64 {
        match self {
            Self::Corrected => 0.5,
            Self::Plain => 0.0,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Corrected => "with continuity correction",
            Self::Plain => "without continuity correction",
        }
    }
}

/// Do the values of one sample tend to be larger than those of the other?
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MannWhitney {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    #[serde(default)]
    pub alternative: Alternative,
    #[serde(default)]
    pub method: RankMethod,
    #[serde(default)]
    pub continuity: Continuity,
}

/// Are paired differences centred on zero? Without `b`, `a` holds the differences.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wilcoxon {
    pub a: Vec<f64>,
    #[serde(default)]
    pub b: Option<Vec<f64>>,
    #[serde(default)]
    pub alternative: Alternative,
    #[serde(default)]
    pub method: RankMethod,
    #[serde(default)]
    pub continuity: Continuity,
}

/// Up to this many values in the smaller sample, U is counted exactly by itself.
const EXACT_U_MAX: usize = 8;
/// Up to this many differences, their signed ranks are counted exactly by themselves.
const EXACT_SIGNED_MAX: usize = 50;
/// Fewer and the normal approximation is doubtful.
const ASYMPTOTIC_FEW: usize = 10;

pub(crate) fn mann_whitney(request: &MannWhitney) -> Result<Answer, Refusal> {
    checks::sample("a", &request.a, 1)?;
    checks::sample("b", &request.b, 1)?;
    let both: Vec<f64> = request.a.iter().chain(&request.b).copied().collect();
    checks::varied("a and b", &both, "a rank test")?;
    let ranks = Ranks::of(&both);
    let (n_a, n_b) = (request.a.len() as f64, request.b.len() as f64);
    let rank_sum: f64 = ranks.ranks[..request.a.len()].iter().sum();
    let u = rank_sum - n_a * (n_a + 1.0) / 2.0;
    let size = Size::of(request.a.len().min(request.b.len()), EXACT_U_MAX);
    let counted = choose(request.method, size, &ranks, "a and b", || {
        counting::mann_whitney(request.a.len(), request.b.len())
    })?;
    let mut notes = Vec::new();
    let n = n_a + n_b;
    let null = Null {
        middle: n_a * n_b / 2.0,
        sd: sqrt(n_a * n_b / 12.0 * (n + 1.0 - ranks.tie_sum() / (n * (n - 1.0)))),
    };
    let (p, how) = null.p(u, counted.as_ref(), request.alternative, request.continuity);
    if counted.is_none() && request.a.len().min(request.b.len()) < ASYMPTOTIC_FEW {
        notes.push(
            "the normal approximation is rough with fewer than 10 values in a sample".to_owned(),
        );
    }
    note_ties(&mut notes, &ranks);
    Ok(Answer {
        analysis: "mann_whitney",
        figures: Figures::new()
            .with("statistic", u)
            .with("statistic_b", n_a * n_b - u)
            .with("p", p)
            .with("superiority", u / (n_a * n_b))
            .with("rank_biserial", 2.0 * u / (n_a * n_b) - 1.0),
        method: format!(
            "Mann-Whitney U of a against b, {}, {how}",
            request.alternative.words()
        ),
        notes,
    })
}

pub(crate) fn wilcoxon(request: &Wilcoxon) -> Result<Answer, Refusal> {
    let all = request.a.len();
    let differences = differences(request)?;
    let sizes: Vec<f64> = differences.iter().map(|value| value.abs()).collect();
    let ranks = Ranks::of(&sizes);
    let n = differences.len() as f64;
    let w_plus: f64 = ranks
        .ranks
        .iter()
        .zip(&differences)
        .filter(|&(_, &difference)| difference > 0.0)
        .map(|(rank, _)| rank)
        .sum();
    let whole = n * (n + 1.0) / 2.0;
    // Dropped zeros leave a distribution that is exact only given their number.
    let size = if all == differences.len() {
        Size::of(all, EXACT_SIGNED_MAX)
    } else {
        Size::Large
    };
    let counted = choose(request.method, size, &ranks, "a - b", || {
        counting::signed_rank(differences.len())
    })?;
    let null = Null {
        middle: whole / 2.0,
        sd: sqrt(n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranks.tie_sum() / 48.0),
    };
    let (p, how) = null.p(
        w_plus,
        counted.as_ref(),
        request.alternative,
        request.continuity,
    );
    let mut notes = Vec::new();
    if all > differences.len() {
        notes.push(format!(
            "{} differences of zero were left out",
            all - differences.len()
        ));
    }
    if counted.is_none() && differences.len() < ASYMPTOTIC_FEW {
        notes.push("the normal approximation is rough with fewer than 10 differences".to_owned());
    }
    note_ties(&mut notes, &ranks);
    Ok(Answer {
        analysis: "wilcoxon",
        figures: Figures::new()
            .with("statistic", w_plus)
            .with("statistic_minus", whole - w_plus)
            .with("n_used", differences.len())
            .with("p", p)
            .with("rank_biserial", 2.0 * w_plus / whole - 1.0),
        method: format!(
            "Wilcoxon signed-rank test, sum of the positive ranks, zeros left out, {}, {how}",
            request.alternative.words()
        ),
        notes,
    })
}

/// Of the pairs, without those that are zero.
fn differences(request: &Wilcoxon) -> Result<Vec<f64>, Refusal> {
    checks::sample("a", &request.a, 1)?;
    let mut differences = request.a.clone();
    if let Some(b) = &request.b {
        checks::sample("b", b, 1)?;
        checks::same_length("a", request.a.len(), "b", b.len())?;
        for (difference, b) in differences.iter_mut().zip(b) {
            *difference -= b;
        }
        settle(
            &mut differences,
            checks::rounding(checks::magnitude(&request.a).max(checks::magnitude(b))),
        );
    }
    differences.retain(|&difference| difference != 0.0);
    if differences.is_empty() {
        return Err(Refusal::Constant {
            field: "a - b".to_owned(),
            what: "a signed-rank test",
        });
    }
    Ok(differences)
}

/// Makes sizes equal that differ by rounding alone: 0.3 - 0.2 and 0.2 - 0.1 are a tie.
fn settle(differences: &mut [f64], rounding: f64) {
    let mut order: Vec<usize> = (0..differences.len()).collect();
    order.sort_by(|&left, &right| differences[left].abs().total_cmp(&differences[right].abs()));
    let mut size = 0.0;
    for index in order {
        let difference = &mut differences[index];
        if difference.abs() - size > rounding {
            size = difference.abs();
        }
        *difference = if size == 0.0 {
            0.0
        } else {
            size.copysign(*difference)
        };
    }
}

fn note_ties(notes: &mut Vec<String>, ranks: &Ranks) {
    if ranks.tied() {
        notes.push(format!(
            "{} values are tied; ties share their mean rank",
            ranks.ties.iter().sum::<usize>()
        ));
    }
}

/// Whether counting exactly is worth it.
#[derive(Clone, Copy, PartialEq)]
enum Size {
    Small,
    Large,
}

impl Size {
    fn of(n: usize, small_max: usize) -> Self {
        if n <= small_max {
            Self::Small
        } else {
            Self::Large
        }
    }
}

fn choose(
    method: RankMethod,
    size: Size,
    ranks: &Ranks,
    field: &str,
    count: impl Fn() -> Option<Distribution>,
) -> Result<Option<Distribution>, Refusal> {
    match method {
        RankMethod::Asymptotic => Ok(None),
        RankMethod::Auto if size == Size::Large || ranks.tied() => Ok(None),
        RankMethod::Auto => Ok(count()),
        RankMethod::Exact if ranks.tied() => Err(Refusal::Unsuitable {
            field: field.to_owned(),
            problem: "has ties, which the exact distribution does not allow".to_owned(),
            remedy: "use the asymptotic method",
        }),
        RankMethod::Exact => match count() {
            Some(distribution) => Ok(Some(distribution)),
            None => Err(Refusal::Unsuitable {
                field: field.to_owned(),
                problem: "has too many values to count exactly".to_owned(),
                remedy: "use the asymptotic method",
            }),
        },
    }
}

/// Where a rank statistic lies if there is no difference.
struct Null {
    middle: f64,
    sd: f64,
}

impl Null {
    fn p(
        &self,
        statistic: f64,
        counted: Option<&Distribution>,
        alternative: Alternative,
        continuity: Continuity,
    ) -> (f64, String) {
        if let Some(distribution) = counted {
            let value = statistic as usize;
            let (below, above) = (distribution.at_most(value), distribution.at_least(value));
            let p = match alternative {
                Alternative::TwoSided => (2.0 * below.min(above)).min(1.0),
                Alternative::Less => below,
                Alternative::Greater => above,
            };
            return (p, "exact".to_owned());
        }
        let off = statistic - self.middle;
        let toward = match alternative {
            Alternative::TwoSided => off.abs() - continuity.step(),
            Alternative::Less => -off - continuity.step(),
            Alternative::Greater => off - continuity.step(),
        };
        let z = toward / self.sd;
        let p = match alternative {
            Alternative::TwoSided => (2.0 * normal_p(z, Alternative::Greater)).min(1.0),
            _ => normal_p(z, Alternative::Greater),
        };
        (
            p,
            format!(
                "normal approximation with tie correction, {}",
                continuity.words()
            ),
        )
    }
}
