//! Law 4: money, tokens, turns and time are capped before they are spent.

use adjutant_mission::{Account, Amounts, Caps, Event, Mission, Recorded, Timestamp, Usage};

use super::{Held, Law, holds};
use crate::accounts::Accounts;
use crate::witness::{Stage, Witness};

fn fits(caps: &Caps, usage: Usage, turns: u64) -> bool {
    caps.money.is_none_or(|cap| usage.money <= cap)
        && caps.tokens.is_none_or(|cap| usage.tokens <= cap)
        && caps.turns.is_none_or(|cap| turns <= cap)
}

/// What a try may cost is held before it starts, and there is room for it.
pub(super) fn law_4_reserved_before_it_starts(witness: &Witness, event: &Recorded) -> Held {
    let Event::TaskStarted {
        task,
        effect: Some(_),
        reserved,
        ..
    } = &event.event
    else {
        return Ok(());
    };
    let Some(at) = witness.task(task) else {
        return Ok(());
    };
    let price = witness
        .tool(at)
        .and_then(|tool| witness.scene.start.tools.get(&tool))
        .map(|facts| facts.price);
    holds(
        Law::Caps,
        reserved.money >= price.unwrap_or_default(),
        || format!("`{task}` starts with {reserved:?} held and may cost {price:?}"),
    )?;
    let whole = witness.used.plus(witness.reserved).plus(*reserved);
    let caps = &witness.scene.plan().caps;
    holds(Law::Caps, fits(caps, whole, witness.turns + 1), || {
        format!("`{task}` starts: {whole:?} would pass the mission's {caps:?}")
    })?;
    let seen = &witness.tasks[at];
    let (own, caps) = (seen.used.plus(*reserved), &witness.scene.spec(at).caps);
    holds(Law::Caps, fits(caps, own, seen.turns + 1), || {
        format!("`{task}` starts: {own:?} would pass its own {caps:?}")
    })
}

/// A cap on time lets nothing start once it is used up.
pub(super) fn law_4_nothing_starts_after_its_time(witness: &Witness, event: &Recorded) -> Held {
    let Event::TaskStarted { task, .. } = &event.event else {
        return Ok(());
    };
    let Some(at) = witness.task(task) else {
        return Ok(());
    };
    let over = |since: Option<Timestamp>, caps: &Caps| match (since, caps.wall_time) {
        (Some(since), Some(cap)) => event.at >= since.plus(cap),
        _ => false,
    };
    let late = over(witness.executing_since, &witness.scene.plan().caps)
        || over(witness.tasks[at].clock, &witness.scene.spec(at).caps);
    holds(Law::Caps, !late, || {
        format!("`{task}` starts after its time or the mission's was used up")
    })
}

/// The books balance: used and held agree with the journal, fit the caps, and nothing stays held for nothing.
pub(super) fn law_4_no_cap_is_passed(witness: &Witness, mission: &Mission) -> Held {
    let (used, reserved) = (mission.used(), mission.reserved());
    let agree =
        used == witness.used && reserved == witness.reserved && mission.turns() == witness.turns;
    holds(Law::Caps, agree, || {
        format!(
            "the machine counts {used:?}/{reserved:?}, the journal {:?}/{:?}",
            witness.used, witness.reserved
        )
    })?;
    let held = witness
        .effects
        .iter()
        .filter(|effect| !effect.closed)
        .fold(Usage::NONE, |sum, effect| sum.plus(effect.reserved));
    holds(Law::Caps, held == reserved, || {
        format!("{reserved:?} is held, and open effects account for {held:?}")
    })?;
    let caps = &witness.scene.plan().caps;
    holds(
        Law::Caps,
        fits(caps, used.plus(reserved), witness.turns),
        || format!("{used:?} used and {reserved:?} held pass the mission's {caps:?}"),
    )?;
    for (task, seen) in witness.scene.plan().tasks.iter().zip(&witness.tasks) {
        let own = seen
            .effect
            .filter(|_| witness.stage != Stage::Undoing)
            .and_then(|number| witness.effects.get(number as usize))
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

/// What the store's accounts say is what the journal says, and no hard cap is passed. `witness` has seen what is
/// durable and nothing else.
pub(crate) fn law_4_accounts_agree(witness: &Witness, accounts: &Accounts) -> Held {
    for (key, Account { caps, balance }) in accounts.all() {
        let held = balance.used.plus(balance.reserved);
        for (resource, cap) in &caps.hard {
            holds(Law::Caps, held.get(*resource) <= *cap, || {
                format!("{key:?} holds {held:?}, over its {caps:?}")
            })?;
        }
    }
    let (used, reserved) = accounts.charged_in_all();
    let inherited = witness
        .forked
        .map_or((Usage::NONE, 0), |fork| (fork.used, fork.turns));
    let (of_mission, open) = (witness.used.minus(inherited.0), witness.reserved);
    let turns = witness.turns - inherited.1;
    let open_calls = witness.effects.iter().filter(|effect| !effect.closed);
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
