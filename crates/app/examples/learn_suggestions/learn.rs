//! Two logistic regressions for each tool: whether an intent wants it, and, if it is wanted, whether the work begins with it.
//! Each sign of an intent speaks for each tool by itself, and for beginning also which other tools are used. Small weights are
//! drawn to nothing, so that most signs speak for few tools.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_suggestion::{Learned, Odds, Pairs, Suggester, said};

use super::Known;

const STEP: f64 = 0.3;
/// By how much each round's steps are smaller than those of the round before.
const SLOWING: f64 = 0.3;
/// A smaller weight is left out of the table.
const WEIGHT_MIN: f64 = 0.05;
/// A sign that fewer intents have says what they are about, not which work is wanted.
const INTENTS_MIN: usize = 2;
/// What speaks for a tool that nobody ever wanted.
const NEVER: f64 = -9.0;
/// What it counts that another tool is used.
const OTHER_TOOL: f64 = 2.0;
/// So many uses of two tools at once are taken for granted, whether they were seen or not.
const TOGETHER_ANYWAY: f64 = 1.0;

/// How a regression is made.
struct Making {
    rounds: u32,
    /// How far weights are drawn to nothing in a round, for a step of one.
    drawn: f64,
    /// What speaks for the answer before anything is learned.
    before: f64,
}

const WANTED: Making = Making {
    rounds: 15,
    drawn: 0.1,
    before: -3.0,
};
const BEGINS: Making = Making {
    rounds: 30,
    drawn: 0.02,
    before: 2.0,
};

/// What is seen of an intent, each by its number with how much there is of it.
type Seen = Vec<(usize, f64)>;

/// What these intents teach of the tools that may be suggested.
pub(crate) fn learn(tools: &[String], plain: &Suggester, seen: &[&Known]) -> Learned {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for known in seen {
        for sign in said(&known.intent).into_keys() {
            *counts.entry(sign).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count >= INTENTS_MIN);
    let tools: Vec<String> = tools
        .iter()
        .filter(|tool| plain.suggested_for(tool) == Some(tool))
        .cloned()
        .collect();
    let mut learned = Learned::nothing(tools.clone(), seen.len(), &counts);
    let examples: Vec<Vec<(usize, f64)>> = seen
        .iter()
        .map(|known| learned.seen(&known.intent))
        .collect();
    let ever: BTreeSet<&String> = seen.iter().flat_map(|known| &known.all).collect();
    let signs = learned.signs();
    let halves: Vec<Vec<usize>> = vec![
        (0..tools.len()).step_by(2).collect(),
        (1..tools.len()).step_by(2).collect(),
    ];
    let regressions: BTreeMap<usize, [Vec<f64>; 2]> = std::thread::scope(|scope| {
        let threads: Vec<_> = halves
            .into_iter()
            .map(|half| {
                let (tools, examples, ever) = (&tools, &examples, &ever);
                scope.spawn(move || {
                    let known = half.into_iter().filter(|tool| ever.contains(&tools[*tool]));
                    let learned = known.map(|tool| {
                        let wanted = wanted(&tools[tool], examples, seen);
                        let begins = begins(tool, tools, examples, seen, signs);
                        let weights = [
                            regression(&BEGINS, &begins, signs + tools.len()),
                            regression(&WANTED, &wanted, signs),
                        ];
                        (tool, weights)
                    });
                    learned.collect::<Vec<_>>()
                })
            })
            .collect();
        let joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.flat_map(Result::unwrap).collect()
    });
    let mut beside = Pairs::new();
    for tool in 0..tools.len() {
        let Some([begins, wanted]) = regressions.get(&tool) else {
            let never = Odds {
                begins: 0.0,
                wanted: NEVER,
            };
            learned.set_always(tool, never);
            continue;
        };
        learned.set_always(
            tool,
            Odds {
                begins: begins[signs + tools.len()],
                wanted: wanted[signs],
            },
        );
        for sign in 0..signs {
            let odds = Odds {
                begins: worth(begins[sign]),
                wanted: worth(wanted[sign]),
            };
            if odds != Odds::default() {
                learned.set(sign, tool, odds);
            }
        }
        for other in 0..tools.len() {
            let worth = worth(begins[signs + other] * OTHER_TOOL);
            if worth != 0.0 {
                beside.insert((tool, other), worth);
            }
        }
    }
    learned.set_pairs(together(&tools, seen), beside);
    learned
}

/// What each intent says of wanting a tool; nothing where another answer that is as right has it.
fn wanted(tool: &String, examples: &[Seen], seen: &[&Known]) -> Vec<(Seen, f64)> {
    let answers = examples.iter().zip(seen).filter_map(|(example, known)| {
        let answer = match known.all.contains(tool) {
            true => 1.0,
            false if known.first_also.iter().any(|other| other.contains(tool)) => return None,
            false => 0.0,
        };
        Some((example.clone(), answer))
    });
    answers.collect()
}

/// What each intent that wants a tool says of beginning with it.
fn begins(
    tool: usize,
    tools: &[String],
    examples: &[Seen],
    seen: &[&Known],
    signs: usize,
) -> Vec<(Seen, f64)> {
    let wanting = examples
        .iter()
        .zip(seen)
        .filter(|(_, known)| known.all.contains(&tools[tool]));
    let answers = wanting.map(|(example, known)| {
        let is_used = |other: &usize| *other != tool && known.all.contains(&tools[*other]);
        let others = (0..tools.len()).filter(is_used);
        let others = others.map(|other| (signs + other, OTHER_TOOL));
        let example = example.iter().copied().chain(others).collect();
        let answer = f64::from(u8::from(known.first.contains(&tools[tool])));
        (example, answer)
    });
    answers.collect()
}

/// How much likelier two tools are used at once than if each were there by chance.
fn together(tools: &[String], seen: &[&Known]) -> Pairs {
    let place = |tool: &String| tools.iter().position(|other| other == tool);
    let mut alone = vec![0.0; tools.len()];
    let mut both = Pairs::new();
    for known in seen {
        let mut used: Vec<usize> = known.all.iter().filter_map(place).collect();
        used.sort_unstable();
        for (number, one) in used.iter().enumerate() {
            alone[*one] += 1.0;
            for other in &used[number + 1..] {
                *both.entry((*one, *other)).or_default() += 1.0;
            }
        }
    }
    let pairs: f64 = both.values().sum();
    let all: f64 = alone.iter().sum();
    let mut together = Pairs::new();
    for one in 0..tools.len() {
        for other in one + 1..tools.len() {
            let count = both.get(&(one, other)).copied().unwrap_or_default();
            let by_chance = 2.0 * pairs * (alone[one] / all) * (alone[other] / all);
            let worth = ((count + TOGETHER_ANYWAY) / (by_chance + TOGETHER_ANYWAY)).ln();
            together.insert((one, other), worth);
        }
    }
    together
}

fn worth(weight: f64) -> f64 {
    if weight.abs() < WEIGHT_MIN {
        0.0
    } else {
        weight
    }
}

/// The weight of everything that may be seen; the last is what speaks for the answer always.
fn regression(making: &Making, examples: &[(Seen, f64)], signs: usize) -> Vec<f64> {
    let mut weights = vec![0.0; signs + 1];
    weights[signs] = making.before;
    let mut order: Vec<usize> = (0..examples.len()).collect();
    for round in 0..making.rounds {
        let step = STEP / (1.0 + SLOWING * f64::from(round));
        shuffle(&mut order, u64::from(round));
        for &at in &order {
            let (example, answer) = &examples[at];
            let odds: f64 = example
                .iter()
                .map(|(sign, much)| much * weights[*sign])
                .sum();
            let error = 1.0 / (1.0 + (-(odds + weights[signs])).exp()) - answer;
            for (sign, much) in example {
                weights[*sign] -= step * error * much;
            }
            weights[signs] -= step * error;
        }
        for weight in &mut weights[..signs] {
            *weight = weight.signum() * (weight.abs() - step * making.drawn).max(0.0);
        }
    }
    weights
}

/// The same order for the same round.
fn shuffle(order: &mut [usize], round: u64) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(round + 1);
    for at in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(at, (state % (at as u64 + 1)) as usize);
    }
}
