use proptest::prelude::*;

use super::Standing::{Falls, Stands, Undecided};
use super::{Standing, grounded};

#[test]
fn a_rebuttal_restores_what_it_defends() {
    // 0 is attacked by 1, and 1 by 2.
    assert_eq!(grounded(3, &[(1, 0), (2, 1)]), [Stands, Falls, Stands]);
    assert_eq!(grounded(2, &[(1, 0)]), [Falls, Stands]);
}

#[test]
fn a_circle_is_undecided_and_so_is_what_it_attacks() {
    assert_eq!(grounded(3, &[(0, 1), (1, 0), (1, 2)]), [Undecided; 3]);
    assert_eq!(grounded(1, &[(0, 0)]), [Undecided]);
}

/// All labellings in which each label follows from those of the attackers.
fn complete(arguments: usize, attacks: &[(usize, usize)]) -> Vec<Vec<Standing>> {
    let kinds = [Stands, Undecided, Falls];
    let all = 3_usize.pow(u32::try_from(arguments).unwrap());
    let labelling = |mut code: usize| -> Vec<Standing> {
        (0..arguments)
            .map(|_| {
                let kind = kinds[code % 3];
                code /= 3;
                kind
            })
            .collect()
    };
    let follows = |labels: &Vec<Standing>| {
        (0..arguments).all(|at| {
            let attackers: Vec<Standing> = attacks
                .iter()
                .filter(|(_, on)| *on == at)
                .map(|(by, _)| labels[*by])
                .collect();
            let expected = if attackers.contains(&Stands) {
                Falls
            } else if attackers.iter().all(|one| *one == Falls) {
                Stands
            } else {
                Undecided
            };
            labels[at] == expected
        })
    };
    (0..all).map(labelling).filter(follows).collect()
}

proptest! {
    #[test]
    fn it_is_what_all_complete_labellings_have_in_common(
        attacks in proptest::collection::vec((0_usize..5, 0_usize..5), 0..10)
    ) {
        let found = grounded(5, &attacks);
        let complete = complete(5, &attacks);
        prop_assert!(complete.contains(&found));
        for (at, standing) in found.iter().enumerate() {
            if complete.iter().all(|labels| labels[at] == Stands) {
                prop_assert_eq!(*standing, Stands);
            }
            if *standing == Stands {
                prop_assert!(complete.iter().all(|labels| labels[at] == Stands));
            }
        }
    }
}
