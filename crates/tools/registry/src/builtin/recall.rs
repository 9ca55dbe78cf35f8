//! `recall` and `L5-RAG`: finds passages in the tenant's knowledge base, as sources that an agent may be asked about.

use std::fmt;
use std::sync::Arc;

use adjutant_mission::{EffectClass, MicroUsd, Millis, Provenance, TenantId};
use serde::Deserialize;
use serde_json::{Value, json};

use super::cut_documents::ToCut;
use super::read_documents::ToRead;
use super::whole_documents::WantedWhole;
use super::{ToolOutline, read};
use crate::{BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure, ToolSettings};

/// Its id.
pub const RECALL: &str = "recall";
/// Its id among the tools of agents.
pub const RAG: &str = "L5-RAG";
const RAG_PRICE: MicroUsd = MicroUsd(5_000);
/// The longest question, in characters.
pub const QUESTION_CHARS_MAX: usize = 4_000;
const PASSAGES_MAX: u32 = 50;
const PASSAGES: u32 = 8;
const OUTPUT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Where documents are looked up that missions may read.
pub trait Library: fmt::Debug + Send + Sync {
    /// Passages for a question, best first: `{ sources: [{ id, title, text, published }], searched, note }`.
    fn search(&self, tenant: TenantId, wanted: Wanted)
    -> BoxFuture<'_, Result<Value, ToolFailure>>;

    /// What a careful reader notices in the documents.
    fn read(&self, tenant: TenantId, wanted: ToRead) -> BoxFuture<'_, Result<Value, ToolFailure>>;

    /// The documents in pieces that one question can carry.
    fn cut(&self, tenant: TenantId, wanted: ToCut) -> BoxFuture<'_, Result<Value, ToolFailure>>;

    /// The documents as they are, and whether these are all: `{ sources, total, complete }`.
    fn whole(
        &self,
        tenant: TenantId,
        wanted: WantedWhole,
    ) -> BoxFuture<'_, Result<Value, ToolFailure>>;

    /// What an earlier mission saw: `{ today, known, mission, reported, why, seen }`. Without a mission only the day.
    fn earlier(
        &self,
        tenant: TenantId,
        mission: String,
    ) -> BoxFuture<'_, Result<Value, ToolFailure>>;
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    pub question: String,
    /// All of them, if none is named.
    #[serde(default)]
    pub namespaces: Vec<String>,
    #[serde(default)]
    pub kinds: Vec<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub from: Option<String>,
    #[serde(default)]
    pub to: Option<String>,
    #[serde(default = "passages")]
    pub most: u32,
}

fn passages() -> u32 {
    PASSAGES
}

pub(super) struct Recall {
    manifest: Manifest,
    library: Option<Arc<dyn Library>>,
}

impl Recall {
    /// `recall`: what it costs is what a model takes that makes vectors.
    pub(super) fn free(settings: &ToolSettings) -> Result<Self, RegistryError> {
        Self::new(RECALL, MicroUsd::ZERO, settings)
    }

    /// The same under the name and at the price that it has among the tools of agents.
    pub(super) fn priced(settings: &ToolSettings) -> Result<Self, RegistryError> {
        Self::new(RAG, RAG_PRICE, settings)
    }

    fn new(
        id: &'static str,
        price: MicroUsd,
        settings: &ToolSettings,
    ) -> Result<Self, RegistryError> {
        let names = json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true });
        let date = json!({ "type": "string", "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$" });
        let mut manifest = ToolOutline {
            id,
            name: "Look up the knowledge base",
            description: "Finds passages for a question in the documents of the knowledge base, best first, each with \
                          the address that its citation links to. Can be filtered by namespace, kind, tag and date.",
            class: EffectClass::Pure,
            provenance: Provenance::Outside,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["question"],
                "properties": {
                    "question": { "type": "string", "minLength": 1, "maxLength": QUESTION_CHARS_MAX },
                    "namespaces": names,
                    "kinds": {
                        "type": "array",
                        "items": { "enum": ["markdown", "text", "html", "pdf", "docx", "csv", "json", "email", "spreadsheet"] }
                    },
                    "tags": names,
                    "from": date,
                    "to": date,
                    "most": { "type": "integer", "minimum": 1, "maximum": PASSAGES_MAX }
                }
            }),
            output: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["sources", "searched"],
                "properties": {
                    "sources": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": false,
                            "required": ["id", "title", "text"],
                            "properties": {
                                "id": { "type": "string" },
                                "title": { "type": "string" },
                                "text": { "type": "string" },
                                "published": { "type": ["string", "null"] }
                            }
                        }
                    },
                    "searched": { "type": "integer" },
                    "note": { "type": "string" }
                }
            })),
            time_limit: Millis::seconds(60),
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
        .manifest()?;
        manifest.price = MicroUsd(price.0 + settings.recall_price.0);
        let library = settings.library.clone();
        Ok(Self { manifest, library })
    }
}

impl Tool for Recall {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let wanted: Wanted = read(call.arguments)?;
            match &self.library {
                Some(library) => library.search(call.tenant, wanted).await,
                None => Err(ToolFailure::permanent(
                    "there is no knowledge base yet: add documents with `adjutant kb add`",
                )),
            }
        })
    }
}
