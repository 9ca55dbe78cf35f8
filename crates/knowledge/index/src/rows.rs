//! The counts of every passage, packed.

use crate::entry::Count;
use crate::varint::{Reader, Unreadable, put_number};

/// One row of counts per passage. Most counts are "once, in the body", which takes no byte of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rows {
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

impl Rows {
    pub(crate) fn row(&self, number: usize) -> impl Iterator<Item = Count> {
        let mut reader = Reader {
            rest: self.bytes_of(number),
        };
        let mut next = 0_u32;
        std::iter::from_fn(move || read(&mut reader, &mut next).ok())
    }

    /// One passage's counts as they are stored.
    pub(crate) fn bytes_of(&self, number: usize) -> &[u8] {
        let Some(&end) = self.ends.get(number) else {
            return &[];
        };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.bytes.get(start as usize..end as usize).unwrap_or(&[])
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<u64>()
    }
}

fn read(reader: &mut Reader<'_>, next: &mut u32) -> Result<Count, Unreadable> {
    let packed = reader.number()?;
    let gap = u32::try_from(packed >> 1).map_err(|_| Unreadable)?;
    let term = next.checked_add(gap).ok_or(Unreadable)?;
    let (body, heads) = if packed & 1 == 1 {
        (1, 0)
    } else {
        (reader.byte()?, reader.byte()?)
    };
    *next = term.checked_add(1).ok_or(Unreadable)?;
    Ok(Count { term, body, heads })
}

#[derive(Default)]
pub(crate) struct RowsBuilder {
    rows: Rows,
}

impl RowsBuilder {
    /// Counts by term, rising.
    pub(crate) fn push(&mut self, counts: impl Iterator<Item = Count>) {
        let mut next = 0_u32;
        for count in counts {
            let gap = u64::from(count.term.saturating_sub(next));
            if (count.body, count.heads) == (1, 0) {
                put_number(&mut self.rows.bytes, gap << 1 | 1);
            } else {
                put_number(&mut self.rows.bytes, gap << 1);
                self.rows.bytes.extend([count.body, count.heads]);
            }
            next = count.term.saturating_add(1);
        }
        self.end_row();
    }

    /// A row as it was stored, looked through.
    pub(crate) fn push_stored(&mut self, stored: &[u8], terms: usize) -> Result<(), Unreadable> {
        let mut reader = Reader { rest: stored };
        let mut next = 0_u32;
        while !reader.rest.is_empty() {
            let before = reader.rest;
            let count = read(&mut reader, &mut next)?;
            let spelled_out = before[0] & 1 == 0;
            let empty = (count.body, count.heads) == (0, 0);
            if count.term as usize >= terms
                || empty
                || (spelled_out && (count.body, count.heads) == (1, 0))
            {
                return Err(Unreadable);
            }
        }
        self.rows.bytes.extend_from_slice(stored);
        self.end_row();
        Ok(())
    }

    fn end_row(&mut self) {
        self.rows.ends.push(self.rows.bytes.len() as u64);
    }

    pub(crate) fn finish(mut self) -> Rows {
        self.rows.bytes.shrink_to_fit();
        self.rows.ends.shrink_to_fit();
        self.rows
    }
}
