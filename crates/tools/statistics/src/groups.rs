//! Three or more groups compared: analysis of variance and Kruskal-Wallis.

use serde::Deserialize;

use crate::distributions::{chi_square_upper, f_upper};
use crate::moments::{Ranks, mean, seen_from, squares, variance};
use crate::{Answer, Figures, Refusal, checks};

/// Do several groups have the same mean, or the same distribution?
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeveralGroups {
    pub groups: Vec<Vec<f64>>,
}

const VARIANCE_RATIO_NOTED: f64 = 4.0;
const FEW: usize = 5;

/// Sums of squares between and within groups.
pub(crate) struct Parted {
    pub(crate) between: f64,
    pub(crate) within: f64,
    pub(crate) df_between: f64,
    pub(crate) df_within: f64,
}

impl Parted {
    pub(crate) fn of(groups: &[Vec<f64>]) -> Result<Self, Refusal> {
        checks::groups(groups, 1)?;
        let magnitude = checks::magnitude(&groups.concat());
        // Seen from one of them, values far from zero keep their digits.
        let groups: Vec<Vec<f64>> = groups
            .iter()
            .map(|group| seen_from(groups[0][0], group))
            .collect();
        let all = groups.concat();
        let df_within = all.len() as f64 - groups.len() as f64;
        if df_within < 1.0 {
            return Err(Refusal::TooShort {
                field: "groups".to_owned(),
                needed: groups.len() + 1,
                got: all.len(),
            });
        }
        let grand = mean(&all);
        let between = groups
            .iter()
            .map(|group| {
                let off = mean(group) - grand;
                group.len() as f64 * off * off
            })
            .sum();
        let within = groups.iter().map(|group| squares(group)).sum();
        if groups
            .iter()
            .all(|group| checks::constant(group, magnitude))
        {
            return Err(Refusal::Constant {
                field: "groups".to_owned(),
                what: "the variance within groups",
            });
        }
        Ok(Self {
            between,
            within,
            df_between: groups.len() as f64 - 1.0,
            df_within,
        })
    }

    pub(crate) fn f(&self) -> f64 {
        (self.between / self.df_between) / (self.within / self.df_within)
    }

    pub(crate) fn eta_squared(&self) -> f64 {
        self.between / (self.between + self.within)
    }

    pub(crate) fn omega_squared(&self) -> f64 {
        let error = self.within / self.df_within;
        (self.between - self.df_between * error) / (self.between + self.within + error)
    }
}

pub(crate) fn anova(request: &SeveralGroups) -> Result<Answer, Refusal> {
    let parted = Parted::of(&request.groups)?;
    let f = checks::computable("F", parted.f())?;
    let mut notes = Vec::new();
    let variances: Vec<f64> = request
        .groups
        .iter()
        .filter(|group| group.len() > 1)
        .map(|group| variance(group))
        .collect();
    let largest = variances.iter().copied().fold(0.0, f64::max);
    let smallest = variances.iter().copied().fold(f64::INFINITY, f64::min);
    if largest > VARIANCE_RATIO_NOTED * smallest {
        notes.push("the groups' variances are far from equal, which this test assumes".to_owned());
    }
    if request.groups.iter().any(|group| group.len() < FEW) {
        notes.push("a group has fewer than 5 values: the result leans on normality".to_owned());
    }
    Ok(Answer {
        analysis: "anova",
        figures: Figures::new()
            .with("statistic", f)
            .with("df_between", parted.df_between)
            .with("df_within", parted.df_within)
            .with("p", f_upper(f, parted.df_between, parted.df_within))
            .with("squares_between", parted.between)
            .with("squares_within", parted.within)
            .with("eta_squared", parted.eta_squared())
            .with("omega_squared", parted.omega_squared())
            .with(
                "means",
                request
                    .groups
                    .iter()
                    .map(|group| mean(group))
                    .collect::<Vec<_>>(),
            ),
        method: "one-way analysis of variance, F test with equal variances assumed".to_owned(),
        notes,
    })
}

pub(crate) fn kruskal_wallis(request: &SeveralGroups) -> Result<Answer, Refusal> {
    checks::groups(&request.groups, 1)?;
    let all = request.groups.concat();
    checks::varied("groups", &all, "a rank test")?;
    let ranks = Ranks::of(&all);
    let n = all.len() as f64;
    let mut start = 0;
    let mut sum = 0.0;
    let mut mean_ranks = Vec::new();
    for group in &request.groups {
        let end = start + group.len();
        let average = mean(&ranks.ranks[start..end]);
        let off = average - (n + 1.0) / 2.0;
        sum += group.len() as f64 * off * off;
        mean_ranks.push(average);
        start = end;
    }
    let h = 12.0 / (n * (n + 1.0)) * sum / (1.0 - ranks.tie_sum() / (n * n * n - n));
    let df = request.groups.len() as f64 - 1.0;
    let mut notes = Vec::new();
    if request.groups.iter().any(|group| group.len() < FEW) {
        notes.push(
            "a group has fewer than 5 values: the chi-square approximation is rough".to_owned(),
        );
    }
    if ranks.tied() {
        notes.push("there are ties; they share their mean rank".to_owned());
    }
    Ok(Answer {
        analysis: "kruskal_wallis",
        figures: Figures::new()
            .with("statistic", h)
            .with("df", df)
            .with("p", chi_square_upper(h, df))
            .with("epsilon_squared", h / (n - 1.0))
            .with("mean_ranks", mean_ranks),
        method: "Kruskal-Wallis H with tie correction, chi-square approximation; epsilon squared is H / (n - 1)"
            .to_owned(),
        notes,
    })
}
