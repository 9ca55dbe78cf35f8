//! Who calls: a program, in the name of a person.

use std::collections::BTreeSet;

use adjutant_mission::{Actor, ActorKind, AgentId, Checkpoint, Role};
use adjutant_session_events::words_of_program;

/// What a caller may do, as the roles of access tokens say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    Read,
    Start,
    /// Steering missions that somebody else started.
    Steer,
    Decide,
}

impl Right {
    pub const ALL: [Self; 4] = [Self::Read, Self::Start, Self::Steer, Self::Decide];

    /// As in "you may not …".
    pub fn words(self) -> &'static str {
        match self {
            Self::Read => "read missions",
            Self::Start => "start missions",
            Self::Steer => "steer missions that somebody else started",
            Self::Decide => "answer questions",
        }
    }
}

/// In which words a program is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaks {
    /// It calls tools.
    Tools,
    /// It sends requests to the routes for workflows.
    Requests,
}

const CLIENT_CHARS_MAX: usize = 40;
const UNNAMED: &str = "client";

/// A program that acts for a person. The person is who the access token or the account says; the program's name is its
/// own word, is recorded, and decides nothing.
#[derive(Debug, Clone)]
pub struct ProgramCaller {
    pub person: AgentId,
    pub roles: Vec<Role>,
    pub rights: BTreeSet<Right>,
    client: String,
    speaks: Speaks,
}

impl ProgramCaller {
    pub fn new(person: AgentId, roles: Vec<Role>, rights: BTreeSet<Right>) -> Self {
        Self {
            person,
            roles,
            rights,
            client: UNNAMED.to_owned(),
            speaks: Speaks::Tools,
        }
    }

    /// The same where it sends requests instead of calling tools.
    #[must_use]
    pub fn over_requests(mut self) -> Self {
        self.speaks = Speaks::Requests;
        self
    }

    pub(super) fn speaks(&self) -> Speaks {
        self.speaks
    }

    /// The same by the name that the program gives itself.
    #[must_use]
    pub fn named(mut self, client: &str) -> Self {
        let kept = client
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
        let kept: String = kept.take(CLIENT_CHARS_MAX).collect();
        let kept = kept.trim_matches('-');
        self.client = if kept.is_empty() { UNNAMED } else { kept }.to_owned();
        self
    }

    pub fn client(&self) -> &str {
        &self.client
    }

    /// As whom missions are started: the program, for its person. Where two people are needed, it counts as its person.
    pub(super) fn as_program(&self) -> Actor {
        let id = AgentId::new(format!("program:{}", self.client));
        Actor {
            kind: ActorKind::Agent,
            // The name is cut to what an id may have.
            id: id.unwrap_or_else(|_| self.person.clone()),
            role: self.roles.first().cloned(),
            on_behalf_of: Some(self.person.clone()),
        }
    }

    /// The person, for what only people may do: their program does it with the rights that they gave it.
    pub(super) fn as_person(&self, asked: Option<&Checkpoint>) -> Actor {
        let role = asked.and_then(|checkpoint| checkpoint.role.as_ref());
        let held = role.filter(|role| self.roles.contains(role));
        let actor = Actor::human(self.person.clone());
        match held.or(self.roles.first()) {
            Some(role) => actor.with_role(role.clone()),
            None => actor,
        }
    }

    pub(super) fn may(&self, right: Right) -> bool {
        self.rights.contains(&right)
    }

    /// What is written next to what it did in its person's name.
    pub(super) fn told(&self, words: &str) -> String {
        words_of_program(&self.client, words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(client: &str) -> ProgramCaller {
        ProgramCaller::new(AgentId::new("ann").unwrap(), Vec::new(), BTreeSet::new()).named(client)
    }

    #[test]
    fn a_program_starts_missions_as_an_agent_for_its_person() {
        let actor = caller("Claude Code").as_program();
        assert_eq!(actor.kind, ActorKind::Agent);
        assert_eq!(actor.id.as_str(), "program:Claude-Code");
        assert!(actor.acts_for(&AgentId::new("ann").unwrap()));
    }

    #[test]
    fn a_program_cannot_call_itself_a_person_or_break_out_of_its_name() {
        for (given, kept) in [
            ("", "client"),
            ("---", "client"),
            ("ann", "ann"),
            ("x\n\u{202e}bob:admin", "x--bob-admin"),
            (&"n".repeat(500), &"n".repeat(CLIENT_CHARS_MAX)),
        ] {
            let caller = caller(given);
            assert_eq!(caller.client(), kept, "{given:?}");
            assert_eq!(caller.as_program().id.as_str(), format!("program:{kept}"));
            assert_eq!(caller.as_person(None).id.as_str(), "ann");
        }
    }
}
