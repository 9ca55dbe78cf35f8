//! What the server has done for it by whoever wires it: plans out of the catalogue, and reports.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;

use adjutant_mission::{Actor, Autonomy, MicroUsd, Millis, MissionId, Plan, ToolTable};
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

    /// A mission's document as `md`, `html`, `pdf`, `docx` or `json`.
    fn report(&self, mission: MissionId, format: String) -> DeskFuture<'_, Report>;
}
