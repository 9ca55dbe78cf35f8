//! Supervisors as they are written down, and what can be wrong with that.

use std::collections::BTreeSet;
use std::fmt;

use adjutant_mission::{AgentId, MicroUsd};
use adjutant_rules::Rule;
use serde::{Deserialize, Serialize};

use crate::facts::{self, FACTS};

/// Supervisors of one mission, those of the settings included.
pub const SUPERVISORS_MAX: usize = 20;
pub const RULES_MAX: usize = 50;
pub const MEMBERS_MAX: usize = 9;
pub const BECAUSE_CHARS_MAX: usize = 300;
const REQUIREMENT_CHARS_MAX: usize = 500;
const NAME_CHARS_MAX: usize = 40;
const QUESTION_CHARS_MAX: usize = 1_000;
pub const LOOKS_MAX: u16 = 50;

/// What a supervisor can want, from the weakest to the strongest. The strongest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The mission goes on. Where it waits between two layers, the layer is passed.
    Continue,
    /// A model looks at what was found: a task is added that asks it.
    Look,
    /// Tasks that came to a stand are tried again.
    Retry,
    /// Tasks are added to the plan that serve what the rule requires.
    Replan,
    /// A person is asked whether to go on, and may change the plan.
    Ask,
    /// Nothing new starts until a person resumes the mission.
    Pause,
    Abort,
}

impl Action {
    pub const ALL: [Self; 7] = [
        Self::Continue,
        Self::Look,
        Self::Retry,
        Self::Replan,
        Self::Ask,
        Self::Pause,
        Self::Abort,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Look => "look",
            Self::Retry => "retry",
            Self::Replan => "replan",
            Self::Ask => "ask",
            Self::Pause => "pause",
            Self::Abort => "abort",
        }
    }

    /// Only a person may do it, so it is done in the name of the one who started the mission.
    pub fn needs_person(self) -> bool {
        matches!(
            self,
            Self::Continue | Self::Look | Self::Retry | Self::Replan
        )
    }

    /// Whether a rule can want it.
    pub fn is_for_rules(self) -> bool {
        !matches!(self, Self::Look | Self::Retry)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Supervisor {
    Rules(Rules),
    Panel(Panel),
    Background(Background),
    Model(Model),
}

/// Acts when one of its rules comes to hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub name: String,
    /// The built-in ones if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<WatchRule>,
}

/// Several members vote. What enough of them want, or more, is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    pub name: String,
    /// Security, performance and cost if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
    /// How many must want it.
    #[serde(default = "two")]
    pub needed: u8,
    /// Where the mission waits between layers, it goes on if enough members want nothing else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub passes_layers: bool,
}

fn two() -> u8 {
    2
}

/// Votes with the strongest of its rules that hold, and otherwise for going on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    pub name: String,
    /// Its vote alone is enough, and nobody can outvote it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub veto: bool,
    pub rules: Vec<WatchRule>,
}

/// Looks after a mission of hours or days: tries again what came to a stand, and asks a person when that does not help.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Background {
    pub name: String,
    /// How often each task is tried again before a person is asked.
    #[serde(default = "two_tries")]
    pub retries: u16,
    /// How long nothing may happen before a person is asked.
    #[serde(default = "six_hours")]
    pub quiet_minutes: u32,
}

fn two_tries() -> u16 {
    2
}

fn six_hours() -> u32 {
    360
}

/// Has a model look at the results of each layer, and acts when the model flags something in them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub name: String,
    /// What it looks for.
    pub question: String,
    /// What is done when something is flagged. What a model says can hold a mission up and never push it on.
    #[serde(default = "ask")]
    pub then: Action,
    /// What is less severe is passed over.
    #[serde(default)]
    pub from: Severity,
    /// How often it looks at most.
    #[serde(default = "five_looks")]
    pub looks: u16,
    /// The most that one look may cost.
    #[serde(default, with = "dollars", skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<MicroUsd>,
}

fn ask() -> Action {
    Action::Ask
}

fn five_looks() -> u16 {
    5
}

/// How severe it is what a model flags.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Low,
    #[default]
    Moderate,
    High,
}

/// An amount of money as people write it.
mod dollars {
    use adjutant_mission::MicroUsd;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(
        amount: &Option<MicroUsd>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match amount {
            Some(amount) => to.serialize_some(&(amount.0 as f64 / 1e6)),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<MicroUsd>, D::Error> {
        let Some(dollars) = Option::<f64>::deserialize(from)? else {
            return Ok(None);
        };
        if !(0.0..=1_000_000.0).contains(&dollars) {
            return Err(D::Error::custom(
                "`max_cost` is an amount in US dollars, such as 0.05",
            ));
        }
        Ok(Some(MicroUsd((dollars * 1e6).round() as u64)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchRule {
    pub name: String,
    /// A condition in CEL over the facts of the mission.
    pub when: String,
    pub then: Action,
    /// The reason, as it is recorded.
    pub because: String,
    /// Of a rule that changes the plan: what is needed besides, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
}

impl WatchRule {
    fn new(name: &str, when: &str, then: Action, because: &str) -> Self {
        Self {
            name: name.to_owned(),
            when: when.to_owned(),
            then,
            because: because.to_owned(),
            requirement: None,
        }
    }
}

const ERRORS: &str = "mission.errors > 3";
const LAYERS: &str = "mission.layers > 10";
const SPENT: &str = "has(mission.budget) && mission.cost > mission.budget * 0.8";

impl Rules {
    /// Those that are declared, or the built-in ones.
    pub(crate) fn effective(&self) -> Vec<WatchRule> {
        if !self.rules.is_empty() {
            return self.rules.clone();
        }
        vec![
            WatchRule::new(
                "too-many-errors",
                ERRORS,
                Action::Abort,
                "more than 3 attempts failed",
            ),
            WatchRule::new(
                "too-many-layers",
                LAYERS,
                Action::Abort,
                "more than 10 layers have ended",
            ),
            WatchRule::new(
                "unread-files",
                "size(mission.unread_file_types) > 0",
                Action::Ask,
                "files of a type were found that no task reads",
            ),
        ]
    }
}

impl Panel {
    pub(crate) fn effective(&self) -> Vec<Member> {
        if !self.members.is_empty() {
            return self.members.clone();
        }
        let member = |name: &str, veto, rules| Member {
            name: name.to_owned(),
            veto,
            rules,
        };
        vec![
            member(
                "security",
                true,
                vec![WatchRule::new(
                    "breach",
                    "mission.breaches > 0",
                    Action::Abort,
                    "an agent wanted what it may not do",
                )],
            ),
            member(
                "performance",
                false,
                vec![
                    WatchRule::new(
                        "errors",
                        ERRORS,
                        Action::Abort,
                        "more than 3 attempts failed",
                    ),
                    WatchRule::new(
                        "layers",
                        LAYERS,
                        Action::Abort,
                        "more than 10 layers have ended",
                    ),
                ],
            ),
            member(
                "cost",
                false,
                vec![
                    WatchRule::new(
                        "spent",
                        SPENT,
                        Action::Ask,
                        "more than 80 % of the budget is spent",
                    ),
                    WatchRule::new(
                        "errors",
                        ERRORS,
                        Action::Abort,
                        "failed attempts cost without a result",
                    ),
                ],
            ),
        ]
    }
}

/// Why a declaration cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Problem {
    /// Inside the list of supervisors: `[0].rules[2].when`.
    pub place: String,
    pub message: String,
}

impl Supervisor {
    pub fn name(&self) -> &str {
        match self {
            Self::Rules(rules) => &rules.name,
            Self::Panel(panel) => &panel.name,
            Self::Background(background) => &background.name,
            Self::Model(model) => &model.name,
        }
    }

    pub fn kind(&self) -> &'static str {
        match self {
            Self::Rules(_) => "rules",
            Self::Panel(_) => "panel",
            Self::Background(_) => "background",
            Self::Model(_) => "model",
        }
    }

    /// Everything that it may want.
    pub fn actions(&self) -> BTreeSet<Action> {
        match self {
            Self::Rules(rules) => rules.effective().iter().map(|rule| rule.then).collect(),
            Self::Panel(panel) => {
                let members = panel.effective();
                let rules = members.iter().flat_map(|member| &member.rules);
                let passes = panel.passes_layers.then_some(Action::Continue);
                rules.map(|rule| rule.then).chain(passes).collect()
            }
            Self::Background(background) if background.retries == 0 => [Action::Ask].into(),
            Self::Background(_) => [Action::Retry, Action::Ask].into(),
            Self::Model(model) => [Action::Look, model.then].into(),
        }
    }

    /// Who sends its commands.
    pub(crate) fn agent(&self) -> Option<AgentId> {
        AgentId::new(format!("supervisor:{}", self.name())).ok()
    }

    fn problems(&self, at: usize, found: &mut Vec<Problem>) {
        let mut say = |inside: &str, message: String| {
            found.push(Problem {
                place: format!("[{at}]{inside}"),
                message,
            });
        };
        let name = self.name();
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || self.agent().is_none() {
            say(
                ".name",
                format!(
                    "`{name:.60}` cannot be a name; use letters, digits, `-` and `_`, at most {NAME_CHARS_MAX}"
                ),
            );
        }
        match self {
            Self::Rules(rules) => check_rules(&rules.rules, "", &mut say),
            Self::Panel(panel) => check_panel(panel, &mut say),
            Self::Background(background) => {
                if background.quiet_minutes == 0 {
                    say(".quiet_minutes", "it must be at least 1".to_owned());
                }
            }
            Self::Model(model) => check_model(model, &mut say),
        }
    }
}

/// Everything that is wrong with a list of supervisors.
pub(crate) fn problems(supervisors: &[Supervisor]) -> Vec<Problem> {
    let mut found = Vec::new();
    if supervisors.len() > SUPERVISORS_MAX {
        found.push(Problem {
            place: String::new(),
            message: format!(
                "there are {} supervisors; the maximum is {SUPERVISORS_MAX}",
                supervisors.len()
            ),
        });
    }
    let mut names = BTreeSet::new();
    for (at, supervisor) in supervisors.iter().enumerate() {
        supervisor.problems(at, &mut found);
        if !names.insert(supervisor.name()) {
            found.push(Problem {
                place: format!("[{at}].name"),
                message: format!("two supervisors are called `{}`", supervisor.name()),
            });
        }
    }
    found
}

type Say<'a> = &'a mut dyn FnMut(&str, String);

fn check_rules(rules: &[WatchRule], inside: &str, say: Say<'_>) {
    if rules.len() > RULES_MAX {
        say(
            &format!("{inside}.rules"),
            format!(
                "there are {} rules; the maximum is {RULES_MAX}",
                rules.len()
            ),
        );
        return;
    }
    let mut names = BTreeSet::new();
    for (at, rule) in rules.iter().enumerate() {
        let place = |field: &str| format!("{inside}.rules[{at}].{field}");
        if rule.name.trim().is_empty() || rule.name.chars().count() > NAME_CHARS_MAX {
            say(
                &place("name"),
                format!("a name has 1 to {NAME_CHARS_MAX} characters"),
            );
        }
        if !names.insert(&rule.name) {
            say(
                &place("name"),
                format!("two rules are called `{}`", rule.name),
            );
        }
        if rule.because.trim().is_empty() || rule.because.chars().count() > BECAUSE_CHARS_MAX {
            say(
                &place("because"),
                format!("a reason has 1 to {BECAUSE_CHARS_MAX} characters"),
            );
        }
        if !rule.then.is_for_rules() {
            let kind = match rule.then {
                Action::Look => "model",
                _ => "background",
            };
            let then = rule.then;
            say(
                &place("then"),
                format!("a rule cannot {then}; a supervisor of the kind `{kind}` does"),
            );
        }
        match (&rule.requirement, rule.then) {
            (None, Action::Replan) => say(
                &place("requirement"),
                "a rule that changes the plan says what is needed, such as `Search PubMed for tennis elbow`"
                    .to_owned(),
            ),
            (Some(wanted), Action::Replan) => {
                let length = wanted.trim().chars().count();
                if length == 0 || length > REQUIREMENT_CHARS_MAX {
                    say(
                        &place("requirement"),
                        format!("a requirement has 1 to {REQUIREMENT_CHARS_MAX} characters"),
                    );
                }
            }
            (Some(_), _) => say(
                &place("requirement"),
                "it belongs to rules with `then: replan`".to_owned(),
            ),
            (None, _) => {}
        }
        if let Err(message) = check_condition(&rule.when) {
            say(&place("when"), message);
        }
    }
}

/// A condition that compiles, names only what there is, and can be evaluated for a mission in which nothing has happened and
/// for one in which everything has.
fn check_condition(when: &str) -> Result<(), String> {
    let rule = Rule::compile(when).map_err(|error| error.to_string())?;
    if let Some(other) = rule.variables().iter().find(|name| *name != "mission") {
        return Err(format!(
            "`{other}` is not known here; the facts are fields of `mission`, such as `mission.errors`"
        ));
    }
    if let Some(unknown) = unknown_fact(when) {
        let names: Vec<&str> = FACTS.iter().map(|fact| fact.name).collect();
        return Err(format!(
            "`mission.{unknown}` does not exist; the facts are {}",
            names.join(", ")
        ));
    }
    for sample in [facts::empty_sample(), facts::full_sample()] {
        rule.holds_for(&[("mission", &sample)])
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The first field of `mission` that is named outside quotes and that no mission has. Evaluating finds such a name only where
/// it gets to it.
fn unknown_fact(when: &str) -> Option<String> {
    let tokens = tokens(when);
    for (at, window) in tokens.windows(3).enumerate() {
        let [of, dot, name] = window else { continue };
        let is_field = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| before == ".");
        if of == "mission" && dot == "." && !is_field && !FACTS.iter().any(|it| it.name == name) {
            return Some(name.clone());
        }
    }
    None
}

/// The words and signs of a condition. A text in quotes is a single sign.
fn tokens(when: &str) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = when.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '"' || c == '\'' {
            while let Some(inside) = rest.next() {
                match inside {
                    '\\' => drop(rest.next()),
                    end if end == c => break,
                    _ => {}
                }
            }
            tokens.push("\"".to_owned());
        } else if is_word(c) {
            let mut word = String::from(c);
            while let Some(next) = rest.next_if(|next| is_word(*next)) {
                word.push(next);
            }
            tokens.push(word);
        } else if !c.is_whitespace() {
            tokens.push(String::from(c));
        }
    }
    tokens
}

fn check_model(model: &Model, say: Say<'_>) {
    let length = model.question.trim().chars().count();
    if length == 0 || length > QUESTION_CHARS_MAX {
        say(
            ".question",
            format!("a question has 1 to {QUESTION_CHARS_MAX} characters"),
        );
    }
    if model.question.contains("{{") {
        say(
            ".question",
            "a question cannot refer to results; the model is shown them".to_owned(),
        );
    }
    if !matches!(model.then, Action::Ask | Action::Pause | Action::Abort) {
        say(
            ".then",
            "what a model says leads to `ask`, `pause` or `abort`".to_owned(),
        );
    }
    if model.looks == 0 || model.looks > LOOKS_MAX {
        say(".looks", format!("it must be 1 to {LOOKS_MAX}"));
    }
}

fn check_panel(panel: &Panel, say: Say<'_>) {
    let members = panel.effective();
    if members.len() > MEMBERS_MAX {
        say(
            ".members",
            format!(
                "there are {} members; the maximum is {MEMBERS_MAX}",
                members.len()
            ),
        );
        return;
    }
    if panel.needed == 0 || usize::from(panel.needed) > members.len() {
        say(
            ".needed",
            format!("it must be 1 to {}, the number of members", members.len()),
        );
    }
    let mut names = BTreeSet::new();
    for (at, member) in panel.members.iter().enumerate() {
        let inside = format!(".members[{at}]");
        if member.name.trim().is_empty() || member.name.chars().count() > NAME_CHARS_MAX {
            say(
                &format!("{inside}.name"),
                format!("a name has 1 to {NAME_CHARS_MAX} characters"),
            );
        }
        if !names.insert(&member.name) {
            say(
                &format!("{inside}.name"),
                format!("two members are called `{}`", member.name),
            );
        }
        if member.rules.is_empty() {
            say(
                &format!("{inside}.rules"),
                "a member without rules never votes".to_owned(),
            );
        }
        check_rules(&member.rules, &inside, say);
    }
}

#[cfg(test)]
#[path = "declaration_tests.rs"]
mod tests;
