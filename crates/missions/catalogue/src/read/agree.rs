//! What the parts of a template must agree on: who is on the team, who calls what, which inputs and checkpoints there are.

use adjutant_mission::{AgentId, AgentLevel, Reference, WorkSpec, references, references_in_json};
use adjutant_plans::reading::{Node, Place, Reader, code, nearest};
use adjutant_plans::{MISSION_TYPE_INPUT, SUPERVISORS_INPUT};

use crate::inputs::{GIVEN, is_fillable};
use crate::roster;
use crate::team::{may_call, team};
use crate::template::{Template, TemplateTask};

pub(super) fn check(reader: &mut Reader, template: &Template, root: &Node) {
    let mut report = Report { reader, root };
    on_the_roster(&mut report, template);
    who_does_what(&mut report, template);
    asked_of_people(&mut report, template);
    other_tasks(&mut report, template);
    given(&mut report, template);
}

struct Report<'a> {
    reader: &'a mut Reader,
    root: &'a Node,
}

impl Report<'_> {
    fn wrong(&mut self, place: &Place<'_>, message: String, remedy: impl Into<String>) {
        let at = self.root.locate(&place.to_string());
        self.reader.report(code::VALUE, at, place, message, remedy);
    }
}

fn on_the_roster(report: &mut Report<'_>, template: &Template) {
    let expert = Place::Field(&Place::Root, "expert");
    of_level(report, &expert, template.expert.as_str(), AgentLevel::L2);
    for (field, agents, level) in [
        ("specialists", &template.specialists, AgentLevel::L3),
        ("workers", &template.workers, AgentLevel::L4),
    ] {
        let list = Place::Field(&Place::Root, field);
        for (at, agent) in agents.iter().enumerate() {
            of_level(report, &Place::Item(&list, at), agent.as_str(), level);
        }
    }
    let list = Place::Field(&Place::Root, "tools");
    for (at, tool) in template.tools.iter().enumerate() {
        of_level(
            report,
            &Place::Item(&list, at),
            tool.as_str(),
            AgentLevel::L5,
        );
    }
}

fn of_level(report: &mut Report<'_>, place: &Place<'_>, id: &str, level: AgentLevel) {
    let wanted = level.name();
    match roster::agent(id) {
        Some(agent) if agent.level == level => {}
        Some(agent) => {
            let message = format!(
                "`{id}` is an {}, and an {wanted} stands here",
                agent.level.name()
            );
            report.wrong(place, message, format!("Name an {wanted} of the roster."));
        }
        None => {
            let known: Vec<&str> = roster::agents_of(level).map(|agent| agent.id).collect();
            let remedy = match nearest(id, known) {
                Some(near) => format!("Write `{near}`."),
                None => format!("Name an {wanted} of the roster."),
            };
            report.wrong(place, format!("the roster has no `{id}`"), remedy);
        }
    }
}

fn who_does_what(report: &mut Report<'_>, template: &Template) {
    let tasks = Place::Field(&Place::Root, "tasks");
    for (at, entry) in template.tasks.iter().enumerate() {
        let (task, here) = (&entry.task, Place::Item(&tasks, at));
        let by = Place::Field(&here, "by");
        if let Some(agent) = &task.by
            && !team(template).any(|member| member == agent)
        {
            let message = format!("`{agent}` does not work on this mission");
            let remedy = "Name the expert, or one of `specialists` and `workers`.";
            report.wrong(&by, message, remedy);
        }
        match &task.work {
            WorkSpec::Tool(call) if is_agents_tool(call.tool.as_str()) => match &task.by {
                Some(worker) => calls(report, template, &by, worker, call.tool.as_str()),
                None => {
                    let message = format!("nobody is named who calls `{}`", call.tool);
                    let remedy = "Add `by:` with a worker of this mission.";
                    report.wrong(&by, message, remedy);
                }
            },
            WorkSpec::Agent(work) => {
                if task.by.is_none() {
                    let message = "nobody is named who answers this".to_owned();
                    let remedy = "Add `by:` with an agent of this mission.";
                    report.wrong(&by, message, remedy);
                }
                let (Some(worker), Some(reasoning)) = (&task.by, &work.reasoning) else {
                    continue;
                };
                let agent = Place::Field(&here, "agent");
                let thinks = Place::Field(&agent, "reasoning");
                for tool in &reasoning.tools {
                    calls(report, template, &thinks, worker, tool.as_str());
                }
            }
            _ => {}
        }
    }
}

/// What is done for each item of a list, or in the place of another task, names a task of the template.
fn other_tasks(report: &mut Report<'_>, template: &Template) {
    let tasks = Place::Field(&Place::Root, "tasks");
    for (at, entry) in template.tasks.iter().enumerate() {
        let here = Place::Item(&tasks, at);
        for (field, named) in [("each", &entry.each), ("replaces", &entry.replaces)] {
            let Some(named) = named else { continue };
            let is_other =
                |other: &TemplateTask| other.task.key == *named && *named != entry.task.key;
            if !template.tasks.iter().any(is_other) {
                let message = format!("there is no other task `{named}`");
                report.wrong(
                    &Place::Field(&here, field),
                    message,
                    "Name another task of this template.",
                );
            }
        }
    }
}

fn is_agents_tool(tool: &str) -> bool {
    roster::agent(tool).is_some_and(|agent| agent.level == AgentLevel::L5)
}

fn calls(
    report: &mut Report<'_>,
    template: &Template,
    place: &Place<'_>,
    worker: &AgentId,
    tool: &str,
) {
    let is_worker =
        roster::agent(worker.as_str()).is_some_and(|agent| agent.level == AgentLevel::L4);
    let permitted = may_call(template, worker);
    if is_worker && !permitted.iter().any(|known| known.as_str() == tool) {
        let message = format!("`{worker}` may not call `{tool}`");
        let remedy = format!("Add `{tool}` to `tools`, or let another worker call it.");
        report.wrong(place, message, remedy);
    }
}

fn asked_of_people(report: &mut Report<'_>, template: &Template) {
    let list = Place::Field(&Place::Root, "checkpoints");
    for (at, checkpoint) in template.checkpoints.iter().enumerate() {
        let here = Place::Item(&list, at);
        let after = Place::Field(&here, "after");
        let name = &checkpoint.name;
        match (checkpoint.is_the_machines(), checkpoint.after.is_empty()) {
            (true, false) => {
                let message = format!("`{name}` is asked before or after everything else");
                report.wrong(&after, message, "Remove `after`.");
            }
            (false, true) => {
                let message = format!("it is not said when `{name}` is asked");
                report.wrong(&after, message, "Add `after:` with a task.");
            }
            _ => {}
        }
        if template.checkpoints[..at]
            .iter()
            .any(|other| other.name == *name)
        {
            let here = Place::Field(&here, "name");
            let message = format!("there are two checkpoints `{name}`");
            report.wrong(&here, message, "Give each a name of its own.");
        }
    }
}

fn given(report: &mut Report<'_>, template: &Template) {
    let list = Place::Field(&Place::Root, "inputs");
    let mut before: Vec<&str> = Vec::new();
    for (at, input) in template.inputs.iter().enumerate() {
        let here = Place::Item(&list, at);
        if input.name == MISSION_TYPE_INPUT {
            let here = Place::Field(&here, "name");
            let at = report.root.locate(&here.to_string());
            report.reader.report_reserved_input(at, &here);
        } else if input.name == SUPERVISORS_INPUT {
            let here = Place::Field(&here, "name");
            let message = format!("the input `{SUPERVISORS_INPUT}` is reserved");
            report.wrong(&here, message, "Choose another name.");
        } else if GIVEN.contains(&input.name.as_str()) || before.contains(&input.name.as_str()) {
            let here = Place::Field(&here, "name");
            let message = format!("there is an input `{}` already", input.name);
            report.wrong(&here, message, "Choose another name.");
        }
        if let Some(default) = &input.default {
            for reference in references_in_json(default.text()) {
                if !is_fillable(&reference.parts, &before) {
                    let here = Place::Field(&here, "default");
                    let message = format!("`{{{{{}}}}}` is not known here", reference.text);
                    let remedy =
                        "Refer to `{{inputs.objective}}`, `{{names.objective}}` or an input above.";
                    report.wrong(&here, message, remedy);
                }
            }
        }
        before.push(&input.name);
    }
    let tasks = Place::Field(&Place::Root, "tasks");
    for (at, entry) in template.tasks.iter().enumerate() {
        let here = Place::Item(&tasks, at);
        let with = Place::Field(&here, "with");
        for reference in mentioned(&entry.task.work) {
            unknown_input(report, &before, &with, &reference);
        }
    }
    let list = Place::Field(&Place::Root, "checkpoints");
    for (at, checkpoint) in template.checkpoints.iter().enumerate() {
        let here = Place::Item(&list, at);
        let question = Place::Field(&here, "question");
        for reference in references(&checkpoint.question) {
            unknown_input(report, &before, &question, &reference);
        }
    }
}

pub(crate) fn mentioned(work: &WorkSpec) -> Vec<Reference> {
    match work {
        WorkSpec::Tool(call) => references_in_json(call.with.text()),
        WorkSpec::Agent(agent) => references_in_json(agent.with.text()),
        WorkSpec::Human(human) => references(&human.question),
        WorkSpec::Mission(sub) => sub
            .with
            .as_ref()
            .map_or(Vec::new(), |with| references_in_json(with.text())),
        WorkSpec::Gate(_) => Vec::new(),
    }
}

fn unknown_input(
    report: &mut Report<'_>,
    declared: &[&str],
    place: &Place<'_>,
    reference: &Reference,
) {
    if !reference.is_input() {
        return;
    }
    let name = reference.parts[1].as_str();
    if GIVEN.contains(&name) || declared.contains(&name) {
        return;
    }
    let known: Vec<&str> = GIVEN.iter().chain(declared).copied().collect();
    let remedy = match nearest(name, known) {
        Some(near) => format!("Write `{{{{inputs.{near}}}}}`, or declare it under `inputs`."),
        None => "Declare it under `inputs`.".to_owned(),
    };
    let message = format!("there is no input `{name}`");
    report.wrong(place, message, remedy);
}
