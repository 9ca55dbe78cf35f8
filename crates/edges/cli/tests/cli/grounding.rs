//! Reports rest on their sources and on nothing else: another source makes another claim, no source makes none, and every
//! statement shows what it rests on. Held against the documents themselves, not against what the judge says.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::Value;

use crate::world::{DOSSIER, World};

/// A part of a report's text and what it rests on.
struct Statement {
    text: String,
    cites: Vec<u64>,
    is_marked: bool,
}

fn statement(span: &Value) -> Statement {
    let cites = span["cites"].as_array().into_iter().flatten();
    Statement {
        text: span["text"].as_str().unwrap().to_owned(),
        cites: cites.map(|cite| cite.as_u64().unwrap()).collect(),
        is_marked: !span["mark"].is_null(),
    }
}

fn blocks(document: &Value) -> impl Iterator<Item = &Value> {
    let sections = document["sections"].as_array().unwrap();
    let inner = sections
        .iter()
        .flat_map(|section| section["blocks"].as_array().unwrap());
    document["summary"].as_array().unwrap().iter().chain(inner)
}

/// What a report says in sentences. Notes tell of the work, not of its subject.
fn prose(document: &Value) -> Vec<Statement> {
    let mut found = Vec::new();
    for block in blocks(document) {
        let callout = &block["callout"];
        let spans: Vec<&Value> = if let Some(spans) = block["paragraph"].as_array() {
            spans.iter().collect()
        } else if let Some(items) = block["bullets"].as_array() {
            items
                .iter()
                .flat_map(|item| item.as_array().unwrap())
                .collect()
        } else if callout.is_object()
            && callout["tone"] != "note"
            // What every report on a medical subject says of itself.
            && callout["title"] != "Medical safety"
        {
            callout["text"].as_array().unwrap().iter().collect()
        } else if block["quote"].is_object() {
            vec![&block["quote"]]
        } else {
            Vec::new()
        };
        let told = spans.into_iter().map(statement);
        found.extend(told.filter(|statement| !statement.text.trim().is_empty()));
    }
    found
}

/// The rows of all tables, each with its cells.
fn rows(document: &Value) -> Vec<Vec<Statement>> {
    let tables = blocks(document).filter_map(|block| block["table"]["rows"].as_array());
    let of_cell = |cell: &Value| {
        cell.as_array()
            .unwrap()
            .iter()
            .map(statement)
            .collect::<Vec<_>>()
    };
    tables
        .flatten()
        .map(|row| row.as_array().unwrap().iter().flat_map(of_cell).collect())
        .collect()
}

/// Passages by number.
fn passages(document: &Value) -> Vec<(u64, String)> {
    let sources = document["sources"].as_array().unwrap().iter();
    let passages = sources.flat_map(|source| source["passages"].as_array().unwrap());
    passages
        .map(|passage| {
            let text = passage["text"].as_str().unwrap().to_owned();
            (passage["number"].as_u64().unwrap(), text)
        })
        .collect()
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A document as its reader takes it in: of a table its cells with a bar between them.
fn as_read(document: &str) -> String {
    let lines = document.lines().filter(|line| !line.starts_with("|--"));
    let lines = lines.map(|line| line.trim_matches(['|', ' ']));
    plain(&lines.collect::<Vec<_>>().join("\n"))
}

/// A world that can read the dossier and nothing else.
fn closed_world(documents: &[(&str, &str)]) -> World {
    let world = World::without_a_model();
    world.place.set(
        "[tools]\ndeny = ['L5-PS', 'L5-FDA', 'L5-EMA', 'L5-CT', 'L5-PT', 'L5-NEWS', 'L5-WEB']\n",
    );
    world.keep(documents);
    world
}

fn report(world: &World, mission: &str, objective: &str) -> Value {
    let ran = world.start(mission, objective, &["--kb", "house", "--yes"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    world.document()
}

const OBJECTIVES: [(&str, &str); 3] = [
    (
        "deep_dive",
        "What is known of Velmoran 40 mg and systolic pressure?",
    ),
    ("risk_assessment", "What may go wrong with Velmoran 40 mg?"),
    ("go_no_go", "Should Velmoran 40 mg go on?"),
];

#[test]
fn every_statement_rests_on_passages_that_stand_in_the_documents() {
    let world = closed_world(&DOSSIER);
    let documents: Vec<String> = DOSSIER.iter().map(|(_, text)| as_read(text)).collect();
    let number = Regex::new(r"\d+(?:\.\d+)?").unwrap();
    let named_document = Regex::new(r" \([^()]*, \d{4}-\d{2}-\d{2}\)").unwrap();
    for (mission, objective) in OBJECTIVES {
        let document = report(&world, mission, objective);
        let passages = passages(&document);
        assert!(
            document["sources"].as_array().unwrap().len() >= 2,
            "{mission}"
        );
        for (_, passage) in &passages {
            let passage = plain(passage);
            let stands = documents.iter().any(|document| document.contains(&passage));
            assert!(stands, "{mission}: in no document: {passage}");
        }
        let prose = prose(&document);
        let tables = rows(&document);
        let mut all = prose.iter().chain(tables.iter().flatten());
        assert!(
            all.any(|statement| !statement.cites.is_empty()),
            "{mission}"
        );
        for statement in &prose {
            let text = &statement.text;
            assert!(
                !statement.cites.is_empty() || statement.is_marked,
                "{mission}: bare: {text}"
            );
        }
        for statement in prose.iter().chain(tables.iter().flatten()) {
            let cited: Vec<&str> = statement
                .cites
                .iter()
                .map(|cite| {
                    passages
                        .iter()
                        .find(|(number, _)| number == cite)
                        .unwrap()
                        .1
                        .as_str()
                })
                .collect();
            if statement.is_marked || cited.is_empty() {
                continue;
            }
            // A statement may name its document and that document's date behind it.
            let text = named_document.replace(&statement.text, "");
            for figure in number.find_iter(&text) {
                let figure = figure.as_str();
                let stands = cited.iter().any(|passage| passage.contains(figure));
                assert!(
                    stands,
                    "{mission}: {figure} of “{}” is in none of {cited:?}",
                    statement.text
                );
            }
        }
    }
}

/// Everything that is cited, in one text.
fn cited(document: &Value) -> String {
    let tables = rows(document).into_iter().flatten();
    let all = prose(document).into_iter().chain(tables);
    let cited = all.filter(|statement| !statement.cites.is_empty());
    cited
        .map(|statement| statement.text)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The cells of the row that judges a criterion, by its threshold.
fn row_of(document: &Value, threshold: &str) -> Vec<String> {
    let rows = rows(document);
    let row = rows.iter().find(|row| {
        let stated = row.iter().any(|cell| cell.text.contains(threshold));
        stated && row.len() > 5
    });
    let row = row.unwrap_or_else(|| panic!("no row of {threshold}"));
    row.iter()
        .map(|cell| cell.text.trim().to_lowercase())
        .collect()
}

#[test]
fn another_source_makes_another_claim_and_another_decision() {
    let (_, objective) = OBJECTIVES[2];
    let before = report(&closed_world(&DOSSIER), "go_no_go", objective);
    let changed = DOSSIER[0]
        .1
        .replace("7.3 mmHg", "4.1 mmHg")
        .replace("3.8 %", "2.1 %");
    let mut documents = DOSSIER;
    documents[0].1 = &changed;
    let after = report(&closed_world(&documents), "go_no_go", objective);
    for (document, said, unsaid) in [
        (&before, ["7.3 mmHg", "3.8 %"], ["4.1 mmHg", "2.1 %"]),
        (&after, ["4.1 mmHg", "2.1 %"], ["7.3 mmHg", "3.8 %"]),
    ] {
        let text = cited(document);
        assert!(
            said.iter().all(|said| text.contains(said)),
            "{said:?}\n{text}"
        );
        let whole = document.to_string();
        assert!(
            !unsaid.iter().any(|unsaid| whole.contains(unsaid)),
            "{unsaid:?}"
        );
    }
    for (threshold, verdicts) in [
        ("at least 5 mmHg", ["met", "missed"]),
        ("no more than 3 %", ["missed", "met"]),
    ] {
        for (document, verdict) in [&before, &after].into_iter().zip(verdicts) {
            let row = row_of(document, threshold);
            assert!(
                row.iter().any(|cell| cell == verdict),
                "not {verdict}: {row:?}"
            );
        }
    }
}

#[test]
fn with_no_document_at_all_nothing_is_decided_and_it_says_why() {
    let world = closed_world(&[]);
    let ran = world.start("go_no_go", OBJECTIVES[2].1, &["--yes"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let document = world.document();
    let callout = blocks(&document)
        .find_map(|block| block.get("callout"))
        .unwrap();
    let title = callout["title"].as_str().unwrap().to_lowercase();
    assert!(title.starts_with("no decision is possible"), "{title}");
    let why = callout["text"].as_array().unwrap();
    assert!(!why.is_empty(), "it says why: {callout}");
    assert_eq!(document["sources"].as_array().unwrap().len(), 0);
    let all = rows(&document)
        .into_iter()
        .flatten()
        .chain(prose(&document));
    assert!(all.into_iter().all(|statement| statement.cites.is_empty()));
    let markdown = world.place.run(&["report", "last"]).out.to_lowercase();
    assert!(markdown.contains("no decision is possible"), "{markdown}");
}

#[test]
fn another_objective_finds_something_else() {
    let world = closed_world(&DOSSIER);
    let findings = |objective: &str| -> BTreeSet<String> {
        let document = report(&world, "deep_dive", objective);
        let found = prose(&document).into_iter();
        let found = found.filter(|statement| !statement.cites.is_empty());
        found.map(|statement| plain(&statement.text)).collect()
    };
    let one = findings("How far does Velmoran lower systolic pressure?");
    let other = findings("How often was potassium too high, and in whom?");
    let tells = |found: &BTreeSet<String>, what: &str| found.iter().any(|at| at.contains(what));
    assert!(
        tells(&one, "7.3 mmHg") && !tells(&one, "weak kidneys"),
        "{one:#?}"
    );
    assert!(
        tells(&other, "weak kidneys") && !tells(&other, "7.3 mmHg"),
        "{other:#?}"
    );
    let shared = one.intersection(&other).count();
    assert!(
        shared * 2 < one.len().min(other.len()),
        "{one:#?}\n{other:#?}"
    );
}

/// Two products in one knowledge base, alike but for their figures: what is told depends on which one is asked about.
#[test]
fn another_product_brings_its_own_figures_to_risks_and_decisions() {
    let other: Vec<(String, String)> = DOSSIER
        .iter()
        .map(|(name, text)| {
            let text = text
                .replace("Velmoran", "Talvexin")
                .replace("7.3 mmHg", "4.1 mmHg")
                .replace("3.8 %", "2.1 %")
                .replace("| arrhythmia | 9 | 6 | 6 |", "| arrhythmia | 9 | 2 | 3 |")
                .replace("weak kidneys", "weak hearts");
            (format!("talvexin-{name}"), text)
        })
        .collect();
    let other = other
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()));
    let both: Vec<(&str, &str)> = DOSSIER.into_iter().chain(other).collect();
    let world = closed_world(&both);

    for (product, verdicts) in [
        ("Velmoran", ["met", "missed"]),
        ("Talvexin", ["missed", "met"]),
    ] {
        let objective = format!("Should {product} 40 mg go on?");
        let decision = report(&world, "go_no_go", &objective);
        let thresholds = ["at least 5 mmHg", "no more than 3 %"];
        for (threshold, verdict) in thresholds.into_iter().zip(verdicts) {
            let row = row_of(&decision, threshold);
            assert!(
                row.iter().any(|cell| cell == verdict),
                "{product}, not {verdict}: {row:?}"
            );
        }
    }
    for (product, rpn, own, others) in [
        ("Velmoran", "324", "weak kidneys", "weak hearts"),
        ("Talvexin", "54", "weak hearts", "weak kidneys"),
    ] {
        let objective = format!("What may go wrong with {product} 40 mg?");
        let risks = report(&world, "risk_assessment", &objective);
        let rows = rows(&risks);
        let first = rows.iter().find(|row| {
            let is = |what: &str| row.iter().any(|cell| cell.text.contains(what));
            is("Potassium above 6.0 mmol/L on") && is(product)
        });
        let first = first.unwrap_or_else(|| panic!("no risk of {product}"));
        assert!(
            first.iter().any(|cell| cell.text.trim() == rpn),
            "{product}: {:?}",
            first.iter().map(|cell| &cell.text).collect::<Vec<_>>()
        );
        let text = cited(&risks);
        assert!(text.contains(own), "{product}: {text}");
        assert!(!text.contains(others), "{product}: {text}");
    }
}
