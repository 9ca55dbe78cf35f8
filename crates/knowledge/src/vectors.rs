//! The embeddings of a segment, one after the other. Passages without one have an empty place.

use crate::varint::{Reader, Unreadable, put_number};
use crate::vector::VECTOR_DIMENSIONS_MAX;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Vectors {
    parts: Vec<i8>,
    places: Vec<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    end: u64,
    scale: f32,
}

impl Vectors {
    pub(crate) fn push(&mut self, vector: Option<(f32, &[i8])>) {
        let (scale, parts) = vector.unwrap_or((0.0, &[]));
        self.parts.extend_from_slice(parts);
        self.places.push(Place {
            end: self.parts.len() as u64,
            scale,
        });
    }

    pub(crate) fn get(&self, chunk: usize) -> Option<(f32, &[i8])> {
        let place = self.places.get(chunk)?;
        let start = chunk
            .checked_sub(1)
            .map_or(0, |before| self.places[before].end);
        let parts = self.parts.get(start as usize..place.end as usize)?;
        (!parts.is_empty()).then_some((place.scale, parts))
    }

    pub(crate) fn shrink(&mut self) {
        self.parts.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.parts.capacity() + self.places.capacity() * size_of::<Place>()
    }

    pub(crate) fn put(&self, chunk: usize, bytes: &mut Vec<u8>) {
        let Some((scale, parts)) = self.get(chunk) else {
            put_number(bytes, 0);
            return;
        };
        put_number(bytes, parts.len() as u64);
        bytes.extend(scale.to_le_bytes());
        bytes.extend(parts.iter().map(|part| part.cast_unsigned()));
    }

    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), Unreadable> {
        let dimensions = reader.count()?;
        if dimensions == 0 {
            self.push(None);
            return Ok(());
        }
        if dimensions > VECTOR_DIMENSIONS_MAX {
            return Err(Unreadable);
        }
        let scale = reader.take(4)?.try_into().map_err(|_| Unreadable)?;
        let scale = f32::from_le_bytes(scale);
        if !scale.is_finite() || scale <= 0.0 {
            return Err(Unreadable);
        }
        let parts: Vec<i8> = reader
            .take(dimensions)?
            .iter()
            .map(|byte| byte.cast_signed())
            .collect();
        if parts.contains(&i8::MIN) {
            return Err(Unreadable);
        }
        self.push(Some((scale, &parts)));
        Ok(())
    }
}
