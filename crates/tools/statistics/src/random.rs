//! Repeatable random numbers: PCG-XSH-RR with 64 bits of state, after O'Neill 2014. The same seed gives the
//! same numbers on every machine and in every version; changing that would change recorded answers.

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const STREAM: u64 = 1_442_695_040_888_963_407;

pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self { state: 0 };
        random.next_u32();
        random.state = random.state.wrapping_add(seed);
        random.next_u32();
        random
    }

    fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(MULTIPLIER).wrapping_add(STREAM);
        let mixed = (((old >> 18) ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32)
    }

    /// Strictly between 0 and 1, from two steps of 26 bits each.
    pub(crate) fn uniform(&mut self) -> f64 {
        let high = u64::from(self.next_u32() >> 6);
        let low = u64::from(self.next_u32() >> 6);
        ((high << 26 | low) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// A whole number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((self.uniform() * end as f64) as usize).min(end - 1)
    }
}
