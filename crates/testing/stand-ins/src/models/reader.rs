//! An answerer without a model that reads what it is given: every answer quotes the question's own sources, so what it says
//! changes with them. For tests of everything around the models; what it makes of a text is shallow.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::models::{Asked, Given};

const SENTENCE_CHARS: std::ops::RangeInclusive<usize> = 25..=320;
/// Shorter words tell nothing of a subject.
const WORD_CHARS_MIN: usize = 4;
const PER_SOURCE_MAX: usize = 2;
const CLAIMS_PER_SOURCE_MAX: usize = 3;
const FINDINGS_MAX: usize = 6;
const THOUGHT_FINDINGS_MAX: usize = 2;
const SURE: f64 = 0.9;
const RESERVES: [&str; 4] = [" not ", " but ", "however", " only "];

/// What tools call an argument that takes a question.
const ASKED_IN_WORDS: [&str; 2] = ["question", "query"];

/// A sentence of a source, letter for letter.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sentence {
    source: String,
    text: String,
}

impl Sentence {
    fn evidence(&self) -> Value {
        json!([{ "source": self.source, "quote": self.text }])
    }

    fn finding(&self) -> Value {
        json!({ "text": self.text, "kind": "fact", "evidence": self.evidence(), "confidence": SURE })
    }
}

impl Asked {
    /// An answer that fits what was asked, from what was given; `null` for purposes that are not known here.
    pub fn answer(&self) -> Value {
        match self.purpose.as_str() {
            "think" => self.think(),
            "weigh" => self.weigh(),
            "split" => self.split(),
            "act" => self.act(),
            "conclude" => self.conclude(),
            "extract" => self.extract(),
            "compare" => self.compare(),
            "cluster" => self.cluster(),
            "timeline" => self.timeline(),
            "gaps" => self.gaps(),
            "score" => self.score(),
            "object" => self.object(),
            "draft" => self.draft(),
            "grade" => self.grade(),
            "plan" => self.plan(),
            "route" => self.route(),
            "read" => self.read_piece(),
            "reconcile" => self.reconcile(),
            "hypothesize" => self.hypothesize(),
            "causes" => self.causes(),
            "flag" => self.flag(),
            "scenarios" => self.scenarios(),
            "summarize" => self.summarize(),
            "cite" => json!({ "issues": [], "confidence": SURE }),
            "constitution" => json!({ "breaches": [], "confidence": SURE }),
            _ => Value::Null,
        }
    }

    /// Every step, as it stands.
    fn plan(&self) -> Value {
        let steps = self.list("Steps of the template:");
        let steps = steps.iter().filter_map(|line| line.split_once(": "));
        let steps = steps.map(|(key, rest)| {
            let (title, more) = rest.split_once("; after ").unwrap_or((rest, ""));
            let after = more.split("; ").next().unwrap_or_default().split(", ");
            let after: Vec<&str> = after.filter(|key| !key.is_empty()).collect();
            let title = clipped(&format!("{title} (as planned)"));
            json!({ "key": key, "title": title, "after": after, "reason": "It serves the objective." })
        });
        json!({ "steps": steps.collect::<Vec<_>>(), "left_out": [], "confidence": SURE })
    }

    /// The mission whose line shares most words with the question.
    fn route(&self) -> Value {
        let asked: BTreeSet<String> =
            words(&self.text.lines().take(3).collect::<Vec<_>>().join(" "));
        let missions = self.list("Missions:");
        let mut ranked: Vec<(usize, &str)> = missions
            .iter()
            .filter_map(|line| {
                let (id, about) = line.split_once(": ")?;
                Some((words(about).intersection(&asked).count(), id))
            })
            .collect();
        ranked.sort_by_key(|(shared, _)| Reverse(*shared));
        let others = ranked.iter().skip(1).take(2);
        let others: Vec<Value> = others
            .map(|(_, id)| json!({ "id": id, "because": "It is near." }))
            .collect();
        json!({
            "mission": ranked.first().map(|(_, id)| *id),
            "because": "Its line shares most words with the question.",
            "others": others,
            "confidence": SURE,
        })
    }

    /// The first sentences of every document, each as a claim on what it is about.
    fn read_piece(&self) -> Value {
        let claims = self.sources.iter().flat_map(|given| {
            let own = sentences(given).take(CLAIMS_PER_SOURCE_MAX);
            own.map(|sentence| {
                let subject: Vec<&str> = sentence.text.split_whitespace().take(4).collect();
                json!({
                    "subject": subject.join(" "), "assertion": sentence.text, "value": null, "condition": null,
                    "time": null, "speaker": null, "status": "asserted",
                    "evidence": { "source": sentence.source, "quote": sentence.text },
                })
            })
        });
        json!({ "claims": claims.collect::<Vec<_>>(), "obligations": [], "missing": [], "confidence": SURE })
    }

    /// The first statement matters most; nothing else is said of them.
    fn reconcile(&self) -> Value {
        let first = self.sources.iter().take(1).map(|given| {
            json!({ "why": "It comes first.", "evidence": { "source": given.id, "quote": given.text } })
        });
        json!({
            "judgements": [], "points": [], "first": first.collect::<Vec<_>>(), "confidence": SURE,
        })
    }

    /// What a worker makes of the sentences that share words with the question, with a summary and what is open.
    fn entries(&self, list: &str, entry: impl Fn(&Sentence) -> Value) -> Value {
        let mut found = ranked(&self.sources, &self.question);
        found.truncate(FINDINGS_MAX);
        let summary = found
            .first()
            .map_or("Nothing was found.", |first| first.text.as_str());
        let mut answer = json!({
            "summary": clipped(summary), "not_found": [], "confidence": SURE,
        });
        answer[list] = found.iter().map(entry).collect();
        answer
    }

    fn hypothesize(&self) -> Value {
        self.entries("hypotheses", |sentence| {
            json!({
                "statement": sentence.text, "evidence": sentence.evidence(), "confidence": 0.5,
                "would_support": "Another source says so.", "would_refute": "A record says otherwise.",
                "test": "Look for a record of that time.",
            })
        })
    }

    /// The second half of a sentence causes the first.
    fn causes(&self) -> Value {
        self.entries("causes", |sentence| {
            let words: Vec<&str> = sentence.text.split_whitespace().collect();
            let (effect, cause) = words.split_at(words.len() / 2);
            json!({
                "cause": cause.join(" "), "effect": effect.join(" "), "direction": "brings_about",
                "strength": "suspected", "evidence": sentence.evidence(),
            })
        })
    }

    fn flag(&self) -> Value {
        self.entries("flags", |sentence| {
            json!({
                "what": sentence.text, "kind": "warning", "severity": "moderate",
                "because": "The source speaks of it.", "evidence": sentence.evidence(),
            })
        })
    }

    fn scenarios(&self) -> Value {
        self.entries("scenarios", |sentence| {
            let line = json!({ "text": sentence.text, "evidence": sentence.evidence() });
            let sign = json!({ "text": "A first record tells of it.", "evidence": [] });
            json!({
                "name": "As the source says", "case": "alternative", "conditions": [line],
                "outcomes": [], "early_signs": [sign], "confidence": 0.5,
            })
        })
    }

    /// The first sentence of every document.
    fn summarize(&self) -> Value {
        let mut seen = BTreeSet::new();
        let documents = self.sources.iter().filter_map(|given| {
            let document = given.id.split('#').next().unwrap_or(&given.id);
            let first = sentences(given).next()?;
            seen.insert(document).then(|| {
                json!({
                    "source": given.id, "kind": null, "date": null, "version": null,
                    "sentences": first.evidence(),
                })
            })
        });
        json!({ "documents": documents.collect::<Vec<_>>(), "confidence": SURE })
    }

    fn think(&self) -> Value {
        let said: Vec<&str> = self.quoted().collect();
        let mut new = ranked(&self.sources, &self.question);
        new.retain(|sentence| !said.contains(&sentence.text.as_str()));
        new.truncate(THOUGHT_FINDINGS_MAX);
        let thought = match new.first() {
            Some(first) => format!("On {}: {}", self.question, first.text),
            None => format!("Nothing is left to say on {}", self.question),
        };
        json!({
            "thought": clipped(&thought), "findings": findings(&new), "settled": new.is_empty(), "confidence": SURE,
        })
    }

    fn quoted(&self) -> impl Iterator<Item = &str> {
        let quotes = self.thoughts.iter().flat_map(|thought| &thought.quotes);
        quotes.map(|quote| quote.text.as_str())
    }

    /// What quotes more is worth more.
    fn weigh(&self) -> Value {
        let scores = self.thoughts.iter().map(|thought| {
            let quotes = thought.quotes.len();
            let score = (7 + quotes.min(2)) as f64 / 10.0;
            json!({ "step": thought.step, "score": score, "because": format!("It quotes {quotes} passages.") })
        });
        json!({ "scores": scores.collect::<Vec<_>>(), "confidence": SURE })
    }

    fn split(&self) -> Value {
        let mut titles: BTreeSet<&str> = self.sources.iter().map(|given| given.name()).collect();
        let mut parts = Vec::new();
        while let Some(title) = titles.pop_first().filter(|_| parts.len() < 2) {
            parts.push(clipped(&format!(
                "What does {title} tell of it: {}",
                self.question
            )));
        }
        if parts.is_empty() {
            parts.push(clipped(&self.question));
        }
        json!({ "parts": parts, "confidence": SURE })
    }

    /// Calls the first tool that is asked in words, once.
    fn act(&self) -> Value {
        let called = self
            .thoughts
            .iter()
            .any(|thought| thought.role == "observe");
        let tools = self.tools();
        let fitting = tools.iter().find_map(|(id, schema)| {
            let needed = schema["required"].as_array()?;
            let [Value::String(name)] = &needed[..] else {
                return None;
            };
            ASKED_IN_WORDS
                .contains(&name.as_str())
                .then(|| (*id, json!({ name: self.question })))
        });
        match fitting.filter(|_| !called) {
            Some((id, with)) => json!({
                "tool": id, "with": with.to_string(), "because": "It may know more.", "confidence": SURE,
            }),
            None => json!({
                "tool": null, "with": "{}", "because": "What is known is enough.", "confidence": SURE,
            }),
        }
    }

    fn conclude(&self) -> Value {
        let mut found = ranked(&self.quotable(), &self.question);
        found.truncate(FINDINGS_MAX);
        let told: Vec<&str> = found.iter().take(2).map(|at| at.text.as_str()).collect();
        let summary = match told.is_empty() {
            true => format!("Nothing that was given tells of it: {}", self.question),
            false => told.join(" "),
        };
        let not_found: Vec<&str> = found
            .is_empty()
            .then_some(self.question.as_str())
            .into_iter()
            .collect();
        json!({
            "summary": clipped(&summary), "findings": findings(&found), "contradictions": [],
            "not_found": not_found, "confidence": SURE,
        })
    }

    fn extract(&self) -> Value {
        let mut found = ranked(&self.sources, &self.question);
        found.truncate(FINDINGS_MAX);
        json!({ "findings": findings(&found), "not_found": [], "confidence": SURE })
    }

    fn compare(&self) -> Value {
        let (items, criteria) = (self.list("Compare these:"), self.list("by these criteria:"));
        let rows = criteria.iter().map(|criterion| {
            let cells = items.iter().map(|item| {
                match telling(&self.sources, &format!("{item} {criterion}"), 2) {
                    Some(found) => {
                        json!({ "item": item, "text": found.text, "evidence": found.evidence() })
                    }
                    None => json!({ "item": item, "text": null, "evidence": [] }),
                }
            });
            let cells: Vec<Value> = cells.collect();
            let differs = cells.iter().any(|cell| cell["text"] != cells[0]["text"]);
            json!({ "criterion": criterion, "cells": cells, "differs": differs })
        });
        json!({ "rows": rows.collect::<Vec<_>>(), "confidence": SURE })
    }

    /// By the words of the question that more than one source shares.
    fn cluster(&self) -> Value {
        let mut left: Vec<&Given> = self.sources.iter().collect();
        let mut clusters = Vec::new();
        for word in words(&self.question) {
            let (inside, outside): (Vec<&Given>, Vec<&Given>) = left
                .iter()
                .partition(|given| words(&given.text).contains(&word));
            if inside.len() < 2 {
                continue;
            }
            let ids: Vec<&str> = inside.iter().map(|given| given.id.as_str()).collect();
            clusters
                .push(json!({ "label": word, "sources": ids, "keywords": [word], "evidence": [] }));
            left = outside;
        }
        let alone: Vec<&str> = left.iter().map(|given| given.id.as_str()).collect();
        json!({ "clusters": clusters, "alone": alone, "confidence": SURE })
    }

    fn timeline(&self) -> Value {
        let mut dated: Vec<(String, Sentence)> = ranked(&self.sources, &self.question)
            .into_iter()
            .filter_map(|sentence| Some((year(&sentence.text)?, sentence)))
            .collect();
        dated.sort_by(|a, b| a.0.cmp(&b.0));
        let events = dated.iter().map(|(year, sentence)| {
            json!({ "date": year, "precision": "year", "text": sentence.text, "evidence": sentence.evidence() })
        });
        json!({ "events": events.collect::<Vec<_>>(), "confidence": SURE })
    }

    fn gaps(&self) -> Value {
        let points = self.list("Which of these points do the sources cover?");
        let points = points.iter().filter_map(|point| point.split_once(": "));
        let points = points.map(|(key, wants)| match telling(&self.sources, wants, 2) {
            Some(found) => {
                json!({ "key": key, "found": "yes", "evidence": found.evidence(), "missing": "" })
            }
            None => json!({ "key": key, "found": "no", "evidence": [], "missing": wants }),
        });
        json!({ "points": points.collect::<Vec<_>>(), "confidence": SURE })
    }

    fn score(&self) -> Value {
        let names = |heading| -> Vec<&str> {
            let lines = self.list(heading).into_iter();
            lines
                .map(|line| line.split([':', ';']).next().unwrap_or(line).trim())
                .collect()
        };
        let criteria = names("Criteria:");
        let ranking = names("Items:").into_iter().map(|item| {
            let parts = criteria.iter().map(|criterion| {
                match telling(&self.sources, &format!("{item} {criterion}"), 1) {
                    Some(found) => json!({
                        "criterion": criterion, "score": 60, "reason": "A source speaks of it.", "evidence": found.evidence(),
                    }),
                    None => json!({
                        "criterion": criterion, "score": null, "reason": "No source speaks of it.", "evidence": [],
                    }),
                }
            });
            let parts: Vec<Value> = parts.collect();
            let known = parts.iter().any(|part| part["score"].is_number());
            json!({ "item": item, "score": known.then_some(60), "parts": parts })
        });
        let mut ranking: Vec<Value> = ranking.collect();
        ranking.sort_by_key(|ranked| ranked["score"].is_null());
        json!({ "ranking": ranking, "confidence": SURE })
    }

    fn object(&self) -> Value {
        let claims = self.list("What speaks against these claims?");
        let objections = claims.iter().filter_map(|claim| {
            let all = ranked(&self.sources, claim).into_iter();
            let mut reserved = all.filter(|at| {
                let text = at.text.to_lowercase();
                RESERVES.iter().any(|word| text.contains(word))
            });
            let found = reserved.next()?;
            Some(json!({ "claim": claim, "text": found.text, "kind": "weakened", "evidence": found.evidence() }))
        });
        json!({ "objections": objections.collect::<Vec<_>>(), "confidence": SURE })
    }

    /// Each finding as it stands, with the number of its quote.
    fn draft(&self) -> Value {
        let mut lines = self
            .text
            .lines()
            .skip_while(|line| *line != "Findings:")
            .skip(1)
            .peekable();
        let (mut sentences, mut citations) = (Vec::new(), Vec::new());
        while let Some(line) =
            lines.next_if(|line| line.starts_with("- (") || line.starts_with("  <source"))
        {
            if let Some((_, text)) = line
                .strip_prefix("- (")
                .and_then(|rest| rest.split_once(") "))
            {
                sentences.push((text.trim_end_matches('.'), citations.len()));
            } else if let Some(quote) = self.quote_in(line) {
                citations.push(json!({ "source": quote.id, "quote": quote.text }));
            }
        }
        let ends = sentences
            .iter()
            .skip(1)
            .map(|(_, begin)| *begin)
            .chain([citations.len()]);
        let text: Vec<String> = sentences
            .iter()
            .zip(ends)
            .map(|((text, begin), end)| {
                let numbers: Vec<String> =
                    (begin + 1..=end).map(|number| number.to_string()).collect();
                match numbers.is_empty() {
                    true => format!("{text} (interpretation)."),
                    false => format!("{text} [{}].", numbers.join(", ")),
                }
            })
            .collect();
        json!({ "text": text.join(" "), "citations": citations, "confidence": SURE })
    }

    fn grade(&self) -> Value {
        let sources = self.sources.iter().map(|given| {
            json!({
                "source": given.id, "study": "unknown", "size": null, "year": null, "grade": "low",
                "reasons": ["It does not say what kind of study it is."], "evidence": [],
            })
        });
        json!({
            "sources": sources.collect::<Vec<_>>(), "overall": "low", "agreement": "unknown",
            "reasons": ["No source says what kind of study it is."], "confidence": SURE,
        })
    }
}

fn findings(sentences: &[Sentence]) -> Vec<Value> {
    sentences.iter().map(Sentence::finding).collect()
}

/// Sentences that share words with the question, most first, none twice and not too many of one source.
fn ranked(given: &[Given], question: &str) -> Vec<Sentence> {
    let asked = words(question);
    let mut found: Vec<(usize, Sentence)> = Vec::new();
    for given in given {
        let mut own: Vec<(usize, Sentence)> = sentences(given)
            .map(|sentence| (words(&sentence.text).intersection(&asked).count(), sentence))
            .filter(|(shared, _)| *shared > 0)
            .collect();
        own.sort_by_key(|(shared, _)| Reverse(*shared));
        found.extend(own.into_iter().take(PER_SOURCE_MAX));
    }
    found.sort_by_key(|(shared, _)| Reverse(*shared));
    let mut seen = BTreeSet::new();
    found.retain(|(_, sentence)| seen.insert(sentence.text.clone()));
    found.into_iter().map(|(_, sentence)| sentence).collect()
}

/// The sentence that shares most words with a wish, and at least so many.
fn telling(given: &[Given], wish: &str, least: usize) -> Option<Sentence> {
    let wanted = words(wish);
    let best = ranked(given, wish).into_iter().next()?;
    let shared = words(&best.text).intersection(&wanted).count();
    (shared >= least).then_some(best)
}

fn sentences(given: &Given) -> impl Iterator<Item = Sentence> {
    let lines = given.text.lines().map(str::trim);
    let prose = lines.filter(|line| !line.starts_with(['#', '|', '-', '<', '⟦']));
    let sentences = prose
        .flat_map(|line| line.split_inclusive(". "))
        .map(str::trim);
    let whole = sentences.filter(|text| {
        text.ends_with('.') && !text.contains('⟦') && SENTENCE_CHARS.contains(&text.chars().count())
    });
    whole.map(|text| Sentence {
        source: given.id.clone(),
        text: text.to_owned(),
    })
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|char: char| !char.is_alphanumeric());
    let telling = words.filter(|word| word.chars().count() >= WORD_CHARS_MIN);
    telling.map(str::to_lowercase).collect()
}

fn year(text: &str) -> Option<String> {
    let mut numbers = text.split(|char: char| !char.is_alphanumeric());
    let year = numbers.find(|word| {
        word.len() == 4 && word.starts_with("20") && word.chars().all(|char| char.is_ascii_digit())
    })?;
    Some(year.to_owned())
}

fn clipped(text: &str) -> String {
    text.chars().take(500).collect()
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
