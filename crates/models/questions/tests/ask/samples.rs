//! A question and an answer of each purpose.

use adjutant_questions::{Input, Output, Purpose};
use serde_json::{Value, json};

fn sources() -> Value {
    json!([
        { "id": "trial", "title": "A trial", "published": "2023-05",
          "text": "We enrolled 412 adults.\nThe drug lowered pressure by 9 mmHg." },
        { "id": "letter", "text": "In our clinic the drug did not lower pressure." },
    ])
}

/// The second one's evidence is of a source that is not among the sources.
fn thoughts() -> Value {
    json!([
        { "step": 2, "role": "step", "text": "A trial saw an effect.", "score": 0.6, "findings": [{
            "text": "The drug lowered pressure by 9 mmHg.", "kind": "fact", "confidence": 0.8,
            "evidence": [{ "source": "trial", "quote": "The drug lowered pressure by 9 mmHg." }],
        }] },
        { "step": 4, "role": "observe", "text": "A registry saw one too.", "score": null, "findings": [{
            "text": "In a registry pressure fell.", "kind": "fact", "confidence": 0.7,
            "evidence": [{ "source": "registry", "quote": "pressure fell in most users" }],
        }] },
    ])
}

pub(crate) fn question(purpose: Purpose) -> Value {
    match purpose {
        Purpose::Plan => json!({
            "objective": "Is the drug safe in old age?",
            "constraints": ["no more than two days"],
            "available": ["library"],
            "template": [
                { "key": "read", "title": "Read what is known", "needs": ["library"] },
                { "key": "risks", "title": "List the risks", "after": ["read"], "only_for": ["safe", "risk"] },
            ],
        }),
        Purpose::Extract => {
            json!({ "question": "Does the drug lower pressure?", "sources": sources() })
        }
        Purpose::Compare => {
            json!({ "items": ["trial", "letter"], "criteria": ["effect"], "sources": sources() })
        }
        Purpose::Cluster => json!({ "about": "pressure", "sources": sources(), "most": 3 }),
        Purpose::Timeline => json!({ "sources": sources() }),
        Purpose::Gaps => json!({
            "checklist": [{ "key": "dose", "wants": "the dose that was given" }],
            "sources": sources(),
        }),
        Purpose::Score => json!({
            "items": [{ "name": "A", "values": { "cost": 3.5 } }, { "name": "B" }],
            "criteria": [{ "name": "cost", "weight": 2.0, "prefers": "less" }, { "name": "effect" }],
            "sources": sources(),
        }),
        Purpose::Object => json!({ "claims": ["The drug lowers pressure."], "sources": sources() }),
        Purpose::Draft => json!({
            "heading": "Effect",
            "about": "blood pressure",
            "findings": [{
                "text": "The drug lowered pressure by 9 mmHg.", "kind": "fact", "confidence": 0.8,
                "evidence": [{ "source": "trial", "quote": "The drug lowered pressure by 9 mmHg." }],
            }],
            "not_found": ["the dose"],
        }),
        Purpose::Grade => json!({ "claim": "The drug lowers pressure.", "sources": sources() }),
        Purpose::Think => json!({
            "question": "Does the drug lower pressure?", "role": "critique", "sources": sources(),
            "thoughts": thoughts(), "part": "In clinics too?", "guidance": ["Mind the letter."],
        }),
        Purpose::Weigh => json!({
            "question": "Does the drug lower pressure?", "role": "promise",
            "thoughts": thoughts(), "sources": sources(),
        }),
        Purpose::Split => json!({
            "question": "Does the drug lower pressure?", "role": "assumptions", "sources": sources(),
            "thoughts": thoughts(), "most": 3,
        }),
        Purpose::Act => json!({
            "question": "Does the drug lower pressure?", "sources": sources(), "thoughts": thoughts(),
            "tools": [{ "id": "L5-PS", "about": "Searches the literature.", "schema": {
                "type": "object", "title": "", "properties": { "query": { "type": "string" } },
            } }],
        }),
        Purpose::Conclude => json!({
            "question": "Does the drug lower pressure?", "sources": sources(), "thoughts": thoughts(),
            "guidance": ["Mind the letter."], "most": 4,
        }),
        Purpose::Route => json!({
            "question": "Should we go on with the drug?",
            "missions": [
                { "id": "verdict", "name": "Verdict", "about": "Whether to go on", "category": "decide" },
                { "id": "survey", "name": "Survey", "about": "What is known" },
            ],
        }),
        Purpose::Read => json!({
            "objective": "Does the drug lower pressure?", "today": "2024-02-01", "sources": sources(),
            "documents": [{ "source": "letter", "genre": "letter", "standing": "current" }],
            "topics": ["effect on pressure"], "guidance": ["Mind the letter."],
        }),
        Purpose::Reconcile => json!({
            "objective": "Does the drug lower pressure?", "today": "2024-02-01", "sources": sources(),
            "documents": [{ "source": "letter", "genre": "letter", "standing": "current" }],
            "groups": [{ "key": "g1", "subject": "effect on pressure", "statements": [
                { "source": "trial", "says": "It lowers pressure." },
                { "source": "letter", "says": "It does not." },
            ] }],
            "points": [{ "key": "p1", "kind": "owed", "what": "Send the protocol.", "due": "2024-01-01",
                "statement": "letter", "candidates": ["trial"] }],
            "guidance": ["Mind the letter."],
        }),
        Purpose::Hypothesize | Purpose::Causes => json!({
            "question": "Why did pressure fall?", "sources": sources(), "most": 4,
            "guidance": ["Mind the letter."],
        }),
        Purpose::Flag | Purpose::Scenarios => json!({
            "question": "What may go wrong with the drug?", "sources": sources(), "today": "2024-02-01",
            "most": 4, "guidance": ["Mind the letter."],
        }),
        Purpose::Summarize => json!({
            "about": "the drug and pressure", "sources": sources(), "most": 4, "guidance": ["Mind the letter."],
            "documents": [{ "source": "letter", "genre": "letter", "standing": "current" }],
        }),
        Purpose::Cite => json!({
            "sources": sources(), "guidance": ["Mind the letter."],
            "findings": [{ "text": "The drug lowers pressure.", "kind": "fact", "confidence": 0.8,
                "evidence": [{ "source": "trial", "quote": "The drug lowered pressure by 9 mmHg." }] }],
        }),
        Purpose::Constitution => json!({
            "rules": [
                { "id": "be.kind", "forbids": "Being unkind.", "fine": "Being frank.", "for_quotes": true },
                { "id": "be.clear", "forbids": "Being vague." },
            ],
            "sources": sources(), "quoted": ["letter"],
        }),
    }
}

pub(crate) fn input(purpose: Purpose) -> Input {
    Input::read(purpose, question(purpose)).unwrap()
}

pub(crate) fn answer(purpose: Purpose) -> Value {
    let evidence = json!([{ "source": "trial", "quote": "lowered pressure by 9 mmHg" }]);
    let enrolled = json!({ "source": "trial", "quote": "We enrolled 412 adults." });
    match purpose {
        Purpose::Plan => json!({
            "steps": [{ "key": "read", "title": "Read", "after": [], "reason": "it all begins there" }],
            "left_out": [{ "key": "risks", "reason": "nobody asked" }], "confidence": 0.5,
        }),
        Purpose::Extract => json!({
            "findings": [{ "text": "It does.", "kind": "fact", "evidence": evidence, "confidence": 0.9 }],
            "not_found": ["for how long"], "confidence": 0.7,
        }),
        Purpose::Compare => json!({
            "rows": [{ "criterion": "effect", "differs": true, "cells": [
                { "item": "trial", "text": "9 mmHg", "evidence": evidence },
                { "item": "letter", "text": null, "evidence": [] },
            ] }], "confidence": 0.6,
        }),
        Purpose::Cluster => json!({
            "clusters": [{ "label": "pressure", "sources": ["trial"], "keywords": ["pressure"], "evidence": evidence }],
            "alone": ["letter"], "confidence": 0.4,
        }),
        Purpose::Timeline => json!({
            "events": [{ "date": "2023-05", "precision": "month", "text": "Published.", "evidence": evidence }],
            "confidence": 1,
        }),
        Purpose::Gaps => json!({
            "points": [{ "key": "dose", "found": "no", "evidence": [], "missing": "the dose" }], "confidence": 0.8,
        }),
        Purpose::Score => json!({
            "ranking": [{ "item": "A", "score": 62.5, "parts": [
                { "criterion": "cost", "score": null, "reason": "not told", "evidence": evidence },
                { "criterion": "effect", "score": 62.5, "reason": "one trial", "evidence": [] },
            ] }, { "item": "B", "score": null, "parts": [
                { "criterion": "cost", "score": null, "reason": "not told", "evidence": [] },
                { "criterion": "effect", "score": null, "reason": "not told", "evidence": [] },
            ] }], "confidence": 0.2,
        }),
        Purpose::Object => json!({
            "objections": [{ "claim": "The drug lowers pressure.", "text": "A clinic saw nothing.",
                "kind": "contradicted", "evidence": evidence }], "confidence": 0.3,
        }),
        Purpose::Draft => {
            json!({ "text": "It lowered it [1].", "citations": evidence, "confidence": 0.8 })
        }
        Purpose::Grade => json!({
            "sources": [{ "source": "trial", "study": "randomised_trial", "size": 412, "year": 2023,
                "grade": "moderate", "reasons": ["one trial"], "evidence": evidence },
                { "source": "letter", "study": "opinion", "size": null, "year": null,
                "grade": "very_low", "reasons": [], "evidence": [] }],
            "overall": "low", "agreement": "contradict", "reasons": [], "confidence": 0.5,
        }),
        Purpose::Think => json!({
            "thought": "The letter stands against it.", "settled": false, "confidence": 0.6,
            "findings": [{ "text": "It does.", "kind": "fact", "evidence": evidence, "confidence": 0.9 }],
        }),
        Purpose::Weigh => json!({
            "scores": [
                { "step": 2, "score": 0.7, "because": "one trial" },
                { "step": 4, "score": 0.4, "because": "no numbers" },
            ], "confidence": 0.6,
        }),
        Purpose::Split => json!({ "parts": ["Is it the drug that does it?"], "confidence": 0.5 }),
        Purpose::Act => json!({
            "tool": "L5-PS", "with": "{\"query\":\"drug pressure\"}", "because": "One trial is few.",
            "confidence": 0.5,
        }),
        Purpose::Conclude => json!({
            "summary": "It seems so. One letter says otherwise.",
            "findings": [{ "text": "It does.", "kind": "fact", "evidence": evidence, "confidence": 0.9 }],
            "contradictions": [{ "about": "whether it does", "sides": [
                { "text": "It does.", "evidence": [{ "source": "registry", "quote": "pressure fell in most users" }] },
                { "text": "It does not.", "evidence": [{ "source": "letter", "quote": "did not lower pressure" }] },
            ] }],
            "not_found": ["for how long"], "confidence": 0.7,
        }),
        Purpose::Route => json!({
            "mission": "verdict", "because": "It asks whether to go on.",
            "others": [{ "id": "survey", "because": "It would tell what is known." }], "confidence": 0.8,
        }),
        Purpose::Read => json!({
            "claims": [{ "subject": "effect on pressure", "assertion": "It lowers pressure.", "value": "9 mmHg",
                "condition": "in adults", "time": null, "speaker": null, "status": "asserted",
                "evidence": evidence[0] }],
            "obligations": [{ "who": null, "what": "Report it.", "due": null, "done": false, "evidence": enrolled }],
            "missing": [{ "what": "the dose", "why": "It is not told.", "evidence": enrolled }],
            "confidence": 0.6,
        }),
        Purpose::Reconcile => json!({
            "judgements": [{ "group": "g1", "about": "effect on pressure", "relation": "conflict", "sides": [
                { "says": "It does.", "value": "9 mmHg", "evidence": evidence[0] },
                { "says": "It does not.", "value": null,
                  "evidence": { "source": "letter", "quote": "did not lower pressure" } },
            ], "why": "One saw it, one did not.", "settled_by": "Another trial." }],
            "points": [{ "point": "p1", "status": "settled", "why": "It was sent.", "evidence": [enrolled] }],
            "first": [{ "why": "It answers.", "evidence": enrolled }],
            "confidence": 0.6,
        }),
        Purpose::Hypothesize => json!({
            "summary": "The drug may do it.",
            "hypotheses": [{ "statement": "The drug lowers pressure.", "evidence": evidence,
                "would_support": "A second trial sees it.", "would_refute": "A second trial does not see it.",
                "test": "Repeat the trial in 3 clinics.", "confidence": 0.5 }],
            "not_found": ["for how long"], "confidence": 0.5,
        }),
        Purpose::Causes => json!({
            "summary": "The drug lowers pressure.",
            "causes": [{ "cause": "the drug", "effect": "pressure", "direction": "lowers", "strength": "stated",
                "evidence": evidence }],
            "not_found": [], "confidence": 0.6,
        }),
        Purpose::Flag => json!({
            "summary": "One clinic saw nothing.",
            "flags": [{ "what": "In one clinic it had no effect.", "kind": "warning", "severity": "moderate",
                "because": "It did not work there.", "evidence": evidence }],
            "not_found": [], "confidence": 0.6,
        }),
        Purpose::Scenarios => json!({
            "summary": "It may work or not.",
            "scenarios": [{ "name": "It works", "case": "best", "confidence": 0.4,
                "conditions": [{ "text": "It is given to adults.", "evidence": [enrolled] }],
                "outcomes": [{ "text": "Pressure falls by 9 mmHg.", "evidence": evidence }],
                "early_signs": [{ "text": "The first weeks.", "evidence": [] }] }],
            "not_found": [], "confidence": 0.4,
        }),
        Purpose::Summarize => json!({
            "documents": [{ "source": "trial", "kind": "trial", "date": "2023-05", "version": null,
                "sentences": evidence }], "confidence": 0.7,
        }),
        Purpose::Cite => json!({
            "issues": [
                { "kind": "no_date", "source": "letter", "other": null, "claim": null, "text": "It has no date." },
                { "kind": "duplicate", "source": "letter", "other": "trial", "claim": null, "text": "They are one." },
                { "kind": "single_source", "source": "trial", "other": null, "claim": "The drug lowers pressure.",
                  "text": "Only the trial says so." },
            ], "confidence": 0.8,
        }),
        Purpose::Constitution => json!({
            "breaches": [{ "rule": "be.clear", "why": "It does not say of whom.", "evidence": evidence[0] }],
            "confidence": 0.8,
        }),
    }
}

pub(crate) fn output(purpose: Purpose) -> Output {
    Output::read(purpose, answer(purpose)).unwrap()
}
