//! Files of a tenant's rules: YAML to rules and their test cases, or every problem at once with its line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use adjutant_plans::reading::{Node, Place, Reader, begin, code};
use adjutant_plans::{FileProblem, PlanErrors};
use adjutant_rules::{
    Approver, BECAUSE_CHARS_MAX, Decision, Field, FieldType, NAME_CHARS_MAX, RULES_MAX,
    RuleProblem, RuleSet, RuleSource, Subject,
};
use serde_json::{Map, Value, json};

use crate::error::AppError;
use crate::files;

/// They are recorded with every mission.
const FILE_BYTES_MAX: u64 = 64 * 1024;
const CASES_MAX: usize = 1_000;
/// A rule that cannot be one.
const RULE: &str = "ADJ-6190";

const FILE_FIELDS: [&str; 2] = ["rules", "tests"];
const RULE_FIELDS: [&str; 6] = ["name", "on", "when", "then", "approver", "because"];
const CASE_FIELDS: [&str; 5] = ["name", "on", "given", "expect", "rule"];
const SUBJECTS: [(&str, Subject); 4] = [
    ("mission", Subject::Mission),
    ("call", Subject::Call),
    ("result", Subject::Result),
    ("report", Subject::Report),
];
const DECISIONS: [(&str, Decision); 3] = [
    ("allow", Decision::Allow),
    ("ask", Decision::Ask),
    ("deny", Decision::Deny),
];
const APPROVERS: [(&str, Approver); 2] = [
    ("anyone", Approver::Anyone),
    ("another_person", Approver::AnotherPerson),
];
const FIELDS_HELP: &str = "See the table of fields in docs/rules.md.";

/// A file that can be put in force.
#[derive(Debug)]
pub struct RuleFile {
    pub set: RuleSet,
    pub cases: Vec<Case>,
}

/// What the rules are expected to decide about made-up values.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    pub name: String,
    pub line: usize,
    pub on: Subject,
    /// By the subject's name: every field, empty where the file says nothing of it.
    pub given: BTreeMap<&'static str, Value>,
    pub expect: Decision,
    /// The rule that is to decide, if the file says which.
    pub rule: Option<String>,
}

pub fn read_rules(path: &Path) -> Result<RuleFile, AppError> {
    let bytes = files::read(path, FILE_BYTES_MAX)?;
    parse_rules(&bytes)
        .map_err(|errors| AppError::plan(&path.display().to_string(), &bytes, errors))
}

pub(super) fn parse_rules(text: &[u8]) -> Result<RuleFile, PlanErrors> {
    let (mut reader, root) = begin(text).map_err(of_rules)?;
    let (sources, cases) = contents(&mut reader, &root);
    if let Some(errors) = reader.into_errors() {
        return Err(errors);
    }
    let refused = |message: String| PlanErrors {
        problems: vec![FileProblem::new(RULE, root.at(), "", message, FIELDS_HELP)],
        left_out: 0,
    };
    let set = RuleSet::new(sources).map_err(|error| refused(error.to_string()))?;
    Ok(RuleFile { set, cases })
}

/// Replaces the remedy for an empty file, which speaks of plans, by one for rules.
fn of_rules(mut errors: PlanErrors) -> PlanErrors {
    for problem in &mut errors.problems {
        if problem.code == code::EMPTY {
            problem.remedy = "Start from examples/rules/public-administration.yaml.".to_owned();
        }
    }
    errors
}

fn contents(reader: &mut Reader, root: &Node) -> (Vec<RuleSource>, Vec<Case>) {
    let place = Place::Root;
    let Some(fields) = reader.fields(root, &place, &FILE_FIELDS) else {
        return (Vec::new(), Vec::new());
    };
    let mut names = BTreeSet::new();
    let rules = reader.needed(&fields, "rules", |reader, node, place| {
        let items = limited(reader, node, place, RULES_MAX, "rules")?;
        let read = items.iter().enumerate().filter_map(|(n, item)| {
            let place = Place::Item(place, n);
            let rule = rule(reader, item, &place)?;
            if !names.insert(rule.name.clone()) {
                let message = format!("two rules are called `{}`", rule.name);
                let at = item.get("name").map_or(item.at(), |name| name.at());
                reader.report(code::VALUE, at, &place, message, "Rename one of them.");
            }
            Some(rule)
        });
        Some(read.collect())
    });
    let cases = reader.field(&fields, "tests", |reader, node, place| {
        let items = limited(reader, node, place, CASES_MAX, "tests")?;
        let read = items.iter().enumerate().filter_map(|(n, item)| {
            let place = Place::Item(place, n);
            let case = case(reader, item, &place)?;
            if let Some(rule) = case.rule.as_ref().filter(|rule| !names.contains(*rule)) {
                let message = format!("there is no rule `{rule}` in this file");
                let at = item.get("rule").map_or(item.at(), |rule| rule.at());
                reader.report(code::VALUE, at, &place, message, "Name one of its rules.");
            }
            Some(case)
        });
        Some(read.collect())
    });
    (rules.unwrap_or_default(), cases.unwrap_or_default())
}

fn limited<'n>(
    reader: &mut Reader,
    node: &'n Node,
    place: &Place<'_>,
    most: usize,
    what: &str,
) -> Option<&'n [Node]> {
    let items = reader.items(node, place)?;
    if items.len() > most {
        let message = format!("there are {} {what}; the maximum is {most}", items.len());
        reader.report(code::VALUE, node.at(), place, message, "Remove some.");
        return None;
    }
    Some(items)
}

fn rule(reader: &mut Reader, node: &Node, place: &Place<'_>) -> Option<RuleSource> {
    let fields = reader.fields(node, place, &RULE_FIELDS)?;
    let name = reader.needed(&fields, "name", |reader, node, place| {
        short_text(reader, node, place, NAME_CHARS_MAX)
    });
    let on = reader.needed(&fields, "on", |reader, node, place| {
        reader.choice(node, place, &SUBJECTS)
    });
    let when = reader.needed(&fields, "when", Reader::filled_text);
    let then = reader.needed(&fields, "then", |reader, node, place| {
        reader.choice(node, place, &DECISIONS)
    });
    let approver = match fields.find("approver") {
        None => Some(Approver::Anyone),
        Some(_) => reader.field(&fields, "approver", |reader, node, place| {
            reader.choice(node, place, &APPROVERS)
        }),
    };
    let because = reader.needed(&fields, "because", |reader, node, place| {
        short_text(reader, node, place, BECAUSE_CHARS_MAX)
    });
    let rule = RuleSource {
        name: name?,
        on: on?,
        when: when?,
        then: then?,
        approver: approver?,
        because: because?,
    };
    for problem in rule.problems() {
        let (field, remedy) = match problem {
            RuleProblem::Condition(_) => ("when", FIELDS_HELP),
            RuleProblem::AskAboutResult => (
                "then",
                "Use `deny`, or a rule on `call`, which asks before the call.",
            ),
            RuleProblem::ApproverWithoutMission => (
                "approver",
                "Remove it, or write `on: mission` and `then: ask`.",
            ),
        };
        let at = fields
            .find(field)
            .map_or(node.at(), |entry| entry.value().at());
        let place = Place::Field(place, field);
        reader.report(RULE, at, &place, problem.to_string(), remedy);
    }
    Some(rule)
}

fn short_text(
    reader: &mut Reader,
    node: &Node,
    place: &Place<'_>,
    chars_max: usize,
) -> Option<String> {
    let text = reader.filled_text(node, place)?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let chars = text.chars().count();
    if chars > chars_max {
        let message = format!("this has {chars} characters; the maximum is {chars_max}");
        reader.report(code::VALUE, node.at(), place, message, "Shorten it.");
        return None;
    }
    Some(text)
}

fn case(reader: &mut Reader, node: &Node, place: &Place<'_>) -> Option<Case> {
    let fields = reader.fields(node, place, &CASE_FIELDS)?;
    let name = reader.needed(&fields, "name", |reader, node, place| {
        short_text(reader, node, place, BECAUSE_CHARS_MAX)
    });
    let on = reader.needed(&fields, "on", |reader, node, place| {
        reader.choice(node, place, &SUBJECTS)
    });
    let expect = reader.needed(&fields, "expect", |reader, node, place| {
        reader.choice(node, place, &DECISIONS)
    });
    let rule = reader.field(&fields, "rule", |reader, node, place| {
        short_text(reader, node, place, NAME_CHARS_MAX)
    });
    let on = on?;
    let given = match fields.find("given") {
        None => Some(empty_values(on)),
        Some(_) => reader.field(&fields, "given", |reader, node, place| {
            given_values(reader, node, place, on)
        }),
    };
    Some(Case {
        name: name?,
        line: node.at().line,
        on,
        given: given?,
        expect: expect?,
        rule,
    })
}

/// Every value that rules on a subject know, with nothing in it.
fn empty_values(on: Subject) -> BTreeMap<&'static str, Value> {
    let values = on.variables().iter().map(|variable| {
        let fields = variable.fields().iter().filter_map(|field| {
            // A mission without a cap has no such field.
            let optional = *variable == Subject::Mission && field.name == "budget";
            (!optional).then(|| (field.name.to_owned(), empty(field.of_type)))
        });
        let fields: Map<String, Value> = fields.collect();
        (variable.name(), Value::Object(fields))
    });
    values.collect()
}

fn empty(of_type: FieldType) -> Value {
    match of_type {
        FieldType::Text => json!(""),
        FieldType::Count => json!(0),
        FieldType::Amount => json!(0.0),
        FieldType::Truth => json!(false),
        FieldType::Texts => json!([]),
        FieldType::Anything => json!({}),
    }
}

fn given_values(
    reader: &mut Reader,
    node: &Node,
    place: &Place<'_>,
    on: Subject,
) -> Option<BTreeMap<&'static str, Value>> {
    let known: Vec<&'static str> = on.variables().iter().map(|it| it.name()).collect();
    let variables = reader.fields(node, place, &known)?;
    let mut values = empty_values(on);
    for variable in on.variables() {
        let Some(entry) = variables.find(variable.name()) else {
            continue;
        };
        let place = Place::Field(place, variable.name());
        let names: Vec<&'static str> = variable.fields().iter().map(|it| it.name).collect();
        let Some(fields) = reader.fields(entry.value(), &place, &names) else {
            continue;
        };
        for field in variable.fields() {
            let Some(entry) = fields.find(field.name) else {
                continue;
            };
            let place = Place::Field(&place, field.name);
            if let Some(value) = given_value(reader, entry.value(), &place, field)
                && let Some(given) = values.get_mut(variable.name())
            {
                given[field.name] = value;
            }
        }
    }
    Some(values)
}

fn given_value(
    reader: &mut Reader,
    node: &Node,
    place: &Place<'_>,
    field: &Field,
) -> Option<Value> {
    let json = reader.free_value(node, place)?;
    let value: Value = serde_json::from_str(json.text()).ok()?;
    let fits = match field.of_type {
        FieldType::Text => value.is_string(),
        FieldType::Count => value.is_u64(),
        FieldType::Amount => value.is_number(),
        FieldType::Truth => value.is_boolean(),
        FieldType::Texts => value
            .as_array()
            .is_some_and(|items| items.iter().all(Value::is_string)),
        FieldType::Anything => true,
    };
    if !fits {
        let message = format!(
            "`{}` is {value}, not a {}",
            field.name,
            field.of_type.name()
        );
        reader.report(code::VALUE, node.at(), place, message, FIELDS_HELP);
        return None;
    }
    match (field.of_type, value.as_f64()) {
        (FieldType::Amount, Some(amount)) => Some(json!(amount)),
        _ => Some(value),
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
