use adjutant_questions::{Compare, Input, Output, Row, Source};

use crate::dossiers::{answered, changed, without};

fn databases() -> Vec<Source> {
    let source = |id: &str, title: &str, text: &str| Source {
        id: id.to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
        published: None,
    };
    vec![
        source(
            "heron",
            "Heron handbook",
            "Heron keeps its data in one file. The price of a licence is 900 euros a year.\n\nBackups run while it works.",
        ),
        source(
            "magpie",
            "Magpie handbook",
            "Magpie needs a server. The price of a licence is 2,400 euros a year. Replication is reliable.",
        ),
        source(
            "trial",
            "A trial of both",
            "In our trial Heron answered 1,200 requests a second. Magpie answered 5,300 requests a second. Replication in \
             Heron was unreliable.",
        ),
    ]
}

fn compared(criterion: &str, sources: Vec<Source>) -> Row {
    let input = Input::Compare(Compare {
        about: String::new(),
        items: vec!["Heron".to_owned(), "Magpie".to_owned()],
        criteria: vec![criterion.to_owned()],
        sources,
        guidance: Vec::new(),
    });
    match answered(&input) {
        Output::Compare(mut output) => output.rows.remove(0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_item_has_its_own_sentence() {
    let row = compared("requests a second", databases());
    assert!(
        row.cells[0].text.as_deref().unwrap().contains("1,200"),
        "{row:?}"
    );
    assert!(
        row.cells[1].text.as_deref().unwrap().contains("5,300"),
        "{row:?}"
    );
    assert!(row.differs);
}

#[test]
fn a_text_about_an_item_speaks_for_it() {
    let row = compared("price", databases());
    assert_eq!(row.cells[0].evidence[0].source, "heron");
    assert_eq!(row.cells[1].evidence[0].source, "magpie");
    assert!(row.differs);
    let same = changed(&databases(), "magpie", "2,400", "900");
    assert!(!compared("price", same).differs);
}

#[test]
fn the_side_taken_tells_apart_without_numbers() {
    let row = compared("replication", databases());
    assert!(row.differs, "{row:?}");
}

#[test]
fn an_empty_cell_stays_empty() {
    let row = compared("price", without(&databases(), "magpie"));
    assert!(
        row.cells[1].text.is_none() && row.cells[1].evidence.is_empty(),
        "{row:?}"
    );
    assert!(!row.differs);
    let nothing = compared("price", Vec::new());
    assert!(nothing.cells.iter().all(|cell| cell.text.is_none()));
    assert!(compared("colour", databases()).cells[0].text.is_none());
}
