//! Embeddings: passages whose own are near the question's.

use crate::search::scope::{Scope, Slot};
use crate::vector::{Vector, product};
use crate::vectors::signs;

/// The likeness that counts as nothing is that of the passage at this rank.
const POOL: usize = 200;
/// So many are compared exactly: all of a small index, and of a large one those whose signs differ least.
const COMPARED_MIN: usize = 4_096;

/// How like the question passages are.
pub(crate) struct VectorMatches {
    query_parts: Vec<i16>,
    scale: f32,
    pub(crate) best: Vec<(f64, Slot)>,
    /// Passages with an embedding that fits.
    pub(crate) covered: u32,
    floor: f64,
    top: f64,
}

impl VectorMatches {
    /// None if the question has no embedding, or no passage one that fits.
    pub(crate) fn find(scope: &Scope<'_>, query: Option<&[f32]>) -> Option<Self> {
        let query = Vector::of(query?).ok()?;
        let mut near = by_signs(scope, &query);
        let mut matches = Self {
            query_parts: query.parts.iter().copied().map(i16::from).collect(),
            scale: query.scale,
            best: Vec::new(),
            covered: u32::try_from(near.len()).unwrap_or(u32::MAX),
            floor: 0.0,
            top: 0.0,
        };
        keep_nearest(&mut near, query.parts.len());
        let scored = near
            .iter()
            .filter_map(|(_, slot)| Some((matches.likeness(scope, *slot)?, *slot)))
            .collect();
        matches.best = scope.best(scored, POOL);
        matches.top = matches.best.first()?.0;
        matches.floor = matches.best.last()?.0;
        Some(matches)
    }

    fn likeness(&self, scope: &Scope<'_>, slot: Slot) -> Option<f64> {
        let (part, chunk) = scope.locate(slot);
        let (scale, parts) = part.part.segment.content.vectors.get(chunk)?;
        if parts.len() != self.query_parts.len() {
            return None;
        }
        let cosine = product(parts, &self.query_parts) as f32 * scale * self.scale;
        Some(f64::from(cosine))
    }

    /// From 0 to 1 between the last and the first of the best; none without an embedding.
    pub(crate) fn value(&self, scope: &Scope<'_>, slot: Slot) -> Option<f64> {
        let likeness = self.likeness(scope, slot)?;
        let width = self.top - self.floor;
        if width <= 0.0 {
            return Some(1.0);
        }
        Some(((likeness - self.floor) / width).clamp(0.0, 1.0))
    }
}

/// In how many signs each embedding differs from the question's.
fn by_signs(scope: &Scope<'_>, query: &Vector) -> Vec<(u32, Slot)> {
    let query_signs: Vec<u64> = signs(&query.parts).collect();
    let mut near = Vec::new();
    for part in &scope.parts {
        let content = &part.part.segment.content;
        for (chunk, row) in content.chunks.iter().enumerate() {
            let Some((dimensions, signs)) = content.vectors.signs(chunk) else {
                continue;
            };
            if dimensions == query.parts.len() && part.takes[row.document as usize] {
                let bits = signs
                    .iter()
                    .zip(&query_signs)
                    .map(|(a, b)| (a ^ b).count_ones());
                near.push((bits.sum(), part.first_slot + chunk));
            }
        }
    }
    near
}

/// All up to the difference at which enough are kept: what is equally near stays or goes together.
fn keep_nearest(near: &mut Vec<(u32, Slot)>, dimensions: usize) {
    if near.len() <= COMPARED_MIN {
        return;
    }
    let mut with = vec![0_usize; dimensions + 1];
    for (bits, _) in near.iter() {
        with[*bits as usize] += 1;
    }
    let mut kept = 0;
    let enough = with.iter().position(|count| {
        kept += count;
        kept >= COMPARED_MIN
    });
    let most = enough.unwrap_or(dimensions);
    near.retain(|(bits, _)| *bits as usize <= most);
}
