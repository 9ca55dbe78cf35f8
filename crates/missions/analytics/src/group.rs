//! Missions in groups: by type, agent, tenant or week, and all together.

use std::collections::BTreeMap;

use adjutant_mission::{MissionId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::count::MissionCount;
use crate::figure::Figure;
use crate::tally::Tally;
use crate::week;

/// What missions of no known type are called, and work that no agent did.
const NO_TYPE: &str = "plan files";
const NO_AGENT: &str = "no agent";

/// What figures are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupBy {
    Type,
    Agent,
    Tenant,
    Week,
}

impl GroupBy {
    pub const ALL: [Self; 4] = [Self::Type, Self::Agent, Self::Tenant, Self::Week];

    pub fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Agent => "agent",
            Self::Tenant => "tenant",
            Self::Week => "week",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }
}

/// One mission, with what its journal does not say by itself.
#[derive(Debug, Clone)]
pub struct Member {
    pub count: MissionCount,
    pub tenant: String,
    /// The type's id and name; nothing for the plan of a file.
    pub mission_type: Option<(String, String)>,
    pub estimated: Option<Estimated>,
}

/// What missions of a type are expected to cost at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimated {
    pub micro_usd_max: u64,
}

/// What one person said of a mission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    pub mission: MissionId,
    pub stars: Option<u8>,
    /// How many of its insights were useful, and how many were not.
    pub useful: u64,
    pub not_useful: u64,
}

/// A confidence, and what it turned out to be worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    pub mission: MissionId,
    pub agent: String,
    pub said_ppm: u32,
    pub right_ppm: u32,
}

/// Which missions the figures are of, and which they leave out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    pub counted: u64,
    /// Their type is derived: they began before types were recorded.
    pub types_derived: u64,
    pub running: u64,
    /// Counted with the missions that they belong to.
    pub sub_missions: u64,
    /// Questions that were asked to plan or to follow up, and are no missions of their own.
    pub questions: u64,
    pub erased: u64,
    pub pruned: u64,
    /// Their journals cannot be read here: another key, or damage.
    pub unreadable: u64,
}

impl Coverage {
    /// `2 running, 1 erased`; empty if nothing was left out.
    pub fn left_out_in_words(&self) -> String {
        let told = [
            (self.running, "running"),
            (self.erased, "erased"),
            (self.pruned, "pruned"),
            (self.unreadable, "unreadable"),
            (self.questions, "single questions"),
        ];
        let told: Vec<String> = told
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        told.join(", ")
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            counted: self.counted + other.counted,
            types_derived: self.types_derived + other.types_derived,
            running: self.running + other.running,
            sub_missions: self.sub_missions + other.sub_missions,
            questions: self.questions + other.questions,
            erased: self.erased + other.erased,
            pruned: self.pruned + other.pruned,
            unreadable: self.unreadable + other.unreadable,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    pub key: String,
    pub name: String,
    pub missions: u64,
    pub completed: u64,
    pub failed: u64,
    pub cancelled: u64,
    pub figures: Vec<Figure>,
    /// What confidences of each tenth meant; only tenths that occurred.
    pub confidences: Vec<Confidence>,
}

/// Conclusions of about the same confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    pub said: f64,
    pub right: f64,
    pub count: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub all: Group,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<GroupBy>,
    pub groups: Vec<Group>,
}

/// Adds what sub-missions did to the missions that they belong to; those whose mission is not there are left out.
pub fn take_in(members: &mut [Member], sub_missions: &[(MissionId, MissionCount)]) {
    let parents: BTreeMap<MissionId, MissionId> = sub_missions
        .iter()
        .map(|(parent, count)| (count.mission, *parent))
        .collect();
    let places: BTreeMap<MissionId, usize> = members
        .iter()
        .enumerate()
        .map(|(place, member)| (member.count.mission, place))
        .collect();
    for (parent, count) in sub_missions {
        let mut root = *parent;
        // No deeper than there are sub-missions, whatever a journal says of its parent.
        for _ in 0..sub_missions.len() {
            match parents.get(&root) {
                Some(above) => root = *above,
                None => break,
            }
        }
        if let Some(member) = places.get(&root).and_then(|place| members.get_mut(*place)) {
            member.count.take_in(count);
        }
    }
}

/// The figures of all these missions, and of each group of them.
pub fn figures(
    members: &[Member],
    opinions: &[Opinion],
    judged: &[Judged],
    by: Option<GroupBy>,
) -> Figures {
    let mut all = Tally::default();
    let mut groups: BTreeMap<Key, Tally> = BTreeMap::new();
    let mut places: BTreeMap<MissionId, &Member> = BTreeMap::new();
    for member in members {
        all.add_mission(&member.count, member.estimated);
        places.insert(member.count.mission, member);
        match by {
            None => {}
            Some(GroupBy::Agent) => {
                for (agent, work) in &member.count.work {
                    let group = groups
                        .entry(agent_key(agent))
                        .or_insert_with(Tally::of_agent);
                    group.add_work(work);
                }
            }
            Some(by) => {
                let group = groups.entry(key_of(member, by)).or_default();
                group.add_mission(&member.count, member.estimated);
            }
        }
    }
    for opinion in opinions {
        let Some(member) = places.get(&opinion.mission) else {
            continue;
        };
        all.add_opinion(opinion);
        if let Some(by) = by.filter(|by| *by != GroupBy::Agent) {
            groups
                .entry(key_of(member, by))
                .or_default()
                .add_opinion(opinion);
        }
    }
    for outcome in judged {
        let Some(member) = places.get(&outcome.mission) else {
            continue;
        };
        all.add_outcome(outcome);
        if let Some(by) = by {
            let key = match by {
                GroupBy::Agent => agent_key(&outcome.agent),
                by => key_of(member, by),
            };
            let group = groups.entry(key).or_insert_with(Tally::of_agent);
            group.add_outcome(outcome);
        }
    }
    Figures {
        all: group_of(("all".to_owned(), "All missions".to_owned()), all),
        by,
        groups: ordered(groups, by),
    }
}

/// A group's key, and what it is called.
type Key = (String, String);

fn agent_key(agent: &str) -> Key {
    match agent {
        "" => (String::new(), NO_AGENT.to_owned()),
        agent => (agent.to_owned(), agent.to_owned()),
    }
}

fn key_of(member: &Member, by: GroupBy) -> Key {
    match by {
        GroupBy::Type => match &member.mission_type {
            Some(key) => key.clone(),
            None => (String::new(), NO_TYPE.to_owned()),
        },
        GroupBy::Tenant => (member.tenant.clone(), member.tenant.clone()),
        GroupBy::Week => {
            let monday = week::monday_of(member.count.ended_at);
            (week::day_name(monday), week::name_of(monday))
        }
        GroupBy::Agent => agent_key(""),
    }
}

/// Weeks in their order; everything else with the most missions first.
fn ordered(groups: BTreeMap<Key, Tally>, by: Option<GroupBy>) -> Vec<Group> {
    let mut groups: Vec<Group> = groups
        .into_iter()
        .map(|(key, tally)| group_of(key, tally))
        .collect();
    if by != Some(GroupBy::Week) {
        groups.sort_by_key(|group| std::cmp::Reverse(group.missions));
    }
    groups
}

fn group_of((key, name): Key, tally: Tally) -> Group {
    let confidences = tally.bins().iter().filter(|bin| bin.count > 0);
    let share = |sum: u64, count: u64| sum as f64 / count as f64 / 1e6;
    let confidences = confidences.map(|bin| Confidence {
        said: share(bin.said, bin.count),
        right: share(bin.right, bin.count),
        count: bin.count,
    });
    Group {
        key,
        name,
        missions: tally.missions,
        completed: tally.completed,
        failed: tally.failed,
        cancelled: tally.cancelled,
        confidences: confidences.collect(),
        figures: tally.figures(),
    }
}

impl Group {
    pub fn figure(&self, measure: crate::Measure) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.measure == measure)
    }
}

/// The first and the last day of a time in UTC, as people write them.
pub(crate) fn days(from: Option<Timestamp>, until: Timestamp) -> String {
    let last = week::day_name(week::day_of(until));
    match from {
        Some(from) => format!("{} to {last}", week::day_name(week::day_of(from))),
        None => format!("until {last}"),
    }
}
