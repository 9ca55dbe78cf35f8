//! The mission machine: what a mission is, what may happen to it, and what it owes the world.
//!
//! Everything here is pure: `decide` turns state and one input into events, `apply` folds an event
//! into state, `outstanding` derives what is still owed. No clock, no I/O, no randomness, no async:
//! time and ids come in with the input. Performing effects and storing events happen elsewhere.
//!
//! **Invariant:** The machine is pure: `#![no_std]`, four dependencies, no floats, no hash maps, no logging. Time,
//! ids and randomness come in with the input.
#![no_std]

extern crate alloc;

mod account;
mod actor;
mod agent;
mod artifact;
mod checkpoint;
mod command;
mod compare;
mod driver;
mod effect;
mod event;
mod forecast;
mod fork;
mod ids;
mod json;
mod lease;
mod machine;
pub mod notices;
mod plan;
mod reasoning;
mod refusal;
mod sub_mission;
mod trigger;
mod units;

pub use account::{
    Account, AccountCaps, AccountKey, AccountOwner, AccountRefusal, Amounts, Balance, CapKind,
    Charge, Limits, Resource, Window, accounts, take_charges,
};
pub use actor::{Actor, ActorKind};
pub use agent::{AgentLevel, AgentRun, AgentSession, AgentSpec, AgentWork, Complexity};
pub use artifact::ArtifactAddress;
pub use checkpoint::{
    Action, ApprovalHash, Approvers, Asks, CLAIM_LASTS, Category, Checkpoint, CheckpointType,
    ChoiceOption, Claim, Decision, Forwarding, PastDecision, ProposedCall, Recommendation, Risk,
    Severity, Urgency,
};
pub use command::{ApprovalSource, Command, Start, Trust, Verdict, Waivers};
pub use compare::{
    Answer, Comparison, DecisionPair, ForkedFrom, Look, PlanDifference, ResultPair, Side, Spent,
    TaskResult,
};
pub use driver::{Driver, Rest};
pub use effect::{
    Earlier, Effect, EffectClass, Failure, FailureKind, GateVerdict, Outcome, Payload, Remarks,
    Thought, Usage, Work,
};
pub use event::{
    AfterAssessment, AfterFailure, AfterVerdict, Cause, DecodeError, Delivery, Ending, EndingPhase,
    Event, LOGIC_VERSION, Opened, Recorded, Scope, Stop, Waived, Zone,
};
pub use forecast::{Doer, Forecast, Question, TaskForecast};
pub use fork::{
    FORK_EVENTS_MAX, Fork, ForkChange, ForkRefused, Forked, fork_point, forked_question,
};
pub use ids::{
    AgentId, CampaignId, CheckpointId, CheckpointNumber, CommandId, DepartmentId, DomainId,
    EffectId, EffectNumber, IdError, LayerNumber, MissionId, ModelId, NAME_LENGTH_MAX, OptionKey,
    ProviderId, PurposeId, ResourceKey, Role, TaskIndex, TaskKey, TeamId, TenantId, ToolId,
    TriggerId,
};
pub use json::Json;
pub use lease::{FormerHost, LEASE_LASTS, Lease, LeaseTerm};
pub use machine::{
    AgentState, CallPath, CheckpointState, Closed, CorruptJournal, Endorsement, HUMAN_RETRIES_MAX,
    InboxEntry, Input, Mission, Outstanding, PASSPORT_VERSION, Passport, Pause, Phase,
    SHOWN_BYTES_MAX, Step, Summary, TakenOver, TaskState, TaskStatus, UndoOutcome, UndoState,
};
pub use plan::{
    Approval, Autonomy, Barrier, Caps, Dependency, DependencyKind, Estimate, Gate, GateRule, Human,
    OnFailure, OnSoftCap, Plan, PlanPatch, Problem, ProblemKind, Provenance, Reference,
    ReplanTrigger, Replanning, Retry, SoftCaps, Strategy, Task, ToolCall, ToolFacts, ToolTable,
    Undo, Warning, WorkSpec, fill_references, limits, references, references_in_json,
};
pub use reasoning::{
    AGAIN_STEPS_MAX, Assessment, ESCALATE_BELOW, ITERATIONS_MAX, Move, Next, PATTERNS_MAX, Pattern,
    PhaseRecord, REASONING_TOOLS_MAX, ROUNDS_AGAIN_MAX, ReactPhase, Reasoning, Signs, StepKind,
    StepRole, StepTaken, again, next, phase_of, react_phases, rounds, steps_max,
};
pub use refusal::Refused;
pub use sub_mission::{Parent, Sandbox, SubMission};
pub use trigger::{
    Due, Fired, Firing, LOOK_BACK, MADE_UP_MAX, Missed, ON_TIME, PATTERN_BYTES_MAX, PatternError,
    Prepared, Schedule, TRY_AGAIN_MAX, TopicPattern, Trigger, TriggerEnd, TriggerProblem,
    TriggerRecord, TriggerState, TriggerTarget,
};
pub use units::{MicroUsd, Millis, Ppm, Timestamp};
