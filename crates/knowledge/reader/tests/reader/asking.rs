//! Questions in other words than those of the documents.

use adjutant_reader::{Asked, Question, Verdict};

use crate::{documents, reading};

const FILES: &[(&str, &str)] = &[
    (
        "mill/minutes.md",
        "# Minutes\n\nThe owners decide on the new roof on 4 May 2031. The roof was painted on 7 June 2029.\n\nThe Aare Water Board (AWB) came on 2 March 2031. The water of the mill was low on 9 March 2031.\n",
    ),
    (
        "mill/lease.md",
        "# Lease\n\nbetween Hanna Moor, Aarau (\"Moor\" or \"the Lessor\") and the mill.\n\n2.1 The Lessor shall not sell the wheel without the prior agreement of the mill.\n\n2.2 The wheel was sold by others in other towns. Moor likes wheels.\n",
    ),
    (
        "mill/fence.md",
        "# Fence\n\nThe guests must repair the fence.\n",
    ),
    (
        "mill/order.md",
        "# Order\n\nThe Lessor must repair the fence.\n",
    ),
    (
        "mill/faults.md",
        "# Faults\n\n| Fault | What is done |\n| --- | --- |\n| Gate is stuck | Work W-12 |\n| Door is stuck | Work W-14 |\n",
    ),
    (
        "mill/works.md",
        "# Works\n\n| No. | Work | Due |\n| --- | --- | --- |\n| W-12 | New motor | 3 March 2031 |\n| W-14 | New hinge | 8 April 2031 |\n",
    ),
    (
        "mill/guests.md",
        "# Guests\n\nTwo guides were asked to lead the tour of the mill, and neither came.\n\nThe tour of the mill had 3 hours and 40 guests.\n\n# School\n\nThe school got loaves.\n\nSteel shafts have a half-life of stock of 9 weeks. The life of a brass shaft was only half told.\n\n3.1 The bakery tells the school how much flour there is.\n",
    ),
];

fn answer(question: &str) -> (Verdict, Vec<String>) {
    let files = documents(FILES);
    let read = reading(&files);
    let answer = read.answer(&Question::new(question));
    let text = |quote: &adjutant_reader::Quote| {
        files[quote.document].1.text[quote.span.clone()].to_owned()
    };
    (answer.verdict, answer.quotes.iter().map(text).collect())
}

#[test]
fn everyday_words_and_idle_phrases_find_what_means_the_same() {
    let (verdict, quotes) = answer("When will the proprietors decide about the roof?");
    assert_eq!(verdict, Verdict::Answered);
    assert!(quotes[0].contains("4 May 2031"), "{quotes:?}");
    let (_, quotes) = answer("By when is the owners' decision on the roof due, as things stand?");
    assert!(quotes[0].contains("4 May 2031"), "{quotes:?}");
}

#[test]
fn a_short_form_and_its_full_name_are_the_same() {
    let (_, quotes) = answer("When did the AWB come?");
    assert!(quotes[0].contains("2 March 2031"), "{quotes:?}");
    let (_, quotes) = answer("May Moor sell the wheel without asking?");
    assert!(quotes[0].contains("shall not sell"), "{quotes:?}");
    let (_, quotes) = answer("Must Moor repair the fence?");
    assert!(quotes[0].contains("Lessor must repair"), "{quotes:?}");
}

#[test]
fn a_code_leads_to_the_value_that_stands_elsewhere() {
    let (verdict, quotes) = answer("By when will the stuck gate be done?");
    assert_eq!(verdict, Verdict::Answered);
    assert!(quotes[0].contains("3 March 2031"), "{quotes:?}");
}

#[test]
fn without_a_value_of_the_wanted_kind_nothing_is_answered() {
    for question in [
        "Who are the two guides who were asked to lead the tour of the mill?",
        "How many loaves had the tour of the mill?",
        "How much flour does the bakery tell the school there is?",
    ] {
        let (verdict, quotes) = answer(question);
        assert_eq!(verdict, Verdict::NotFound, "{question}: {quotes:?}");
    }
    let (verdict, quotes) = answer("How many visitors had the tour of the mill?");
    assert_eq!(verdict, Verdict::Answered);
    assert!(quotes[0].contains("40 guests"), "{quotes:?}");
}

#[test]
fn words_with_a_hyphen_between_them_are_looked_for_side_by_side() {
    let (_, quotes) = answer("What is the half-life of a brass shaft?");
    assert!(quotes[0].contains("9 weeks"), "{quotes:?}");
}

#[test]
fn quotes_are_distinct_passages() {
    let files = documents(FILES);
    let read = reading(&files);
    let nearest = read.nearest(&Question::new("What about the roof of the mill?"), 50);
    for (at, one) in nearest.iter().enumerate() {
        for other in &nearest[..at] {
            let within = one.document == other.document
                && other.context.start <= one.span.start
                && one.span.end <= other.context.end;
            assert!(!within, "{one:?} {other:?}");
        }
    }
}

#[test]
fn the_noun_that_is_asked_for_is_found() {
    let cases = [
        ("What was the fee of the guides?", Some("fee"), false),
        ("Which lot failed the test?", Some("lot"), true),
        ("What waiting time did they show?", Some("time"), false),
        ("Who came?", None, false),
    ];
    for (text, head, name) in cases {
        let question = Question::new(text);
        assert_eq!(question.head.as_deref(), head, "{text}");
        assert_eq!(question.wants_name, name, "{text}");
    }
    let cases = [
        ("What did the repair of the old roof cost?", Asked::Money),
        ("What is the most that may be lost?", Asked::Amount),
    ];
    for (text, asked) in cases {
        assert_eq!(Question::new(text).asked, asked, "{text}");
    }
    let counted = Question::new("How many of the guests came?").counted;
    assert_eq!(counted.as_deref(), Some("guest"));
}
