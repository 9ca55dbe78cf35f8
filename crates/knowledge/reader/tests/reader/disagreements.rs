//! Values that differ: updates, conflicts, and what only looks like one.

use adjutant_reader::{Disagreement, Relation};

use crate::{documents, reading};

/// What the given files disagree on: the relation and the values, as they are written.
fn found(files: &[(&str, &str)]) -> Vec<(Relation, Vec<String>)> {
    let files = documents(files);
    let read = reading(&files);
    let claims = read.claims();
    let told = |one: Disagreement| {
        let written = one.claims.iter().map(|claim| {
            let document = read.statements()[claim.statement].document;
            files[document].1.text[claim.span.clone()].to_owned()
        });
        (one.relation, written.collect())
    };
    read.disagreements(&claims).into_iter().map(told).collect()
}

fn one(relation: Relation, values: &[&str]) -> Vec<(Relation, Vec<String>)> {
    vec![(
        relation,
        values.iter().map(|value| (*value).to_owned()).collect(),
    )]
}

const ROOF: &str = "# Survey\n\nThe repair of the chapel roof costs EUR 48,000.\n";

#[test]
fn two_documents_that_both_hold_are_in_conflict() {
    let other = "# Offer\n\nThe repair of the chapel roof costs EUR 52,500.\n";
    let found = found(&[("survey.md", ROOF), ("offer.md", other)]);
    assert_eq!(
        found,
        one(Relation::Conflict, &["EUR 48,000", "EUR 52,500"])
    );
}

#[test]
fn a_later_version_is_an_update_and_comes_second() {
    let first = "# Plan\n\nThe repair of the chapel roof costs EUR 48,000.\n";
    let second = "# Plan\n\nThe repair of the chapel roof costs EUR 52,500.\n";
    let found = found(&[("plan-v2.md", second), ("plan-v1.md", first)]);
    assert_eq!(found, one(Relation::Update, &["EUR 48,000", "EUR 52,500"]));
}

#[test]
fn an_amendment_changes_what_it_amends() {
    let rule = "# Rules\n\n3.1 Members give notice within 14 days of the change of address.\n";
    let amendment = "# Amendment 1\n\nClause 3.1 reads: Members give notice within 30 days of the change of address.\n";
    let found = found(&[("amendment-1.md", amendment), ("rules.md", rule)]);
    assert_eq!(found, one(Relation::Update, &["14 days", "30 days"]));
}

#[test]
fn the_same_value_in_other_words_is_none() {
    for same in [
        "EUR 48 000",
        "EUR 48 thousand",
        "about EUR 47,000",
        "EUR 48,000 to 50,000",
    ] {
        let other = format!("# Offer\n\nThe repair of the chapel roof costs {same}.\n");
        assert_eq!(
            found(&[("survey.md", ROOF), ("offer.md", &other)]),
            [],
            "{same}"
        );
    }
}

#[test]
fn another_name_number_or_day_is_another_case() {
    let hall = "# Survey\n\nThe meeting in Harlow Hall on 3 May 2026 had 40 guests.\n";
    for other in [
        "# Notes\n\nThe meeting in Petworth Hall on 3 May 2026 had 55 guests.\n",
        "# Notes\n\nThe meeting in Harlow Hall on 9 June 2026 had 55 guests.\n",
        "# Notes\n\nThe meeting in Harlow Hall on 3 May 2026 had 55 chairs.\n",
        "# Notes\n\nDid the meeting in Harlow Hall on 3 May 2026 have 55 guests?\n",
    ] {
        assert_eq!(found(&[("a.md", hall), ("b.md", other)]), [], "{other}");
    }
    let same = "# Notes\n\nThe meeting in Harlow Hall on 3 May 2026 had 35 guests.\n";
    assert_eq!(found(&[("a.md", hall), ("b.md", same)]).len(), 1);
}

#[test]
fn a_bound_is_only_broken_by_what_lies_beyond_it() {
    let rule = "# Rules\n\nCopies of the parish register are kept for at least 90 days.\n";
    let kept = |days: &str| {
        format!("# Practice\n\nCopies of the parish register are kept for {days} days.\n")
    };
    assert_eq!(
        found(&[("rules.md", rule), ("practice.md", &kept("120"))]),
        []
    );
    assert_eq!(
        found(&[("rules.md", rule), ("practice.md", &kept("35"))]).len(),
        1
    );
}

#[test]
fn a_cell_is_compared_within_its_column() {
    let first = "# List\n\n| code | matter | owner | chance | harm |\n|---|---|---|---|---|\n| K-1 | Flooded archive cellar | Ames | 2 | 4 |\n";
    let second = "# List\n\n| code | matter | owner | chance | harm |\n|---|---|---|---|---|\n| K-1 | Flooded archive cellar | Ames | 3 | 4 |\n";
    let found = found(&[
        ("register-2025-01-10.md", first),
        ("register-2025-09-10.md", second),
    ]);
    assert_eq!(found, one(Relation::Update, &["2", "3"]));
}

#[test]
fn reports_of_two_occasions_are_both_right() {
    let report =
        |guests: u32| format!("# Report\n\nThe summer fair of the parish had {guests} guests.\n");
    let (first, second) = (report(140), report(90));
    let found = found(&[
        ("fair-report-2024-07-02.md", &first),
        ("fair-report-2025-07-01.md", &second),
    ]);
    assert_eq!(found, []);
    let found = self::found(&[
        ("fairs/2024-07-02.md", &first),
        ("fairs/2025-07-01.md", &second),
    ]);
    assert_eq!(found, [], "named by their dates alone");
}

#[test]
fn a_count_that_grows_with_time_is_an_update() {
    let told = |date: &str, members: u32| {
        format!(
            "# Letter\n\nDate: {date}\n\nThe reading circle of the library has {members} members.\n"
        )
    };
    let (first, second) = (told("3 March 2024", 12), told("8 May 2025", 31));
    let grown = found(&[("letter-to-town.md", &first), ("note-to-press.md", &second)]);
    assert_eq!(grown, one(Relation::Update, &["12 members", "31 members"]));
    let (first, second) = (told("3 March 2024", 31), told("8 May 2025", 12));
    let shrunk = found(&[("letter-to-town.md", &first), ("note-to-press.md", &second)]);
    assert_eq!(shrunk[0].0, Relation::Conflict);
}

#[test]
fn what_tells_of_the_document_itself_is_no_claim() {
    let with =
        |date: &str| format!("# Paper\n\nVersion 2, signed on {date} by the parish council.\n");
    assert_eq!(
        found(&[
            ("a.md", &with("3 May 2026")),
            ("b.md", &with("9 June 2026"))
        ]),
        []
    );
}
