//! Maps origin and severity to an action. Finding threats is not done here.

use serde::{Deserialize, Serialize};

use crate::threat::{Inspected, Origin, Severity};

/// What to do with a text, from the least to the most cautious.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Use it, and record what was found.
    Log,
    /// Use it, with the suspicious passages marked as data.
    Fence,
    /// Ask a person first.
    Ask,
    /// Do not use it.
    Block,
}

/// The action for each severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actions {
    pub low: Action,
    pub medium: Action,
    pub high: Action,
}

impl Actions {
    const fn new(low: Action, medium: Action, high: Action) -> Self {
        Self { low, medium, high }
    }

    pub fn for_severity(self, severity: Severity) -> Action {
        match severity {
            Severity::Low => self.low,
            Severity::Medium => self.medium,
            Severity::High => self.high,
        }
    }
}

/// The actions for each origin.
///
/// By default a person's text is only logged, because a person may give instructions; if it looks like a pasted attack,
/// the person is asked. Text from outside is fenced; for high severity from the web, tools and MCP a person is asked.
/// Documents were added by a person and are only fenced. Nothing is blocked unless a policy
/// says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GuardPolicy {
    pub person: Actions,
    pub document: Actions,
    pub tool_result: Actions,
    pub web_page: Actions,
    pub mcp: Actions,
    pub model: Actions,
}

impl Default for GuardPolicy {
    fn default() -> Self {
        let outside = Actions::new(Action::Log, Action::Fence, Action::Ask);
        Self {
            person: Actions::new(Action::Log, Action::Log, Action::Ask),
            document: Actions::new(Action::Log, Action::Fence, Action::Fence),
            tool_result: outside,
            web_page: outside,
            mcp: outside,
            model: Actions::new(Action::Log, Action::Log, Action::Fence),
        }
    }
}

impl GuardPolicy {
    pub fn actions(&self, origin: Origin) -> Actions {
        match origin {
            Origin::Person => self.person,
            Origin::Document => self.document,
            Origin::ToolResult => self.tool_result,
            Origin::WebPage => self.web_page,
            Origin::Mcp => self.mcp,
            Origin::Model => self.model,
        }
    }

    /// The most cautious action that any of the threats requires; `None` if there are no threats.
    pub fn action(&self, origin: Origin, inspected: &Inspected) -> Option<Action> {
        let actions = self.actions(origin);
        inspected
            .threats
            .iter()
            .map(|threat| actions.for_severity(threat.severity))
            .max()
    }
}
