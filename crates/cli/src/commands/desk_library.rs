//! Tools, models and knowledge bases, as the HTTP server tells of them.

use adjutant_ask::Answerer as _;
use adjutant_knowledge_base::{KnowledgeBase, NamespaceName, Passages, Shelf};
use adjutant_mission::{Actor, AgentWork, ModelId, Plan, ToolId, ToolTable};
use adjutant_tools::Wanted;
use serde_json::{Value, json};

use super::kb;
use crate::embedding::Embedding;
use crate::failure::{Exit, Failure};
use crate::library::{by_words, look_up, query};
use crate::reading::Reading;
use crate::settings::Settings;
use crate::wiring::{self, Known};

pub(super) fn tools(known: &Known, by: &Actor) -> Value {
    let tools = known.registry().manifests().map(|manifest| {
        let mut told = serde_json::to_value(manifest).unwrap_or_default();
        told["permitted"] = known.may_be_called_by(by, &manifest.id).into();
        told
    });
    let tools: Vec<Value> = tools.collect();
    json!({ "tools": tools })
}

pub(super) fn has_tool(settings: &Settings, known: &Known, tool: &ToolId) -> bool {
    // One of a server that is away may be there again.
    settings.mcp.may_have(tool.as_str()) || known.registry().get(tool.as_str()).is_some()
}

pub(super) fn asking(
    settings: &Settings,
    model: &ModelId,
    plan: &Plan,
) -> Result<ToolTable, Failure> {
    let models = wiring::models(settings)?;
    let mut tools = ToolTable::new();
    for agent in plan.agents() {
        let agent = AgentWork {
            model: Some(model.clone()),
            ..agent.clone()
        };
        let facts = models.facts(&agent).map_err(|failure| {
            let help = "See `adjutant models list` and `adjutant models prices`.";
            Failure::new(Exit::BadInput, "ADJ-3067", failure.to_string(), help)
        })?;
        tools.insert(agent.route(), facts);
    }
    Ok(tools)
}

pub(super) async fn bases(settings: &Settings) -> Result<Value, Failure> {
    let all = kb::namespaces(settings).await?;
    let told = all.iter().map(|of| {
        json!({
            "name": of.name.as_str(),
            "documents": of.documents.len(),
            "passages": of.passages(),
            "bytes": of.documents.iter().map(|of| of.bytes).sum::<u64>(),
        })
    });
    let told: Vec<Value> = told.collect();
    Ok(json!({ "knowledge_bases": told }))
}

pub(super) async fn documents(settings: &Settings, base: &str) -> Result<Value, Failure> {
    let name: NamespaceName = base.parse()?;
    let all = kb::namespaces(settings).await?;
    let of = all.iter().find(|of| of.name == name);
    let of = of.ok_or(adjutant_knowledge_base::KnowledgeError::NoNamespace(name))?;
    let documents = of.documents.iter().map(|document| {
        json!({
            "source": document.source, "kind": document.kind, "title": document.title,
            "date": document.date, "author": document.author, "tags": document.tags,
            "language": document.language, "passages": document.passages,
            "characters": document.characters, "bytes": document.bytes, "hash": document.hash,
        })
    });
    let documents: Vec<Value> = documents.collect();
    Ok(json!({ "name": of.name.as_str(), "documents": documents }))
}

pub(super) async fn search(
    settings: &Settings,
    base: String,
    question: String,
    most: u32,
) -> Result<Value, Failure> {
    let name: NamespaceName = base.parse()?;
    let reading = Reading::expect(settings).await?;
    let shelf = Shelf::default();
    let knowledge = KnowledgeBase::new(reading.journal, &shelf);
    knowledge.namespace(&name).await?;
    let wanted = Wanted {
        question,
        namespaces: vec![base],
        kinds: Vec::new(),
        tags: Vec::new(),
        from: None,
        to: None,
        most,
    };
    let embedding = Embedding::of(settings)?;
    let (found, trouble) = look_up(&knowledge, embedding.as_ref(), query(wanted)).await?;
    Ok(told(&found, trouble.as_ref().map(by_words)))
}

fn told(found: &Passages, note: Option<String>) -> Value {
    let passages = (1..).zip(&found.passages).map(|(rank, passage): (u32, _)| {
        json!({
            "rank": rank, "address": passage.address.to_string(), "title": passage.document.title,
            "source": passage.document.source, "kind": passage.document.kind,
            "date": passage.document.date, "headings": passage.place.headings,
            "pages": passage.place.pages, "score": passage.score, "text": passage.text,
        })
    });
    let passages: Vec<Value> = passages.collect();
    json!({ "searched": found.searched, "note": note, "passages": passages })
}
