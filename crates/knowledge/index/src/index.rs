//! Segments that are searched as one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::query::Namespace;
use crate::segment::Segment;

/// A searchable set of segments. What is found does not depend on how documents are spread over them.
#[derive(Debug, Clone)]
pub struct Index {
    pub(crate) parts: Vec<IndexPart>,
    /// Every term of every part, in order: where to read it.
    terms: Vec<(u32, u32)>,
    /// Of each term, for finding what is spelled alike.
    pub(crate) shapes: Vec<Shape>,
}

#[derive(Debug, Clone)]
pub(crate) struct IndexPart {
    pub(crate) namespace: Namespace,
    pub(crate) segment: Arc<Segment>,
    /// For each term of the segment its number in the index, rising.
    pub(crate) numbers: Vec<u32>,
}

/// Letters a word has, one bit each, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) letters: u32,
    pub(crate) count: u8,
}

impl Shape {
    pub(crate) fn new(word: &str) -> Self {
        let mut letters = 0;
        let mut count = 0_u8;
        for letter in word.chars() {
            letters |= 1 << (u32::from(letter) % 32);
            count = count.saturating_add(1);
        }
        Self { letters, count }
    }
}

impl Index {
    /// A document that is in two segments of a namespace counts only in the last.
    pub fn new(segments: Vec<(Namespace, Arc<Segment>)>) -> Self {
        let mut spaces: BTreeMap<Namespace, Vec<Arc<Segment>>> = BTreeMap::new();
        for (namespace, segment) in segments {
            spaces.entry(namespace).or_default().push(segment);
        }
        let mut parts = Vec::new();
        for (namespace, segments) in spaces {
            for segment in merge_if_repeated(segments) {
                parts.push(IndexPart {
                    namespace: namespace.clone(),
                    segment,
                    numbers: Vec::new(),
                });
            }
        }
        let terms = number_terms(&mut parts);
        let mut index = Self {
            parts,
            terms,
            shapes: Vec::new(),
        };
        index.shapes = (0..index.terms.len())
            .map(|number| Shape::new(index.term(number)))
            .collect();
        index
    }

    pub fn chunk_count(&self) -> usize {
        self.parts
            .iter()
            .map(|part| part.segment.chunk_count())
            .sum()
    }

    pub fn document_count(&self) -> usize {
        self.parts
            .iter()
            .map(|part| part.segment.document_count())
            .sum()
    }

    /// About what it holds in memory.
    pub fn bytes_held(&self) -> usize {
        let parts: usize = self
            .parts
            .iter()
            .map(|part| part.segment.bytes_held() + part.numbers.capacity() * size_of::<u32>())
            .sum();
        parts + self.terms.capacity() * (size_of::<(u32, u32)>() + size_of::<Shape>())
    }

    pub(crate) fn term_count(&self) -> usize {
        self.terms.len()
    }

    pub(crate) fn term(&self, number: usize) -> &str {
        let (part, own) = self.terms[number];
        self.parts[part as usize]
            .segment
            .content
            .terms
            .get(own as usize)
    }

    pub(crate) fn find(&self, term: &str) -> Option<usize> {
        let place = self.first_from(term);
        (place < self.terms.len() && self.term(place) == term).then_some(place)
    }

    /// The number of the first term that does not come before this one.
    pub(crate) fn first_from(&self, term: &str) -> usize {
        let (mut low, mut high) = (0, self.terms.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.term(middle) < term {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

impl IndexPart {
    /// The segment's own number of a term.
    pub(crate) fn own_number(&self, number: u32) -> Option<usize> {
        self.numbers.binary_search(&number).ok()
    }
}

fn merge_if_repeated(segments: Vec<Arc<Segment>>) -> Vec<Arc<Segment>> {
    let mut seen = BTreeSet::new();
    let repeats = segments
        .iter()
        .flat_map(|segment| segment.documents())
        .any(|document| !seen.insert(document));
    if !repeats {
        return segments;
    }
    let borrowed: Vec<&Segment> = segments.iter().map(AsRef::as_ref).collect();
    vec![Arc::new(Segment::merge(&borrowed, &BTreeSet::new()))]
}

/// Numbers the terms of all parts in one order.
fn number_terms(parts: &mut [IndexPart]) -> Vec<(u32, u32)> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for (number, part) in (0_u32..).zip(parts.iter()) {
        let own = u32::try_from(part.segment.content.terms.len()).unwrap_or(u32::MAX);
        all.extend((0..own).map(|term| (number, term)));
    }
    let text = |&(part, term): &(u32, u32)| {
        parts[part as usize]
            .segment
            .content
            .terms
            .get(term as usize)
    };
    // Runs that are sorted already, which this sort notices.
    all.sort_by(|left, right| text(left).cmp(text(right)));
    let mut terms: Vec<(u32, u32)> = Vec::new();
    let mut numbers: Vec<Vec<u32>> = parts.iter().map(|_| Vec::new()).collect();
    for place in all {
        if terms.last().is_none_or(|last| text(last) != text(&place)) {
            terms.push(place);
        }
        let number = u32::try_from(terms.len() - 1).unwrap_or(u32::MAX);
        numbers[place.0 as usize].push(number);
    }
    for (part, numbers) in parts.iter_mut().zip(numbers) {
        part.numbers = numbers;
    }
    terms
}
