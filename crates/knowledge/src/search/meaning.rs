//! Embeddings: every passage that has one is compared with the question's.

use crate::search::scope::{Scope, Slot};
use crate::vector::{Vector, product};

/// The likeness that counts as nothing is that of the passage at this rank.
const POOL: usize = 200;

/// How like the question each passage is; none for those without an embedding.
pub(crate) struct Meaning {
    likeness: Vec<Option<f32>>,
    pub(crate) best: Vec<(f64, Slot)>,
    pub(crate) covered: u32,
    floor: f64,
    top: f64,
}

impl Meaning {
    /// None if the question has no embedding, or no passage one that fits.
    pub(crate) fn of(scope: &Scope<'_>, question: Option<&[f32]>) -> Option<Self> {
        let question = Vector::of(question?).ok()?;
        let asked: Vec<i16> = question.parts.iter().copied().map(i16::from).collect();
        let mut likeness: Vec<Option<f32>> = vec![None; scope.chunk_count];
        let mut scored = Vec::new();
        for part in &scope.parts {
            let segment = &part.part.segment;
            for (chunk, row) in segment.content.chunks.iter().enumerate() {
                let Some((scale, parts)) = segment.content.vectors.get(chunk) else {
                    continue;
                };
                if !part.takes[row.document as usize] || parts.len() != asked.len() {
                    continue;
                }
                let cosine = product(parts, &asked) as f32 * scale * question.scale;
                let slot = part.first_slot + chunk;
                likeness[slot] = Some(cosine);
                scored.push((f64::from(cosine), slot));
            }
        }
        let covered = u32::try_from(scored.len()).unwrap_or(u32::MAX);
        let best = scope.best(scored, POOL);
        let (top, floor) = (best.first()?.0, best.last()?.0);
        Some(Self {
            likeness,
            best,
            covered,
            floor,
            top,
        })
    }

    /// From 0 to 1 between the last and the first of the best; none without an embedding.
    pub(crate) fn value(&self, slot: Slot) -> Option<f64> {
        let likeness = f64::from(self.likeness[slot]?);
        let width = self.top - self.floor;
        if width <= 0.0 {
            return Some(1.0);
        }
        Some(((likeness - self.floor) / width).clamp(0.0, 1.0))
    }
}
