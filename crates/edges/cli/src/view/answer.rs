//! What a model answered, as a person reads it.

use std::slice::from_ref;

use adjutant_mission::Json;
use adjutant_questions::{Evidence, Found, GradeOf, Output, Purpose};
use serde_json::Value;

use super::words::count;

/// An answer in lines; the first is what it comes to.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) gist: String,
    pub(crate) lines: Vec<String>,
    /// Who gave it, and how sure they are.
    pub(crate) by: String,
}

/// Tells an answer; nothing if what a task gave is none.
pub(crate) fn tell(output: &Json) -> Option<Told> {
    if !output.text().contains("\"answered_by\"") {
        return None;
    }
    let mut value: Value = serde_json::from_str(output.text()).ok()?;
    let by = value.as_object_mut()?.remove("answered_by")?;
    let purpose = Purpose::of_name(by["purpose"].as_str()?)?;
    let answer = Output::read_result(purpose, value).ok()?;
    let mut told = of(&answer);
    let model = by["model"].as_str().unwrap_or_default();
    let name = match by["provider"].as_str() {
        Some(provider) if provider != model => format!("{provider}/{model}"),
        _ => model.to_owned(),
    };
    let notice = by["notice"].as_str().unwrap_or_default();
    let sure = format!("confidence {:.2} · {name}", answer.confidence());
    told.by = match notice {
        "" => sure,
        notice => format!("{sure} · {notice}"),
    };
    let left_out = by["left_out"].as_array().map_or(0, Vec::len);
    if left_out > 0 {
        let sources = count(left_out, "source");
        told.by
            .push_str(&format!(" · not all of {sources} fit into the prompt"));
    }
    if let Some(guarded) = guarded(&by) {
        told.by.push_str(&format!(" · {guarded}"));
    }
    let replaced = by["replaced"].as_object().into_iter().flatten();
    let replaced: u64 = replaced.filter_map(|(_, number)| number.as_u64()).sum();
    if replaced > 0 {
        let values = count(usize::try_from(replaced).unwrap_or(0), "value");
        told.by
            .push_str(&format!(" · {values} replaced by pseudonyms"));
    }
    Some(told)
}

/// What the guard found, and the most careful thing that was done about it.
fn guarded(by: &Value) -> Option<String> {
    let threats = by["threats"].as_array().filter(|some| !some.is_empty())?;
    let more = by["threats_more"].as_u64().unwrap_or(0);
    let number = threats.len() + usize::try_from(more).unwrap_or(0);
    let done = [
        ("allow", "let through by a person"),
        ("fence", "fenced"),
        ("log", "noted"),
    ];
    let (words, threat) = done.into_iter().find_map(|(action, words)| {
        let threat = threats.iter().find(|threat| threat["action"] == action)?;
        Some((words, threat))
    })?;
    let place = threat["where"].as_str().unwrap_or_default();
    let threats = count(number, "threat");
    Some(format!("guard: {threats}, {words} ({place})"))
}

fn of(answer: &Output) -> Told {
    let list = |what: String, lines: Vec<String>| Told {
        gist: match lines.first() {
            Some(first) if lines.len() == 1 => first.clone(),
            Some(first) => format!("{what}: {first}"),
            None => what.clone(),
        },
        lines: match lines.is_empty() {
            true => vec![what],
            false => lines,
        },
        by: String::new(),
    };
    match answer {
        Output::Draft(draft) => Told {
            gist: draft.text.lines().next().unwrap_or_default().to_owned(),
            lines: draft
                .text
                .lines()
                .map(str::to_owned)
                .chain(draft.citations.iter().zip(1..).map(|(evidence, n)| {
                    format!("[{n}] {}: “{}”", evidence.source, flat(&evidence.quote))
                }))
                .collect(),
            by: String::new(),
        },
        Output::Plan(plan) => {
            let steps = plan.steps.iter().map(|step| step.title.clone());
            let left = plan.left_out.iter();
            let left = left.map(|step| format!("without {}: {}", step.key, step.reason));
            list(count(plan.steps.len(), "step"), steps.chain(left).collect())
        }
        Output::Extract(found) => {
            let findings = found.findings.iter();
            let findings = findings.map(|at| cited(&at.text, &at.evidence));
            let missing = found
                .not_found
                .iter()
                .map(|what| format!("not found: {what}"));
            list(
                count(found.findings.len(), "finding"),
                findings.chain(missing).collect(),
            )
        }
        Output::Compare(compared) => {
            let rows = compared.rows.iter().map(|row| {
                let cells = row.cells.iter().map(|cell| {
                    let text = cell.text.as_deref().unwrap_or("not told");
                    format!("{}: {}", cell.item, flat(text))
                });
                format!(
                    "{} — {}",
                    row.criterion,
                    cells.collect::<Vec<_>>().join(" | ")
                )
            });
            list(count(compared.rows.len(), "row"), rows.collect())
        }
        Output::Cluster(found) => {
            let clusters = found.clusters.iter();
            let clusters = clusters.map(|at| format!("{}: {}", at.label, at.sources.join(", ")));
            let alone = found
                .alone
                .iter()
                .map(|source| format!("like no other: {source}"));
            list(
                count(found.clusters.len(), "group"),
                clusters.chain(alone).collect(),
            )
        }
        Output::Timeline(found) => {
            let events = found.events.iter();
            let events = events.map(|at| format!("{}  {}", at.date, cited(&at.text, &at.evidence)));
            list(count(found.events.len(), "event"), events.collect())
        }
        Output::Gaps(found) => {
            let mut points: Vec<_> = found.points.iter().collect();
            points.sort_by_key(|point| point.found == Found::Yes);
            let points = points.into_iter().map(|point| match point.found {
                Found::Yes => format!("{}: told", point.key),
                Found::Partly => format!("{}: told in part; missing: {}", point.key, point.missing),
                Found::No => format!("{}: not told; missing: {}", point.key, point.missing),
            });
            let open = found
                .points
                .iter()
                .filter(|point| point.found != Found::Yes);
            list(count(open.count(), "gap"), points.collect())
        }
        Output::Score(scored) => {
            let ranking =
                scored
                    .ranking
                    .iter()
                    .zip(1..)
                    .map(|(ranked, place)| match ranked.score {
                        Some(score) => format!("{place}. {} ({score:.0} of 100)", ranked.item),
                        None => format!("{place}. {} (nothing is known)", ranked.item),
                    });
            list(count(scored.ranking.len(), "item"), ranking.collect())
        }
        Output::Object(found) => {
            let objections = found.objections.iter();
            let objections = objections.map(|at| format!("“{}” {}", at.claim, at.text));
            list(
                count(found.objections.len(), "objection"),
                objections.collect(),
            )
        }
        Output::Read(read) => {
            let claims = read.claims.iter();
            let claims = claims.map(|at| cited(&at.assertion, from_ref(&at.evidence)));
            let owed = read.obligations.iter();
            let owed = owed.map(|at| cited(&format!("owed: {}", at.what), from_ref(&at.evidence)));
            let missing = read.missing.iter();
            let missing =
                missing.map(|at| cited(&format!("missing: {}", at.what), from_ref(&at.evidence)));
            let lines = claims.chain(owed).chain(missing);
            list(count(read.claims.len(), "claim"), lines.collect())
        }
        Output::Reconcile(told) => {
            let judged = told.judgements.iter();
            let judged = judged.map(|at| format!("{}: {}", flat(&at.about), flat(&at.why)));
            let points = told.points.iter();
            let points = points.map(|at| format!("{}: {}", at.point, flat(&at.why)));
            list(
                count(told.judgements.len(), "relation"),
                judged.chain(points).collect(),
            )
        }
        Output::Hypothesize(found) => {
            let all = found.hypotheses.iter();
            let all = all.map(|at| {
                let test = format!("{} · test: {}", flat(&at.statement), flat(&at.test));
                cited(&test, &at.evidence)
            });
            let number = found.hypotheses.len();
            let gist = match number {
                1 => "1 hypothesis".to_owned(),
                number => format!("{number} hypotheses"),
            };
            list(gist, all.collect())
        }
        Output::Causes(found) => {
            let all = found.causes.iter();
            let all = all.map(|at| cited(&at.in_words(), &at.evidence));
            list(count(found.causes.len(), "cause"), all.collect())
        }
        Output::Flag(found) => {
            let all = found.flags.iter().map(|at| {
                let kind = format!("{}, {}", at.kind.name(), at.severity.name());
                cited(&format!("{kind}: {}", flat(&at.what)), &at.evidence)
            });
            list(count(found.flags.len(), "issue"), all.collect())
        }
        Output::Scenarios(found) => {
            let all = found.scenarios.iter().map(|at| {
                let outcomes = at.outcomes.iter().map(|line| flat(&line.text));
                let follows = outcomes.collect::<Vec<_>>().join("; ");
                let evidence = at.conditions.iter().flat_map(|line| &line.evidence);
                let evidence: Vec<Evidence> = evidence.cloned().collect();
                let told = format!("{} ({}) {follows}", flat(&at.name), at.case.name());
                cited(told.trim_end(), &evidence)
            });
            list(count(found.scenarios.len(), "scenario"), all.collect())
        }
        Output::Summarize(told) => {
            let all = told.documents.iter().map(|at| {
                let said: Vec<String> = at.sentences.iter().map(|one| flat(&one.quote)).collect();
                format!("{}: {}", at.source, said.join(" "))
            });
            list(count(told.documents.len(), "document"), all.collect())
        }
        Output::Cite(found) => {
            let all = found.issues.iter();
            let all =
                all.map(|at| format!("{}: {} ({})", at.kind.name(), flat(&at.text), at.source));
            list(count(found.issues.len(), "issue"), all.collect())
        }
        Output::Constitution(checked) => {
            let all = checked.breaches.iter().map(|at| {
                let quote = std::slice::from_ref(&at.evidence);
                cited(&format!("{}: {}", at.rule, flat(&at.why)), quote)
            });
            list(count(checked.breaches.len(), "breach"), all.collect())
        }
        Output::Think(thought) => {
            let findings = thought.findings.iter();
            let findings = findings.map(|at| cited(&at.text, &at.evidence));
            Told {
                gist: flat(&thought.thought),
                lines: std::iter::once(flat(&thought.thought))
                    .chain(findings)
                    .collect(),
                by: String::new(),
            }
        }
        Output::Weigh(weighed) => {
            let scores = weighed.scores.iter();
            let scores = scores
                .map(|at| format!("step {}: {:.2} ({})", at.step, at.score, flat(&at.because)));
            list(count(weighed.scores.len(), "score"), scores.collect())
        }
        Output::Split(split) => {
            let parts = split.parts.iter().map(|part| flat(part));
            list(count(split.parts.len(), "part"), parts.collect())
        }
        Output::Act(acted) => {
            let call = match &acted.tool {
                Some(tool) => format!("call {tool} with {}", acted.with),
                None => "call nothing".to_owned(),
            };
            Told {
                gist: call.clone(),
                lines: vec![call, flat(&acted.because)],
                by: String::new(),
            }
        }
        Output::Route(routed) => {
            let chosen = match &routed.mission {
                Some(mission) => mission.clone(),
                None => "no mission".to_owned(),
            };
            let others = routed
                .others
                .iter()
                .map(|other| format!("or {}: {}", other.id, flat(&other.because)));
            Told {
                gist: chosen.clone(),
                lines: std::iter::once(format!("{chosen}: {}", flat(&routed.because)))
                    .chain(others)
                    .collect(),
                by: String::new(),
            }
        }
        Output::Conclude(conclusion) => {
            let findings = conclusion.findings.iter();
            let findings = findings.map(|at| cited(&at.text, &at.evidence));
            let contradictions = conclusion.contradictions.iter().map(|at| {
                let sides = at
                    .sides
                    .iter()
                    .map(|side| cited(&side.text, &side.evidence));
                format!(
                    "contradiction on {}: {}",
                    flat(&at.about),
                    sides.collect::<Vec<_>>().join(" | ")
                )
            });
            let missing = conclusion
                .not_found
                .iter()
                .map(|what| format!("not found: {what}"));
            Told {
                gist: flat(&conclusion.summary),
                lines: std::iter::once(flat(&conclusion.summary))
                    .chain(findings)
                    .chain(contradictions)
                    .chain(missing)
                    .collect(),
                by: String::new(),
            }
        }
        Output::Grade(graded) => {
            let sources = graded.sources.iter().map(|at| {
                let size = at
                    .size
                    .map_or(String::new(), |size| format!(", {size} studied"));
                let year = at.year.map_or(String::new(), |year| format!(", {year}"));
                let study = serde_name(&at.study);
                format!("{}: {} ({study}{size}{year})", at.source, grade(at.grade))
            });
            let lines: Vec<String> = sources.chain(graded.reasons.iter().cloned()).collect();
            Told {
                gist: format!("{} evidence", grade(graded.overall)),
                lines,
                by: String::new(),
            }
        }
    }
}

fn grade(grade: GradeOf) -> &'static str {
    match grade {
        GradeOf::VeryLow => "very low",
        GradeOf::Low => "low",
        GradeOf::Moderate => "moderate",
        GradeOf::High => "high",
    }
}

/// A kind as it is written in answers, with spaces.
fn serde_name(kind: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(kind).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

fn cited(text: &str, evidence: &[Evidence]) -> String {
    let mut sources: Vec<&str> = evidence.iter().map(|at| at.source.as_str()).collect();
    sources.dedup();
    match sources.join(", ") {
        none if none.is_empty() => flat(text),
        sources => format!("{} ({sources})", flat(text)),
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
