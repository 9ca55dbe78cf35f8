//! Where no document tells how long steps take: what is still to be done by the documents, by its day. A list, and no plan.

use adjutant_text::dates::Date;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::reading::{Owed, OwedStatus, Reading};
use crate::text::{counted, coverage, short};

const SHOWN_MAX: usize = 12;
const CELL_CHARS_MAX: usize = 200;
/// From here on something that is owed is on the way to the goal.
const ON_THE_WAY_MIN: f64 = 0.2;

pub(super) fn exhibit(why: &str, objective: &str, reading: &Reading) -> Exhibit {
    let mut exhibit = Exhibit::default();
    let steps = still_to_do(objective, reading);
    exhibit.headlines.push(Statement::interpretation(format!(
        "No path can be computed: {why}"
    )));
    if !steps.is_empty() {
        let dated = steps.iter().filter(|one| one.due.is_some()).count();
        exhibit.headlines.push(Statement::calculation(format!(
            "{} still to be done by the documents, {dated} of them with a day",
            counted(steps.len(), "thing")
        )));
        exhibit
            .headlines
            .extend(steps.first().map(|one| first(one)));
        exhibit.tables.push(table(&steps));
    }
    exhibit.add_note(
        "What is missing",
        "A table with a column for the steps, one for how long each takes, and one for what each waits for; or the input \
         `steps`",
    );
    exhibit.data = json!({"steps": [], "days": null, "cost": null});
    exhibit
}

/// What is on the way to the goal, by its day; all of it if nothing is.
fn still_to_do<'a>(objective: &str, reading: &'a Reading) -> Vec<&'a Owed> {
    let open = || {
        let owed = reading.owed.iter();
        owed.filter(|one| one.status != OwedStatus::Fulfilled)
    };
    let is_near = |one: &&Owed| {
        coverage(objective, &format!("{} {}", one.what, one.at.sentence)) >= ON_THE_WAY_MIN
    };
    let mut steps: Vec<&Owed> = open().filter(is_near).collect();
    if steps.is_empty() {
        steps = open().collect();
    }
    // What has no day comes last.
    steps.sort_by_key(|one| {
        let day = one.due.as_deref().and_then(Date::from_iso);
        (day.is_none(), day)
    });
    steps.truncate(SHOWN_MAX);
    steps
}

fn first(one: &Owed) -> Statement {
    let when = match (&one.due, one.status) {
        (Some(due), OwedStatus::Overdue) => format!("First, overdue since {due}"),
        (Some(due), _) => format!("First, by {due}"),
        (None, _) => "First".to_owned(),
    };
    Statement::fact(
        format!("{when}: {}", short(&one.what, CELL_CHARS_MAX)),
        one.at.evidence(),
    )
}

fn table(steps: &[&Owed]) -> ExhibitTable {
    let rows = steps.iter().map(|one| {
        let day = match (&one.due, one.status) {
            (Some(due), OwedStatus::Overdue) => format!("{due}, overdue"),
            (Some(due), _) => due.clone(),
            (None, _) => "no day".to_owned(),
        };
        vec![
            ExhibitCell::label(day),
            ExhibitCell::statement(short(&one.what, CELL_CHARS_MAX), one.at.evidence()),
            ExhibitCell::label(
                one.who
                    .clone()
                    .unwrap_or_else(|| "nobody is named".to_owned()),
            ),
        ]
    });
    ExhibitTable {
        caption: "What is still to be done, by its day".to_owned(),
        columns: vec![
            ExhibitColumn::text("Day", 2),
            ExhibitColumn::text("What", 7),
            ExhibitColumn::text("Who", 2),
        ],
        rows: rows.collect(),
    }
}
