//! Which questions a meeting is likely to bring.

use super::answers::{Answers, Coverage};
use super::{Answer, Question, QuestionSheet, Reason};
use crate::given::{Choice, Owed, Reading, Stated};
use crate::words::{short, stems};

/// Of one reason.
const EACH_MAX: usize = 5;
const QUOTED_CHARACTERS_MAX: usize = 110;
/// How documents that were read completely name a question without an answer.
const ASKED_THERE: &str = "asked, and not answered";
const OVERDUE: &str = "overdue";
const FULFILLED: &str = "fulfilled";

pub(super) fn likely_questions(input: &QuestionSheet, answers: &Answers<'_>) -> Vec<Question> {
    let mut all = Collected::default();
    let lines = Choice::lines(&input.choices);
    for text in input.questions.iter().chain(&lines) {
        all.add(Question {
            text: as_question(text),
            reason: Reason::Expected,
            evidence: Vec::new(),
            answer: answers.find(text),
        });
    }
    for reading in &input.reading {
        from_reading(reading, answers, &mut all);
    }
    for objection in input.objections.iter().flat_map(|one| &one.objections) {
        if objection.evidence.is_empty() {
            continue;
        }
        all.add(Question {
            text: format!("What do you say to this: {}", quoted(&objection.text)),
            reason: Reason::Objection,
            evidence: objection.evidence.clone(),
            answer: Answer::open("the documents do not answer the objection"),
        });
    }
    let purpose = stems(&input.purpose);
    for sentence in answers.sentences() {
        let text = sentence.text.trim();
        let is_on_it = !stems(text).is_disjoint(&purpose);
        if text.ends_with('?') && is_on_it && stems(text).len() > 1 {
            all.add(Question {
                text: text.to_owned(),
                reason: Reason::LeftOpen,
                evidence: vec![sentence.evidence()],
                answer: answers.find(text),
            });
        }
    }
    all.0
}

#[derive(Default)]
struct Collected(Vec<Question>);

impl Collected {
    /// Adds a question unless it is there already or its reason has enough of them. What people expect is always taken.
    fn add(&mut self, question: Question) {
        let is_known = self.0.iter().any(|known| known.text == question.text);
        let of_reason = self
            .0
            .iter()
            .filter(|known| known.reason == question.reason);
        if !is_known && (question.reason == Reason::Expected || of_reason.count() < EACH_MAX) {
            self.0.push(question);
        }
    }
}

fn from_reading(reading: &Reading, answers: &Answers<'_>, all: &mut Collected) {
    let pairs = reading
        .contradicting
        .iter()
        .map(|pair| [&pair[0], &pair[1]]);
    let differing = reading
        .differing
        .iter()
        .filter_map(|group| match &group[..] {
            [first, second, ..] => Some([first, second]),
            _ => None,
        });
    for [one, other] in pairs.chain(differing) {
        all.add(Question {
            text: format!(
                "Which of the two is right: {} or {}?",
                quoted(one.shown()),
                quoted(other.shown())
            ),
            reason: Reason::Contradiction,
            evidence: vec![one.evidence(), other.evidence()],
            answer: Answer::open("the documents do not settle it"),
        });
    }
    for sum in &reading.wrong_sums {
        all.add(Question {
            text: format!(
                "How does “{}” come about? Its parts give another result",
                sum.stated
            ),
            reason: Reason::Sum,
            evidence: vec![sum.at.evidence()],
            answer: Answer::open("the documents do not explain it"),
        });
    }
    for versions in &reading.changed {
        if let (Some(first), Some(last)) = (versions.first(), versions.last()) {
            all.add(change(first, last, answers));
        }
    }
    for owed in &reading.owed {
        all.add(promise(owed));
    }
    for missing in &reading.missing {
        let is_question = missing.kind == ASKED_THERE;
        let text = match is_question {
            true => as_question(&missing.what),
            false => format!(
                "What about {}? It is {}",
                quoted(&missing.what),
                missing.kind
            ),
        };
        all.add(Question {
            text,
            reason: match is_question {
                true => Reason::LeftOpen,
                false => Reason::NotThere,
            },
            evidence: vec![missing.at.evidence()],
            answer: Answer::open("no document answers it"),
        });
    }
}

fn change(first: &Stated, last: &Stated, answers: &Answers<'_>) -> Question {
    let text = match (&first.value, &last.value) {
        (Some(before), Some(now)) => {
            format!(
                "Why is it “{now}” now, and no longer “{before}”? {}",
                last.shown()
            )
        }
        _ => format!("Why did this change: {}", quoted(last.shown())),
    };
    let partly = || Answer {
        coverage: Coverage::Partly,
        text: "the change is stated, and no reason for it".to_owned(),
        evidence: Vec::new(),
    };
    Question {
        text,
        reason: Reason::Change,
        evidence: vec![first.evidence(), last.evidence()],
        answer: answers.reason_for(&last.sentence).unwrap_or_else(partly),
    }
}

fn promise(owed: &Owed) -> Question {
    let who = owed.who.as_deref().map(|who| format!(" by {who}"));
    let due = owed.due.as_deref().map(|due| format!(", due {due}"));
    let text = format!(
        "What has become of this promise{}{}: {}",
        who.unwrap_or_default(),
        due.unwrap_or_default(),
        quoted(&owed.what)
    );
    let answer = match &owed.fulfilled_by {
        Some(done) if owed.status == FULFILLED => Answer {
            coverage: Coverage::Answered,
            text: done.shown().to_owned(),
            evidence: vec![done.evidence()],
        },
        _ => Answer::open("no document reports it as done"),
    };
    Question {
        text,
        reason: match owed.status == OVERDUE {
            true => Reason::Overdue,
            false => Reason::Promised,
        },
        evidence: vec![owed.at.evidence()],
        answer,
    }
}

fn quoted(text: &str) -> String {
    format!("“{}”", short(text, QUOTED_CHARACTERS_MAX))
}

fn as_question(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    match text.ends_with('?') {
        true => text.to_owned(),
        false => format!("{text}?"),
    }
}
