//! Which passages a term stands in: the rows of a segment, turned round.

use crate::segment::Content;

/// Computed when a segment is made or loaded, never stored: it cannot disagree with the rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Postings {
    /// Per term where its run begins; one more at the end.
    starts: Vec<u32>,
    chunks: Vec<u32>,
    counts: Vec<(u8, u8)>,
    documents_with: Vec<u32>,
}

/// The run of one term: passages rising, and the counts in body and heads of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) chunks: &'a [u32],
    pub(crate) counts: &'a [(u8, u8)],
}

impl Postings {
    pub(crate) fn new(content: &Content) -> Self {
        let terms = content.terms.len();
        let mut starts = vec![0_u32; terms + 1];
        for chunk in 0..content.chunks.len() {
            for count in content.rows.row(chunk) {
                starts[count.term as usize + 1] += 1;
            }
        }
        for term in 0..terms {
            starts[term + 1] += starts[term];
        }
        let total = starts[terms] as usize;
        let mut chunks = vec![0_u32; total];
        let mut counts = vec![(0, 0); total];
        let mut documents_with = vec![0_u32; terms];
        let mut last_document = vec![u32::MAX; terms];
        let mut next = starts.clone();
        for (number, chunk) in (0_u32..).zip(&content.chunks) {
            for count in content.rows.row(number as usize) {
                let term = count.term as usize;
                let place = next[term] as usize;
                next[term] += 1;
                chunks[place] = number;
                counts[place] = (count.body, count.heads);
                if last_document[term] != chunk.document {
                    last_document[term] = chunk.document;
                    documents_with[term] += 1;
                }
            }
        }
        Self {
            starts,
            chunks,
            counts,
            documents_with,
        }
    }

    pub(crate) fn run(&self, term: usize) -> Run<'_> {
        let range = self.starts[term] as usize..self.starts[term + 1] as usize;
        Run {
            chunks: &self.chunks[range.clone()],
            counts: &self.counts[range],
        }
    }

    pub(crate) fn chunks_with(&self, term: usize) -> u32 {
        self.starts[term + 1] - self.starts[term]
    }

    pub(crate) fn documents_with(&self, term: usize) -> u32 {
        self.documents_with[term]
    }

    pub(crate) fn bytes_held(&self) -> usize {
        (self.starts.capacity() + self.chunks.capacity() + self.documents_with.capacity())
            * size_of::<u32>()
            + self.counts.capacity() * 2
    }
}
