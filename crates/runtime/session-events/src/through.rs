//! Through whom a person acted. Some acts are reserved for people, so programs and supervisors do them in a person's name;
//! the words that are recorded with such an act say who truly did it.
//!
//! A person could write such words too. So the person is always named with them, and nothing is decided by them.

use std::fmt;

use adjutant_mission::{Actor, ActorKind, Event, Recorded};

/// What stands around the name of a program, at the end of its words.
const PROGRAM: (&str, &str) = ("by the program `", "`");
/// What stands around the name of a supervisor, at the beginning of its words.
const SUPERVISOR: (&str, &str) = ("supervisor `", "`: ");
/// What an act that can be repeated is known by, after all other words.
const REQUEST: &str = " [request ";

/// Who acted in a person's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Through<'a> {
    /// The name that the program gives itself.
    Program(&'a str),
    Supervisor(&'a str),
}

impl<'a> Through<'a> {
    /// Who acted in the name of this person, by the words that are recorded with it; and the words of their own.
    pub fn read(actor: &Actor, words: &'a str) -> Option<(Self, &'a str)> {
        if actor.kind != ActorKind::Human {
            return None;
        }
        program(words).or_else(|| supervisor(words))
    }

    /// The same of an event.
    pub fn of(recorded: &'a Recorded) -> Option<Self> {
        let actor = recorded.actor.as_ref()?;
        Self::read(actor, words(&recorded.event)?).map(|(through, _)| through)
    }

    /// Who acted, with the person in whose name it was done.
    pub fn told(self, person: impl fmt::Display) -> String {
        match self {
            Self::Program(_) => format!("{person} through {self}"),
            Self::Supervisor(_) => format!("{self} for {person}"),
        }
    }
}

impl fmt::Display for Through<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(name) => write!(f, "program:{name}"),
            Self::Supervisor(name) => write!(f, "supervisor:{name}"),
        }
    }
}

/// What a program records with an act in its person's name.
pub fn words_of_program(name: &str, words: &str) -> String {
    let (before, after) = PROGRAM;
    match words.trim() {
        "" => format!("{before}{name}{after}"),
        words => format!("{words} ({before}{name}{after})"),
    }
}

fn words(event: &Event) -> Option<&str> {
    match event {
        Event::CheckpointDecided { decision, .. } | Event::CheckpointEndorsed { decision, .. } => {
            Some(&decision.note)
        }
        Event::PlanChanged { why, .. } => Some(why),
        Event::MissionPaused { reason } | Event::StopRequested { reason, .. } => Some(reason),
        _ => None,
    }
}

fn program(words: &str) -> Option<(Through<'_>, &str)> {
    let words = match words.rsplit_once(REQUEST) {
        Some((words, mark)) if mark.ends_with(']') => words,
        _ => words,
    };
    let (before, after) = PROGRAM;
    let alone = words.strip_prefix(before);
    if let Some(name) = alone.and_then(|rest| rest.strip_suffix(after))
        && is_name(name)
    {
        return Some((Through::Program(name), ""));
    }
    let (own, rest) = words.rsplit_once(" (")?;
    let name = rest.strip_prefix(before)?.strip_suffix(')')?;
    let name = name.strip_suffix(after).filter(|name| is_name(name))?;
    Some((Through::Program(name), own))
}

fn supervisor(words: &str) -> Option<(Through<'_>, &str)> {
    let (before, after) = SUPERVISOR;
    let (name, own) = words.strip_prefix(before)?.split_once(after)?;
    is_name(name).then_some((Through::Supervisor(name), own))
}

/// Names that cannot break out of a line or of the words around them.
fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    !name.is_empty() && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use adjutant_mission::AgentId;

    use super::*;

    fn bea() -> Actor {
        Actor::human(AgentId::new("bea").unwrap())
    }

    #[test]
    fn what_a_program_records_names_it_and_keeps_its_words() {
        for words in [
            "",
            "fine",
            "fine (mostly)",
            "by the program `other`",
            "a (by the program `other`)",
        ] {
            let recorded = words_of_program("claude-code", words);
            let (through, own) = Through::read(&bea(), &recorded).unwrap();
            assert_eq!(through, Through::Program("claude-code"), "{recorded}");
            assert_eq!(own, words);
        }
        let repeatable = format!(
            "{} [request 0123456789abcdef]",
            words_of_program("x", "more")
        );
        let (through, own) = Through::read(&bea(), &repeatable).unwrap();
        assert_eq!((through, own), (Through::Program("x"), "more"));
        assert_eq!(through.told("bea"), "bea through program:x");
    }

    #[test]
    fn what_a_supervisor_did_is_not_told_as_the_persons_own() {
        let words = "supervisor `standard`: files of a type were found (event 7)";
        let (through, own) = Through::read(&bea(), words).unwrap();
        assert_eq!(through.told("bea"), "supervisor:standard for bea");
        assert_eq!(own, "files of a type were found (event 7)");
    }

    #[test]
    fn what_a_person_did_is_their_own() {
        for words in [
            "",
            "looks good",
            "supervisor said so",
            "the supervisor `x`: stopped it",
            "by the program",
            "by the program `a\nb`",
            "x (by the program ``)",
            "supervisor `x` `y`: z",
        ] {
            assert_eq!(Through::read(&bea(), words), None, "{words:?}");
        }
        let system = Actor {
            kind: ActorKind::System,
            ..bea()
        };
        assert_eq!(Through::read(&system, "by the program `x`"), None);
    }
}
