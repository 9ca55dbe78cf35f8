//! Who works on missions: every agent of the five levels, by an id that never changes. What a level may use and which
//! models it asks is not repeated here: [`adjutant_questions::LevelFacts`] knows.

use adjutant_mission::AgentLevel;
use adjutant_questions::LevelFacts;

use crate::missions::{MISSIONS, MissionFacts};

/// An agent as it stands in the roster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RosterAgent {
    pub id: &'static str,
    pub level: AgentLevel,
    pub name: &'static str,
    /// What it is good for.
    pub about: &'static str,
    /// What it may call in any mission. Only workers call anything.
    pub tools: &'static [&'static str],
}

/// How many questions' worth of tokens an agent has for a whole mission.
pub const QUESTIONS_PER_LIFE: u64 = 20;

impl RosterAgent {
    /// What all its questions in one mission may use together.
    pub fn tokens_lifetime(&self) -> u64 {
        QUESTIONS_PER_LIFE * u64::from(LevelFacts::of(self.level).tokens_max)
    }

    /// The missions it takes part in, in the order of the catalogue.
    pub fn missions(&self) -> impl Iterator<Item = &'static MissionFacts> {
        let id = self.id;
        let level = self.level;
        MISSIONS.iter().filter(move |mission| match level {
            AgentLevel::L1 => true,
            AgentLevel::L2 => mission.expert == id,
            AgentLevel::L3 => mission.specialists.contains(&id),
            AgentLevel::L4 => mission.workers.contains(&id),
            AgentLevel::L5 => mission.tools().contains(&id),
        })
    }
}

/// The agent of that id.
pub fn agent(id: &str) -> Option<&'static RosterAgent> {
    ROSTER.iter().find(|agent| agent.id == id)
}

/// The agents of one level, in the order of the roster.
pub fn agents_of(level: AgentLevel) -> impl Iterator<Item = &'static RosterAgent> {
    ROSTER.iter().filter(move |agent| agent.level == level)
}

const fn senior(
    level: AgentLevel,
    id: &'static str,
    name: &'static str,
    about: &'static str,
) -> RosterAgent {
    RosterAgent {
        id,
        level,
        name,
        about,
        tools: &[],
    }
}

const fn expert(id: &'static str, name: &'static str, about: &'static str) -> RosterAgent {
    senior(AgentLevel::L2, id, name, about)
}

const fn specialist(id: &'static str, name: &'static str, about: &'static str) -> RosterAgent {
    senior(AgentLevel::L3, id, name, about)
}

const fn worker(
    id: &'static str,
    name: &'static str,
    about: &'static str,
    tools: &'static [&'static str],
) -> RosterAgent {
    RosterAgent {
        id,
        level: AgentLevel::L4,
        name,
        about,
        tools,
    }
}

const fn tool(id: &'static str, name: &'static str, about: &'static str) -> RosterAgent {
    senior(AgentLevel::L5, id, name, about)
}

/// Everybody: one master, the experts, the specialists, the workers and the tools.
pub const ROSTER: &[RosterAgent] = &[
    senior(
        AgentLevel::L1,
        "L1-master",
        "Master",
        "hands an objective to the expert it belongs to",
    ),
    // Experts lead a mission: one each.
    expert(
        "L2-research-coordinator",
        "Research Coordinator",
        "goes to the bottom of a subject",
    ),
    expert(
        "L2-knowledge-curator",
        "Knowledge Curator",
        "collects what is known and keeps it in order",
    ),
    expert(
        "L2-intelligence-analyst",
        "Intelligence Analyst",
        "finds what nobody has looked at",
    ),
    expert(
        "L2-learning-mentor",
        "Learning Mentor",
        "brings somebody up to date",
    ),
    expert(
        "L2-quality-reviewer",
        "Quality Reviewer",
        "tells what is wrong with a piece of work",
    ),
    expert(
        "L2-performance-analyst",
        "Performance Analyst",
        "measures against others",
    ),
    expert(
        "L2-risk-analyst",
        "Risk Analyst",
        "tells what can go wrong and how badly",
    ),
    expert(
        "L2-feasibility-analyst",
        "Feasibility Analyst",
        "tells whether something can be done",
    ),
    expert(
        "L2-decision-architect",
        "Decision Architect",
        "puts a decision into a form that can be decided",
    ),
    expert(
        "L2-options-strategist",
        "Options Strategist",
        "widens a choice",
    ),
    expert(
        "L2-trade-off-analyst",
        "Trade-off Analyst",
        "weighs what is gained against what is given up",
    ),
    expert(
        "L2-decision-advisor",
        "Decision Advisor",
        "advises for or against going on",
    ),
    expert(
        "L2-forensic-analyst",
        "Forensic Analyst",
        "finds out why something failed",
    ),
    expert(
        "L2-signal-analyst",
        "Signal Analyst",
        "follows a signal to its cause",
    ),
    expert(
        "L2-due-diligence-lead",
        "Due Diligence Lead",
        "examines a thing before it is bought or signed",
    ),
    expert(
        "L2-pattern-analyst",
        "Pattern Analyst",
        "finds what many cases have in common",
    ),
    expert(
        "L2-horizon-scanner",
        "Horizon Scanner",
        "sees early what is coming",
    ),
    expert(
        "L2-competitive-intelligence-lead",
        "Competitive Intelligence Lead",
        "watches rivals",
    ),
    expert(
        "L2-alert-manager",
        "Alert Manager",
        "decides what is worth an alarm",
    ),
    expert(
        "L2-problem-solver",
        "Problem Solver",
        "gets stuck work moving",
    ),
    expert(
        "L2-alternatives-finder",
        "Alternatives Finder",
        "finds what else would do",
    ),
    expert(
        "L2-path-optimizer",
        "Path Optimizer",
        "finds the way with the least cost",
    ),
    expert(
        "L2-meeting-strategist",
        "Meeting Strategist",
        "prepares a meeting",
    ),
    expert(
        "L2-case-builder",
        "Case Builder",
        "builds a case that stands up to questions",
    ),
    // Specialists analyse; a specialist may serve several missions.
    specialist(
        "L3-domain-expert",
        "Domain Expert",
        "knows the field in question",
    ),
    specialist(
        "L3-evidence-specialist",
        "Evidence Specialist",
        "judges how good evidence is",
    ),
    specialist(
        "L3-collection-specialist",
        "Collection Specialist",
        "knows where things are written",
    ),
    specialist(
        "L3-strategic-analyst",
        "Strategic Analyst",
        "sees what matters for the whole",
    ),
    specialist(
        "L3-subject-matter-expert",
        "Subject Matter Expert",
        "knows how such work should look",
    ),
    specialist(
        "L3-benchmark-specialist",
        "Benchmark Specialist",
        "knows what to measure against",
    ),
    specialist(
        "L3-risk-specialist",
        "Risk Specialist",
        "knows how things fail",
    ),
    specialist(
        "L3-technical-specialist",
        "Technical Specialist",
        "knows what is technically possible",
    ),
    specialist(
        "L3-resource-specialist",
        "Resource Specialist",
        "knows what people, money and time allow",
    ),
    specialist(
        "L3-innovation-specialist",
        "Innovation Specialist",
        "brings ideas from elsewhere",
    ),
    specialist(
        "L3-quantitative-analyst",
        "Quantitative Analyst",
        "puts numbers to a choice",
    ),
    specialist(
        "L3-root-cause-specialist",
        "Root Cause Specialist",
        "separates causes from symptoms",
    ),
    specialist(
        "L3-pharmacovigilance-specialist",
        "Pharmacovigilance Specialist",
        "knows reports of adverse events",
    ),
    specialist(
        "L3-regulatory-specialist",
        "Regulatory Specialist",
        "knows what agencies ask for",
    ),
    specialist(
        "L3-commercial-specialist",
        "Commercial Specialist",
        "knows markets and contracts",
    ),
    specialist(
        "L3-scientific-specialist",
        "Scientific Specialist",
        "knows the science behind a claim",
    ),
    specialist(
        "L3-data-scientist",
        "Data Scientist",
        "tests patterns against data",
    ),
    specialist(
        "L3-trend-analyst",
        "Trend Analyst",
        "tells a trend from noise",
    ),
    specialist(
        "L3-technology-specialist",
        "Technology Specialist",
        "knows what new technology can do",
    ),
    specialist(
        "L3-competitive-analyst",
        "Competitive Analyst",
        "knows what rivals do next",
    ),
    specialist(
        "L3-monitoring-specialist",
        "Monitoring Specialist",
        "knows what to watch and how closely",
    ),
    specialist(
        "L3-creative-specialist",
        "Creative Specialist",
        "looks at a problem from another side",
    ),
    specialist(
        "L3-options-specialist",
        "Options Specialist",
        "knows what could stand in for what",
    ),
    specialist(
        "L3-operations-specialist",
        "Operations Specialist",
        "knows how work gets done",
    ),
    specialist(
        "L3-content-specialist",
        "Content Specialist",
        "knows what listeners need to hear",
    ),
    specialist(
        "L3-persuasion-specialist",
        "Persuasion Specialist",
        "knows what convinces whom",
    ),
    // Workers do one kind of work, and call tools for it.
    worker(
        "L4-DE",
        "Data Extractor",
        "takes structured facts out of documents",
        &["L5-RAG", "L5-NLP"],
    ),
    worker(
        "L4-DP",
        "Document Processor",
        "reads, cuts up and sums up documents",
        &["L5-RAG", "L5-NLP", "L5-FMT"],
    ),
    worker(
        "L4-CM",
        "Citation Manager",
        "writes, checks and orders citations",
        &["L5-PS", "L5-RAG", "L5-FMT"],
    ),
    worker(
        "L4-QA",
        "Quality Assessor",
        "checks whether a thing is complete and consistent",
        &["L5-RAG", "L5-CALC"],
    ),
    worker(
        "L4-CS",
        "Comparison Synthesizer",
        "puts things side by side",
        &["L5-RAG", "L5-VIZ"],
    ),
    worker(
        "L4-TL",
        "Timeline Builder",
        "puts events in order of time",
        &["L5-RAG", "L5-VIZ"],
    ),
    worker(
        "L4-PM",
        "Pattern Matcher",
        "finds what things have in common",
        &["L5-RAG", "L5-NLP"],
    ),
    worker(
        "L4-GD",
        "Gap Detector",
        "finds what is missing",
        &["L5-RAG", "L5-PS"],
    ),
    worker(
        "L4-RF",
        "Risk Flagger",
        "points out what may become a problem",
        &["L5-RAG", "L5-FDA"],
    ),
    worker(
        "L4-EV",
        "Evidence Validator",
        "holds claims against sources",
        &["L5-PS", "L5-RAG", "L5-CT"],
    ),
    worker(
        "L4-HG",
        "Hypothesis Generator",
        "makes hypotheses that can be tested",
        &["L5-RAG", "L5-PS"],
    ),
    worker(
        "L4-CA",
        "Causal Analyzer",
        "tells what causes what",
        &["L5-RAG", "L5-STAT"],
    ),
    worker(
        "L4-SC",
        "Scenario Constructor",
        "builds scenarios that differ",
        &["L5-RAG", "L5-CALC"],
    ),
    worker(
        "L4-OE",
        "Objection Explorer",
        "finds what speaks against a claim",
        &["L5-RAG", "L5-PS"],
    ),
    worker(
        "L4-PS",
        "Priority Scorer",
        "ranks things by criteria",
        &["L5-CALC", "L5-RAG"],
    ),
    // Tools do one thing and decide nothing; what they cost stands in their manifests.
    tool(
        "L5-PS",
        "PubMed Search",
        "articles of the scientific literature",
    ),
    tool("L5-CT", "Clinical Trial Search", "registered studies"),
    tool("L5-PT", "Patent Search", "patents"),
    tool(
        "L5-FDA",
        "FDA Database",
        "what the American agency publishes",
    ),
    tool(
        "L5-RAG",
        "RAG Knowledge Search",
        "passages of our own documents",
    ),
    tool("L5-WEB", "Web Fetch", "pages of the web"),
    tool("L5-CALC", "Calculator Suite", "calculations"),
    tool("L5-NLP", "NLP Processor", "what stands in a text"),
    tool("L5-FMT", "Formatter", "citations and documents in form"),
    tool("L5-VIZ", "Visualizer", "charts"),
    tool("L5-NEWS", "News Search", "news and press"),
    tool(
        "L5-EMA",
        "EMA Database",
        "what the European agency publishes",
    ),
    tool("L5-STAT", "Statistical Analysis", "tests and simulations"),
];
