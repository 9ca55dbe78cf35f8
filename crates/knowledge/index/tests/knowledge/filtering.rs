use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_knowledge_index::{
    DocumentKind, Entry, Filters, Index, Query, Segment, Way, Ways, search,
};
use proptest::prelude::*;

use crate::corpus::{index, paragraph, random_entries, space};

fn query(filters: Filters) -> Query {
    let mut query = Query::new("steel tank pressure weld", 1_000);
    query.filters = filters;
    query.ways = Ways::only([Way::Words]);
    query
}

/// What is said of a passage by its own words; the best of all hits is another with other filters.
fn values(
    index: &Index,
    filters: Filters,
) -> Vec<(adjutant_knowledge_index::DocumentId, u32, f64)> {
    search(index, &query(filters))
        .hits
        .iter()
        .map(|hit| (hit.document, hit.chunk, hit.explained.ways[0].value))
        .collect()
}

fn passes(entry: &Entry, filters: &Filters) -> bool {
    let date = entry.date.as_deref();
    (filters.kinds.is_empty() || filters.kinds.contains(&entry.kind))
        && filters.tags.iter().all(|tag| entry.tags.contains(tag))
        && (filters.from.is_none() || date.is_some_and(|date| date.starts_with("2024")))
}

#[test]
fn a_month_lies_in_every_period_that_has_a_day_of_it() {
    let mut entry = paragraph(1, "Tanks", "Steel tanks.");
    entry.date = Some("2024-03".to_owned());
    let index = index(&[entry]);
    let hits = |from: Option<&str>, to: Option<&str>| {
        let filters = Filters {
            from: from.map(str::to_owned),
            to: to.map(str::to_owned),
            ..Filters::default()
        };
        search(&index, &query(filters)).hits.len()
    };
    assert_eq!(hits(Some("2024-03-15"), None), 1);
    assert_eq!(hits(Some("2024"), Some("2024")), 1);
    assert_eq!(hits(Some("2024-04-01"), None), 0);
    assert_eq!(hits(None, Some("2023-12")), 0);
}

#[test]
fn a_document_without_a_date_is_in_no_period() {
    let index = index(&[paragraph(1, "Tanks", "Steel tanks.")]);
    let filters = Filters {
        to: Some("2030".to_owned()),
        ..Filters::default()
    };
    assert!(search(&index, &query(filters)).hits.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn filters_leave_out_and_change_nothing_else(
        entries in random_entries(), kind in any::<bool>(), tag in any::<bool>(), date in any::<bool>(),
    ) {
        let mut filters = Filters::default();
        if kind { filters.kinds.insert(DocumentKind::Pdf); }
        if tag { filters.tags.insert("safety".to_owned()); }
        if date { filters.from = Some("2024-01".to_owned()); }
        let index = index(&entries);
        let allowed: BTreeSet<_> = entries
            .iter()
            .filter(|entry| passes(entry, &filters))
            .map(|entry| entry.document)
            .collect();
        let mut expected = values(&index, Filters::default());
        expected.retain(|(document, _, _)| allowed.contains(document));
        prop_assert_eq!(values(&index, filters), expected);
    }

    #[test]
    fn another_namespace_is_as_if_it_were_not_there(ours in random_entries(), theirs in random_entries()) {
        let both = Index::new(vec![
            (space("theirs"), Arc::new(Segment::from_entries(&theirs))),
            (space("ours"), Arc::new(Segment::from_entries(&ours))),
        ]);
        let alone = Index::new(vec![(space("ours"), Arc::new(Segment::from_entries(&ours)))]);
        let mut query = Query::new("stel tank pressure weldx Zürich", 50);
        query.filters.namespaces.insert(space("ours"));
        query.vector = Some(vec![1.0, -0.5, 2.0]);
        prop_assert_eq!(search(&both, &query), search(&alone, &query));
    }
}
