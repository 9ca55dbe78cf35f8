//! The fields of one task of a plan file.

use std::collections::BTreeMap;

use adjutant_mission::{
    AgentId, Approval, Approvers, CheckpointType, ChoiceOption, Dependency, DependencyKind,
    Estimate, Gate, GateRule, GateVerdict, Human, Json, Millis, OptionKey, Retry, Risk, Sandbox,
    SubMission, Task, TaskKey, ToolCall, Undo, WorkSpec, limits,
};

use crate::problem::code;
use crate::reader::{Fields, Place, Reader};
use crate::tree::{Node, Value};

pub(crate) const TASK_FIELDS: [&str; 21] = [
    "id",
    "title",
    "by",
    "tool",
    "agent",
    "with",
    "human",
    "gate",
    "mission",
    "after",
    "retry",
    "otherwise",
    "undo",
    "approval",
    "caps",
    "soft_caps",
    "resources",
    "estimate",
    "priority",
    "tags",
    "milestone",
];
const WORK_FIELDS: [&str; 5] = ["tool", "agent", "human", "gate", "mission"];

pub(crate) const APPROVALS: [(&str, Approval); 2] = [
    ("by_autonomy", Approval::ByAutonomy),
    ("always", Approval::Always),
];
pub(crate) const DEPENDENCY_KINDS: [(&str, DependencyKind); 4] = [
    ("FS", DependencyKind::FinishToStart),
    ("SS", DependencyKind::StartToStart),
    ("FF", DependencyKind::FinishToFinish),
    ("SF", DependencyKind::StartToFinish),
];
pub const CHECKPOINT_TYPES: [(&str, CheckpointType); 5] = [
    ("critical_decision", CheckpointType::CriticalDecision),
    ("plan_approval", CheckpointType::PlanApproval),
    ("tool_approval", CheckpointType::ToolApproval),
    ("subagent_approval", CheckpointType::SubagentApproval),
    ("final_review", CheckpointType::FinalReview),
];
pub(crate) const SANDBOXES: [(&str, Sandbox); 2] =
    [("light", Sandbox::Light), ("standard", Sandbox::Standard)];
pub(crate) const VERDICTS: [(&str, GateVerdict); 4] = [
    ("valid", GateVerdict::Valid),
    ("repairable", GateVerdict::Repairable),
    ("fatal", GateVerdict::Fatal),
    ("infeasible", GateVerdict::Infeasible),
];
pub(crate) const RISKS: [(&str, Risk); 3] = [
    ("low", Risk::Low),
    ("medium", Risk::Medium),
    ("high", Risk::High),
];

/// Stands for a name that could not be read, so that everything after it keeps its number.
fn stand_in(n: usize) -> String {
    format!("unreadable-name-number-{n}")
}

impl Reader {
    pub(crate) fn task(&mut self, node: &Node, place: &Place<'_>, n: usize) -> Option<Task> {
        let stand_in = || TaskKey::new(stand_in(n)).ok();
        let further = self.further_task_fields;
        let known = [&TASK_FIELDS[..], further].concat();
        let Some(fields) = self.fields(node, place, &known) else {
            self.names_lost = true;
            return Some(Task::new(stand_in()?, WorkSpec::Human(question_only("?"))));
        };
        let key = self.needed(&fields, "id", Self::name);
        self.names_lost |= key.is_none();
        let key = key.or_else(stand_in)?;
        let by: Option<AgentId> = self.field(&fields, "by", Self::name);
        let work = self.work(node, &fields, place, by.as_ref());
        let sound = work.is_some();
        let work = work.unwrap_or_else(|| WorkSpec::Human(question_only("?")));
        let mut task = Task::new(key, work);
        task.by = by;
        if let Some(title) = self.field(&fields, "title", Self::text) {
            task.title = title;
        }
        if let Some(after) = self.field(&fields, "after", Self::dependencies) {
            task.after = after;
        }
        if let Some(retry) = self.field(&fields, "retry", Self::retry) {
            task.retry = retry;
        }
        let alternative = self.field(&fields, "otherwise", Self::alternative);
        let undo = self.field(&fields, "undo", Self::undo);
        let approval = self.field(&fields, "approval", |reader, node, place| {
            reader.choice(node, place, &APPROVALS)
        });
        if sound {
            task.alternative = alternative;
            task.undo = undo;
            task.approval = approval.unwrap_or_default();
        }
        task.caps = self.field(&fields, "caps", Self::caps).unwrap_or_default();
        let soft = self.field(&fields, "soft_caps", Self::soft_caps);
        task.soft_caps = soft.unwrap_or_default();
        let names = self.field(&fields, "resources", |reader, node, place| {
            Some(reader.several(node, place, Self::name))
        });
        task.resources = names.unwrap_or_default();
        let estimate = self.field(&fields, "estimate", Self::money_and_duration);
        task.estimate = estimate.map(|(money, duration)| Estimate { money, duration });
        let priority = self.field(&fields, "priority", |reader, node, place| {
            reader.whole(node, place, i64::from(i16::MIN)..=i64::from(i16::MAX))
        });
        task.priority = priority.unwrap_or_default();
        task.tags = self.field(&fields, "tags", Self::texts).unwrap_or_default();
        let milestone = self.field(&fields, "milestone", Self::yes_or_no);
        task.milestone = milestone.unwrap_or_default();
        Some(task)
    }

    fn work(
        &mut self,
        node: &Node,
        fields: &Fields<'_>,
        place: &Place<'_>,
        by: Option<&AgentId>,
    ) -> Option<WorkSpec> {
        let mut kinds = Vec::new();
        for name in &WORK_FIELDS {
            kinds.extend(fields.find(name).map(|entry| (*name, entry)));
        }
        kinds.sort_by_key(|(_, entry)| entry.at);
        let remedy = "Give the task exactly one of `tool`, `agent`, `human`, `gate` or `mission`.";
        let Some((kind, entry)) = kinds.first().copied() else {
            let message = "this task has nothing to do";
            self.note(code::WORK, node.at, place, message, remedy);
            return None;
        };
        if let Some((second, entry)) = kinds.get(1) {
            let message =
                format!("a task does one thing, and this one has `{kind}` and `{second}`");
            let remedy = format!("{remedy} Split the rest off into a task of its own.");
            self.note(code::WORK, entry.at, place, message, remedy);
            return None;
        }
        if !matches!(kind, "tool" | "agent")
            && let Some(with) = fields.find("with")
        {
            let message =
                format!("`with` holds what a tool or an agent is given, and this is a {kind} task");
            let here = Place::Field(place, "with");
            self.report(code::SHAPE, with.at, &here, message, "Remove `with`.");
        }
        let here = Place::Field(place, kind);
        match kind {
            "tool" => self.tool_call(fields).map(WorkSpec::Tool),
            "agent" => self.agent(&entry.value, &here, fields, by),
            "human" => self.human(&entry.value, &here).map(WorkSpec::Human),
            "mission" => self.sub_mission(&entry.value, &here),
            _ => self.gate(&entry.value, &here).map(WorkSpec::Gate),
        }
    }

    fn tool_call(&mut self, fields: &Fields<'_>) -> Option<ToolCall> {
        let tool = self.needed(fields, "tool", Self::name);
        let with = match fields.find("with") {
            Some(_) => self.field(fields, "with", Self::free_map),
            None => Json::parse("{}").ok(),
        };
        Some(ToolCall {
            tool: tool?,
            with: with?,
        })
    }

    fn alternative(&mut self, node: &Node, place: &Place<'_>) -> Option<ToolCall> {
        let fields = self.fields(node, place, &["tool", "with"])?;
        self.tool_call(&fields)
    }

    fn sub_mission(&mut self, node: &Node, place: &Place<'_>) -> Option<WorkSpec> {
        let fields = self.fields(node, place, &["plan", "with", "sandbox"])?;
        let plan = self.needed(&fields, "plan", |reader, node, place| {
            Some(reader.plan(node, place))
        });
        let with = self.field(&fields, "with", Self::inputs);
        let sandbox = self.field(&fields, "sandbox", |reader, node, place| {
            reader.choice(node, place, &SANDBOXES)
        });
        Some(WorkSpec::Mission(Box::new(SubMission {
            plan: plan?,
            with,
            sandbox: sandbox.unwrap_or_default(),
        })))
    }

    fn undo(&mut self, node: &Node, place: &Place<'_>) -> Option<Undo> {
        let fields = self.fields(node, place, &["tool", "with", "retry"])?;
        let retry = self.field(&fields, "retry", Self::retry);
        let ToolCall { tool, with } = self.tool_call(&fields)?;
        Some(Undo {
            tool,
            with,
            retry: retry.unwrap_or_default(),
        })
    }

    /// `after: fetch`, `after: [fetch, {task: price, kind: SS, lag: 5s}]`.
    fn dependencies(&mut self, node: &Node, place: &Place<'_>) -> Option<Vec<Dependency>> {
        let mut n = 0;
        Some(self.several(node, place, |reader, node, place| {
            n += 1;
            reader.dependency(node, place).or_else(|| {
                reader.names_lost = true;
                finish_to_start(TaskKey::new(stand_in(n)).ok()?).into()
            })
        }))
    }

    fn dependency(&mut self, node: &Node, place: &Place<'_>) -> Option<Dependency> {
        if !matches!(node.value, Value::Map(_)) {
            return self.name(node, place).map(finish_to_start);
        }
        let fields = self.fields(node, place, &["task", "kind", "lag"])?;
        let task = self.needed(&fields, "task", Self::name);
        let kind = self.field(&fields, "kind", |reader, node, place| {
            reader.choice(node, place, &DEPENDENCY_KINDS)
        });
        let lag = self.field(&fields, "lag", Self::duration);
        Some(Dependency {
            task: task?,
            kind: kind.unwrap_or_default(),
            lag: lag.unwrap_or_default(),
        })
    }

    /// `retry: 3` or a map.
    fn retry(&mut self, node: &Node, place: &Place<'_>) -> Option<Retry> {
        let mut retry = Retry::default();
        let small = |reader: &mut Self, node: &Node, place: &Place<'_>| {
            reader.whole(node, place, 1..=i64::from(limits::ATTEMPTS_MAX))
        };
        if matches!(node.value, Value::Plain(_)) {
            retry.attempts = small(self, node, &Place::Field(place, "attempts"))?;
            return Some(retry);
        }
        let known = ["attempts", "backoff", "factor", "backoff_max"];
        let fields = self.fields(node, place, &known)?;
        if let Some(attempts) = self.field(&fields, "attempts", small) {
            retry.attempts = attempts;
        }
        if let Some(factor) = self.field(&fields, "factor", |reader, node, place| {
            reader.whole(node, place, 1..=100)
        }) {
            retry.factor = factor;
        }
        if let Some(backoff) = self.field(&fields, "backoff", Self::duration) {
            retry.backoff = backoff;
        }
        if let Some(backoff_max) = self.field(&fields, "backoff_max", Self::duration) {
            retry.backoff_max = backoff_max;
        }
        Some(retry)
    }

    /// `human: Is this right?` or a map.
    fn human(&mut self, node: &Node, place: &Place<'_>) -> Option<Human> {
        if matches!(node.value, Value::Plain(_) | Value::Quoted(_)) {
            let question = self.text(node, &Place::Field(place, "question"))?;
            return Some(question_only(&question));
        }
        let known = [
            "question",
            "kind",
            "options",
            "recommend",
            "on_modify",
            "because",
            "role",
            "approvers",
            "deadline",
        ];
        let fields = self.fields(node, place, &known)?;
        let question = self.needed(&fields, "question", Self::text);
        let mut human = question_only(&question.unwrap_or_default());
        if let Some(kind) = self.field(&fields, "kind", |reader, node, place| {
            reader.choice(node, place, &CHECKPOINT_TYPES)
        }) {
            human.kind = kind;
        }
        if let Some(options) = self.field(&fields, "options", Self::options) {
            human.options = options;
        }
        human.recommend = self.field(&fields, "recommend", Self::name);
        human.on_modify = self.field(&fields, "on_modify", Self::name);
        let because = self.field(&fields, "because", Self::text);
        human.because = because.unwrap_or_default();
        human.role = self.field(&fields, "role", Self::name);
        human.approvers = self.field(&fields, "approvers", Self::approvers);
        human.deadline = self.field(&fields, "deadline", Self::duration);
        Some(human)
    }

    /// Who must answer, and how many of them; for each kind of checkpoint that is named.
    pub(crate) fn approvers_by_kind(
        &mut self,
        node: &Node,
        place: &Place<'_>,
    ) -> Option<BTreeMap<CheckpointType, Approvers>> {
        let kinds = CHECKPOINT_TYPES.map(|(word, _)| word);
        let fields = self.fields(node, place, &kinds)?;
        let read = CHECKPOINT_TYPES.into_iter().filter_map(|(word, kind)| {
            let who = self.field(&fields, word, Self::approvers)?;
            Some((kind, who))
        });
        Some(read.collect())
    }

    fn approvers(&mut self, node: &Node, place: &Place<'_>) -> Option<Approvers> {
        let fields = self.fields(node, place, &["by", "needed"])?;
        let by = self.field(&fields, "by", |reader, node, place| {
            Some(reader.several(node, place, Self::name))
        });
        let needed = self.field(&fields, "needed", |reader, node, place| {
            reader.whole(node, place, 1..=i64::from(u8::MAX))
        });
        Some(Approvers {
            by: by.unwrap_or_default(),
            needed: needed.unwrap_or(1),
        })
    }

    pub fn options(&mut self, node: &Node, place: &Place<'_>) -> Option<Vec<ChoiceOption>> {
        let items = self.items(node, place)?.iter().enumerate();
        Some(
            items
                .filter_map(|(n, item)| self.option(item, &Place::Item(place, n), n))
                .collect(),
        )
    }

    fn option(&mut self, node: &Node, place: &Place<'_>, n: usize) -> Option<ChoiceOption> {
        let mut option = ChoiceOption {
            key: OptionKey::new(stand_in(n)).ok()?,
            label: String::new(),
            description: String::new(),
            pros: Vec::new(),
            cons: Vec::new(),
            cost: None,
            time: None,
            risk: None,
        };
        let known = [
            "key",
            "label",
            "description",
            "pros",
            "cons",
            "cost",
            "time",
            "risk",
        ];
        let Some(fields) = self.fields(node, place, &known) else {
            return Some(option);
        };
        if let Some(key) = self.needed(&fields, "key", Self::name) {
            option.key = key;
        }
        if let Some(label) = self.needed(&fields, "label", Self::filled_text) {
            option.label = label;
        }
        let description = self.field(&fields, "description", Self::text);
        option.description = description.unwrap_or_default();
        option.pros = self.field(&fields, "pros", Self::texts).unwrap_or_default();
        option.cons = self.field(&fields, "cons", Self::texts).unwrap_or_default();
        option.cost = self.field(&fields, "cost", Self::money);
        option.time = self.field(&fields, "time", Self::duration);
        option.risk = self.field(&fields, "risk", |reader, node, place| {
            reader.choice(node, place, &RISKS)
        });
        Some(option)
    }

    fn gate(&mut self, node: &Node, place: &Place<'_>) -> Option<Gate> {
        let fields = self.fields(node, place, &["rules", "return_to", "returns_max"])?;
        let rules = self.needed(&fields, "rules", |reader, node, place| {
            let items = reader.items(node, place)?.iter().enumerate();
            let read = |(n, item)| reader.rule(item, &Place::Item(place, n));
            Some(items.map(read).collect())
        });
        let returns_max = self.field(&fields, "returns_max", |reader, node, place| {
            reader.whole(node, place, 0..=i64::from(limits::GATE_RETURNS_MAX))
        });
        Some(Gate {
            rules: rules.unwrap_or_default(),
            return_to: self.field(&fields, "return_to", Self::name),
            returns_max: returns_max.unwrap_or(RETURNS_MAX_DEFAULT),
        })
    }

    fn rule(&mut self, node: &Node, place: &Place<'_>) -> GateRule {
        let mut rule = GateRule {
            when: String::new(),
            verdict: GateVerdict::Valid,
            because: String::new(),
        };
        let Some(fields) = self.fields(node, place, &["when", "verdict", "because"]) else {
            return rule;
        };
        if let Some(when) = self.needed(&fields, "when", Self::filled_text) {
            rule.when = when;
        }
        if let Some(verdict) = self.needed(&fields, "verdict", |reader, node, place| {
            reader.choice(node, place, &VERDICTS)
        }) {
            rule.verdict = verdict;
        }
        let because = self.field(&fields, "because", Self::text);
        rule.because = because.unwrap_or_default();
        rule
    }
}

pub(crate) const RETURNS_MAX_DEFAULT: u16 = 2;

fn finish_to_start(task: TaskKey) -> Dependency {
    Dependency {
        task,
        kind: DependencyKind::FinishToStart,
        lag: Millis::ZERO,
    }
}

fn question_only(question: &str) -> Human {
    Human {
        question: question.to_owned(),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    }
}
