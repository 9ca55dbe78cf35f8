//! Randomness from one seed: xoshiro256** filled by splitmix64. The same seed gives the same run on every
//! machine. Not for secrets.

#[derive(Debug, Clone)]
pub(crate) struct Random {
    state: [u64; 4],
}

impl Random {
    /// The `stream`th independent source of this seed, so that one part of a run does not disturb another.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut fill = seed ^ stream.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mut state = [0; 4];
        for word in &mut state {
            fill = fill.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = fill;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *word = mixed ^ (mixed >> 31);
        }
        Self { state }
    }

    pub(crate) fn next(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number below `end`; zero when `end` is.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn per_mille(&mut self, chance: u64) -> bool {
        chance > 0 && self.below(1000) < chance
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len() as u64) as usize)
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}
