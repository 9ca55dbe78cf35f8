//! What the reasoning phrases of the missions mean here: patterns, by which an agent thinks, and methods, by which
//! something is worked out. A phrase that was a word of somebody's trade becomes something that can be run.

use adjutant_mission::Pattern;

macro_rules! methods {
    ($($variant:ident $name:literal [$($done_by:literal),*] $about:literal,)*) => {
        /// A way to work something out.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Method {
            $(#[doc = $about] $variant,)*
        }

        pub const METHODS: &[Method] = &[$(Method::$variant),*];

        impl Method {
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The tools and the purposes of questions that work it out: each is computed, and tested where it stands.
            pub fn done_by(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($done_by),*],)*
                }
            }

            pub fn about(self) -> &'static str {
                match self {
                    $(Self::$variant => $about,)*
                }
            }
        }
    };
}

methods! {
    Fmea "fmea" ["fmea"] "Failure modes with severity, occurrence and detection, and what follows of them.",
    Probability "probability" ["monte_carlo"] "How likely something is, from stated frequencies.",
    MonteCarlo "monte_carlo" ["monte_carlo"] "Ranges drawn many times over, for how an outcome is spread.",
    DecisionTree "decision_tree" ["decision", "decision_frame"] "A decision taken apart into what it hangs on.",
    EvidenceWeighting "evidence_weighting" ["decision", "argument_map"] "What speaks for and against, by how good it is.",
    MultiCriteria "multi_criteria" ["decision", "decision_frame", "trade_off"] "Scores by weighted criteria.",
    Sensitivity "sensitivity" ["decision", "trade_off"] "What would have to change for the outcome to change.",
    Rubric "rubric" ["claim_check", "claim_review"] "A piece of work held against a list of what good work has.",
    Comparison "comparison" ["compare", "stable_ranking", "trade_off"] "Things side by side, by the same criteria.",
    Prioritisation "prioritisation" ["need_matrix", "score", "stable_ranking"] "What comes first, by stated criteria.",
    RootCause "root_cause" ["causal_tree", "causes", "hypothesize"] "From what was seen back to what brought it about.",
    HypothesisTest "hypothesis_test" ["causal_tree"] "What would be seen if it were so, and whether it is.",
    Constraints "constraints" ["path", "requirement_check"] "What rules an option out.",
    Feasibility "feasibility" ["requirement_check", "substitutes"] "Whether it can be done with what there is.",
    Clustering "clustering" ["cluster", "pattern_search"] "What belongs together.",
    StatisticalTest "statistical_test" ["pattern_search", "report_signals"] "Whether a difference is more than chance.",
    Scanning "scanning" ["competitor_moves", "watched_conditions", "weak_signals"] "Many sources looked through for what is new.",
    Impact "impact" ["weak_signals"] "What a change would mean.",
    Forecast "forecast" ["competitor_moves", "question_sheet"] "What is likely to come next.",
    Threshold "threshold" ["watched_conditions"] "Whether a value has passed a line.",
    RiskAdjustment "risk_adjustment" ["claim_check"] "Values lowered by what may go wrong.",
    Gaps "gaps" ["coverage_map", "gaps", "need_matrix", "question_sheet"] "What is asked for and not told.",
    Argument "argument" ["argument_map"] "Claims, their reasons and their evidence in order.",
    Options "options" ["next_moves", "option_space", "options", "substitutes"] "Many ways first, judgement later.",
    Path "path" ["path"] "The cheapest way through steps that depend on each other.",
    Sequencing "sequencing" ["curriculum"] "What must be understood before what.",
}

/// A phrase and what it comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phrase {
    pub text: &'static str,
    /// In the order in which they run.
    pub patterns: &'static [Pattern],
    pub methods: &'static [Method],
}

/// What a phrase comes to.
pub fn phrase(text: &str) -> Option<&'static Phrase> {
    PHRASES.iter().find(|phrase| phrase.text == text)
}

const fn means(
    text: &'static str,
    patterns: &'static [Pattern],
    methods: &'static [Method],
) -> Phrase {
    Phrase {
        text,
        patterns,
        methods,
    }
}

use Method as M;
use Pattern as P;

pub const PHRASES: &[Phrase] = &[
    means("Tree-of-Thought", &[P::TreeOfThought], &[]),
    means("Chain-of-Thought", &[P::ChainOfThought], &[]),
    means("Reflection", &[P::Reflection], &[]),
    means("ReAct", &[P::React], &[]),
    means("Decomposition", &[P::Decomposition], &[]),
    means("Adversarial", &[P::Adversarial], &[]),
    means("Red Team", &[P::Adversarial, P::Debate], &[]),
    means(
        "Pedagogical Sequencing",
        &[P::Pedagogical],
        &[M::Sequencing],
    ),
    means("Analogical", &[P::Analogical], &[]),
    means("Socratic", &[P::Socratic], &[]),
    means("Rubric Evaluation", &[P::ChainOfThought], &[M::Rubric]),
    means("Devil's Advocate", &[P::Debate], &[]),
    means(
        "Comparative Analysis",
        &[P::Decomposition],
        &[M::Comparison],
    ),
    means("Root Cause", &[P::Socratic], &[M::RootCause]),
    means("Prioritization", &[P::ChainOfThought], &[M::Prioritisation]),
    means("FMEA", &[P::Decomposition], &[M::Fmea]),
    means("Probability", &[P::ChainOfThought], &[M::Probability]),
    means("Monte Carlo", &[P::Reflection], &[M::MonteCarlo]),
    means(
        "Constraint Analysis",
        &[P::ChainOfThought],
        &[M::Constraints, M::Feasibility],
    ),
    means("Decision Analysis", &[P::TreeOfThought], &[M::DecisionTree]),
    means("Multi-Criteria", &[P::Decomposition], &[M::MultiCriteria]),
    means(
        "Divergent Generation",
        &[P::TreeOfThought, P::Analogical],
        &[M::Options],
    ),
    means("Feasibility Filter", &[P::Adversarial], &[M::Feasibility]),
    means(
        "Multi-Criteria Analysis",
        &[P::Decomposition],
        &[M::MultiCriteria, M::Comparison],
    ),
    means("Sensitivity", &[P::Reflection], &[M::Sensitivity]),
    means(
        "Decision Tree",
        &[P::TreeOfThought],
        &[M::DecisionTree, M::Sensitivity],
    ),
    means(
        "Evidence Weighting",
        &[P::Debate],
        &[M::EvidenceWeighting, M::MultiCriteria],
    ),
    means(
        "Root Cause Analysis",
        &[P::Socratic, P::ChainOfThought],
        &[M::RootCause],
    ),
    means(
        "Hypothesis Testing",
        &[P::Adversarial],
        &[M::HypothesisTest],
    ),
    means(
        "Causal Analysis",
        &[P::ChainOfThought],
        &[M::RootCause, M::StatisticalTest],
    ),
    means("Pattern Recognition", &[P::Analogical], &[M::Clustering]),
    means(
        "Comprehensive Evaluation",
        &[P::Decomposition, P::Reflection],
        &[M::Rubric, M::Gaps],
    ),
    means("Risk-Adjusted", &[P::Adversarial], &[M::RiskAdjustment]),
    means("Pattern Extraction", &[P::Decomposition], &[M::Clustering]),
    means(
        "Statistical Validation",
        &[P::Reflection],
        &[M::StatisticalTest],
    ),
    means("Environmental Scanning", &[P::React], &[M::Scanning]),
    means(
        "Impact Assessment",
        &[P::ChainOfThought],
        &[M::Impact, M::Prioritisation],
    ),
    means(
        "Intelligence Analysis",
        &[P::React, P::Decomposition],
        &[M::Scanning],
    ),
    means("Predictive", &[P::TreeOfThought], &[M::Forecast]),
    means("Event Detection", &[P::React], &[M::Scanning]),
    means("Threshold Analysis", &[P::ChainOfThought], &[M::Threshold]),
    means(
        "Problem Reframing",
        &[P::Analogical, P::Socratic],
        &[M::Options],
    ),
    means("Socratic Dialogue", &[P::Socratic], &[]),
    means("Rapid Generation", &[P::TreeOfThought], &[M::Options]),
    means(
        "Feasibility Screening",
        &[P::ChainOfThought],
        &[M::Feasibility],
    ),
    means("Path Optimization", &[P::Mcts], &[M::Path]),
    means(
        "Constraint Satisfaction",
        &[P::Decomposition],
        &[M::Constraints],
    ),
    means("Gap Analysis", &[P::Decomposition], &[M::Gaps]),
    means("Anticipatory", &[P::Adversarial], &[M::Forecast]),
    means(
        "Argument Construction",
        &[P::ChainOfThought, P::Debate],
        &[M::Argument],
    ),
    means(
        "Evidence Assembly",
        &[P::Reflection],
        &[M::EvidenceWeighting],
    ),
];
