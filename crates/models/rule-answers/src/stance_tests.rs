use super::{How, Reading, Relation};
use crate::text::Stems;

fn relation(claim: &str, said: &str) -> Relation {
    let mut stems = Stems::new();
    let claim = Reading::new(claim, &mut stems);
    claim.relation(&Reading::new(said, &mut stems))
}

#[test]
fn the_same_thing_said_again_agrees() {
    for (claim, said) in [
        (
            "The drug lowers blood pressure.",
            "Blood pressure was reduced by the drug.",
        ),
        (
            "The drug is not safe in pregnancy.",
            "In pregnancy the drug is not safe.",
        ),
        (
            "The bridge carries 40 tonnes.",
            "The bridge carries 41 tonnes.",
        ),
        (
            "Revenue of Acme was $40 million in 2021.",
            "Revenue of Acme was $40 million in 2021, not $50 million.",
        ),
        (
            "The heat pump saves 60% of energy.",
            "The heat pump saves not only 60% of energy but also noise.",
        ),
        (
            "The council approved the budget.",
            "The budget was approved by the council in May.",
        ),
    ] {
        assert_eq!(relation(claim, said), Relation::Agrees, "{claim} / {said}");
    }
}

#[test]
fn denials_opposites_and_other_numbers_contradict() {
    for (claim, said) in [
        (
            "The drug lowers blood pressure.",
            "The drug did not lower blood pressure.",
        ),
        (
            "The drug lowers blood pressure.",
            "The drug failed to lower blood pressure.",
        ),
        (
            "The drug lowers blood pressure.",
            "The drug had no effect on blood pressure.",
        ),
        (
            "The drug lowers blood pressure.",
            "The drug raised blood pressure.",
        ),
        (
            "The drug is effective in children.",
            "The drug was ineffective in children.",
        ),
        (
            "The drug is safe in pregnancy.",
            "The drug is not safe in pregnancy.",
        ),
        (
            "The bridge can carry lorries.",
            "The bridge cannot carry lorries.",
        ),
        (
            "The heat pump saves 60% of energy.",
            "The heat pump does not save 60% of energy in buildings with open gates.",
        ),
        (
            "Acme Corp was founded in 1987.",
            "Acme Corp was not founded in 1987.",
        ),
        (
            "Acme Corp was founded in 1987 by Jane Roe.",
            "Acme Corp was founded on 3 May 1989.",
        ),
    ] {
        let found = relation(claim, said);
        assert!(
            matches!(found, Relation::Contradicts(_)),
            "{claim} / {said}: {found:?}"
        );
    }
    let number = relation(
        "The bridge carries 40 tonnes.",
        "The bridge carries 25 tonnes.",
    );
    let wanted = How::Number("40 tonnes".to_owned(), "25 tonnes".to_owned());
    assert_eq!(number, Relation::Contradicts(wanted));
    let year = relation(
        "Acme Corp was founded in 1987.",
        "Acme Corp was founded in 1989.",
    );
    let wanted = How::Number("1987".to_owned(), "1989".to_owned());
    assert_eq!(year, Relation::Contradicts(wanted));
}

#[test]
fn what_is_about_something_else_says_nothing() {
    for (claim, said) in [
        (
            "The drug lowers blood pressure.",
            "High blood pressure is common.",
        ),
        (
            "The drug lowers blood pressure.",
            "The drug raised the heart rate of dogs.",
        ),
        (
            "The bridge carries 40 tonnes.",
            "The ferry carries 25 tonnes.",
        ),
        (
            "The drug did not raise the pulse.",
            "The drug lowered the pulse.",
        ),
        (
            "Acme Corp was founded in 1987.",
            "Acme Corp was not founded in 1989.",
        ),
        (
            "Acme Corp was founded in 1987.",
            "Acme Corp was founded by Jane Roe.",
        ),
        (
            "Sales of Acme were 40 million euros in 2019.",
            "Sales of Acme were 65 million euros in 2021.",
        ),
    ] {
        let found = relation(claim, said);
        assert!(
            matches!(found, Relation::Apart | Relation::Related),
            "{claim} / {said}: {found:?}"
        );
    }
}
