//! What an analysis answers. Says nothing about how a figure is found.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// The answer to one request.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answer {
    pub analysis: &'static str,
    pub figures: Figures,
    /// One line that says exactly what was computed.
    pub method: String,
    /// What a careful reader would doubt, one sentence each.
    pub notes: Vec<String>,
}

/// Named figures in the order they are read in.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures(Vec<(&'static str, Figure)>);

impl Figures {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn with(mut self, name: &'static str, figure: impl Into<Figure>) -> Self {
        self.0.push((name, figure.into()));
        self
    }

    pub fn get(&self, name: &str) -> Option<&Figure> {
        self.0
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, figure)| figure)
    }

    /// The figure of that name if it is a single number.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Figure::Number(value) => Some(*value),
            Figure::Count(count) => Some(*count as f64),
            _ => None,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Figure)> {
        self.0.iter().map(|(name, figure)| (*name, figure))
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, figure) in &self.0 {
            map.serialize_entry(name, figure)?;
        }
        map.end()
    }
}

/// One figure. A number without a finite value is written as null: it is unbounded or not defined.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Figure {
    Number(#[serde(serialize_with = "finite_or_null")] f64),
    Count(u64),
    Flag(bool),
    Word(String),
    Interval(Interval),
    List(Vec<Figure>),
    Group(Figures),
}

/// A confidence interval. An open side is written as null.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    pub level: f64,
    #[serde(serialize_with = "finite_or_null")]
    pub low: f64,
    #[serde(serialize_with = "finite_or_null")]
    pub high: f64,
}

fn finite_or_null<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        serializer.serialize_f64(*value)
    } else {
        serializer.serialize_none()
    }
}

impl From<f64> for Figure {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<usize> for Figure {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<u64> for Figure {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<bool> for Figure {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Figure {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

impl From<Interval> for Figure {
    fn from(interval: Interval) -> Self {
        Self::Interval(interval)
    }
}

impl From<Figures> for Figure {
    fn from(group: Figures) -> Self {
        Self::Group(group)
    }
}

impl<T: Into<Figure>> From<Vec<T>> for Figure {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}
