//! Whole numbers in as few bytes as they need, and reading that never trusts what it reads.

/// Stored bytes that end too soon or say what cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable;

pub(crate) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn byte(&mut self) -> Result<u8, Unreadable> {
        let (first, rest) = self.rest.split_first().ok_or(Unreadable)?;
        self.rest = rest;
        Ok(*first)
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Unreadable> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Unreadable)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn number(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(Unreadable);
            }
            number |= bits << shift;
            if byte < 0x80 {
                // One number, one spelling: so the same segment has the same bytes.
                return if byte == 0 && shift > 0 {
                    Err(Unreadable)
                } else {
                    Ok(number)
                };
            }
        }
        Err(Unreadable)
    }

    pub(crate) fn small(&mut self) -> Result<u32, Unreadable> {
        u32::try_from(self.number()?).map_err(|_| Unreadable)
    }

    /// A number of things of which each takes at least one byte.
    pub(crate) fn count(&mut self) -> Result<usize, Unreadable> {
        let count = usize::try_from(self.number()?).map_err(|_| Unreadable)?;
        if count > self.rest.len() {
            return Err(Unreadable);
        }
        Ok(count)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Unreadable> {
        let count = self.count()?;
        std::str::from_utf8(self.take(count)?).map_err(|_| Unreadable)
    }
}
