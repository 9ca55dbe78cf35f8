//! Bytes that only the holder of a key can read, and what finds things without one. The store keeps them and
//! knows nothing of what is in them.

use std::fmt;

use crate::hex;

/// Content as it is kept: sealed with its mission's data key.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Sealed(pub Vec<u8>);

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealed({} bytes)", self.0.len())
    }
}

/// A key, sealed with the key above it: useless to whoever has only the store.
#[derive(Clone, PartialEq, Eq)]
pub struct WrappedKey(pub Vec<u8>);

impl fmt::Debug for WrappedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WrappedKey(…)")
    }
}

/// Finds the missions that concern somebody without naming them: a keyed hash of who it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubjectTag(pub [u8; 32]);

impl fmt::Debug for SubjectTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(&self.0, f)
    }
}
