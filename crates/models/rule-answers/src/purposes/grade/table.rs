//! The grading table: where each kind of study begins, and what moves it.

use adjutant_questions::{GradeOf, StudyKind};

/// A source this many years older than the newest of them counts one lower. There is no clock here.
pub(crate) const OLD_YEARS: u16 = 15;
/// Which share of the claim the best sentence must have to bear on it directly.
pub(crate) const DIRECT_MIN: f64 = 0.34;

pub(crate) struct StudyFacts {
    pub(crate) kind: StudyKind,
    pub(crate) name: &'static str,
    pub(crate) grade: GradeOf,
    /// Fewer than this, or no number at all, is one lower; 0 if size does not matter.
    pub(crate) small_below: u64,
    /// From this on one higher.
    pub(crate) large_from: Option<u64>,
    /// Phrases that tell the kind, in small letters.
    pub(crate) cues: &'static [&'static str],
}

macro_rules! studies {
    ($($kind:ident $name:literal $grade:ident $small:literal $large:expr, $cues:expr;)*) => {
        &[$(StudyFacts {
            kind: StudyKind::$kind,
            name: $name,
            grade: GradeOf::$grade,
            small_below: $small,
            large_from: $large,
            cues: &$cues,
        },)*]
    };
}

/// Of two kinds told in one sentence the upper one counts.
pub(crate) const STUDIES: &[StudyFacts] = studies! {
    SystematicReview "systematic review" High 0 None,
        ["systematic review", "meta-analysis", "meta-analyses", "metaanalysis", "pooled analysis"];
    Guideline "guideline" Moderate 0 None,
        ["guideline", "practice recommendation", "consensus statement", "we recommend that", "the committee recommends"];
    RandomisedTrial "randomised trial" High 100 None,
        ["randomised", "randomized", "randomly assigned", "randomly allocated", "placebo-controlled", "double-blind"];
    CaseControl "case-control study" Low 100 None, ["case-control", "matched controls", "cases and controls"];
    Cohort "cohort study" Low 100 Some(1000),
        ["cohort", "registry", "followed up", "prospective study", "retrospective study", "observational study",
         "longitudinal"];
    CrossSectional "cross-sectional study" Low 300 None, ["cross-sectional", "survey", "questionnaire"];
    CaseSeries "case series" VeryLow 0 None, ["case series", "case report", "we report a case", "consecutive cases"];
    Laboratory "laboratory study" VeryLow 0 None,
        ["in vitro", "in vivo", "cell line", "mice", "rats", "wind tunnel", "bench test", "laboratory"];
    Modelling "modelling study" VeryLow 0 None,
        ["simulation", "simulated", "modelling study", "modeling study", "our model predicts", "forecast", "theoretical"];
    Opinion "opinion" VeryLow 0 None,
        ["letter to", "editorial", "commentary", "viewpoint", "in our opinion", "in our experience", "we believe",
         "opinion", "letter"];
};

const UNKNOWN: StudyFacts = StudyFacts {
    kind: StudyKind::Unknown,
    name: "of unknown kind",
    grade: GradeOf::VeryLow,
    small_below: 0,
    large_from: None,
    cues: &[],
};

pub(crate) fn facts(kind: StudyKind) -> &'static StudyFacts {
    STUDIES
        .iter()
        .find(|facts| facts.kind == kind)
        .unwrap_or(&UNKNOWN)
}

pub(crate) fn lowered(grade: GradeOf) -> GradeOf {
    match grade {
        GradeOf::High => GradeOf::Moderate,
        GradeOf::Moderate => GradeOf::Low,
        GradeOf::Low | GradeOf::VeryLow => GradeOf::VeryLow,
    }
}

pub(crate) fn raised(grade: GradeOf) -> GradeOf {
    match grade {
        GradeOf::VeryLow => GradeOf::Low,
        GradeOf::Low => GradeOf::Moderate,
        GradeOf::Moderate | GradeOf::High => GradeOf::High,
    }
}

pub(crate) fn name(grade: GradeOf) -> &'static str {
    match grade {
        GradeOf::VeryLow => "very low",
        GradeOf::Low => "low",
        GradeOf::Moderate => "moderate",
        GradeOf::High => "high",
    }
}
