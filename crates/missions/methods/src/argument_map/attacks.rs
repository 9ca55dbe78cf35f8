//! Which arguments stand when others attack them: the grounded labelling of an argument graph.
//!
//! An argument stands if all that attack it fall, and falls if one that stands attacks it. What neither follows for, such
//! as two arguments that attack each other, is undecided.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    Stands,
    Undecided,
    Falls,
}

impl Standing {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Stands => "stands",
            Self::Undecided => "undecided",
            Self::Falls => "falls",
        }
    }
}

/// The labelling of as many arguments; each attack is a pair of attacker and attacked.
pub(super) fn grounded(arguments: usize, attacks: &[(usize, usize)]) -> Vec<Standing> {
    let mut standings = vec![Standing::Undecided; arguments];
    loop {
        let mut changed = false;
        for at in 0..arguments {
            if standings[at] != Standing::Undecided {
                continue;
            }
            let mut attackers = attacks.iter().filter(|(_, on)| *on == at);
            let standing = if attackers
                .clone()
                .any(|(by, _)| standings[*by] == Standing::Stands)
            {
                Standing::Falls
            } else if attackers.all(|(by, _)| standings[*by] == Standing::Falls) {
                Standing::Stands
            } else {
                continue;
            };
            standings[at] = standing;
            changed = true;
        }
        if !changed {
            return standings;
        }
    }
}

#[cfg(test)]
#[path = "attacks_tests.rs"]
mod tests;
