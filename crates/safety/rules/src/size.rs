//! How large a value can be at most, without having it: what a rule builds is bounded before it is evaluated.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

/// What a value takes besides its text: the evaluator keeps each in a box of its own.
pub(crate) const VALUE_BYTES: u64 = 64;

/// The most a value can be.
#[derive(Debug, Clone)]
pub(crate) struct Size {
    /// With all that is in it.
    pub(crate) bytes: u64,
    /// How many values a loop over it sees.
    pub(crate) items: u64,
    parts: Parts,
}

#[derive(Debug, Clone)]
enum Parts {
    /// A number, a text, true, false, null.
    Nothing,
    Known {
        fields: BTreeMap<String, Rc<Size>>,
        /// What its items, or the names of its fields, are at most.
        item: Option<Rc<Size>>,
    },
    /// Any of them may be as large as the whole.
    Unknown,
}

impl Size {
    pub(crate) fn scalar() -> Self {
        Self::text(0)
    }

    pub(crate) fn text(bytes: usize) -> Self {
        Self {
            bytes: VALUE_BYTES + bytes as u64,
            items: 0,
            parts: Parts::Nothing,
        }
    }

    /// Something of which nothing else is known.
    pub(crate) fn unknown(bytes: u64) -> Self {
        Self {
            bytes,
            items: bytes / VALUE_BYTES,
            parts: Parts::Unknown,
        }
    }

    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::scalar(),
            Value::String(text) => Self::text(text.len()),
            Value::Array(items) => Self::list(items.iter().map(|item| Rc::new(Self::of(item)))),
            Value::Object(fields) => {
                let fields = fields.iter();
                Self::map(fields.map(|(name, value)| (name.clone(), Rc::new(Self::of(value)))))
            }
        }
    }

    pub(crate) fn list(items: impl Iterator<Item = Rc<Self>>) -> Self {
        let mut list = Self {
            bytes: VALUE_BYTES,
            items: 0,
            parts: Parts::Nothing,
        };
        let mut widest: Option<Rc<Self>> = None;
        for item in items {
            list.bytes = list.bytes.saturating_add(item.bytes);
            list.items += 1;
            widen(&mut widest, item);
        }
        list.parts = Parts::Known {
            fields: BTreeMap::new(),
            item: widest,
        };
        list
    }

    pub(crate) fn map(fields: impl Iterator<Item = (String, Rc<Self>)>) -> Self {
        let mut map = Self {
            bytes: VALUE_BYTES,
            items: 0,
            parts: Parts::Nothing,
        };
        let mut names: Option<Rc<Self>> = None;
        let mut known = BTreeMap::new();
        for (name, value) in fields {
            let name_size = Self::text(name.len());
            let both = name_size.bytes.saturating_add(value.bytes);
            map.bytes = map.bytes.saturating_add(both);
            map.items += 1;
            widen(&mut names, Rc::new(name_size));
            known.insert(name, value);
        }
        map.parts = Parts::Known {
            fields: known,
            item: names,
        };
        map
    }

    /// The field of this name. One that is missing ends the evaluation, and builds nothing.
    pub(crate) fn field(&self, name: &str) -> Rc<Self> {
        match &self.parts {
            Parts::Known { fields, .. } => match fields.get(name) {
                Some(field) => Rc::clone(field),
                None => Rc::new(Self::scalar()),
            },
            Parts::Nothing => Rc::new(Self::scalar()),
            Parts::Unknown => Rc::new(self.clone()),
        }
    }

    /// Whatever is in it.
    pub(crate) fn part(&self) -> Rc<Self> {
        match &self.parts {
            Parts::Known { fields, item } => {
                let mut widest = item.clone();
                for field in fields.values() {
                    widen(&mut widest, Rc::clone(field));
                }
                widest.unwrap_or_else(|| Rc::new(Self::scalar()))
            }
            Parts::Nothing => Rc::new(Self::scalar()),
            Parts::Unknown => Rc::new(self.clone()),
        }
    }

    /// Either of the two.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let mut either = self.clone();
        either.widen(other);
        either
    }

    /// Both in one, as `+` makes it.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut both = self.or(other);
        both.bytes = self.bytes.saturating_add(other.bytes);
        both.items = self.items.saturating_add(other.items);
        both
    }

    /// What becomes of it when it grows `times` times as it grew from `before`.
    pub(crate) fn grown(&self, before: &Self, times: u64) -> Self {
        let grown = |before: u64, now: u64| {
            let more = now.saturating_sub(before).saturating_mul(times);
            before.max(now).saturating_add(more)
        };
        Self {
            bytes: grown(before.bytes, self.bytes),
            items: grown(before.items, self.items),
            parts: self.or(before).parts,
        }
    }

    fn widen(&mut self, other: &Self) {
        self.bytes = self.bytes.max(other.bytes);
        self.items = self.items.max(other.items);
        match (&mut self.parts, &other.parts) {
            (_, Parts::Nothing) | (Parts::Unknown, _) => {}
            (
                Parts::Known { fields, item },
                Parts::Known {
                    fields: other_fields,
                    item: other_item,
                },
            ) => {
                for (name, field) in other_fields {
                    match fields.get_mut(name) {
                        Some(known) => Rc::make_mut(known).widen(field),
                        None => {
                            fields.insert(name.clone(), Rc::clone(field));
                        }
                    }
                }
                if let Some(other_item) = other_item {
                    widen(item, Rc::clone(other_item));
                }
            }
            (parts, other_parts) => *parts = other_parts.clone(),
        }
    }
}

fn widen(widest: &mut Option<Rc<Size>>, other: Rc<Size>) {
    match widest {
        Some(widest) => Rc::make_mut(widest).widen(&other),
        None => *widest = Some(other),
    }
}
