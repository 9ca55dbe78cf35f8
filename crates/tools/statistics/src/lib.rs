//! Statistical analyses as pure functions: a request in, figures with their method and doubts out.
//!
//! Nothing here reads a clock, a file or true randomness: what is simulated takes a seed. An analysis that has no
//! honest answer is refused with the field, the place in it and what to do.

mod answer;
mod checks;
mod correlation;
mod counting;
mod describe;
mod disproportionality;
mod distributions;
mod effects;
mod expression;
mod fisher;
mod groups;
mod intervals;
mod matrix;
mod meta;
mod moments;
mod power;
mod random;
mod ranks;
mod refusal;
mod regression;
mod request;
mod resample;
mod schema;
mod several;
mod shrinkage;
mod simulate;
mod special;
mod survival;
mod t_tests;
mod tables;

pub use answer::{Answer, Figure, Figures, Interval};
pub use checks::{
    Alternative, COUNT_MAX, Count, GROUPS_MAX, Level, MAGNITUDE_MAX, NAME_CHARACTERS_MAX,
    VALUES_MAX,
};
pub use correlation::{Correlation, KENDALL_PAIRS_MAX};
pub use describe::Describe;
pub use disproportionality::Disproportionality;
pub use effects::{AssociationEffect, DifferenceEffect, RiskEffect};
pub use expression::EXPRESSION_CHARACTERS_MAX;
pub use fisher::{FISHER_TOTAL_MAX, FisherExact};
pub use groups::SeveralGroups;
pub use intervals::{
    MeanInterval, Proportion, ProportionDifference, ProportionInterval, ProportionMethod,
};
pub use meta::{MetaAnalysis, MetaModel, STUDIES_MAX, Study};
pub use power::{PLANNED_N_MAX, PowerTwoMeans, PowerTwoProportions, Sides};
pub use ranks::{Continuity, MannWhitney, RankMethod, Wilcoxon};
pub use refusal::Refusal;
pub use regression::{Predictor, REGRESSION_CELLS_MAX, Regression};
pub use request::{Request, analyse};
pub use resample::{
    BootstrapInterval, PermutationTest, RESAMPLED_VALUES_MAX, RESAMPLES_MAX, Statistic,
};
pub use schema::schema;
pub use several::{AdjustP, Adjustment};
pub use shrinkage::{GammaMixture, ShrunkRatio, shrunk_ratio};
pub use simulate::{DRAWN_NUMBERS_MAX, DRAWS_MAX, Input, InputDistribution, Model, MonteCarlo};
pub use survival::{CURVE_ROWS_MAX, CurveInterval, KaplanMeier, LogRank, SurvivalGroup};
pub use t_tests::{OneSampleT, TwoSampleT};
pub use tables::{ChiSquareFit, ChiSquareIndependence, Correction};
