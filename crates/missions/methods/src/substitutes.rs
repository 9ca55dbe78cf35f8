//! Substitutes against the requirements: for each requirement whether each substitute meets it, and who is left.
//!
//! Two steps: without rows it gathers the requirements; with the rows of a comparison it holds every substitute against them.
//! A figure decides only if it has the requirement's unit; a passage without one is left to people.

use adjutant_questions::{Finding, Row};
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{Answer, InputRefused, Method, read_input};
use crate::requirement::{Held, Item, RequirementList, Verdict};
use crate::text::{counted, listed};

const SUBSTITUTES_MAX: usize = 12;

pub(crate) const SUBSTITUTES: Method = Method {
    id: "substitutes",
    name: "Substitutes",
    about: "Gathers requirements, and holds substitutes against them: which requirement each meets, fails, or leaves unknown.",
    inputs: || {
        json!({
            "requirements": {"type": "array", "description": "Requirements that are given, as texts."},
            "stated": {"type": "array", "description": "Findings among which requirements are looked for, if none are given."},
            "usual": {"type": "array", "description": "Requirements to use if none are given or stated, as texts."},
            "items": {"type": "array", "description": "The substitutes with `name` and `values`."},
            "rows": {"type": "array", "description": "A row for each requirement with a cell for each substitute, as a `compare` question answers."},
            "answers": {"type": "array", "description": "Answers of checkpoints: `with_my_note` changes the requirements, `only_without_failure` leaves out what fails one."},
        })
    },
    required: &["requirements"],
    apply: |input| read_input(input).and_then(substitutes),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    requirements: Vec<String>,
    stated: Vec<Finding>,
    usual: Vec<String>,
    items: Vec<Item>,
    rows: Vec<Row>,
    answers: Vec<Answer>,
}

/// One substitute by all requirements.
struct Substitute<'a> {
    name: &'a str,
    held: Vec<Held>,
}

impl Substitute<'_> {
    fn count(&self, verdict: Verdict) -> usize {
        self.held
            .iter()
            .filter(|one| one.verdict == verdict)
            .count()
    }
}

fn substitutes(request: Request) -> Result<Exhibit, InputRefused> {
    if request.items.len() > SUBSTITUTES_MAX {
        return Err(InputRefused(format!(
            "at most {SUBSTITUTES_MAX} substitutes can be compared"
        )));
    }
    let gathered = RequirementList::gather(
        &request.requirements,
        &request.stated,
        &request.usual,
        &request.answers,
    );
    let mut exhibit = match request.rows.is_empty() && request.items.is_empty() {
        true => requirements_only(&gathered),
        false => compared(&request, &gathered),
    };
    if !gathered.not_understood.is_empty() {
        exhibit.add_note(
            "Not understood in a person's note",
            gathered.not_understood.join("; "),
        );
    }
    Ok(exhibit)
}

fn requirements_only(gathered: &RequirementList) -> Exhibit {
    let mut exhibit = Exhibit::default();
    exhibit
        .headlines
        .push(Statement::interpretation(match gathered.all.len() {
            0 => "No requirement is given, and no document states one".to_owned(),
            count => format!("{}, {}", counted(count, "requirement"), gathered.from),
        }));
    let rows = gathered.all.iter().enumerate().map(|(at, one)| {
        vec![
            ExhibitCell::label((at + 1).to_string()),
            ExhibitCell {
                evidence: one.evidence.clone(),
                ..ExhibitCell::label(&one.text)
            },
            ExhibitCell::label(
                one.bound
                    .as_ref()
                    .map_or("no figure".to_owned(), |bound| bound.told()),
            ),
        ]
    });
    exhibit.tables.push(ExhibitTable {
        caption: "The requirements".to_owned(),
        columns: vec![
            ExhibitColumn::numbers("No.", 1),
            ExhibitColumn::text("Requirement", 6),
            ExhibitColumn::text("Figure", 3),
        ],
        rows: rows.collect(),
    });
    exhibit.data = json!({"names": gathered.texts()});
    exhibit
}

fn compared(request: &Request, gathered: &RequirementList) -> Exhibit {
    let mut all: Vec<Substitute<'_>> = request
        .items
        .iter()
        .map(|item| Substitute {
            name: &item.name,
            held: gathered
                .all
                .iter()
                .map(|requirement| requirement.held(item, &request.rows))
                .collect(),
        })
        .collect();
    let only_whole = request
        .answers
        .iter()
        .any(|answer| answer.chose("only_without_failure"));
    let dropped: Vec<&str> = all
        .iter()
        .filter(|one| only_whole && one.count(Verdict::Fails) > 0)
        .map(|one| one.name)
        .collect();
    all.retain(|one| !dropped.contains(&one.name));
    // Fewest failures first, then what is met most often, then what is known of most; equals as they were given.
    all.sort_by_key(|one| {
        let known = one.held.len() - one.count(Verdict::Unknown);
        (
            one.count(Verdict::Fails),
            std::cmp::Reverse(one.count(Verdict::Meets)),
            std::cmp::Reverse(known),
        )
    });
    let mut exhibit = Exhibit {
        headlines: headlines(&all, gathered),
        ..Exhibit::default()
    };
    exhibit.add_figure(all.len().to_string(), "substitutes compared");
    exhibit.add_figure(
        all.iter()
            .filter(|one| one.count(Verdict::Fails) == 0)
            .count()
            .to_string(),
        "fail no requirement",
    );
    exhibit.tables.push(overview(&all));
    exhibit
        .tables
        .extend(all.iter().map(|one| details(one, gathered)));
    if !dropped.is_empty() {
        exhibit.add_note(
            "Left out",
            format!(
                "As a person decided, what fails a requirement is not shown: {}",
                listed(&dropped)
            ),
        );
    }
    exhibit.add_note(
        "How it was judged",
        "A figure decides if it has the unit of the requirement. What a passage says without such a figure is to be judged by people",
    );
    exhibit.data = json!({"order": all.iter().map(|one| one.name).collect::<Vec<_>>(), "names": gathered.texts()});
    exhibit
}

fn headlines(all: &[Substitute<'_>], gathered: &RequirementList) -> Vec<Statement> {
    let count = gathered.all.len();
    let told = |one: &Substitute<'_>| {
        format!(
            "{} meets {} of {}, fails {} and leaves {} not known or to be judged",
            one.name,
            one.count(Verdict::Meets),
            counted(count, "requirement"),
            one.count(Verdict::Fails),
            one.count(Verdict::Unknown) + one.count(Verdict::Mentioned),
        )
    };
    let mut lines: Vec<String> = match all {
        [] => vec!["No substitute is named that could be compared".to_owned()],
        all => all.iter().take(3).map(told).collect(),
    };
    let failed_by_all = gathered.all.iter().enumerate().filter(|(at, _)| {
        !all.is_empty()
            && all
                .iter()
                .all(|one| one.held[*at].verdict == Verdict::Fails)
    });
    for (_, requirement) in failed_by_all {
        lines.push(format!("No substitute meets this: {}", requirement.text));
    }
    lines.into_iter().map(Statement::calculation).collect()
}

fn overview(all: &[Substitute<'_>]) -> ExhibitTable {
    let rows = all.iter().map(|one| {
        let count = |verdict: Verdict| ExhibitCell::calculation(one.count(verdict).to_string());
        vec![
            ExhibitCell::label(one.name),
            count(Verdict::Meets),
            count(Verdict::Fails),
            count(Verdict::Mentioned),
            count(Verdict::Unknown),
        ]
    });
    ExhibitTable {
        caption: "The substitutes, those that fail least first".to_owned(),
        columns: vec![
            ExhibitColumn::text("Substitute", 3),
            ExhibitColumn::numbers("Meets", 1),
            ExhibitColumn::numbers("Fails", 1),
            ExhibitColumn::numbers("To be judged", 1),
            ExhibitColumn::numbers("Not known", 1),
        ],
        rows: rows.collect(),
    }
}

fn details(one: &Substitute<'_>, gathered: &RequirementList) -> ExhibitTable {
    let rows = gathered
        .all
        .iter()
        .zip(&one.held)
        .map(|(requirement, held)| {
            vec![
                ExhibitCell {
                    evidence: requirement.evidence.clone(),
                    ..ExhibitCell::label(&requirement.text)
                },
                ExhibitCell::label(held.verdict.told()),
                match (held.said.as_str(), held.evidence.is_empty()) {
                    ("", _) => ExhibitCell::label("nothing"),
                    (said, true) => ExhibitCell::calculation(said),
                    (said, false) => ExhibitCell::statement(said, held.evidence.clone()),
                },
            ]
        });
    ExhibitTable {
        caption: one.name.to_owned(),
        columns: vec![
            ExhibitColumn::text("Requirement", 4),
            ExhibitColumn::text("Verdict", 1),
            ExhibitColumn::text("What is known", 5),
        ],
        rows: rows.collect(),
    }
}

#[cfg(test)]
#[path = "substitutes_tests.rs"]
mod tests;
