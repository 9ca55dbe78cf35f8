//! The job's memory, every address of which may be a lie.

use std::ops::Range;

use super::errno::Errno;

/// Of one call; a program that has more calls again.
const BUFFERS_MAX: u32 = 1024;
const BUFFER_BYTES: u32 = 8;

pub(super) struct Memory<'a>(pub(super) &'a mut [u8]);

#[derive(Clone, Copy)]
pub(super) struct Buffer {
    pub(super) address: u32,
    pub(super) len: u32,
}

fn range(address: u32, len: u32) -> Range<usize> {
    let start = address as usize;
    start..start.saturating_add(len as usize)
}

impl Memory<'_> {
    pub(super) fn bytes(&self, address: u32, len: u32) -> Result<&[u8], Errno> {
        self.0.get(range(address, len)).ok_or(Errno::Fault)
    }

    pub(super) fn bytes_mut(&mut self, address: u32, len: u32) -> Result<&mut [u8], Errno> {
        self.0.get_mut(range(address, len)).ok_or(Errno::Fault)
    }

    pub(super) fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), Errno> {
        let len = u32::try_from(bytes.len()).map_err(|_| Errno::Fault)?;
        self.bytes_mut(address, len)?.copy_from_slice(bytes);
        Ok(())
    }

    pub(super) fn write_u32(&mut self, address: u32, value: u32) -> Result<(), Errno> {
        self.write(address, &value.to_le_bytes())
    }

    pub(super) fn write_u64(&mut self, address: u32, value: u64) -> Result<(), Errno> {
        self.write(address, &value.to_le_bytes())
    }

    /// The buffers of a list, each inside the memory, and together no longer than a number can say.
    pub(super) fn buffers(&self, address: u32, count: u32) -> Result<Vec<Buffer>, Errno> {
        if count > BUFFERS_MAX {
            return Err(Errno::Invalid);
        }
        let list = self.bytes(address, count * BUFFER_BYTES)?;
        let mut total = 0u32;
        let mut buffers = Vec::new();
        for entry in list.chunks_exact(BUFFER_BYTES as usize) {
            let [a, b, c, d, e, f, g, h] = entry else {
                return Err(Errno::Fault);
            };
            let buffer = Buffer {
                address: u32::from_le_bytes([*a, *b, *c, *d]),
                len: u32::from_le_bytes([*e, *f, *g, *h]),
            };
            self.bytes(buffer.address, buffer.len)?;
            total = total.checked_add(buffer.len).ok_or(Errno::Invalid)?;
            buffers.push(buffer);
        }
        Ok(buffers)
    }
}
