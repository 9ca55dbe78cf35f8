//! Every kind of request, by its name on the wire.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Answer, Citations, References, Refusal, Table, Template};

macro_rules! requests {
    ($( $word:literal => $variant:ident($kind:ty) ),+ $(,)?) => {
        /// What is to be formatted, tagged by `format`.
        #[derive(Debug, Clone, PartialEq, Deserialize)]
        #[serde(tag = "format")]
        pub enum Request {
            $( #[serde(rename = $word)] $variant($kind), )+
        }

        impl Request {
            /// The names of all kinds.
            pub const KINDS: &[&str] = &[$($word),+];
        }

        /// Formats what is asked for.
        pub fn format(request: &Request) -> Result<Answer, Refusal> {
            match request {
                $( Request::$variant(request) => request.answer(), )+
            }
        }

        /// The JSON Schema of a request: one alternative for each kind.
        pub fn schema() -> Value {
            json!({
                "type": "object",
                "required": ["format"],
                "oneOf": [$( tagged($word, <$kind>::schema()) ),+],
            })
        }
    };
}

requests! {
    "citations" => Citations(Citations),
    "references" => References(References),
    "table" => Table(Table),
    "template" => Template(Template),
}

fn tagged(word: &str, mut object: Value) -> Value {
    object["properties"]["format"] = json!({ "const": word });
    if let Some(required) = object["required"].as_array_mut() {
        required.insert(0, "format".into());
    }
    object
}
