//! Texts in which the guard found nothing, so that a source that is sent with many questions is inspected once.
//!
//! Only "nothing found" is kept, under a hash of the text and its origin: a text with threats is inspected every time.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::Origin;

/// How many texts are kept in mind; then it begins anew. Each takes about 40 bytes.
const TEXTS_MAX: usize = 20_000;

/// Belongs to one policy and its limits: whoever changes those takes a new one.
#[derive(Debug, Clone, Default)]
pub struct CleanTexts(Arc<Mutex<BTreeSet<Key>>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(Origin, [u8; 32]);

impl Key {
    pub(super) fn new(text: &str, origin: Origin) -> Self {
        Self(origin, *blake3::hash(text.as_bytes()).as_bytes())
    }
}

impl CleanTexts {
    pub(super) fn contains(&self, key: &Key) -> bool {
        self.lock().contains(key)
    }

    pub(super) fn insert(&self, key: Key) {
        let mut texts = self.lock();
        if texts.len() >= TEXTS_MAX {
            texts.clear();
        }
        texts.insert(key);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<Key>> {
        // The set is whole after every call, also one that panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "clean_texts_tests.rs"]
mod clean_texts_tests;
