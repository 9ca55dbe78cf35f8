//! The embeddings of a segment, one after the other. Passages without one have an empty place.

use crate::varint::{Reader, Unreadable, put_number};
use crate::vector::VECTOR_DIMENSIONS_MAX;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Vectors {
    parts: Vec<i8>,
    places: Vec<Place>,
    /// Of each vector which parts are negative, a bit each: enough to tell what is surely far off.
    signs: Vec<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    end: u64,
    signs_end: u64,
    scale: f32,
}

impl Vectors {
    pub(crate) fn push(&mut self, vector: Option<(f32, &[i8])>) {
        let (scale, parts) = vector.unwrap_or((0.0, &[]));
        self.parts.extend_from_slice(parts);
        self.signs.extend(signs(parts));
        self.places.push(Place {
            end: self.parts.len() as u64,
            signs_end: self.signs.len() as u64,
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

    /// The number of parts, and their signs.
    pub(crate) fn signs(&self, chunk: usize) -> Option<(usize, &[u64])> {
        let place = self.places.get(chunk)?;
        let (start, signs_start) = match chunk.checked_sub(1) {
            Some(before) => (self.places[before].end, self.places[before].signs_end),
            None => (0, 0),
        };
        let signs = self
            .signs
            .get(signs_start as usize..place.signs_end as usize)?;
        (!signs.is_empty()).then_some(((place.end - start) as usize, signs))
    }

    pub(crate) fn shrink(&mut self) {
        self.parts.shrink_to_fit();
        self.places.shrink_to_fit();
        self.signs.shrink_to_fit();
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.parts.capacity()
            + self.places.capacity() * size_of::<Place>()
            + self.signs.capacity() * size_of::<u64>()
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

/// Which parts are negative.
pub(crate) fn signs(parts: &[i8]) -> impl Iterator<Item = u64> {
    parts.chunks(64).map(|parts| {
        (0_u32..).zip(parts).fold(0, |bits, (place, part)| {
            bits | u64::from(*part < 0) << place
        })
    })
}
