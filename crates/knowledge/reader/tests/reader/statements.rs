//! Statements keep what they stand under.

use adjutant_reader::StatementForm;

use crate::{documents, reading};

const RULES: &str = "\
# Rules of the house

## Pets

Allowed are:

- dogs
  - on a lead
  - with a licence
- cats

| animal | fee |
|---|---|
| dog | 40 euros |
| cat | 15 euros |
";

#[test]
fn an_item_has_its_parent_and_its_lead_in() {
    let files = documents(&[("rules.md", RULES)]);
    let read = reading(&files);
    let text = &files[0].1.text;
    let find = |wanted: &str| {
        let at = (0..read.statements().len()).find(|at| read.text(*at) == wanted);
        &read.statements()[at.unwrap()]
    };
    let told = |wanted: &str| {
        let leads = find(wanted).leads.iter();
        leads.map(|at| &text[at.clone()]).collect::<Vec<_>>()
    };
    assert_eq!(told("with a licence"), ["Allowed are:", "dogs"]);
    assert_eq!(told("cats"), ["Allowed are:"]);
    let headings = find("cats").headings.iter();
    let headings: Vec<&str> = headings.map(|at| &text[at.clone()]).collect();
    assert_eq!(headings, ["Rules of the house", "Pets"]);
}

#[test]
fn a_cell_has_the_head_of_its_column() {
    let files = documents(&[("rules.md", RULES)]);
    let read = reading(&files);
    let text = &files[0].1.text;
    let mut rows = read
        .statements()
        .iter()
        .filter(|at| at.form == StatementForm::Row);
    let cat = rows
        .find(|row| text[row.span.clone()].starts_with("cat"))
        .unwrap();
    let fee = &cat.cells[1];
    assert_eq!(&text[fee.value.clone()], "15 euros");
    assert_eq!(&text[fee.head.clone().unwrap()], "fee");
}
