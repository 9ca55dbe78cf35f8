//! Passages of one document are one source, under the numbers by which they were cited.

use super::*;

const REPORT: &str = "kb:inc/post-mortem.md";

fn source(id: &str, title: &str, text: &str) -> Source {
    Source {
        id: id.to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
        published: None,
    }
}

fn evidence(source: &str, quote: &str) -> Evidence {
    Evidence {
        source: source.to_owned(),
        quote: quote.to_owned(),
    }
}

fn grades(given: &[(&str, &str)]) -> BTreeMap<String, String> {
    let own = |(id, grade): &(&str, &str)| ((*id).to_owned(), (*grade).to_owned());
    given.iter().map(own).collect()
}

/// Cites the whole of each source, in this order, and gives the sources of the document.
fn cited(sources: &[Source], given: &[(&str, &str)]) -> Vec<deliverable::Source> {
    let mut builder = Builder::new(sources, grades(given));
    for source in sources {
        builder.cite(&[evidence(&source.id, &source.text)]);
    }
    builder.sources()
}

fn places(source: &deliverable::Source) -> Vec<Option<&str>> {
    let passages = source.passages.iter();
    passages.map(|at| at.place.as_deref()).collect()
}

#[test]
fn passages_of_one_document_are_one_source_and_keep_their_numbers() {
    let ids = [format!("{REPORT}#0-40"), format!("{REPORT}#90-120")];
    let other = "kb:inc/minutes.md#5-9";
    let sources = [
        source(
            &ids[0],
            "Post-mortem · 3 Causes",
            "The fuse was old. Nobody looked.",
        ),
        source(other, "Minutes", "Nobody looked."),
        source(&ids[1], "Post-mortem · 1 Summary", "Nobody looked."),
    ];
    let mut builder = Builder::new(&sources, BTreeMap::new());
    let all = [
        evidence(&ids[0], "The fuse was old."),
        evidence(other, "Nobody looked."),
        evidence(&ids[1], "Nobody looked."),
        // The same words at another address are another passage.
        evidence(&ids[0], "Nobody looked."),
        evidence(&ids[0], "The  fuse\nwas old."),
    ];
    assert_eq!(builder.cite(&all), [1, 2, 3, 4]);
    let made = builder.sources();
    let told: Vec<(&str, &str)> = made.iter().map(|at| (&*at.id, &*at.title)).collect();
    assert_eq!(
        told,
        [(REPORT, "Post-mortem"), ("kb:inc/minutes.md", "Minutes")]
    );
    let passages = &made[0].passages;
    let numbers: Vec<u32> = passages.iter().map(|at| at.number).collect();
    assert_eq!(numbers, [1, 3, 4]);
    let causes = Some("3 Causes");
    assert_eq!(places(&made[0]), [causes, Some("1 Summary"), causes]);
    let addresses: Vec<Option<&str>> = passages.iter().map(|at| at.address.as_deref()).collect();
    assert_eq!(
        addresses,
        [&ids[0], &ids[1], &ids[0]].map(|id| Some(id.as_str()))
    );
    assert_eq!(places(&made[1]), [None]);
}

#[test]
fn articles_and_web_pages_stay_as_they_are() {
    for id in [
        "doi:10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-#",
        "https://example.org/page#causes",
        "https://example.org/page#L10-L20",
        "pubmed:12345678",
        "#1-2",
    ] {
        let made = cited(&[source(id, "A finding · A journal", "It is so.")], &[]);
        assert_eq!(made[0].id, id);
        assert_eq!(made[0].title, "A finding · A journal");
        let passage = &made[0].passages[0];
        assert_eq!((&passage.place, &passage.address), (&None, &None), "{id}");
    }
}

#[test]
fn documents_whose_names_begin_alike_are_not_mixed_up() {
    let made = cited(
        &[
            source("kb:a/c#-guide.md#0-9", "Guide · 1", "It is so."),
            source("kb:a/c#-guide.md.old#0-9", "Old guide · 1", "It was so."),
            source("kb:a/c", "Whole", "It may be."),
        ],
        &[],
    );
    let told: Vec<(&str, &str)> = made.iter().map(|at| (&*at.id, &*at.title)).collect();
    let expected = [
        ("kb:a/c#-guide.md", "Guide"),
        ("kb:a/c#-guide.md.old", "Old guide"),
        ("kb:a/c", "Whole"),
    ];
    assert_eq!(told, expected);
    assert_eq!(made[2].passages[0].address.as_deref(), Some("kb:a/c"));
}

#[test]
fn a_dot_in_a_title_is_no_heading_if_all_passages_have_it() {
    let titled = |titles: &[&str]| {
        let sources = titles.iter().enumerate().map(|(nth, title)| {
            let id = format!("{REPORT}#{nth}-99");
            source(&id, title, "It is so.")
        });
        let made = cited(&sources.collect::<Vec<_>>(), &[]);
        let places = places(&made[0]).into_iter().map(|at| at.map(str::to_owned));
        (made[0].title.clone(), places.collect::<Vec<_>>())
    };
    let place = |text: &str| Some(text.to_owned());
    assert_eq!(
        titled(&["Plan · 2026 · Cost", "Plan · 2026 · Time", "Plan · 2026"]),
        (
            "Plan · 2026".to_owned(),
            vec![place("Cost"), place("Time"), None]
        )
    );
    assert_eq!(
        titled(&["Plan · 2026 · Cost"]),
        ("Plan · 2026".to_owned(), vec![place("Cost")])
    );
    assert_eq!(
        titled(&["Plan · Cost", "Another · Time"]),
        ("Another".to_owned(), vec![place("Cost"), place("Time")])
    );
    assert_eq!(titled(&[""]), (REPORT.to_owned(), vec![None]));
}

#[test]
fn the_best_grade_and_a_known_date_are_the_documents() {
    let ids = [format!("{REPORT}#0-9"), format!("{REPORT}#10-19")];
    let mut sources = [
        source(&ids[0], "Post-mortem · 1", "It is so."),
        source(&ids[1], "Post-mortem · 2", "It was so."),
    ];
    sources[1].published = Some("2026-03-01".to_owned());
    let made = cited(&sources, &[(&ids[0], "low"), (&ids[1], "moderate")]);
    assert_eq!(made[0].grade.as_deref(), Some("moderate"));
    assert_eq!(made[0].published.as_deref(), Some("2026-03-01"));
    let made = cited(
        &sources,
        &[(&ids[0], "low"), (REPORT, "high (final report)")],
    );
    assert_eq!(made[0].grade.as_deref(), Some("high (final report)"));
    assert_eq!(cited(&sources, &[])[0].grade, None);
}
