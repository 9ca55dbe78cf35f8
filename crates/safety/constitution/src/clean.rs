//! Texts in which the rules found nothing that blocks: the same text stands in many events and is asked about at every one.
//!
//! The rules are fixed and say the same of the same text, so that this is no state, only time saved. Only "nothing found" is
//! kept, under a hash of the text: a text with findings is searched every time.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// How many texts are kept in mind; then it begins anew. Each takes about 40 bytes.
const TEXTS_MAX: usize = 20_000;

type Key = [u8; 32];

static CLEAN: Mutex<BTreeSet<Key>> = Mutex::new(BTreeSet::new());

/// Whether the text is known to be clean; if not, whether `search` says so, which is remembered.
pub(crate) fn is_clean(text: &str, search: impl FnOnce(&str) -> bool) -> bool {
    let key = *blake3::hash(text.as_bytes()).as_bytes();
    if locked().contains(&key) {
        return true;
    }
    let is_clean = search(text);
    if is_clean {
        let mut texts = locked();
        if texts.len() >= TEXTS_MAX {
            texts.clear();
        }
        texts.insert(key);
    }
    is_clean
}

fn locked() -> std::sync::MutexGuard<'static, BTreeSet<Key>> {
    // The set is whole after every call, also one that panicked.
    CLEAN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_text_is_searched_once_and_any_other_every_time() {
        let never = |_: &str| -> bool { unreachable!("it is known") };
        assert!(is_clean("a text of this test", |_| true));
        assert!(is_clean("a text of this test", never));
        for _ in 0..2 {
            assert!(!is_clean("another text of this test", |_| false));
        }
        assert!(is_clean("another text of this test", |_| true));
    }

    #[test]
    fn very_many_texts_are_no_more_than_the_limit() {
        for number in 0..TEXTS_MAX + 10 {
            assert!(is_clean(&format!("text {number} of many"), |_| true));
        }
        assert!(locked().len() <= TEXTS_MAX);
    }
}
