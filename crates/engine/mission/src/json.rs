//! A JSON document the machine carries and never looks into.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// Takes `text` if it is one well-formed JSON document.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text.to_owned()).map(Self)
    }

    pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(Self)
    }

    pub fn null() -> Self {
        Self(RawValue::NULL.to_owned())
    }

    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The part a path leads to: names into objects, numbers into arrays.
    pub fn at(&self, path: &[String]) -> Option<Self> {
        let mut here = &*self.0;
        for part in path {
            here = match here.get().trim_start().as_bytes().first()? {
                b'{' => {
                    let fields: BTreeMap<String, &RawValue> =
                        serde_json::from_str(here.get()).ok()?;
                    *fields.get(part)?
                }
                b'[' => {
                    let items: Vec<&RawValue> = serde_json::from_str(here.get()).ok()?;
                    *items.get(part.parse::<usize>().ok()?)?
                }
                _ => return None,
            };
        }
        Some(Self(here.to_owned()))
    }

    /// The names of an object's fields; nothing for anything else.
    pub fn fields(&self) -> Vec<String> {
        let fields: Option<BTreeMap<String, &RawValue>> = serde_json::from_str(self.text()).ok();
        fields.unwrap_or_default().into_keys().collect()
    }

    /// The same object with another value in one of its fields; nothing if it has no such field.
    pub(crate) fn with_field(&self, name: &str, value: &Self) -> Option<Self> {
        let mut fields: BTreeMap<String, &RawValue> = serde_json::from_str(self.text()).ok()?;
        *fields.get_mut(name)? = &value.0;
        Self::encode(&fields).ok()
    }

    /// As a person would read it: a string without its quotes, anything else as written.
    pub fn to_plain_text(&self) -> String {
        serde_json::from_str(self.text()).unwrap_or_else(|_| self.text().to_owned())
    }

    pub fn into_string(self) -> String {
        Box::<str>::from(self.0).into_string()
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
