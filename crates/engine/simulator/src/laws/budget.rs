//! Law 4: money, tokens, turns and time are capped before they are spent.

use adjutant_mission::{Account, Amounts, Caps, Event, Mission, Recorded, Timestamp, Usage};

use super::{Held, Law, holds};
use crate::accounts::Accounts;
use crate::reference_model::{ReferenceModel, Stage};

fn fits(caps: &Caps, usage: Usage, turns: u64) -> bool {
    caps.money.is_none_or(|cap| usage.money <= cap)
        && caps.tokens.is_none_or(|cap| usage.tokens <= cap)
        && caps.turns.is_none_or(|cap| turns <= cap)
}

/// What a try may cost is held before it starts, and there is room for it.
pub(super) fn law_4_reserved_before_it_starts(model: &ReferenceModel, event: &Recorded) -> Held {
    let Event::TaskStarted {
        task,
        effect: Some(_),
        reserved,
        ..
    } = &event.event
    else {
        return Ok(());
    };
    let Some(at) = model.task(task) else {
        return Ok(());
    };
    let price = model
        .tool(at)
        .and_then(|tool| model.scene.start.tools.get(&tool))
        .map(|facts| facts.price);
    holds(
        Law::Caps,
        reserved.money >= price.unwrap_or_default(),
        || format!("`{task}` starts with {reserved:?} held and may cost {price:?}"),
    )?;
    let whole = model.used.plus(model.reserved).plus(*reserved);
    let caps = &model.scene.plan().caps;
    holds(Law::Caps, fits(caps, whole, model.turns + 1), || {
        format!("`{task}` starts: {whole:?} would pass the mission's {caps:?}")
    })?;
    let seen = &model.tasks[at];
    let (own, caps) = (seen.used.plus(*reserved), &model.scene.spec(at).caps);
    holds(Law::Caps, fits(caps, own, seen.turns + 1), || {
        format!("`{task}` starts: {own:?} would pass its own {caps:?}")
    })
}

/// A cap on time lets nothing start once it is used up.
pub(super) fn law_4_nothing_starts_after_its_time(
    model: &ReferenceModel,
    event: &Recorded,
) -> Held {
    let Event::TaskStarted { task, .. } = &event.event else {
        return Ok(());
    };
    let Some(at) = model.task(task) else {
        return Ok(());
    };
    let over = |since: Option<Timestamp>, caps: &Caps| match (since, caps.wall_time) {
        (Some(since), Some(cap)) => event.at >= since.plus(cap),
        _ => false,
    };
    let late = over(model.executing_since, &model.scene.plan().caps)
        || over(model.tasks[at].clock, &model.scene.spec(at).caps);
    holds(Law::Caps, !late, || {
        format!("`{task}` starts after its time or the mission's was used up")
    })
}

/// The books balance: used and held agree with the journal, fit the caps, and nothing stays held for nothing.
pub(super) fn law_4_no_cap_is_passed(model: &ReferenceModel, mission: &Mission) -> Held {
    let (used, reserved) = (mission.used(), mission.reserved());
    let agree = used == model.used && reserved == model.reserved && mission.turns() == model.turns;
    holds(Law::Caps, agree, || {
        format!(
            "the machine counts {used:?}/{reserved:?}, the journal {:?}/{:?}",
            model.used, model.reserved
        )
    })?;
    let held = model
        .effects
        .iter()
        .filter(|effect| !effect.closed)
        .fold(Usage::NONE, |sum, effect| sum.plus(effect.reserved));
    holds(Law::Caps, held == reserved, || {
        format!("{reserved:?} is held, and open effects account for {held:?}")
    })?;
    let caps = &model.scene.plan().caps;
    holds(
        Law::Caps,
        fits(caps, used.plus(reserved), model.turns),
        || format!("{used:?} used and {reserved:?} held pass the mission's {caps:?}"),
    )?;
    for (task, seen) in model.scene.plan().tasks.iter().zip(&model.tasks) {
        let own = seen
            .effect
            .filter(|_| model.stage != Stage::Undoing)
            .and_then(|number| model.effects.get(number.index()))
            .map_or(seen.used, |effect| seen.used.plus(effect.reserved));
        holds(Law::Caps, fits(&task.caps, own, seen.turns), || {
            format!(
                "`{}` has used and holds {own:?}, over its {:?}",
                task.key, task.caps
            )
        })?;
    }
    Ok(())
}

/// What the store's accounts say is what the journal says, and no hard cap is passed. `model` has seen what is
/// durable and nothing else.
pub(crate) fn law_4_accounts_agree(model: &ReferenceModel, accounts: &Accounts) -> Held {
    for (key, Account { caps, balance }) in accounts.all() {
        let held = balance.used.plus(balance.reserved);
        for (resource, cap) in &caps.hard {
            holds(Law::Caps, held.get(*resource) <= *cap, || {
                format!("{key:?} holds {held:?}, over its {caps:?}")
            })?;
        }
    }
    let (used, reserved) = accounts.charged_in_all();
    let inherited = model
        .forked
        .map_or((Usage::NONE, 0), |fork| (fork.used, fork.turns));
    let (of_mission, open) = (model.used.minus(inherited.0), model.reserved);
    let turns = model.turns - inherited.1;
    let open_calls = model.effects.iter().filter(|effect| !effect.closed);
    let fine = (used.money, used.tokens) == (of_mission.money, of_mission.tokens)
        && (reserved.money, reserved.tokens) == (open.money, open.tokens)
        && reserved.calls == open_calls.count() as u64
        && used.calls + reserved.calls == turns
        && (open != Usage::NONE || reserved.money == Amounts::NONE.money);
    holds(Law::Caps, fine, || {
        format!(
            "the accounts were charged {used:?} and hold {reserved:?}; the journal says {of_mission:?}, {open:?} \
             and {turns} turns"
        )
    })
}
