//! The agents of a plan file: who they are, and how one reasons.

use adjutant_mission::{
    AgentId, AgentLevel, AgentSpec, AgentWork, Complexity, ITERATIONS_MAX, Json, Pattern, Ppm,
    Reasoning, WorkSpec,
};

use crate::plan_fields::COUNT_MAX;
use crate::reader::{Fields, Place, Reader};
use crate::tree::{Node, Value};

pub(crate) const LEVELS: [(&str, AgentLevel); 5] = [
    ("L1", AgentLevel::L1),
    ("L2", AgentLevel::L2),
    ("L3", AgentLevel::L3),
    ("L4", AgentLevel::L4),
    ("L5", AgentLevel::L5),
];
pub(crate) const COMPLEXITIES: [(&str, Complexity); 3] = [
    ("simple", Complexity::Simple),
    ("ordinary", Complexity::Ordinary),
    ("complex", Complexity::Complex),
];
pub(crate) const PATTERNS: [(&str, Pattern); 11] = [
    ("chain_of_thought", Pattern::ChainOfThought),
    ("tree_of_thought", Pattern::TreeOfThought),
    ("react", Pattern::React),
    ("reflection", Pattern::Reflection),
    ("mcts", Pattern::Mcts),
    ("debate", Pattern::Debate),
    ("decomposition", Pattern::Decomposition),
    ("analogical", Pattern::Analogical),
    ("adversarial", Pattern::Adversarial),
    ("socratic", Pattern::Socratic),
    ("pedagogical", Pattern::Pedagogical),
];

impl Reader {
    /// The plan's `agents`. Tasks that name one take their level from it.
    pub(crate) fn agent_specs(&mut self, node: &Node, place: &Place<'_>) -> Option<Vec<AgentSpec>> {
        Some(self.several(node, place, Self::agent_spec))
    }

    fn agent_spec(&mut self, node: &Node, place: &Place<'_>) -> Option<AgentSpec> {
        let known = ["id", "level", "name", "started_by", "tokens"];
        let fields = self.fields(node, place, &known)?;
        let id: Option<AgentId> = self.needed(&fields, "id", Self::name);
        let level = self.needed(&fields, "level", |reader, node, place| {
            reader.choice(node, place, &LEVELS)
        });
        let name = self.field(&fields, "name", Self::filled_text);
        let started_by = self.field(&fields, "started_by", Self::name);
        let tokens_lifetime = self.field(&fields, "tokens", |reader, node, place| {
            reader.whole(node, place, 1..=COUNT_MAX)
        });
        let (id, level) = (id?, level?);
        self.know_agent(id.clone(), level);
        Some(AgentSpec {
            name: name.unwrap_or_else(|| id.as_str().to_owned()),
            id,
            level,
            started_by,
            tokens_lifetime,
        })
    }

    /// `agent: extract` or a map. Who does it says at which level, if it is not said here.
    pub(crate) fn agent(
        &mut self,
        node: &Node,
        place: &Place<'_>,
        task: &Fields<'_>,
        by: Option<&AgentId>,
    ) -> Option<WorkSpec> {
        let with = match task.find("with") {
            Some(_) => self.field(task, "with", Self::free_map),
            None => Json::parse("{}").ok(),
        };
        let of_agent = by.and_then(|by| self.agent_levels.get(by).copied());
        let plain = |purpose, with| AgentWork {
            level: of_agent.unwrap_or(AgentLevel::L4),
            purpose,
            with,
            domain: None,
            complexity: Complexity::default(),
            model: None,
            reasoning: None,
        };
        if matches!(node.value, Value::Plain(_) | Value::Quoted(_)) {
            let purpose = self.name(node, &Place::Field(place, "purpose"))?;
            return Some(WorkSpec::Agent(Box::new(plain(purpose, with?))));
        }
        let known = [
            "purpose",
            "level",
            "domain",
            "complexity",
            "model",
            "reasoning",
        ];
        let fields = self.fields(node, place, &known)?;
        let purpose = self.needed(&fields, "purpose", Self::name);
        let level = self.field(&fields, "level", |reader, node, place| {
            reader.choice(node, place, &LEVELS)
        });
        let complexity = self.field(&fields, "complexity", |reader, node, place| {
            reader.choice(node, place, &COMPLEXITIES)
        });
        let domain = self.field(&fields, "domain", Self::name);
        let model = self.field(&fields, "model", Self::name);
        let reasoning = self.field(&fields, "reasoning", Self::reasoning);
        let plain = plain(purpose?, with?);
        Some(WorkSpec::Agent(Box::new(AgentWork {
            level: level.unwrap_or(plain.level),
            domain,
            complexity: complexity.unwrap_or_default(),
            model,
            reasoning: reasoning.map(Box::new),
            ..plain
        })))
    }

    /// `reasoning: debate`, a list of patterns, or a map.
    pub fn reasoning(&mut self, node: &Node, place: &Place<'_>) -> Option<Reasoning> {
        let plain = |patterns| Reasoning {
            patterns,
            max_iterations: 3,
            confidence_threshold: Ppm(700_000),
            tools: Vec::new(),
        };
        if !matches!(node.value, Value::Map(_)) {
            return Some(plain(self.patterns(node, place)?));
        }
        let known = [
            "patterns",
            "max_iterations",
            "confidence_threshold",
            "tools",
        ];
        let fields = self.fields(node, place, &known)?;
        let patterns = self.needed(&fields, "patterns", Self::patterns);
        let iterations = self.field(&fields, "max_iterations", |reader, node, place| {
            reader.whole(node, place, 1..=i64::from(ITERATIONS_MAX))
        });
        let threshold = self.field(&fields, "confidence_threshold", Self::share);
        let tools = self.field(&fields, "tools", |reader, node, place| {
            Some(reader.several(node, place, Self::name))
        });
        let plain = plain(patterns?);
        Some(Reasoning {
            max_iterations: iterations.unwrap_or(plain.max_iterations),
            confidence_threshold: threshold.unwrap_or(plain.confidence_threshold),
            tools: tools.unwrap_or_default(),
            ..plain
        })
    }

    /// One pattern, or several that follow one another.
    fn patterns(&mut self, node: &Node, place: &Place<'_>) -> Option<Vec<Pattern>> {
        if matches!(node.value, Value::Plain(_) | Value::Quoted(_)) {
            return Some(vec![self.choice(node, place, &PATTERNS)?]);
        }
        Some(self.several(node, place, |reader, node, place| {
            reader.choice(node, place, &PATTERNS)
        }))
    }
}
