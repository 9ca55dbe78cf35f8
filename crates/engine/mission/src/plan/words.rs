//! A plan in words, for whoever decides on it.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

use super::{Caps, Plan, Task, ToolCall, ToolTable, WorkSpec};
use crate::{EffectClass, Json};

/// How many tasks are written out with what they do.
const STEPS_MAX: usize = 60;
/// How much is shown of the arguments of a call that changes nothing, in characters.
const READS_CHARS_MAX: usize = 160;
/// How much is shown of the arguments of a call that changes something, or may.
const CHANGES_CHARS_MAX: usize = 1_000;
/// How much is shown of all arguments together.
const ARGUMENTS_CHARS_MAX: usize = 8_000;
const WITH: &str = " with ";

impl Plan {
    /// Its tasks, a line each: what each does and with what, those of sub-missions below them. Long arguments are cut
    /// and say so.
    pub(crate) fn steps_in_words(&self, tools: &ToolTable) -> String {
        let mut steps = Steps {
            lines: Vec::new(),
            more: 0,
            left: ARGUMENTS_CHARS_MAX,
        };
        steps.add(self, "", tools);
        if steps.more > 0 {
            steps.lines.push(format!("and {} more", steps.more));
        }
        steps.lines.join("\n")
    }
}

struct Steps {
    lines: Vec<String>,
    /// How many there was no room for.
    more: usize,
    /// How many characters of arguments there is room for.
    left: usize,
}

impl Steps {
    fn add(&mut self, plan: &Plan, above: &str, tools: &ToolTable) {
        for (n, task) in plan.tasks.iter().enumerate() {
            let number = format!("{above}{}.", n + 1);
            if self.lines.len() < STEPS_MAX {
                let parts = task.parts_in_words(tools).into_iter();
                let parts: Vec<String> = parts.map(|part| part.shown(&mut self.left)).collect();
                let name = one_line(task.name());
                self.lines
                    .push(format!("{number} {name}: {}", parts.join(" · ")));
            } else {
                self.more += 1;
            }
            if let WorkSpec::Mission(sub) = &task.work {
                self.add(&sub.plan, &number, tools);
            }
        }
    }
}

/// One thing that a task does, or does if something happens.
struct Part {
    does: String,
    before_with: &'static str,
    with: String,
    /// How much of its arguments is shown, in characters.
    chars_max: usize,
}

impl Part {
    fn call(does: String, call: &ToolCall, tools: &ToolTable) -> Self {
        let facts = tools.get(&call.tool);
        let reads =
            facts.is_some_and(|facts| matches!(facts.class, EffectClass::Pure | EffectClass::Paid));
        Self {
            does,
            before_with: WITH,
            with: match reads {
                true => literals_in_words(call.with.text()),
                false => fields_in_words(call.with.text()),
            },
            chars_max: if reads {
                READS_CHARS_MAX
            } else {
                CHANGES_CHARS_MAX
            },
        }
    }

    /// In words, with as much of its arguments as there is room for.
    fn shown(&self, left: &mut usize) -> String {
        let with = cut(&one_line(&self.with), self.chars_max.min(*left));
        *left = left.saturating_sub(with.chars().count());
        match with.is_empty() {
            true => self.does.clone(),
            false => format!("{}{}{with}", self.does, self.before_with),
        }
    }
}

impl Task {
    /// What it does, in a few words.
    pub(super) fn does(&self) -> String {
        match &self.work {
            WorkSpec::Tool(call) => format!("calls `{}`", call.tool),
            WorkSpec::Agent(agent) => {
                let asks = format!("asks a model ({})", agent.purpose);
                let tools = agent.reasoning.iter().flat_map(|how| &how.tools);
                let tools: Vec<String> = tools.map(|tool| format!("`{tool}`")).collect();
                match tools.is_empty() {
                    true => asks,
                    false => format!("{asks} that may call {}", tools.join(", ")),
                }
            }
            WorkSpec::Mission(sub) => format!("runs the plan “{}”", sub.plan.title),
            WorkSpec::Human(_) => "asks a person".into(),
            WorkSpec::Gate(_) => "checks what came before".into(),
        }
    }

    /// Everything it may do: its work, what is tried if that fails, and what undoes it.
    fn parts_in_words(&self, tools: &ToolTable) -> Vec<Part> {
        let other = |with: String, chars_max| Part {
            does: self.does(),
            before_with: WITH,
            with,
            chars_max,
        };
        let work = match &self.work {
            WorkSpec::Tool(call) => Part::call(self.does(), call, tools),
            WorkSpec::Agent(agent) => other(literals_in_words(agent.with.text()), READS_CHARS_MAX),
            WorkSpec::Mission(sub) => {
                let with = sub.with.as_ref().map_or("", Json::text);
                other(fields_in_words(with), CHANGES_CHARS_MAX)
            }
            WorkSpec::Human(human) => Part {
                before_with: ": ",
                ..other(human.question.clone(), READS_CHARS_MAX)
            },
            WorkSpec::Gate(_) => other(String::new(), 0),
        };
        let alternative = self
            .alternative
            .iter()
            .map(|call| Part::call(format!("if that fails, calls `{}`", call.tool), call, tools));
        let undo = self
            .undo
            .iter()
            .map(|undo| Part::call(format!("is undone by `{}`", undo.tool), &undo.call(), tools));
        core::iter::once(work)
            .chain(alternative)
            .chain(undo)
            .collect()
    }
}

impl Caps {
    /// The limits that are set.
    pub(crate) fn in_words(&self) -> Option<String> {
        let limits = [
            self.money.map(|money| money.to_string()),
            self.tokens.map(|tokens| format!("{tokens} tokens")),
            self.turns.map(|turns| format!("{turns} calls")),
            self.wall_time
                .map(|time| format!("{} minutes", time.0.div_ceil(60_000))),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        (!limits.is_empty()).then(|| limits.join(" · "))
    }
}

/// The fields of a JSON object on one line: strings without their quotes, anything else as written.
pub(crate) fn fields_in_words(json: &str) -> String {
    chosen_in_words(json, |_| true)
}

/// The same without what only hands on an input or a result.
fn literals_in_words(json: &str) -> String {
    chosen_in_words(json, |value| !is_handed_on(value))
}

fn chosen_in_words(json: &str, is_chosen: impl Fn(&Value) -> bool) -> String {
    let Ok(fields) = serde_json::from_str::<BTreeMap<String, Value>>(json) else {
        return String::new();
    };
    let fields = fields.into_iter().filter(|(_, value)| is_chosen(value));
    let fields = fields.map(|(name, value)| match value {
        Value::String(text) => format!("{name}: {text}"),
        other => format!("{name}: {other}"),
    });
    let fields: Vec<String> = fields.collect();
    fields.join(" · ")
}

/// Whether nothing is in it but references.
fn is_handed_on(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let inside = text.trim().strip_prefix("{{");
            let inside = inside.and_then(|text| text.strip_suffix("}}"));
            inside.is_some_and(|one| !one.contains("}}"))
        }
        Value::Array(items) => !items.is_empty() && items.iter().all(is_handed_on),
        Value::Object(fields) => !fields.is_empty() && fields.values().all(is_handed_on),
        _ => false,
    }
}

/// On one line, so that no text can pass for the line of another task.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

pub(crate) fn cut(line: &str, chars_max: usize) -> String {
    let all = line.chars().count();
    if all <= chars_max {
        return line.into();
    }
    let begin: String = line.chars().take(chars_max).collect();
    let begin = begin.trim_end();
    format!("{begin}… ({} more characters)", all - begin.chars().count())
}
