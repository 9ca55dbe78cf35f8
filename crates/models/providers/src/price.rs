//! Prices in whole micro-dollars per million tokens. What is told in dollars becomes an integer here and stays one.

use adjutant_mission::MicroUsd;
use adjutant_questions::Tokens;

const MICRO: u64 = 1_000_000;
const DECIMALS_MAX: usize = 6;
/// Dollars per million tokens above which a price is taken for a slip of the pen.
const DOLLARS_MAX: u64 = 1_000_000;

/// Micro-dollars per million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rate(u64);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text:.40}` is not a price: write US dollars per million tokens with at most {DECIMALS_MAX} decimals, as \"2.50\""
)]
pub(crate) struct RateError {
    text: String,
}

impl std::str::FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Self, RateError> {
        let wrong = || RateError {
            text: text.to_owned(),
        };
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let dot_without_decimals = text.ends_with('.');
        if whole.is_empty()
            || dot_without_decimals
            || !digits(whole)
            || !digits(part)
            || part.len() > DECIMALS_MAX
        {
            return Err(wrong());
        }
        let whole: u64 = whole.parse().map_err(|_| wrong())?;
        if whole > DOLLARS_MAX {
            return Err(wrong());
        }
        let micro: u64 = format!("{part:0<DECIMALS_MAX$}")
            .parse()
            .map_err(|_| wrong())?;
        Ok(Self(whole * MICRO + micro))
    }
}

/// What a model's tokens cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Price {
    pub(crate) input: Rate,
    pub(crate) output: Rate,
    /// As `input` where the provider does not tell them apart.
    pub(crate) cache_read: Option<Rate>,
    pub(crate) cache_write: Option<Rate>,
}

impl Price {
    pub(crate) const FREE: Self = Self {
        input: Rate(0),
        output: Rate(0),
        cache_read: None,
        cache_write: None,
    };

    /// What one request cost, rounded up.
    pub(crate) fn cost(self, tokens: Tokens) -> MicroUsd {
        let cached = tokens.cache_read.saturating_add(tokens.cache_write);
        let fresh = tokens.input.saturating_sub(cached);
        let read = self.cache_read.unwrap_or(self.input);
        let write = self.cache_write.unwrap_or(self.input);
        let parts = [
            (fresh, self.input),
            (tokens.cache_read, read),
            (tokens.cache_write, write),
            (tokens.output, self.output),
        ];
        let sum: u128 = parts
            .iter()
            .map(|(tokens, rate)| u128::from(*tokens) * u128::from(rate.0))
            .sum();
        MicroUsd(u64::try_from(sum.div_ceil(u128::from(MICRO))).unwrap_or(u64::MAX))
    }

    /// What one request of that size costs at most, however much of it is cached.
    pub(crate) fn cost_max(self, input: u64, output: u64) -> MicroUsd {
        let rates = [Some(self.input), self.cache_read, self.cache_write];
        let dearest = rates.into_iter().flatten().max().unwrap_or(self.input);
        let price = Self {
            input: dearest,
            output: self.output,
            cache_read: None,
            cache_write: None,
        };
        price.cost(Tokens {
            input,
            output,
            ..Tokens::default()
        })
    }

    /// Whether it pays to have the provider keep the beginning of a prompt.
    pub(crate) fn has_cache(self) -> bool {
        self.cache_read.is_some() && self.cache_write.is_some()
    }
}

#[cfg(test)]
#[path = "price_tests.rs"]
mod tests;
