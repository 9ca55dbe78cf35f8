//! What is known of each of the twenty-four missions before anybody has written its graph: who leads it, who works on it,
//! with which tools, by which reasoning, what people are asked, and what it is likely to cost. Facts only.

use adjutant_mission::{MicroUsd, Millis};

/// What a mission is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    Understand,
    Evaluate,
    Decide,
    Investigate,
    Watch,
    Solve,
    Prepare,
}

impl Category {
    pub const ALL: [Self; 7] = [
        Self::Understand,
        Self::Evaluate,
        Self::Decide,
        Self::Investigate,
        Self::Watch,
        Self::Solve,
        Self::Prepare,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Understand => "understand",
            Self::Evaluate => "evaluate",
            Self::Decide => "decide",
            Self::Investigate => "investigate",
            Self::Watch => "watch",
            Self::Solve => "solve",
            Self::Prepare => "prepare",
        }
    }
}

/// From and to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range<T> {
    pub from: T,
    pub to: T,
}

/// The facts of a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissionFacts {
    pub id: &'static str,
    pub name: &'static str,
    /// What it is for, in a sentence.
    pub about: &'static str,
    pub category: Category,
    /// Who leads it.
    pub expert: &'static str,
    pub specialists: &'static [&'static str],
    pub workers: &'static [&'static str],
    tools_named: &'static [&'static str],
    /// How it reasons, in phrases that [`crate::phrase`] explains.
    pub reasoning: &'static [&'static str],
    /// What people are asked, by name.
    pub checkpoints: &'static [&'static str],
    /// Forecasts, never caps.
    pub cost: Range<MicroUsd>,
    pub time: Range<Millis>,
}

/// The experts who may lead a mission: its own, and those who lead missions of the same kind.
pub fn experts_of(mission: &MissionFacts) -> Vec<&'static str> {
    let mut experts = vec![mission.expert];
    for other in MISSIONS
        .iter()
        .filter(|other| other.category == mission.category)
    {
        if !experts.contains(&other.expert) {
            experts.push(other.expert);
        }
    }
    experts
}

const AMERICAN: &str = "L5-FDA";
const EUROPEAN: &str = "L5-EMA";

impl MissionFacts {
    /// The tools of the mission. Where the American agency is asked, the European one is asked too.
    pub fn tools(&self) -> Vec<&'static str> {
        let mut tools = self.tools_named.to_vec();
        if tools.contains(&AMERICAN) && !tools.contains(&EUROPEAN) {
            tools.push(EUROPEAN);
        }
        tools
    }

    /// What a worker may call in this mission: its own tools and the mission's.
    pub fn tools_of(&self, worker: &str) -> Vec<&'static str> {
        let own = crate::roster::agent(worker).map_or(&[][..], |worker| worker.tools);
        let mut tools = self.tools();
        tools.extend(own.iter().filter(|tool| !self.tools().contains(tool)));
        tools
    }
}

/// The facts of the mission of that id.
pub fn mission(id: &str) -> Option<&'static MissionFacts> {
    MISSIONS.iter().find(|mission| mission.id == id)
}

const fn cents(from: u64, to: u64) -> Range<MicroUsd> {
    Range {
        from: MicroUsd(from * 10_000),
        to: MicroUsd(to * 10_000),
    }
}

const fn minutes(from: u64, to: u64) -> Range<Millis> {
    Range {
        from: Millis::seconds(from * 60),
        to: Millis::seconds(to * 60),
    }
}

pub const MISSIONS: &[MissionFacts] = &[
    MissionFacts {
        id: "deep_dive",
        name: "Deep Dive",
        about: "Everything that is known of a subject, put in order, with what is disputed and what is missing",
        category: Category::Understand,
        expert: "L2-research-coordinator",
        specialists: &["L3-domain-expert", "L3-evidence-specialist"],
        workers: &["L4-DE", "L4-CS", "L4-PM", "L4-TL", "L4-GD", "L4-OE"],
        tools_named: &[
            "L5-RAG", "L5-PS", "L5-CT", "L5-PT", "L5-FDA", "L5-WEB", "L5-NEWS",
        ],
        reasoning: &["Tree-of-Thought", "Chain-of-Thought", "Reflection"],
        checkpoints: &["scope", "insight_validation", "final_review"],
        cost: cents(15, 30),
        time: minutes(15, 25),
    },
    MissionFacts {
        id: "knowledge_harvest",
        name: "Knowledge Harvest",
        about: "Knowledge collected from many sources into one checked collection",
        category: Category::Understand,
        expert: "L2-knowledge-curator",
        specialists: &["L3-collection-specialist"],
        workers: &["L4-DE", "L4-DP", "L4-QA", "L4-CM", "L4-GD", "L4-EV"],
        tools_named: &[
            "L5-RAG", "L5-PS", "L5-CT", "L5-FDA", "L5-WEB", "L5-NLP", "L5-PT",
        ],
        reasoning: &["ReAct", "Decomposition", "Reflection"],
        checkpoints: &[
            "scope_confirmation",
            "contradiction_resolution",
            "gap_review",
        ],
        cost: cents(10, 25),
        time: minutes(10, 20),
    },
    MissionFacts {
        id: "gap_discovery",
        name: "Gap Discovery",
        about: "What nobody knows yet of a subject, and which gap matters most",
        category: Category::Understand,
        expert: "L2-intelligence-analyst",
        specialists: &["L3-strategic-analyst"],
        workers: &["L4-GD", "L4-PS", "L4-OE", "L4-CS", "L4-RF"],
        tools_named: &["L5-RAG", "L5-PS", "L5-CT", "L5-NEWS", "L5-PT", "L5-WEB"],
        reasoning: &["Decomposition", "Adversarial", "Red Team"],
        checkpoints: &["knowledge_scope", "gap_prioritization"],
        cost: cents(8, 15),
        time: minutes(8, 15),
    },
    MissionFacts {
        id: "expert_onboarding",
        name: "Expert Onboarding",
        about: "A newcomer brought up to the level of a field, step by step",
        category: Category::Understand,
        expert: "L2-learning-mentor",
        specialists: &["L3-domain-expert"],
        workers: &["L4-DP", "L4-CS", "L4-SC", "L4-PM", "L4-OE"],
        tools_named: &["L5-RAG", "L5-PS", "L5-VIZ", "L5-WEB"],
        reasoning: &["Pedagogical Sequencing", "Analogical", "Socratic"],
        checkpoints: &[
            "learning_profile",
            "comprehension_check",
            "gap_identification",
        ],
        cost: cents(5, 10),
        time: minutes(10, 15),
    },
    MissionFacts {
        id: "critique",
        name: "Critique",
        about: "A document or an argument taken apart: what holds, what does not",
        category: Category::Evaluate,
        expert: "L2-quality-reviewer",
        specialists: &["L3-subject-matter-expert"],
        workers: &["L4-QA", "L4-GD", "L4-EV", "L4-CS", "L4-OE", "L4-RF"],
        tools_named: &["L5-RAG", "L5-PS", "L5-FDA", "L5-CALC"],
        reasoning: &["Rubric Evaluation", "Devil's Advocate"],
        checkpoints: &[
            "context_standards",
            "critical_issues_review",
            "fix_prioritization",
        ],
        cost: cents(5, 15),
        time: minutes(5, 15),
    },
    MissionFacts {
        id: "benchmark",
        name: "Benchmark",
        about: "Several things measured against each other by the same yardstick",
        category: Category::Evaluate,
        expert: "L2-performance-analyst",
        specialists: &["L3-benchmark-specialist"],
        workers: &["L4-CS", "L4-PS", "L4-CA", "L4-DE", "L4-PM"],
        tools_named: &["L5-RAG", "L5-PS", "L5-WEB", "L5-CALC", "L5-CT"],
        reasoning: &["Comparative Analysis", "Root Cause", "Prioritization"],
        checkpoints: &["benchmark_selection", "gap_significance"],
        cost: cents(8, 15),
        time: minutes(8, 15),
    },
    MissionFacts {
        id: "risk_assessment",
        name: "Risk Assessment",
        about: "What can go wrong, how bad and how likely it is, and what to do about it",
        category: Category::Evaluate,
        expert: "L2-risk-analyst",
        specialists: &["L3-risk-specialist", "L3-domain-expert"],
        workers: &["L4-RF", "L4-SC", "L4-PS", "L4-CA", "L4-EV"],
        tools_named: &["L5-RAG", "L5-FDA", "L5-PS", "L5-CALC", "L5-STAT"],
        reasoning: &["FMEA", "Probability", "Monte Carlo"],
        checkpoints: &["scope", "risk_validation", "mitigations"],
        cost: cents(10, 20),
        time: minutes(10, 20),
    },
    MissionFacts {
        id: "feasibility_check",
        name: "Feasibility Check",
        about: "Whether something can be done at all, with what, by when",
        category: Category::Evaluate,
        expert: "L2-feasibility-analyst",
        specialists: &["L3-technical-specialist", "L3-resource-specialist"],
        workers: &["L4-QA", "L4-RF", "L4-PS", "L4-SC", "L4-CA"],
        tools_named: &["L5-RAG", "L5-CALC", "L5-WEB", "L5-CT"],
        reasoning: &["Decomposition", "Constraint Analysis"],
        checkpoints: &["assumptions", "critical_path"],
        cost: cents(8, 15),
        time: minutes(8, 15),
    },
    MissionFacts {
        id: "decision_framing",
        name: "Decision Framing",
        about: "A decision made ready to be taken: who decides, on what, between what",
        category: Category::Decide,
        expert: "L2-decision-architect",
        specialists: &["L3-strategic-analyst"],
        workers: &["L4-SC", "L4-PS", "L4-OE", "L4-CA", "L4-RF"],
        tools_named: &["L5-RAG", "L5-CALC", "L5-WEB"],
        reasoning: &["Decision Analysis", "Multi-Criteria"],
        checkpoints: &["frame_validation", "criteria", "options"],
        cost: cents(8, 15),
        time: minutes(8, 15),
    },
    MissionFacts {
        id: "option_exploration",
        name: "Option Exploration",
        about: "The courses that are open, more than the obvious ones",
        category: Category::Decide,
        expert: "L2-options-strategist",
        specialists: &["L3-innovation-specialist"],
        workers: &["L4-HG", "L4-SC", "L4-QA", "L4-PS", "L4-OE"],
        tools_named: &["L5-RAG", "L5-PS", "L5-WEB", "L5-PT"],
        reasoning: &["Divergent Generation", "Feasibility Filter"],
        checkpoints: &["constraint_check", "option_review"],
        cost: cents(8, 12),
        time: minutes(8, 12),
    },
    MissionFacts {
        id: "trade_off_analysis",
        name: "Trade-off Analysis",
        about: "What is gained and what is given up with each choice",
        category: Category::Decide,
        expert: "L2-trade-off-analyst",
        specialists: &["L3-quantitative-analyst"],
        workers: &["L4-CS", "L4-PS", "L4-CA", "L4-SC"],
        tools_named: &["L5-RAG", "L5-CALC", "L5-STAT", "L5-VIZ"],
        reasoning: &["Multi-Criteria Analysis", "Sensitivity"],
        checkpoints: &["dimensions", "weights", "recommendation"],
        cost: cents(8, 15),
        time: minutes(8, 15),
    },
    MissionFacts {
        id: "go_no_go",
        name: "Go/No-Go",
        about: "Whether to go on, by stated criteria, with what would change the decision",
        category: Category::Decide,
        expert: "L2-decision-advisor",
        specialists: &["L3-risk-specialist", "L3-domain-expert"],
        workers: &["L4-EV", "L4-RF", "L4-PS", "L4-QA"],
        tools_named: &["L5-RAG", "L5-FDA", "L5-CALC", "L5-PS"],
        reasoning: &["Decision Tree", "Evidence Weighting"],
        checkpoints: &["criteria", "evidence", "recommendation"],
        cost: cents(10, 20),
        time: minutes(10, 20),
    },
    MissionFacts {
        id: "failure_forensics",
        name: "Failure Forensics",
        about: "Why something failed, traced to its causes",
        category: Category::Investigate,
        expert: "L2-forensic-analyst",
        specialists: &["L3-root-cause-specialist", "L3-domain-expert"],
        workers: &["L4-CA", "L4-HG", "L4-EV", "L4-TL", "L4-PM"],
        tools_named: &["L5-RAG", "L5-FDA", "L5-PS", "L5-CT", "L5-STAT"],
        reasoning: &["Root Cause Analysis", "Hypothesis Testing"],
        checkpoints: &["hypotheses", "evidence", "conclusions"],
        cost: cents(12, 25),
        time: minutes(15, 25),
    },
    MissionFacts {
        id: "signal_chasing",
        name: "Signal Chasing",
        about: "Whether an early sign is a signal or noise",
        category: Category::Investigate,
        expert: "L2-signal-analyst",
        specialists: &["L3-pharmacovigilance-specialist"],
        workers: &["L4-CA", "L4-PM", "L4-EV", "L4-RF", "L4-HG"],
        tools_named: &["L5-FDA", "L5-PS", "L5-RAG", "L5-STAT", "L5-CT"],
        reasoning: &["Causal Analysis", "Pattern Recognition"],
        checkpoints: &["characterization", "causality"],
        cost: cents(10, 20),
        time: minutes(10, 20),
    },
    MissionFacts {
        id: "due_diligence",
        name: "Due Diligence",
        about: "A company, a product or a claim checked before money or a name is put to it",
        category: Category::Investigate,
        expert: "L2-due-diligence-lead",
        specialists: &[
            "L3-regulatory-specialist",
            "L3-commercial-specialist",
            "L3-scientific-specialist",
        ],
        workers: &["L4-DE", "L4-QA", "L4-RF", "L4-GD", "L4-EV", "L4-CS"],
        tools_named: &[
            "L5-RAG", "L5-FDA", "L5-PS", "L5-CT", "L5-PT", "L5-WEB", "L5-NEWS",
        ],
        reasoning: &["Comprehensive Evaluation", "Risk-Adjusted"],
        checkpoints: &["scope", "red_flags", "recommendation"],
        cost: cents(20, 40),
        time: minutes(25, 40),
    },
    MissionFacts {
        id: "pattern_mining",
        name: "Pattern Mining",
        about: "What repeats itself in many cases",
        category: Category::Investigate,
        expert: "L2-pattern-analyst",
        specialists: &["L3-data-scientist"],
        workers: &["L4-PM", "L4-CA", "L4-DE", "L4-QA"],
        tools_named: &["L5-RAG", "L5-STAT", "L5-NLP", "L5-VIZ"],
        reasoning: &["Pattern Extraction", "Statistical Validation"],
        checkpoints: &["case_selection", "pattern_validation"],
        cost: cents(10, 20),
        time: minutes(10, 20),
    },
    MissionFacts {
        id: "horizon_scanning",
        name: "Horizon Scanning",
        about: "What is coming in a field, before it is here",
        category: Category::Watch,
        expert: "L2-horizon-scanner",
        specialists: &["L3-trend-analyst", "L3-technology-specialist"],
        workers: &["L4-PM", "L4-RF", "L4-PS", "L4-TL", "L4-HG"],
        tools_named: &["L5-WEB", "L5-NEWS", "L5-PS", "L5-PT", "L5-RAG"],
        reasoning: &["Environmental Scanning", "Impact Assessment"],
        checkpoints: &["scope", "prioritization", "monitoring"],
        cost: cents(8, 15),
        time: minutes(10, 15),
    },
    MissionFacts {
        id: "competitive_watch",
        name: "Competitive Watch",
        about: "What competitors do and what it means for us",
        category: Category::Watch,
        expert: "L2-competitive-intelligence-lead",
        specialists: &["L3-competitive-analyst"],
        workers: &["L4-DE", "L4-TL", "L4-PM", "L4-HG", "L4-CS"],
        tools_named: &["L5-NEWS", "L5-WEB", "L5-CT", "L5-FDA", "L5-PT", "L5-RAG"],
        reasoning: &["Intelligence Analysis", "Predictive"],
        checkpoints: &["focus", "predictions", "responses"],
        cost: cents(10, 20),
        time: minutes(10, 20),
    },
    MissionFacts {
        id: "trigger_monitoring",
        name: "Trigger Monitoring",
        about: "A state of things watched, with a word when it changes",
        category: Category::Watch,
        expert: "L2-alert-manager",
        specialists: &["L3-monitoring-specialist"],
        workers: &["L4-RF", "L4-PM", "L4-PS"],
        tools_named: &["L5-RAG", "L5-NEWS", "L5-FDA", "L5-CT"],
        reasoning: &["Event Detection", "Threshold Analysis"],
        checkpoints: &["trigger_definition", "alert_setup"],
        cost: cents(5, 10),
        time: minutes(5, 10),
    },
    MissionFacts {
        id: "get_unstuck",
        name: "Get Unstuck",
        about: "A way on where work has come to a halt",
        category: Category::Solve,
        expert: "L2-problem-solver",
        specialists: &["L3-creative-specialist"],
        workers: &["L4-HG", "L4-SC", "L4-OE", "L4-PS"],
        tools_named: &["L5-RAG", "L5-WEB", "L5-PS"],
        reasoning: &["Problem Reframing", "Socratic Dialogue"],
        checkpoints: &["problem_understanding", "options"],
        cost: cents(5, 10),
        time: minutes(5, 10),
    },
    MissionFacts {
        id: "alternative_finding",
        name: "Alternative Finding",
        about: "Something else that does the same",
        category: Category::Solve,
        expert: "L2-alternatives-finder",
        specialists: &["L3-options-specialist"],
        workers: &["L4-HG", "L4-QA", "L4-CS", "L4-PS"],
        tools_named: &["L5-RAG", "L5-PS", "L5-WEB", "L5-PT"],
        reasoning: &["Rapid Generation", "Feasibility Screening"],
        checkpoints: &["requirements", "options"],
        cost: cents(5, 10),
        time: minutes(5, 10),
    },
    MissionFacts {
        id: "path_finding",
        name: "Path Finding",
        about: "The way from here to a goal, step by step",
        category: Category::Solve,
        expert: "L2-path-optimizer",
        specialists: &["L3-operations-specialist"],
        workers: &["L4-SC", "L4-PS", "L4-RF", "L4-TL"],
        tools_named: &["L5-RAG", "L5-CALC", "L5-VIZ"],
        reasoning: &["Path Optimization", "Constraint Satisfaction"],
        checkpoints: &["goal_definition", "path_selection"],
        cost: cents(5, 10),
        time: minutes(5, 10),
    },
    MissionFacts {
        id: "meeting_prep",
        name: "Meeting Prep",
        about: "What somebody must know and ask before a meeting",
        category: Category::Prepare,
        expert: "L2-meeting-strategist",
        specialists: &["L3-content-specialist"],
        workers: &["L4-GD", "L4-OE", "L4-DE", "L4-SC"],
        tools_named: &["L5-RAG", "L5-PS", "L5-NEWS", "L5-WEB"],
        reasoning: &["Gap Analysis", "Anticipatory"],
        checkpoints: &["objectives", "qa_coverage"],
        cost: cents(5, 10),
        time: minutes(5, 10),
    },
    MissionFacts {
        id: "case_building",
        name: "Case Building",
        about: "A case argued for those who must agree to it",
        category: Category::Prepare,
        expert: "L2-case-builder",
        specialists: &["L3-persuasion-specialist"],
        workers: &["L4-EV", "L4-OE", "L4-CS", "L4-PS", "L4-CM"],
        tools_named: &["L5-RAG", "L5-PS", "L5-FDA", "L5-FMT", "L5-VIZ"],
        reasoning: &["Argument Construction", "Evidence Assembly"],
        checkpoints: &["audience", "evidence", "objections"],
        cost: cents(8, 15),
        time: minutes(8, 15),
    },
];
