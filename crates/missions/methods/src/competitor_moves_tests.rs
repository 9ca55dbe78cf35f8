use serde_json::{Value, json};

use super::*;

const NEWS: &str = "Brassline Ferries launched a night crossing on 3 March 2026. The company expects to buy two ships by June 2027. \
                    The weather was fine that week in the whole region.";
const OURS: &str = "# Competition\n\nSkarvholm (Brassline Ferries) is the only other line on this route.\n\nIf Brassline Ferries sails at night, \
                    we would lose a fifth of our lorries.";

fn source(id: &str, text: &str) -> Value {
    json!({"id": id, "title": id, "text": text, "published": "2026-04-01"})
}

fn apply(mut input: Value) -> Exhibit {
    input["as_of"] = json!("2026-11-19");
    input["objective"] = json!("What do our rivals do?");
    (COMPETITOR_MOVES.apply)(input).unwrap()
}

fn documents(all: &[Value]) -> Value {
    json!([{"sources": all, "complete": true}])
}

fn table<'a>(exhibit: &'a Exhibit, caption: &str) -> Vec<Vec<&'a str>> {
    let tables = exhibit
        .tables
        .iter()
        .filter(|table| table.caption == caption);
    let rows = tables.flat_map(|table| &table.rows);
    rows.map(|row| row.iter().map(|cell| cell.text.as_str()).collect())
        .collect()
}

#[test]
fn moves_are_told_by_competitor_with_date_and_state() {
    let all = [source("kb:f/news.md", NEWS), source("kb:f/plan.md", OURS)];
    let exhibit = apply(
        json!({"competitors": ["Brassline Ferries = Skarvholm"], "documents": documents(&all)}),
    );
    let moves = table(&exhibit, "Brassline Ferries");
    assert_eq!(moves.len(), 2, "{moves:?}");
    assert_eq!(
        (moves[0][0], moves[0][3]),
        ("2027-06", "announced"),
        "the sentence after it is of the same company"
    );
    assert_eq!(
        (moves[1][0], moves[1][1], moves[1][3]),
        ("2026-03-03", "launch", "done")
    );
    let means = table(&exhibit, "What it means for us");
    assert!(means[0][1].contains("a fifth of our lorries"), "{means:?}");
    let facts = apply(json!({
        "competitors": ["Brassline Ferries"], "documents": documents(&all), "choices": [{"option": "facts_only"}],
    }));
    assert_eq!(table(&facts, "Brassline Ferries").len(), 1);
}

#[test]
fn those_that_documents_call_competitors_are_found_and_ours_is_none() {
    let rival = "The nearest rival of Brassline Ferries is Kettle Lines, it launched a shuttle in May 2026.";
    let all = [source("kb:f/plan.md", OURS), source("kb:f/other.md", rival)];
    let exhibit = apply(json!({"documents": documents(&all), "own": ["Kettle Lines"]}));
    assert_eq!(exhibit.data["competitors"], json!(["Brassline Ferries"]));
    assert!(
        exhibit.notes[0].text.contains("also Skarvholm"),
        "{:?}",
        exhibit.notes
    );
    let none = apply(
        json!({"documents": documents(&[source("kb:f/x.md", "Nothing is told here of anybody else at all.")])}),
    );
    assert!(
        none.headlines[0].text.contains("Name them"),
        "{:?}",
        none.headlines
    );
}

#[test]
fn a_name_is_a_whole_word() {
    let all = [source(
        "kb:f/news.md",
        "The Baltic Sea launched nothing. Balt's boat launched a new line in May 2026.",
    )];
    let exhibit = apply(json!({"competitors": ["Balt"], "documents": documents(&all)}));
    assert_eq!(table(&exhibit, "Balt").len(), 1);
}

#[test]
fn a_second_run_tells_only_what_changed() {
    let before = apply(
        json!({"competitors": ["Brassline Ferries"], "documents": documents(&[source("kb:f/news.md", NEWS)])}),
    );
    let earlier = json!([{"known": true, "reported": "2026-11-12", "seen": before.data["seen"]}]);
    let later = NEWS.replace("June 2027", "June 2028");
    let after = apply(json!({
        "competitors": ["Brassline Ferries"], "documents": documents(&[source("kb:f/news-2.md", &later)]), "earlier": earlier,
    }));
    assert_eq!(
        (
            &after.data["new"],
            &after.data["changed"],
            &after.data["gone"]
        ),
        (&json!(0), &json!(1), &json!(0))
    );
    let changed = table(&after, "What changed");
    assert!(
        changed[0][1].contains("2027") && changed[0][2].contains("2028"),
        "{changed:?}"
    );
}

#[test]
fn where_nobody_is_called_a_competitor_other_companies_are_watched() {
    let all = [
        source(
            "kb:f/a.md",
            "Ours is Tern Lines Ltd. Osk Yards GmbH opened a dock on 2 May 2026.",
        ),
        source(
            "kb:f/b.md",
            "Tern Lines Ltd and Osk Yards GmbH signed a contract.",
        ),
        source(
            "kb:f/c.md",
            "Tern Lines Ltd sails at noon. The board of the AG met.",
        ),
    ];
    let exhibit = apply(json!({"documents": documents(&all)}));
    assert_eq!(exhibit.data["competitors"], json!(["Osk Yards"]));
    let first = &exhibit.headlines[0].text;
    assert!(
        first.starts_with("No document calls anybody a competitor")
            && first.contains("input `competitors`"),
        "{first}"
    );
    let ours = apply(json!({"own": ["Osk Yards"], "documents": documents(&all)}));
    assert_eq!(ours.data["competitors"], json!(["Tern Lines"]));
    let named = apply(
        json!({"competitors": ["Gull"], "documents": documents(&all), "choices": [{"option": "named_only"}]}),
    );
    assert_eq!(named.data["competitors"], json!(["Gull"]));
}
