//! Embeddings as small integers: a quarter of the memory of what an endpoint returns, and products without rounding.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

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
    #[error("a vector that is not written as one")]
    Unreadable,
}

/// A direction, each part a 127th of the largest. Written as base64, because a document may have thousands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Vector {
    pub(crate) scale: f32,
    pub(crate) parts: Vec<i8>,
}

impl Vector {
    pub fn of(values: &[f32]) -> Result<Self, VectorError> {
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

impl From<Vector> for String {
    fn from(vector: Vector) -> Self {
        let mut bytes = vector.scale.to_le_bytes().to_vec();
        bytes.extend(vector.parts.iter().map(|part| part.cast_unsigned()));
        STANDARD.encode(bytes)
    }
}

impl TryFrom<String> for Vector {
    type Error = VectorError;

    fn try_from(text: String) -> Result<Self, VectorError> {
        let bytes = STANDARD.decode(text).map_err(|_| VectorError::Unreadable)?;
        let (scale, parts) = bytes.split_first_chunk().ok_or(VectorError::Unreadable)?;
        let scale = f32::from_le_bytes(*scale);
        let dimensions = parts.len();
        if dimensions == 0 || dimensions > VECTOR_DIMENSIONS_MAX {
            return Err(VectorError::Dimensions { dimensions });
        }
        let parts: Vec<i8> = parts.iter().map(|byte| byte.cast_signed()).collect();
        if !scale.is_finite() || scale <= 0.0 || parts.contains(&i8::MIN) {
            return Err(VectorError::Unreadable);
        }
        Ok(Self { scale, parts })
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
