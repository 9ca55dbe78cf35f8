//! The laws of the engine as named functions, checked around every event. They read the simulator's own
//! account of the journal and the world's ground truth, never the reasons the machine gives.

mod approval;
mod budget;
mod effects;
mod journal;
mod order;
mod thinking;

use std::fmt;

use adjutant_mission::{Mission, Recorded};

pub(crate) use budget::law_4_accounts_agree;
pub(crate) use journal::{law_7_damage_is_reported, law_9_the_fold_is_the_same};

use crate::reference_model::ReferenceModel;
use crate::world::World;

/// Which rule was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    DurableFirst,
    StableIds,
    OneOutcome,
    Caps,
    NoUnlessYes,
    Levels,
    DamageReported,
    CommandsOnce,
    SameBytes,
    Schedule,
    Stopped,
    Forks,
    Triggers,
    Told,
    Liveness,
    /// The machine contradicted itself.
    Fault,
    /// The simulator could not make or run the scene.
    Simulator,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DurableFirst => "law 1: durable before anything depends on it",
            Self::StableIds => "law 2: an effect keeps its id, a new attempt gets a new one",
            Self::OneOutcome => {
                "law 3: one outcome each, never asked twice, never repeated blindly"
            }
            Self::Caps => "law 4: reserved before, settled after, no cap passed",
            Self::NoUnlessYes => "law 5: silence, error and lack of right mean no",
            Self::Levels => "law 6: nobody starts or calls what its level does not allow",
            Self::DamageReported => "law 7: damage is reported, never skipped over",
            Self::CommandsOnce => "law 8: commands once, refusals change nothing",
            Self::SameBytes => "law 9: the journal folds to the same bytes",
            Self::Schedule => "scheduling: order, limits and resources",
            Self::Stopped => "kill switches: what is stopped is begun by nobody",
            Self::Forks => "forks: whole or not at all, and what is inherited stays as it was",
            Self::Triggers => "triggers: each time once, in order, and none lost unsaid",
            Self::Told => "notices: of what is so, none lost, and twice only after a crash",
            Self::Liveness => "liveness: an answered mission ends",
            Self::Fault => "the machine contradicts itself",
            Self::Simulator => "the simulator itself",
        })
    }
}

/// A law that did not hold, and how.
#[derive(Debug, Clone)]
pub(crate) struct Broken {
    pub(crate) law: Law,
    pub(crate) what: String,
}

impl Broken {
    pub(crate) fn new(law: Law, what: impl Into<String>) -> Self {
        Self {
            law,
            what: what.into(),
        }
    }
}

pub(crate) type Held = Result<(), Broken>;

/// `Ok` when it holds, and otherwise the sentence that says what does not.
pub(crate) fn holds(law: Law, fine: bool, what: impl FnOnce() -> String) -> Held {
    if fine {
        Ok(())
    } else {
        Err(Broken::new(law, what()))
    }
}

/// Judges an event by what was so before it.
pub(crate) fn before_event(model: &ReferenceModel, event: &Recorded, world: &World) -> Held {
    law_8_one_batch_per_command(model, event)?;
    effects::law_2_ids_are_never_reused(model, event)?;
    effects::law_3_one_outcome_each(model, event, world)?;
    effects::law_3_in_doubt_asks_a_human(model, event)?;
    budget::law_4_reserved_before_it_starts(model, event)?;
    budget::law_4_nothing_starts_after_its_time(model, event)?;
    approval::law_5_only_who_may_decides(model, event)?;
    approval::law_5_nothing_runs_unapproved(model, event)?;
    approval::law_5_waivers_were_given(model, event)?;
    approval::law_5_a_no_has_its_consequence(model, event)?;
    thinking::law_6_agents_start_in_order(model, event)?;
    thinking::law_6_breaches_are_refused(model, event, world)?;
    thinking::law_3_steps_follow(model, event)?;
    thinking::law_3_it_ends_with_a_conclusion(model, event)?;
    thinking::law_5_unsure_means_no(model, event, world)?;
    order::dependencies_are_respected(model, event)?;
    order::layers_are_respected(model, event)?;
    order::returns_and_retries_are_bounded(model, event)?;
    order::plans_change_only_ahead(model, event)?;
    order::undoing_goes_backwards(model, event)?;
    order::nothing_starts_outside_its_stage(model, event)
}

/// Judges the state an event led to; `mission` is the machine's own view of it.
pub(crate) fn after_event(model: &ReferenceModel, mission: &Mission) -> Held {
    budget::law_4_no_cap_is_passed(model, mission)?;
    thinking::law_4_lifetimes_hold(model, mission)?;
    order::limits_and_resources_hold(model, mission)
}

/// Judges what a whole step led to.
pub(crate) fn after_step(model: &ReferenceModel, mission: &Mission) -> Held {
    approval::law_5_no_answer_is_left_hanging(model)?;
    effects::law_3_every_doubt_is_asked_about(model)?;
    thinking::law_5_every_unsure_conclusion_is_asked_about(model)?;
    order::losses_are_bounded(model)?;
    order::an_ended_mission_owes_nothing(model, mission)
}

/// Law 8: all that a command led to stands in one place; the same id never leads to more.
fn law_8_one_batch_per_command(model: &ReferenceModel, event: &Recorded) -> Held {
    let Some(adjutant_mission::Cause::Command(id)) = event.cause else {
        return Ok(());
    };
    let fine = !model.commands.contains(&id) || model.last_cause == event.cause;
    holds(Law::CommandsOnce, fine, || {
        format!(
            "command {id} led to event {} long after it was done",
            event.seq
        )
    })
}
