//! JSON that keeps the order of its fields. A model that is held to a schema writes its answer in the schema's order, and
//! how sure it is has to come after what it found.

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub enum Ordered {
    Fields(Vec<(String, Ordered)>),
    List(Vec<Ordered>),
    Plain(Value),
}

impl Ordered {
    /// An object of those fields.
    pub fn of<const N: usize>(fields: [(&str, Self); N]) -> Self {
        let owned = fields.map(|(name, value)| (name.to_owned(), value));
        Self::Fields(owned.into())
    }

    /// Adds a field; on what is no object nothing happens.
    pub fn set(&mut self, name: &str, value: Self) {
        if let Self::Fields(fields) = self {
            fields.push((name.to_owned(), value));
        }
    }
}

/// What a schema says.
impl Ordered {
    pub(crate) fn field_mut(&mut self, name: &str) -> Option<&mut Self> {
        let Self::Fields(fields) = self else {
            return None;
        };
        let mut fields = fields.iter_mut();
        fields.find(|at| at.0 == name).map(|(_, value)| value)
    }

    fn field(&self, name: &str) -> Option<&Self> {
        let Self::Fields(fields) = self else {
            return None;
        };
        fields
            .iter()
            .find(|at| at.0 == name)
            .map(|(_, value)| value)
    }

    /// The kinds of value it allows, by name: `string null`.
    pub(crate) fn kinds(&self) -> String {
        let text = |kind: &Self| match kind {
            Self::Plain(Value::String(kind)) => kind.clone(),
            _ => String::new(),
        };
        match self.field("type") {
            Some(Self::List(kinds)) => kinds.iter().map(text).collect::<Vec<_>>().join(" "),
            Some(kind) => text(kind),
            None => String::new(),
        }
    }

    /// Whether it says itself which texts it allows.
    pub(crate) fn is_fixed(&self) -> bool {
        self.field("enum").is_some() || self.field("pattern").is_some()
    }
}

impl From<Value> for Ordered {
    fn from(value: Value) -> Self {
        match value {
            Value::Object(fields) => {
                let fields = fields.into_iter().map(|(name, value)| (name, value.into()));
                Self::Fields(fields.collect())
            }
            Value::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            other => Self::Plain(other),
        }
    }
}

impl From<&str> for Ordered {
    fn from(text: &str) -> Self {
        Self::Plain(text.into())
    }
}

impl std::fmt::Display for Ordered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| std::fmt::Error)?)
    }
}

impl Serialize for Ordered {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fields(fields) => {
                let mut map = to.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
            Self::List(items) => {
                let mut list = to.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Plain(value) => value.serialize(to),
        }
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Ordered;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Ordered::Fields(fields))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Ordered, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Ordered::List(items))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Ordered, E> {
        Ok(Ordered::Plain(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Ordered, E> {
        Ok(Ordered::Plain(Value::Null))
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}
