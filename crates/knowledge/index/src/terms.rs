//! Many short strings in one, in rising order.

/// Strings in the order of their bytes, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Terms {
    text: String,
    ends: Vec<u32>,
}

impl Terms {
    /// What is pushed must come after everything before it.
    pub(crate) fn push(&mut self, term: &str) {
        self.text.push_str(term);
        self.ends
            .push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: usize) -> &str {
        let Some(&end) = self.ends.get(number) else {
            return "";
        };
        let start = match number.checked_sub(1) {
            Some(before) => self.ends[before],
            None => 0,
        };
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// What it holds in memory.
    pub(crate) fn bytes_held(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }
}
