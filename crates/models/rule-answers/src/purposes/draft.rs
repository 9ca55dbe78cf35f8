//! A section out of findings: what belongs together in one paragraph, both sides where they contradict each other.

use adjutant_questions::{Draft, Drafted, Evidence, Finding, FindingKind};

use super::plan::listed;
use crate::stance::{Reading, Relation};
use crate::text::{Stems, confidence, is_stop_word, one_line, sentences, words};

/// More findings than this are not compared with each other; the weakest are left out.
const FINDINGS_MAX: usize = 120;
/// How much two findings share to stand in one paragraph.
const SAME_TOPIC_MIN: f64 = 0.4;
/// Below this a finding is told as weak.
const WEAK_BELOW: f64 = 0.3;

pub(crate) fn draft(input: &Draft) -> Drafted {
    let mut stems = Stems::new();
    let mut chosen: Vec<usize> = (0..input.findings.len()).collect();
    chosen.retain(|at| !one_line(&input.findings[*at].text).is_empty());
    let usable = chosen.len();
    strongest(&mut chosen, &input.findings, FINDINGS_MAX);
    let readings: Vec<Reading> = input
        .findings
        .iter()
        .map(|finding| Reading::new(&finding.text, &mut stems))
        .collect();
    loop {
        let mut citations = Vec::new();
        let text = written(
            input,
            &chosen,
            &readings,
            usable - chosen.len(),
            &mut citations,
        );
        if word_count(&text) <= usize::from(input.words_max) {
            return Drafted {
                text,
                citations,
                confidence: sure(input, &chosen),
            };
        }
        if chosen.is_empty() {
            let kept = text.split_whitespace().take(usize::from(input.words_max));
            return Drafted {
                text: kept.collect::<Vec<_>>().join(" "),
                citations: Vec::new(),
                confidence: 0.0,
            };
        }
        if let [last] = chosen[..] {
            // A finding that is cut off may say something else: better too long than wrong.
            let mut citations = Vec::new();
            return Drafted {
                text: sentence(&input.findings[last], Link::None, &mut citations),
                citations,
                confidence: sure(input, &chosen),
            };
        }
        let fewer = chosen.len() - 1;
        strongest(&mut chosen, &input.findings, fewer);
    }
}

/// Keeps the most certain findings, in their order; of equals the earlier.
fn strongest(chosen: &mut Vec<usize>, findings: &[Finding], most: usize) {
    while chosen.len() > most {
        let weakest = chosen.iter().enumerate().min_by(|(_, a), (_, b)| {
            let by_confidence = findings[**a]
                .confidence
                .total_cmp(&findings[**b].confidence);
            by_confidence.then(b.cmp(a))
        });
        let Some(weakest) = weakest.map(|(place, _)| place) else {
            return;
        };
        chosen.remove(weakest);
    }
}

fn sure(input: &Draft, chosen: &[usize]) -> f64 {
    if chosen.is_empty() {
        return 0.0;
    }
    let told = chosen.len() as f64;
    let sum: f64 = chosen
        .iter()
        .map(|at| confidence(input.findings[*at].confidence))
        .sum();
    let found = told / (told + input.not_found.len() as f64);
    confidence(sum / told * (0.7 + 0.3 * found))
}

fn written(
    input: &Draft,
    chosen: &[usize],
    readings: &[Reading],
    left_out: usize,
    citations: &mut Vec<Evidence>,
) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    for mut topic in topics(chosen, readings) {
        let sure = |at: usize| input.findings[at].confidence;
        topic.sort_by(|a, b| sure(*b).total_cmp(&sure(*a)));
        let sentences = topic.iter().enumerate().map(|(place, at)| {
            let before = &topic[..place];
            let link = link(before, *at, readings);
            sentence(&input.findings[*at], link, citations)
        });
        paragraphs.push(sentences.collect::<Vec<_>>().join(" "));
    }
    if chosen.is_empty() {
        let about = if input.about.trim().is_empty() {
            &input.heading
        } else {
            &input.about
        };
        let about = one_line(about);
        let on = if about.is_empty() {
            String::new()
        } else {
            format!(" on {about}")
        };
        if left_out == 0 {
            paragraphs.push(format!("Nothing was found{on}."));
        }
    }
    let mut notes = Vec::new();
    match left_out {
        0 => {}
        1 => notes.push("One weaker finding was left out for length.".to_owned()),
        more => notes.push(format!("{more} weaker findings were left out for length.")),
    }
    let not_found: Vec<String> = input
        .not_found
        .iter()
        .map(|point| one_line(point))
        .collect();
    let not_found: Vec<&str> = not_found
        .iter()
        .map(String::as_str)
        .filter(|point| !point.is_empty())
        .collect();
    if !not_found.is_empty() {
        notes.push(format!(
            "Searched for and not found: {}.",
            listed(&not_found, "and")
        ));
    }
    if !notes.is_empty() {
        paragraphs.push(notes.join(" "));
    }
    paragraphs.join("\n\n")
}

/// Findings that are about the same, each topic where its first finding stood.
fn topics(chosen: &[usize], readings: &[Reading]) -> Vec<Vec<usize>> {
    let mut topics: Vec<Vec<usize>> = Vec::new();
    for at in chosen {
        let own = &readings[*at];
        let home = topics.iter_mut().find(|topic| {
            let head = &readings[topic[0]];
            head.shared_by(own).max(own.shared_by(head)) >= SAME_TOPIC_MIN
        });
        match home {
            Some(topic) => topic.push(*at),
            None => topics.push(vec![*at]),
        }
    }
    topics
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    None,
    Addition,
    Contrast,
}

fn link(before: &[usize], at: usize, readings: &[Reading]) -> Link {
    let against = before.iter().any(|earlier| {
        let (one, other) = (&readings[*earlier], &readings[at]);
        matches!(one.relation(other), Relation::Contradicts(_))
            || matches!(other.relation(one), Relation::Contradicts(_))
            || one.leans_against(other)
    });
    match before.len() {
        _ if against => Link::Contrast,
        1 => Link::Addition,
        _ => Link::None,
    }
}

fn sentence(finding: &Finding, link: Link, citations: &mut Vec<Evidence>) -> String {
    let text = one_line(&finding.text);
    let text = text.trim_end_matches(['.', ' ']);
    let mut opening = match link {
        Link::None => String::new(),
        Link::Addition => "In addition".to_owned(),
        Link::Contrast => "By contrast".to_owned(),
    };
    let marks = [
        (
            finding.kind == FindingKind::Interpretation,
            "as an interpretation",
        ),
        (finding.kind == FindingKind::Calculation, "by calculation"),
        (finding.confidence < WEAK_BELOW, "on weak evidence"),
    ];
    for (_, mark) in marks.iter().filter(|(holds, _)| *holds) {
        if opening.is_empty() {
            opening = capitalised(mark);
        } else {
            opening = format!("{opening}, {mark}");
        }
    }
    let said = match opening.as_str() {
        "" => text.to_owned(),
        opening => match continued(text) {
            Some(text) => format!("{opening}, {text}"),
            None => format!("{opening}: {text}"),
        },
    };
    let cites = cited(finding, citations);
    // Each of several sentences rests on the same passages, and says so.
    let each = sentences(&said).into_iter().map(|span| {
        let said = said[span].trim_end_matches(['.', ' ']);
        format!("{said} {cites}.")
    });
    each.collect::<Vec<_>>().join(" ")
}

/// The text as it goes on after a comma, if its first word is not a name.
fn continued(text: &str) -> Option<String> {
    let first = words(text)
        .into_iter()
        .next()
        .filter(|word| word.start == 0)?;
    let small = first.text.to_lowercase();
    let plain = is_stop_word(&small) || ["no", "not"].contains(&small.as_str());
    // `A. Roosjen` begins with an initial.
    let initial = first.text.len() == 1 && text[first.end..].starts_with('.');
    (plain && first.text != "I" && !initial).then(|| format!("{small}{}", &text[first.end..]))
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// The numbers of the finding's sources, new ones added: `[1]`, `[2, 3]`.
fn cited(finding: &Finding, citations: &mut Vec<Evidence>) -> String {
    let mut numbers: Vec<usize> = Vec::new();
    for evidence in finding
        .evidence
        .iter()
        .filter(|evidence| !evidence.quote.trim().is_empty())
    {
        let known = citations.iter().position(|citation| citation == evidence);
        let at = known.unwrap_or_else(|| {
            citations.push(evidence.clone());
            citations.len() - 1
        });
        if !numbers.contains(&(at + 1)) {
            numbers.push(at + 1);
        }
    }
    if numbers.is_empty() {
        return "(no source is given for this)".to_owned();
    }
    numbers.sort_unstable();
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    format!("[{}]", numbers.join(", "))
}

fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}
