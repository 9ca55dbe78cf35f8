use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_knowledge_index::{Entry, Index, Query, SearchResult, Segment, SegmentError, search};
use proptest::prelude::*;

use crate::corpus::{id, index, paragraph, random_entries, readable, space};

const HEADER_BYTES: usize = 37;

fn find(index: &Index) -> Vec<SearchResult> {
    [
        "steel tank pressure",
        "welded cracks of the valve",
        "Zürich 1.5 面積",
        "stel",
        "",
    ]
    .map(|text| {
        let mut query = Query::new(text, 20);
        query.vector = Some(vec![1.0, 0.5, -2.0]);
        search(index, &query)
    })
    .to_vec()
}

fn segment_of(entries: &[&Entry]) -> Segment {
    let owned: Vec<Entry> = entries.iter().map(|entry| (*entry).clone()).collect();
    Segment::from_entries(&owned)
}

#[test]
fn the_later_of_two_documents_with_one_id_is_found() {
    let old = Segment::from_entries(&[paragraph(1, "Old", "Steel rusts in the rain.")]);
    let new = Segment::from_entries(&[paragraph(1, "New", "Plastic ages in the sun.")]);
    let index = Index::new(vec![
        (space("a"), Arc::new(old)),
        (space("a"), Arc::new(new)),
    ]);
    assert_eq!(index.document_count(), 1);
    assert!(search(&index, &Query::new("steel", 5)).hits.is_empty());
    assert_eq!(search(&index, &Query::new("plastic", 5)).hits.len(), 1);
}

#[test]
fn what_is_left_out_of_a_merge_leaves_no_word_behind() {
    let all = Segment::from_entries(&readable());
    let without = Segment::merge(&[&all], &BTreeSet::from([id(3)]));
    let kept: Vec<Entry> = readable()
        .into_iter()
        .filter(|e| e.document != id(3))
        .collect();
    assert_eq!(without.to_bytes(), Segment::from_entries(&kept).to_bytes());
    let expenses = b"receipt";
    assert!(
        !without
            .to_bytes()
            .windows(expenses.len())
            .any(|bytes| bytes == expenses)
    );
}

#[test]
fn other_bytes_are_refused_with_the_reason() {
    let bytes = Segment::from_entries(&readable()).to_bytes();
    let refused = |bytes: &[u8]| Segment::from_bytes(bytes).unwrap_err();
    assert_eq!(refused(b""), SegmentError::NoSegment);
    assert_eq!(refused(b"something else"), SegmentError::NoSegment);
    assert_eq!(refused(&bytes[..bytes.len() - 1]), SegmentError::Damaged);
    let mut newer = bytes;
    newer[4] = 9;
    assert_eq!(refused(&newer), SegmentError::Version { version: 9 });
}

#[test]
fn an_empty_index_finds_nothing() {
    assert_eq!(
        find(&index(&[]))
            .iter()
            .map(|found| found.hits.len())
            .sum::<usize>(),
        0
    );
    let bytes = Segment::from_entries(&[]).to_bytes();
    assert_eq!(Segment::from_bytes(&bytes).unwrap().chunk_count(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn bytes_make_the_same_segment_again(entries in random_entries()) {
        let segment = Segment::from_entries(&entries);
        let bytes = segment.to_bytes();
        let again = Segment::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&again.to_bytes(), &bytes);
        let again = Index::new(vec![(space("all"), Arc::new(again))]);
        prop_assert_eq!(find(&again), find(&index(&entries)));
    }

    #[test]
    fn damage_is_noticed(entries in random_entries(), place in any::<prop::sample::Index>(), bit in 0_u32..8) {
        let mut bytes = Segment::from_entries(&entries).to_bytes();
        let place = place.index(bytes.len());
        bytes[place] ^= 1_u8 << bit;
        prop_assert!(Segment::from_bytes(&bytes).is_err());
    }

    #[test]
    fn bytes_with_a_fitting_digest_never_make_it_panic(
        entries in random_entries(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = Segment::from_entries(&entries).to_bytes();
        for (place, value) in changes {
            let place = HEADER_BYTES + place.index(bytes.len() - HEADER_BYTES);
            bytes[place] = value;
        }
        let digest = blake3::hash(&bytes[HEADER_BYTES..]);
        bytes[5..HEADER_BYTES].copy_from_slice(digest.as_bytes());
        if let Ok(segment) = Segment::from_bytes(&bytes) {
            // What was read may have been written differently, but what is written stays as it is.
            let written = segment.to_bytes();
            let again = Segment::from_bytes(&written).unwrap();
            prop_assert_eq!(again.to_bytes(), written);
            let _ = find(&Index::new(vec![(space("all"), Arc::new(segment))]));
        }
    }

    #[test]
    fn how_documents_are_spread_over_segments_changes_nothing(
        entries in random_entries(),
        seats in prop::collection::vec(0_usize..4, 14),
    ) {
        let expected = find(&index(&entries));
        let mut groups: Vec<Vec<&Entry>> = vec![Vec::new(); 4];
        for (entry, seat) in entries.iter().zip(seats) {
            groups[seat].insert(0, entry);
        }
        let segments: Vec<Segment> = groups.iter().map(|group| segment_of(group)).collect();
        let borrowed: Vec<&Segment> = segments.iter().rev().collect();
        let merged = Segment::merge(&borrowed, &BTreeSet::new());
        prop_assert_eq!(merged.to_bytes(), Segment::from_entries(&entries).to_bytes());
        let spread = segments.into_iter().map(|s| (space("all"), Arc::new(s))).collect();
        prop_assert_eq!(find(&Index::new(spread)), expected);
    }
}
