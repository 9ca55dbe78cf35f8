//! What a question is for. Each purpose has its own input, output, schema and prompt.

use serde::{Deserialize, Serialize};
use serde_json::Value;

macro_rules! purposes {
    ($($variant:ident $name:literal $about:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Purpose {
            $(#[doc = $about] $variant,)*
        }

        impl Purpose {
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it is for, in a sentence.
            pub fn about(self) -> &'static str {
                match self {
                    $(Self::$variant => $about,)*
                }
            }

            /// JSON Schema of the answer.
            pub fn output_schema(self) -> Value {
                serde_json::from_str(self.output_schema_text()).unwrap_or(Value::Bool(true))
            }

            /// The schema as it is written. Models write their answers in the order of its fields.
            pub fn output_schema_text(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("../schemas/", $name, ".json")),)*
                }
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
    Plan "plan" "A template's steps made to fit an objective.",
    Extract "extract" "What sources say on a question, with the passages.",
    Compare "compare" "Several things side by side, by stated criteria.",
    Cluster "cluster" "What belongs together.",
    Timeline "timeline" "What happened when.",
    Gaps "gaps" "What a checklist asks for and the sources do not tell.",
    Score "score" "How well each thing meets stated criteria, best first.",
    Object "object" "What speaks against claims.",
    Draft "draft" "A section of a text, out of findings.",
    Grade "grade" "How good the evidence is.",
    Think "think" "One thought of a longer reasoning, by the part it plays.",
    Weigh "weigh" "How much earlier thoughts are worth.",
    Split "split" "A question taken apart.",
    Act "act" "Which tool to call next, if any.",
    Conclude "conclude" "What a reasoning comes to, with what contradicts itself and what is open.",
    Route "route" "Which mission serves a question.",
    Read "read" "What a piece of the documents says, owes and lacks, statement by statement.",
    Reconcile "reconcile" "How statements of different documents on the same things stand to each other.",
    Hypothesize "hypothesize" "Hypotheses that can be tested, with what would support and refute each.",
    Causes "causes" "What is said to cause what, and how surely it is said.",
    Flag "flag" "What may become a problem, of which kind and how severe.",
    Scenarios "scenarios" "How it could turn out: on which conditions, with what outcome, and what would show it early.",
    Summarize "summarize" "Each document in at most three of its own sentences, with its kind, date and version.",
    Cite "cite" "What is wrong with the citations: quotes, versions, doubles, single sources, missing dates.",
    Constitution "constitution" "Which passages of a text break a rule of the constitution.",
}

impl Purpose {
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|purpose| purpose.name() == name)
    }
}
