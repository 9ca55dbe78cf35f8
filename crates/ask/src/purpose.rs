//! What a question is for. Each purpose has its own input, output, schema and prompt.

use serde::{Deserialize, Serialize};
use serde_json::Value;

macro_rules! purposes {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Purpose {
            $($(#[$doc])* $variant,)*
        }

        impl Purpose {
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// JSON Schema of the answer.
            pub fn output_schema(self) -> Value {
                let text = match self {
                    $(Self::$variant => include_str!(concat!("../schemas/", $name, ".json")),)*
                };
                serde_json::from_str(text).unwrap_or(Value::Bool(true))
            }

            pub(crate) fn built_in_prompt(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("../prompts/", $name, ".md")),)*
                }
            }
        }
    };
}

purposes! {
    /// A template's steps made to fit an objective.
    Plan "plan",
    /// What sources say on a question, with the passages.
    Extract "extract",
    /// Several things side by side, by stated criteria.
    Compare "compare",
    /// What belongs together.
    Cluster "cluster",
    /// What happened when.
    Timeline "timeline",
    /// What a checklist asks for and the sources do not tell.
    Gaps "gaps",
    /// How well each thing meets stated criteria, best first.
    Score "score",
    /// What speaks against claims.
    Object "object",
    /// A section of a text, out of findings.
    Draft "draft",
    /// How good the evidence is.
    Grade "grade",
}

impl Purpose {
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|purpose| purpose.name() == name)
    }
}
