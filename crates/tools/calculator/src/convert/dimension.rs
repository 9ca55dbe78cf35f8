//! What a unit measures: powers of base quantities.

use std::collections::BTreeMap;
use std::fmt;

const POWER_MAX: i32 = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    Mass,
    Length,
    Time,
    Temperature,
    Current,
    Amount,
    Light,
    Information,
    InternationalUnit,
    Equivalent,
    Currency(&'static str),
}

impl fmt::Display for Base {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Mass => "mass",
            Self::Length => "length",
            Self::Time => "time",
            Self::Temperature => "temperature",
            Self::Current => "current",
            Self::Amount => "amount",
            Self::Light => "light",
            Self::Information => "information",
            Self::InternationalUnit => "international units",
            Self::Equivalent => "equivalents",
            Self::Currency(code) => code,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Dimension(BTreeMap<Base, i32>);

impl Dimension {
    pub(super) fn of(base: Base) -> Self {
        Self::new(&[(base, 1)])
    }

    pub(super) fn new(powers: &[(Base, i32)]) -> Self {
        Self(
            powers
                .iter()
                .copied()
                .filter(|(_, power)| *power != 0)
                .collect(),
        )
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = self.0.clone();
        for (&base, &power) in &other.0 {
            *product.entry(base).or_default() += power;
        }
        product.retain(|_, power| *power != 0);
        Self(product)
    }

    /// Nothing where a power is beyond any unit.
    pub(super) fn power(&self, exponent: i32) -> Option<Self> {
        let raised = |(&base, &power): (&Base, &i32)| {
            let power = power.checked_mul(exponent)?;
            (power.abs() <= POWER_MAX).then_some((base, power))
        };
        let powers: BTreeMap<_, _> = self.0.iter().map(raised).collect::<Option<_>>()?;
        Some(Self(
            powers
                .into_iter()
                .filter(|(_, power)| *power != 0)
                .collect(),
        ))
    }

    pub(super) fn has(&self, base: &Base) -> bool {
        self.0.contains_key(base)
    }

    pub(super) fn has_currency(&self) -> bool {
        self.0.keys().any(|base| matches!(base, Base::Currency(_)))
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str("a plain ratio");
        }
        for (index, (base, power)) in self.0.iter().enumerate() {
            if index > 0 {
                out.write_str("·")?;
            }
            match power {
                1 => write!(out, "{base}")?,
                _ => write!(out, "{base}^{power}")?,
            }
        }
        Ok(())
    }
}
