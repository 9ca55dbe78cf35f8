//! All kinds of request, by their names in JSON.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Answer, Citations, References, Refusal, Styles, Table, Template};

macro_rules! requests {
    ($( $word:literal => $variant:ident($kind:ty) ),+ $(,)?) => {
        /// A request of any kind, tagged by `format`.
        #[derive(Debug, Clone, PartialEq, Deserialize)]
        #[serde(tag = "format")]
        pub enum Request {
            $( #[serde(rename = $word)] $variant($kind), )+
        }

        impl Request {
            /// The names of all kinds.
            pub const KINDS: &[&str] = &[$($word),+];
        }

        /// Answers a request.
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
    "styles" => Styles(Styles),
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
