//! Embeddings as small integers: an eighth of the memory of what an endpoint returns, and products without rounding.

/// The longest embedding that is taken.
pub const VECTOR_DIMENSIONS_MAX: usize = 8_192;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    #[error("{vectors} vectors for {chunks} chunks")]
    Count { vectors: usize, chunks: usize },
    #[error("a vector of {dimensions} dimensions; at most {VECTOR_DIMENSIONS_MAX}, at least 1")]
    Dimensions { dimensions: usize },
    #[error("a vector that points nowhere: all zero, or not finite")]
    Direction,
}

/// A direction, each part a 127th of the largest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Vector {
    pub(crate) scale: f32,
    pub(crate) parts: Vec<i8>,
}

impl Vector {
    pub(crate) fn of(values: &[f32]) -> Result<Self, VectorError> {
        let dimensions = values.len();
        if dimensions == 0 || dimensions > VECTOR_DIMENSIONS_MAX {
            return Err(VectorError::Dimensions { dimensions });
        }
        let square: f64 = values.iter().map(|v| f64::from(*v) * f64::from(*v)).sum();
        let length = square.sqrt();
        if !length.is_normal() {
            return Err(VectorError::Direction);
        }
        let largest = values
            .iter()
            .fold(0_f64, |most, v| most.max(f64::from(v.abs())));
        let step = largest / 127.0;
        let parts = values
            .iter()
            .map(|v| to_part(f64::from(*v) / step))
            .collect();
        Ok(Self {
            scale: to_single(step / length),
            parts,
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most 127 by division")]
fn to_part(value: f64) -> i8 {
    value.round() as i8
}

#[expect(clippy::cast_possible_truncation, reason = "a scale needs no more")]
fn to_single(value: f64) -> f32 {
    value as f32
}

/// The product of two directions, exact. One side is widened beforehand: compilers know this shape.
pub(crate) fn product(kept: &[i8], asked: &[i16]) -> i32 {
    kept.iter()
        .zip(asked)
        .map(|(a, b)| i32::from(*a) * i32::from(*b))
        .sum()
}
