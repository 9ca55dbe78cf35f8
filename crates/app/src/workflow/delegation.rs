//! A task that is handed to an agent of ours: it reasons over what earlier tasks gave, with the tools that it was given,
//! and its conclusion is the task's output.

use adjutant_mission::{ITERATIONS_MAX, MicroUsd, ToolId};
use adjutant_plans::reading::nearest;
use serde_json::{Value, json};

use super::graph::{PlanIs, TaskForm, only_reads};
use super::unfit;
use crate::error::AppError;
use crate::plan_checker::PlanChecker;

/// As many as one agent can keep apart; plans have the same limit.
const TOOLS_MAX: usize = 20;
/// A pattern with fewer letters than this names nothing in particular.
const LETTERS_MIN: usize = 2;
const ITERATIONS_DEFAULT: u16 = 3;
const TIMEOUT_MAX: u64 = 24 * 3_600_000;

pub(super) struct Delegation {
    pub(super) title: String,
    /// The field `agent` of a plan file.
    pub(super) agent: Value,
    pub(super) input: Value,
    /// In milliseconds.
    pub(super) time: Option<u64>,
}

pub(super) fn delegation(
    task: &TaskForm,
    checker: &PlanChecker,
    plan: PlanIs,
) -> Result<Delegation, AppError> {
    let goal = goal(task)?;
    let iterations = task.max_iterations.unwrap_or(ITERATIONS_DEFAULT);
    if !(1..=ITERATIONS_MAX).contains(&iterations) {
        return Err(unfit(
            "ADJ-6221",
            format!("`max_iterations` is 1 to {ITERATIONS_MAX}, not {iterations}"),
            "Use a smaller number, or several tasks one after another.",
        ));
    }
    if task
        .timeout
        .is_some_and(|time| !(1..=TIMEOUT_MAX).contains(&time))
    {
        return Err(unfit(
            "ADJ-6221",
            format!("`timeout` is 1 to {TIMEOUT_MAX} milliseconds"),
            "60000 is one minute.",
        ));
    }
    let tools = tools(&task.agent_tools, checker, plan)?;
    let pattern = match tools.is_empty() {
        true => "chain_of_thought",
        false => "react",
    };
    let mut agent = model(task.agent_model.as_deref())?;
    agent["purpose"] = "conclude".into();
    agent["level"] = "L4".into();
    agent["reasoning"] = json!({
        "patterns": [pattern],
        "max_iterations": iterations,
        "tools": tools,
    });
    let role = task.agent_role.as_deref().map(str::trim);
    let role = role.filter(|role| !role.is_empty());
    // What others wrote must stay data: only the caller's own words are a question.
    let question = match role {
        Some(role) => format!("As {role}: {goal}"),
        None => goal.to_owned(),
    };
    let sources = task.depends_on.iter().map(|on| {
        json!({ "id": on, "title": format!("Output of {on}"), "text": format!("Output: {{{{{on}.output}}}}") })
    });
    Ok(Delegation {
        title: role.unwrap_or(goal).chars().take(80).collect(),
        agent,
        input: json!({ "question": question, "sources": sources.collect::<Vec<_>>() }),
        time: task.timeout,
    })
}

/// What the agent is to find out.
pub(super) fn goal(task: &TaskForm) -> Result<&str, AppError> {
    match task.agent_goal.as_deref().unwrap_or_default().trim() {
        "" => Err(unfit(
            "ADJ-6221",
            "an agent_delegation needs `agent_goal`: what the agent is to find out",
            "Write it as a question or a task in one or two sentences.",
        )),
        goal => Ok(goal),
    }
}

/// The most that the task may cost. It is reserved out of the workflow's budget call by call.
pub(super) fn most_money(task: &TaskForm) -> Result<Option<MicroUsd>, AppError> {
    match task.max_cost {
        None => Ok(None),
        Some(dollars) if (0.0..=1_000_000.0).contains(&dollars) => {
            Ok(Some(MicroUsd((dollars * 1e6).round() as u64)))
        }
        Some(_) => Err(unfit(
            "ADJ-6221",
            "`max_cost` is an amount in US dollars",
            "Write it as a number, such as 0.50.",
        )),
    }
}

/// Which model answers: one of ours by its provider, or a size, for which the settings name models.
fn model(wanted: Option<&str>) -> Result<Value, AppError> {
    Ok(match wanted.map(str::trim) {
        None | Some("sonnet" | "medium") => json!({}),
        Some("haiku" | "small" | "fast") => json!({ "complexity": "simple" }),
        Some("opus" | "large") => json!({ "complexity": "complex" }),
        Some(named) if named.contains('/') => json!({ "model": named }),
        Some(other) => {
            return Err(unfit(
                "ADJ-6223",
                match other {
                    "" => "`agent_model` is empty".to_owned(),
                    other => format!("`agent_model`: there is no model or size `{other:.60}`"),
                },
                "Use `haiku` (small), `sonnet` (medium), `opus` (large), or a model that the settings name, as `provider/model`.",
            ));
        }
    })
}

/// The tools that an agent gets. A pattern stands only for tools that read; what changes anything must be named.
fn tools(wanted: &[String], checker: &PlanChecker, plan: PlanIs) -> Result<Vec<ToolId>, AppError> {
    let known: Vec<(&ToolId, bool)> = checker
        .registry()
        .manifests()
        .map(|manifest| (&manifest.id, only_reads(manifest.class)))
        .collect();
    let mut chosen: Vec<ToolId> = Vec::new();
    for wanted in wanted {
        let fits = match wanted.contains('*') {
            true => matching(wanted, &known)?,
            false => vec![named(wanted, &known, plan)?],
        };
        for tool in fits {
            if !chosen.contains(&tool) {
                chosen.push(tool);
            }
        }
    }
    if chosen.len() > TOOLS_MAX {
        return Err(unfit(
            "ADJ-6225",
            format!(
                "`agent_tools` stands for {} tools; an agent can have {TOOLS_MAX}",
                chosen.len()
            ),
            "Name the tools that the agent needs.",
        ));
    }
    Ok(chosen)
}

fn matching(pattern: &str, known: &[(&ToolId, bool)]) -> Result<Vec<ToolId>, AppError> {
    let letters = pattern.chars().filter(|c| c.is_ascii_alphanumeric());
    if letters.count() < LETTERS_MIN {
        return Err(unfit(
            "ADJ-6225",
            format!("`{pattern:.60}` in `agent_tools` stands for almost every tool"),
            "Name the tools, or use a pattern that begins like them, such as `L5-*`.",
        ));
    }
    let fits = known
        .iter()
        .filter(|(tool, reads)| *reads && fits(pattern, tool.as_str()));
    let fits: Vec<ToolId> = fits.map(|(tool, _)| (*tool).clone()).collect();
    if fits.is_empty() {
        return Err(unfit(
            "ADJ-6224",
            format!("`{pattern:.60}` in `agent_tools` stands for no tool that only reads"),
            "See `search_tools`. A tool that changes something must be named without `*`.",
        ));
    }
    Ok(fits)
}

fn named(wanted: &str, known: &[(&ToolId, bool)], plan: PlanIs) -> Result<ToolId, AppError> {
    let found = known.iter().find(|(tool, _)| tool.as_str() == wanted);
    let Some((tool, reads)) = found else {
        let near = nearest(wanted, known.iter().map(|(tool, _)| tool.as_str()));
        let help = match near {
            Some(near) => format!("Did you mean `{near}`? `search_tools` lists them all."),
            None => "`search_tools` lists all tools.".to_owned(),
        };
        return Err(unfit(
            "ADJ-6224",
            format!("there is no tool `{wanted:.60}` for `agent_tools`"),
            help,
        ));
    };
    if !reads && plan == PlanIs::Unseen {
        return Err(unfit(
            "ADJ-6226",
            format!(
                "the agent would get `{tool}`, which changes something, and no person sees this task before it runs"
            ),
            "Give the agent tools that only read, and make the change a task of its own: a person is asked about that call.",
        ));
    }
    Ok((*tool).clone())
}

/// Whether a name fits a pattern, in which `*` stands for any characters.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name, does) in [
            ("web_search:*", "web_search:scrape", true),
            ("web_search:*", "web_searcher", false),
            ("*.read_*", "files.read_text", true),
            ("*.read_*", "read_text", false),
            ("L5-PS", "L5-PS", true),
            ("L5-PS", "L5-PSX", false),
            ("a*a", "a", false),
            ("a*b*c", "a1b2c", true),
            ("a**c", "ac", true),
        ] {
            assert_eq!(fits(pattern, name), does, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_that_stands_for_everything_is_refused() {
        let tools: Vec<ToolId> = ["noop", "calc", "write_file"]
            .map(|id| ToolId::new(id).unwrap())
            .into();
        let known: Vec<(&ToolId, bool)> = tools
            .iter()
            .map(|id| (id, id.as_str() != "write_file"))
            .collect();
        for everything in ["*", "**", "*:*", "a*", "*_*"] {
            let error = matching(everything, &known).unwrap_err();
            assert!(error.has_code("ADJ-6225"), "{everything}");
        }
        // A pattern never stands for a tool that changes something.
        let error = matching("write*", &known).unwrap_err();
        assert!(error.has_code("ADJ-6224"));
        assert!(named("write_file", &known, PlanIs::ShownFirst).is_ok());
        let error = named("write_file", &known, PlanIs::Unseen).unwrap_err();
        assert!(error.has_code("ADJ-6226"));
    }

    #[test]
    fn model_names_of_the_day_are_sizes() {
        assert_eq!(model(Some("haiku")).unwrap()["complexity"], "simple");
        assert_eq!(model(None).unwrap(), json!({}));
        assert_eq!(model(Some("local/qwen")).unwrap()["model"], "local/qwen");
        for unknown in ["gpt", "", " "] {
            let error = model(Some(unknown)).unwrap_err();
            assert!(error.has_code("ADJ-6223"), "{unknown:?}");
        }
    }
}
