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
    PlanCreated "plan_created" "The mission has its plan.",
    PlanUpdated "plan_updated" "The plan is another from here on.",
    TaskStatusChange "task_status_change" "A task stands elsewhere than before.",
    AgentSpawned "agent_spawned" "An agent's run in this mission began.",
    AgentStarted "agent_started" "An agent took up its first task, or one after it had none left.",
    AgentCompleted "agent_completed" "An agent has no task left.",
    AgentEscalated "agent_escalated" "An agent handed a task up to the one that started it.",
    ReasoningStep "reasoning_step" "A step of an agent's reasoning, or a phase of one that the machine decided.",
    Thinking "thinking" "A thought.",
    ConfidenceUpdate "confidence_update" "How sure a conclusion is, all things considered.",
    ToolInvoked "tool_invoked" "A tool is called.",
    ToolResult "tool_result" "A call gave its result.",
    ToolError "tool_error" "A call gave no result.",
    RagSearchStarted "rag_search_started" "The knowledge base is searched.",
    RagDocumentsFound "rag_documents_found" "What the knowledge base gave.",
    PubmedSearchStarted "pubmed_search_started" "PubMed is searched.",
    PubmedArticlesFound "pubmed_articles_found" "What PubMed gave.",
    WebSearchStarted "web_search_started" "The web or the news are searched.",
    WebSourcesFound "web_sources_found" "What the web or the news gave.",
    InsightGenerated "insight_generated" "A finding of a task that ended well.",
    CitationAdded "citation_added" "A passage that something found rests on.",
    CheckpointPlanApproval "checkpoint_plan_approval" "A person is asked about the plan.",
    CheckpointToolApproval "checkpoint_tool_approval" "A person is asked to allow a call.",
    CheckpointSubagentApproval "checkpoint_subagent_approval" "A person is asked to let an agent start.",
    CheckpointCriticalDecision "checkpoint_critical_decision" "A person has to decide something.",
    CheckpointFinalReview "checkpoint_final_review" "A person is asked to review the result.",
    UserResponseReceived "user_response_received" "A person answered, or gave guidance.",
    CheckpointTimeout "checkpoint_timeout" "Nobody answered in time, which is a no.",
    IterationStart "iteration_start" "A round of a reasoning began.",
    IterationComplete "iteration_complete" "A round of a reasoning is over.",
    PhaseStart "phase_start" "The mission entered a phase.",
    PhaseComplete "phase_complete" "The mission left a phase.",
    ProgressUpdate "progress_update" "How many of the tasks have ended.",
    Complete "complete" "The mission came to its end. Nothing follows.",
    Error "error" "The mission failed or was cancelled. Nothing follows.",
}
