//! The next day on which something is due by the documents, and how much is overdue on the day it is looked at.
//!
//! It names the two days between which somebody may count; counting days is left to the calculator.

use adjutant_text::dates::Date;
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::given::{Owed, Reading};
use crate::method::{Method, read_input};
use crate::words::short;

const SHOWN_MAX: usize = 8;
const CELL_CHARACTERS_MAX: usize = 180;

pub(crate) const NEXT_DUE_DATE: Method = Method {
    id: "next_due_date",
    name: "Next due date",
    about: "Finds the next day on which something is due by the documents that were read. `data` has the day it is looked at \
            and that day, as `from` and `to`.",
    inputs: || {
        json!({
            "reading": {"type": "array", "description": "What `read_documents` found."},
        })
    },
    required: &["reading"],
    apply: |input| read_input(input).map(next_due_date),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NextDueDate {
    reading: Vec<Reading>,
}

fn next_due_date(input: NextDueDate) -> Exhibit {
    let mut exhibit = Exhibit::default();
    let reading = input.reading.into_iter().next().unwrap_or_default();
    let today = Date::from_iso(&reading.today);
    let mut ahead: Vec<(Date, &Owed)> = reading
        .owed
        .iter()
        .filter(|one| one.status != "fulfilled")
        .filter_map(|one| Some((Date::from_iso(one.due.as_deref()?)?, one)))
        .filter(|(due, _)| due.day().is_some() && today.is_some_and(|today| *due >= today))
        .collect();
    ahead.sort_by_key(|(due, _)| *due);
    let Some((first, owed)) = ahead.first() else {
        exhibit.add_note(
            "No day is ahead",
            "No open duty that the documents name has a day that is still to come",
        );
        return exhibit;
    };
    let day = first.iso();
    exhibit.headlines.push(Statement::fact(
        format!(
            "Next due, on {day}: {}",
            short(&owed.what, CELL_CHARACTERS_MAX)
        ),
        vec![owed.at.evidence()],
    ));
    let rows = ahead.iter().take(SHOWN_MAX).map(|(due, owed)| {
        vec![
            ExhibitCell::label(due.iso()),
            ExhibitCell::statement(
                short(&owed.what, CELL_CHARACTERS_MAX),
                vec![owed.at.evidence()],
            ),
            ExhibitCell::label(
                owed.who
                    .clone()
                    .unwrap_or_else(|| "nobody is named".to_owned()),
            ),
        ]
    });
    exhibit.tables.push(ExhibitTable {
        caption: "What is due next".to_owned(),
        columns: vec![
            ExhibitColumn::text("Day", 2),
            ExhibitColumn::text("What", 6),
            ExhibitColumn::text("Who", 2),
        ],
        rows: rows.collect(),
    });
    exhibit.data = json!({"from": reading.today, "to": day});
    exhibit
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Exhibit, method};

    fn found(owed: Value) -> Exhibit {
        let reading = json!({"today": "2026-09-30", "owed": owed});
        (method("next_due_date").unwrap().apply)(json!({"reading": [reading]})).unwrap()
    }

    fn duty(what: &str, due: Value, status: &str) -> Value {
        json!({"who": "the mill", "what": what, "due": due, "status": status,
            "at": {"sentence": what, "address": "kb:a"}})
    }

    #[test]
    fn the_next_day_ahead_counts_and_what_is_done_or_undated_does_not() {
        let made = found(json!([
            duty("Oil the wheel", json!("2026-10-20"), "open"),
            duty("Pay the smith", json!("2026-10-13"), "open"),
            duty("Sweep the yard", json!("2026-10-01"), "fulfilled"),
            duty("Mend the roof", json!("2026-09-01"), "overdue"),
            duty("Paint the door", json!("2026-10"), "open"),
            duty("Feed the cat", json!(null), "open"),
        ]));
        assert_eq!(made.data, json!({"from": "2026-09-30", "to": "2026-10-13"}));
        assert!(made.headlines[0].text.contains("Pay the smith"));
        assert_eq!(made.headlines[0].evidence[0].source, "kb:a");
        assert_eq!(made.tables[0].rows.len(), 2);
    }

    #[test]
    fn without_a_day_ahead_there_is_nothing_to_count() {
        for owed in [
            json!([]),
            json!([duty("Mend the roof", json!("2026-09-01"), "overdue")]),
        ] {
            let made = found(owed);
            assert!(made.data.is_null());
            assert_eq!(made.notes.len(), 1);
        }
        let nothing = (method("next_due_date").unwrap().apply)(json!({"reading": []})).unwrap();
        assert!(nothing.data.is_null());
    }
}
