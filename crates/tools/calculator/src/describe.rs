//! Requests and their JSON Schema from one description, so that the two cannot differ.

use serde_json::{Map, Value, json};

use crate::{Answer, Number, Refusal};

/// Entries a list in a request may have.
pub(crate) const ENTRIES_MAX: usize = 1_200;
pub(crate) const TEXT_BYTES_MAX: usize = 200;

pub(crate) trait Calculation {
    fn answer(&self) -> Result<Answer, Refusal>;
}

pub(crate) trait Described {
    fn about() -> &'static str;
    fn fields() -> Vec<Field>;

    fn object() -> Value {
        let fields = Self::fields();
        let required: Vec<_> = fields
            .iter()
            .filter(|field| matches!(field.presence, Presence::Required))
            .map(|field| field.name)
            .collect();
        let properties: Map<_, _> = fields
            .iter()
            .map(|field| (field.name.to_owned(), field.schema.clone()))
            .collect();
        json!({
            "type": "object",
            "description": Self::about().trim(),
            "additionalProperties": false,
            "required": required,
            "properties": properties,
        })
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Presence {
    Required,
    Optional,
}

pub(crate) struct Field {
    name: &'static str,
    presence: Presence,
    schema: Value,
}

impl Field {
    pub(crate) fn new<T: Typed>(name: &'static str, about: &str) -> Self {
        let mut schema = T::schema();
        if let Value::Object(schema) = &mut schema {
            schema.insert("description".to_owned(), about.trim().into());
        }
        Self {
            name,
            presence: T::PRESENCE,
            schema,
        }
    }
}

/// A type that may stand in a request.
pub(crate) trait Typed {
    const PRESENCE: Presence = Presence::Required;

    fn schema() -> Value;
}

impl Typed for Number {
    fn schema() -> Value {
        json!({ "type": ["number", "string"], "maxLength": TEXT_BYTES_MAX })
    }
}

impl Typed for String {
    fn schema() -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": TEXT_BYTES_MAX })
    }
}

impl Typed for u32 {
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
    }
}

impl Typed for i32 {
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX })
    }
}

impl<T: Typed> Typed for Option<T> {
    const PRESENCE: Presence = Presence::Optional;

    fn schema() -> Value {
        T::schema()
    }
}

impl<T: Typed> Typed for Vec<T> {
    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema(), "maxItems": ENTRIES_MAX })
    }
}

/// A request, or a part of one, from its documented fields.
macro_rules! described {
    ($(#[doc = $about:literal])+ $name:ident {
        $( $(#[doc = $what:literal])+ $field:ident : $kind:ty ),* $(,)?
    }) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $( $(#[doc = $what])+ pub $field: $kind, )*
        }

        impl $crate::describe::Described for $name {
            fn about() -> &'static str {
                concat!($($about),+)
            }

            fn fields() -> Vec<$crate::describe::Field> {
                vec![
                    $( $crate::describe::Field::new::<$kind>(stringify!($field), concat!($($what),+)), )*
                ]
            }
        }

        impl $crate::describe::Typed for $name {
            fn schema() -> serde_json::Value {
                <Self as $crate::describe::Described>::object()
            }
        }
    };
}

/// A closed set of words.
macro_rules! choice {
    ($(#[doc = $about:literal])+ $name:ident { $( $variant:ident = $word:literal ),+ $(,)? }) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
        pub enum $name {
            $( #[serde(rename = $word)] $variant, )+
        }

        impl $crate::describe::Typed for $name {
            fn schema() -> serde_json::Value {
                serde_json::json!({ "enum": [$($word),+] })
            }
        }
    };
}

pub(crate) use {choice, described};
