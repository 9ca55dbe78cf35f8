//! Which of several versions of a document holds.

use adjutant_reader::Standing;

use crate::{documents, reading};

fn replaced(names: &[&str]) -> Vec<Option<usize>> {
    let text = "# A text\n\nIt says something.\n";
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, text)).collect();
    let files = documents(&files);
    let read = reading(&files);
    let standing = read.documents().iter().map(|facts| match facts.standing {
        Standing::Current => None,
        Standing::ReplacedBy(later) => Some(later),
    });
    standing.collect()
}

#[test]
fn a_later_version_stands_in_the_place_of_an_earlier_one() {
    assert_eq!(
        replaced(&["plan-v1.0.md", "plan-v1.2.md", "other-v2.md"]),
        [Some(1), None, None]
    );
    assert_eq!(
        replaced(&["report-draft.md", "report-final.md"]),
        [Some(1), None]
    );
    assert_eq!(
        replaced(&["register-2026-08.md", "register-2026-01.md"]),
        [None, Some(0)]
    );
}

#[test]
fn minutes_of_two_meetings_both_hold() {
    let names = ["board-minutes-2025-01-10.md", "board-minutes-2026-02-03.md"];
    assert_eq!(replaced(&names), [None, None]);
    let of_version = |date: &str| {
        let text = format!("# Meeting\n\nWe spoke about version 3.0 on {date}.\n");
        [
            (format!("meetings/{date}.md"), text.clone()),
            (format!("board-minutes-{date}.md"), text),
        ]
    };
    let files = ["2025-01-10", "2026-02-03"].map(of_version).concat();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let files = documents(&files);
    let standing = reading(&files)
        .documents()
        .iter()
        .map(|of| of.standing)
        .collect::<Vec<_>>();
    assert_eq!(
        standing,
        [Standing::Current; 4],
        "whatever version they speak of"
    );
}

#[test]
fn a_document_says_what_it_replaces() {
    let old = "# Report on the bridge\n\nDate: 7 November 2025\n\nIt is safe.\n";
    let new = "# New report on the bridge\n\nDate: 3 March 2026. Replaces the report on the bridge of 7 November 2025.\n\nIt is not safe.\n";
    let other = "# Report on the tunnel\n\nDate: 8 November 2025\n\nIt is wet.\n";
    let files = documents(&[("a.md", old), ("b.md", new), ("c.md", other)]);
    let read = reading(&files);
    let standing: Vec<Standing> = read.documents().iter().map(|of| of.standing).collect();
    assert_eq!(
        standing,
        [
            Standing::ReplacedBy(1),
            Standing::Current,
            Standing::Current
        ]
    );
}
