//! The types of events there are, each with what it says.

use serde::{Deserialize, Serialize};

macro_rules! types {
    ($($variant:ident $name:literal $about:literal,)*) => {
        /// What an event tells of. The names are part of the interface and never change.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum EventType {
            $(#[doc = $about] #[serde(rename = $name)] $variant,)*
        }

        impl EventType {
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        /// Every type by its name, with what it says.
        pub const TYPES: &[(&str, &str)] = &[$(($name, $about),)*];
    };
}

types! {
    PlanCreated "plan_created" "The mission received its plan.",
    PlanUpdated "plan_updated" "The plan was changed.",
    TaskStatusChange "task_status_change" "The status of a task changed.",
    AgentSpawned "agent_spawned" "An agent was created for this mission.",
    AgentStarted "agent_started" "An agent started its first task, or a new one after it was idle.",
    AgentCompleted "agent_completed" "An agent has no task left.",
    AgentEscalated "agent_escalated" "An agent escalated a task to the agent that started it.",
    ReasoningStep "reasoning_step" "A step of an agent's reasoning, or a change of its phase.",
    Thinking "thinking" "A thought.",
    ConfidenceUpdate "confidence_update" "The overall confidence of a conclusion.",
    ConstitutionalCheck "constitutional_check" "What is about to be handed over was checked against the constitution.",
    ToolInvoked "tool_invoked" "A tool is called.",
    ToolResult "tool_result" "A call returned its result.",
    ToolError "tool_error" "A call failed.",
    RagSearchStarted "rag_search_started" "The knowledge base is searched.",
    RagDocumentsFound "rag_documents_found" "The results from the knowledge base.",
    PubmedSearchStarted "pubmed_search_started" "PubMed is searched.",
    PubmedArticlesFound "pubmed_articles_found" "The results from PubMed.",
    WebSearchStarted "web_search_started" "The web or the news is searched.",
    WebSourcesFound "web_sources_found" "The results from the web or the news.",
    InsightGenerated "insight_generated" "A finding of a completed task.",
    CitationAdded "citation_added" "A passage that a finding cites.",
    CheckpointPlanApproval "checkpoint_plan_approval" "A person is asked to approve the plan.",
    CheckpointToolApproval "checkpoint_tool_approval" "A person is asked to approve a tool call.",
    CheckpointSubagentApproval "checkpoint_subagent_approval" "A person is asked to approve the start of an agent.",
    CheckpointCriticalDecision "checkpoint_critical_decision" "A person is asked to make a decision.",
    CheckpointFinalReview "checkpoint_final_review" "A person is asked to review the result.",
    UserResponseReceived "user_response_received" "A person answered, or gave guidance.",
    CheckpointTimeout "checkpoint_timeout" "Nobody answered in time, which counts as a rejection.",
    IterationStart "iteration_start" "A reasoning iteration began.",
    IterationComplete "iteration_complete" "A reasoning iteration ended.",
    PhaseStart "phase_start" "The mission entered a phase.",
    PhaseComplete "phase_complete" "The mission left a phase.",
    ProgressUpdate "progress_update" "The number of tasks that have ended.",
    Complete "complete" "The mission completed. This is the last event.",
    Error "error" "The mission failed or was cancelled. This is the last event.",
}
