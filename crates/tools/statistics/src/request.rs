//! What can be asked.

use serde::Deserialize;

use crate::Refusal;
use crate::answer::Answer;
use crate::correlation::{self, Correlation};
use crate::describe::{self, Describe};
use crate::disproportionality::{self, Disproportionality};
use crate::effects::{self, AssociationEffect, DifferenceEffect, RiskEffect};
use crate::fisher::{self, FisherExact};
use crate::groups::{self, SeveralGroups};
use crate::intervals::{self, MeanInterval, ProportionDifference, ProportionInterval};
use crate::meta::{self, MetaAnalysis};
use crate::power::{self, PowerTwoMeans, PowerTwoProportions};
use crate::ranks::{self, MannWhitney, Wilcoxon};
use crate::regression::{self, Regression};
use crate::resample::{self, BootstrapInterval, PermutationTest};
use crate::several::{self, AdjustP};
use crate::simulate::{self, MonteCarlo};
use crate::survival::{self, KaplanMeier, LogRank};
use crate::t_tests::{self, OneSampleT, TwoSampleT};
use crate::tables::{self, ChiSquareFit, ChiSquareIndependence};

/// One analysis with its data: `{"analysis": "welch_t", "a": [...], "b": [...]}`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "analysis", rename_all = "snake_case")]
pub enum Request {
    Describe(Describe),
    OneSampleT(OneSampleT),
    StudentT(TwoSampleT),
    WelchT(TwoSampleT),
    PairedT(TwoSampleT),
    MannWhitney(MannWhitney),
    Wilcoxon(Wilcoxon),
    PermutationTest(PermutationTest),
    ChiSquareIndependence(ChiSquareIndependence),
    ChiSquareFit(ChiSquareFit),
    FisherExact(FisherExact),
    Anova(SeveralGroups),
    KruskalWallis(SeveralGroups),
    Pearson(Correlation),
    Spearman(Correlation),
    Kendall(Correlation),
    LinearRegression(Regression),
    LogisticRegression(Regression),
    KaplanMeier(KaplanMeier),
    LogRank(LogRank),
    MeanInterval(MeanInterval),
    ProportionInterval(ProportionInterval),
    ProportionDifference(ProportionDifference),
    BootstrapInterval(BootstrapInterval),
    DifferenceEffect(DifferenceEffect),
    VarianceExplained(SeveralGroups),
    AssociationEffect(AssociationEffect),
    RiskEffect(RiskEffect),
    AdjustP(AdjustP),
    Disproportionality(Disproportionality),
    PowerTwoMeans(PowerTwoMeans),
    PowerTwoProportions(PowerTwoProportions),
    MetaAnalysis(MetaAnalysis),
    MonteCarlo(MonteCarlo),
}

/// Does one analysis. A function of the request and nothing else: the same request gives the same answer.
pub fn analyse(request: &Request) -> Result<Answer, Refusal> {
    match request {
        Request::Describe(request) => describe::describe(request),
        Request::OneSampleT(request) => t_tests::one_sample(request),
        Request::StudentT(request) => t_tests::student(request),
        Request::WelchT(request) => t_tests::welch(request),
        Request::PairedT(request) => t_tests::paired(request),
        Request::MannWhitney(request) => ranks::mann_whitney(request),
        Request::Wilcoxon(request) => ranks::wilcoxon(request),
        Request::PermutationTest(request) => resample::permutation_test(request),
        Request::ChiSquareIndependence(request) => tables::independence(request),
        Request::ChiSquareFit(request) => tables::fit(request),
        Request::FisherExact(request) => fisher::fisher_exact(request),
        Request::Anova(request) => groups::anova(request),
        Request::KruskalWallis(request) => groups::kruskal_wallis(request),
        Request::Pearson(request) => correlation::pearson(request),
        Request::Spearman(request) => correlation::spearman(request),
        Request::Kendall(request) => correlation::kendall(request),
        Request::LinearRegression(request) => regression::linear(request),
        Request::LogisticRegression(request) => regression::logistic(request),
        Request::KaplanMeier(request) => survival::kaplan_meier(request),
        Request::LogRank(request) => survival::log_rank(request),
        Request::MeanInterval(request) => intervals::mean(request),
        Request::ProportionInterval(request) => intervals::proportion(request),
        Request::ProportionDifference(request) => intervals::proportion_difference(request),
        Request::BootstrapInterval(request) => resample::bootstrap_interval(request),
        Request::DifferenceEffect(request) => effects::difference(request),
        Request::VarianceExplained(request) => effects::variance_explained(request),
        Request::AssociationEffect(request) => effects::association(request),
        Request::RiskEffect(request) => effects::risk(request),
        Request::AdjustP(request) => several::adjust_p(request),
        Request::Disproportionality(request) => disproportionality::disproportionality(request),
        Request::PowerTwoMeans(request) => power::two_means(request),
        Request::PowerTwoProportions(request) => power::two_proportions(request),
        Request::MetaAnalysis(request) => meta::meta_analysis(request),
        Request::MonteCarlo(request) => simulate::monte_carlo(request),
    }
}
