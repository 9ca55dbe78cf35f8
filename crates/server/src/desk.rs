//! What the server has done for it by whoever wires it: plans out of the catalogue, and reports.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;

use adjutant_mission::{
    Actor, Autonomy, MicroUsd, Millis, MissionId, ModelId, Plan, ToolId, ToolTable,
};
use serde::Deserialize;
use serde_json::Value;

use crate::Problem;

pub type DeskFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, Problem>> + Send + 'a>>;

/// A mission that somebody wants to start.
#[derive(Debug, Clone, PartialEq)]
pub struct StartMission {
    /// Of the catalogue: `deep_dive`.
    pub mission: String,
    pub objective: String,
    pub knowledge_bases: Vec<String>,
    pub inputs: BTreeMap<String, Value>,
    pub attachments: Vec<Attached>,
    pub autonomy: Autonomy,
    pub budget: Option<MicroUsd>,
    /// How long its questions wait for an answer, where the plan's own time is not to hold.
    pub checkpoint_deadline: Option<Millis>,
}

/// A text that comes with the request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attached {
    pub title: String,
    pub text: String,
}

#[derive(Debug, Clone)]
pub struct Planned {
    pub plan: Plan,
    pub tools: ToolTable,
    /// Tasks of the template that cannot be done here, each with the reason.
    pub left_out: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
pub struct Report {
    pub bytes: Vec<u8>,
    pub media_type: &'static str,
}

pub trait Desk: Send + Sync + 'static {
    /// Every mission that can be started or is announced.
    fn catalogue(&self) -> Result<Value, Problem>;

    fn plan(&self, by: Actor, wanted: StartMission) -> DeskFuture<'_, Planned>;

    /// Every tool with its manifest, and whether missions of this person may call it.
    fn tools(&self, by: Actor) -> Result<Value, Problem>;

    /// Whether there is such a tool, or may be once its server is back.
    fn has_tool(&self, tool: &ToolId) -> bool;

    /// What is known of the ways that a plan's questions take if this model answers them.
    fn asking(&self, model: &ModelId, plan: &Plan) -> Result<ToolTable, Problem>;

    fn knowledge_bases(&self) -> DeskFuture<'_, Value>;

    /// The documents of a knowledge base.
    fn documents(&self, base: String) -> DeskFuture<'_, Value>;

    /// Passages of a knowledge base, best first.
    fn search(&self, base: String, query: String, most: u32) -> DeskFuture<'_, Value>;

    /// What the outputs of a mission's tasks come to, as a text to be read: nothing where there is none.
    fn text(&self, outputs: &[Value]) -> Option<String>;

    /// A mission's document as `md`, `html`, `pdf`, `docx` or `json`.
    fn report(&self, mission: MissionId, format: String) -> DeskFuture<'_, Report>;
}
