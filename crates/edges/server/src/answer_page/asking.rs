//! An open question with everything that helps to answer it, and the form.

use std::fmt::Write as _;

use adjutant_app::outgoing::{Outgoing, OutgoingPolicy, redact_json};
use adjutant_app::words::money;
use adjutant_mission::{
    Action, Approvers, Checkpoint, ChoiceOption, Decision, EffectClass, Millis, Mission,
    ProposedCall, Risk, Timestamp, Verdict,
};
use adjutant_notify::{AnswerLink, Content};
use adjutant_store::Store;
use axum::http::StatusCode;
use serde_json::Value;

use super::{AnswerPage, Question, minute, paragraph};
use crate::App;
use crate::html::escaped;
use crate::routes::WORDS_CHARS_MAX;

impl AnswerPage {
    pub(crate) fn asking<S: Store>(
        app: &App<S>,
        link: &AnswerLink,
        mission: &Mission,
        question: &Question,
    ) -> Self {
        let checkpoint = &*question.checkpoint;
        let mut body = String::new();
        paragraph(&mut body, "soft", &format!("Mission: {}", question.title));
        asked_of(&mut body, link, question, app.host.clock().now());
        if !checkpoint.context.is_empty() {
            paragraph(&mut body, "", &checkpoint.context);
        }
        if let Some(call) = &checkpoint.call {
            proposed(&mut body, call, question.content);
        }
        before(&mut body, checkpoint);
        body.push_str("<form method=\"post\" autocomplete=\"off\">");
        options(&mut body, checkpoint);
        let _ = write!(
            body,
            "<label class=\"note\" for=\"note\">Note (optional)</label>\
             <textarea id=\"note\" name=\"note\" maxlength=\"{WORDS_CHARS_MAX}\"></textarea><div class=\"answers\">"
        );
        for action in &checkpoint.actions {
            answer(&mut body, *action, checkpoint, |verdict| {
                let decision = Decision::new(verdict);
                let follows = app.use_cases.consequence(mission, checkpoint, &decision);
                question.content.of(&follows)
            });
        }
        body.push_str("</div></form>");
        if question.content == Content::Redacted {
            let told = "Personal data is replaced by its kind, such as [NAME], as in the mail.";
            paragraph(&mut body, "soft end", told);
        }
        Self::new(StatusCode::OK, &checkpoint.question, body)
    }
}

/// The call that is asked about, whole.
fn proposed(html: &mut String, call: &ProposedCall, content: Content) {
    html.push_str("<h2>The call</h2><dl>");
    let mut row = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = write!(html, "<dt>{name}</dt><dd>{}</dd>", escaped(value));
        }
    };
    row("Calls", &call.calls);
    let agents: Vec<&str> = call.agents.iter().map(|agent| agent.as_str()).collect();
    row("Starts", &agents.join(", "));
    row(
        "Effect",
        match call.class {
            EffectClass::Pure => "changes nothing outside",
            EffectClass::Idempotent => "changes something; repeating it changes nothing more",
            EffectClass::Once => "must not happen twice",
            EffectClass::Paid => "changes nothing outside, and costs each time",
        },
    );
    row("Costs at most", &money(call.price));
    html.push_str("</dl>");
    if let Some(arguments) = &call.arguments {
        let mut value: Value = serde_json::from_str(arguments.text()).unwrap_or(Value::Null);
        if content == Content::Redacted {
            // Field names such as `date_of_birth` mark personal data that the value alone does not show.
            redact_json(&mut Outgoing::new(OutgoingPolicy::All, None), &mut value);
        }
        let shown = serde_json::to_string_pretty(&value).unwrap_or_default();
        let _ = write!(html, "<pre>{}</pre>", escaped(&shown));
    }
}

/// How the same was answered earlier.
fn before(html: &mut String, checkpoint: &Checkpoint) {
    if checkpoint.similar.is_empty() {
        return;
    }
    html.push_str("<h2>Answered before in this mission</h2><ul>");
    for past in &checkpoint.similar {
        let told = format!("{} → {} ({})", past.question, past.option, past.outcome);
        let _ = write!(html, "<li dir=\"auto\">{}</li>", escaped(&told));
    }
    html.push_str("</ul>");
}

fn options(html: &mut String, checkpoint: &Checkpoint) {
    if checkpoint.options.is_empty() {
        return;
    }
    html.push_str("<fieldset><legend>Options</legend>");
    for option in &checkpoint.options {
        let recommended = checkpoint.recommendation.as_ref();
        let recommended = recommended.filter(|told| told.option == option.key);
        let key = escaped(option.key.as_str());
        let label = escaped(&option.label);
        let _ = write!(
            html,
            "<label class=\"option\"><input type=\"radio\" name=\"option\" value=\"{key}\" required>\
             <span dir=\"auto\"><strong>{label}</strong>"
        );
        if recommended.is_some() {
            html.push_str("<span class=\"best\">recommended</span>");
        }
        let facts = facts(option);
        if !facts.is_empty() {
            let _ = write!(html, "<span class=\"facts\"> {}</span>", escaped(&facts));
        }
        html.push_str("</span><span></span><div>");
        if !option.description.is_empty() {
            paragraph(html, "", &option.description);
        }
        if let Some(told) = recommended.filter(|told| !told.reason.is_empty()) {
            paragraph(html, "soft", &format!("Recommended: {}", told.reason));
        }
        let pros = option.pros.iter().map(|pro| ("pro", pro));
        let cons = option.cons.iter().map(|con| ("con", con));
        let points: Vec<(&str, &String)> = pros.chain(cons).collect();
        if !points.is_empty() {
            html.push_str("<ul>");
            for (class, point) in points {
                let point = escaped(point);
                let _ = write!(html, "<li class=\"{class}\" dir=\"auto\">{point}</li>");
            }
            html.push_str("</ul>");
        }
        html.push_str("</div></label>");
    }
    html.push_str("</fieldset>");
}

/// `$2.50 · 3 h · high risk`
fn facts(option: &ChoiceOption) -> String {
    let risk = option.risk.map(|risk| match risk {
        Risk::Low => "low risk",
        Risk::Medium => "medium risk",
        Risk::High => "high risk",
    });
    let facts = [
        option.cost.map(money),
        option.time.map(span),
        risk.map(str::to_owned),
    ];
    facts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// A button, and what pressing it means.
fn answer(
    html: &mut String,
    action: Action,
    checkpoint: &Checkpoint,
    follows: impl Fn(Verdict) -> String,
) {
    let (verdict, name, means) = match action {
        Action::Approve if checkpoint.options.is_empty() => {
            ("approve", "Approve", follows(Verdict::Approve))
        }
        Action::Approve => (
            "approve",
            "Choose",
            "Answers with the option that is marked above.".to_owned(),
        ),
        Action::Modify => (
            "modify",
            "Change it",
            "Say in the note what to change.".to_owned(),
        ),
        Action::Reject => ("reject", "Reject", follows(Verdict::Reject)),
    };
    // A no, or a change, needs no option.
    let novalidate = match action {
        Action::Approve => "",
        Action::Modify | Action::Reject => " formnovalidate",
    };
    let _ = write!(
        html,
        "<div class=\"answer\"><button class=\"{verdict}\" name=\"verdict\" value=\"{verdict}\"{novalidate}>{name}</button>\
         <span class=\"soft\" dir=\"auto\">{}</span></div>",
        escaped(&means)
    );
}

/// Who is asked, until when, and as whom the reader answers.
fn asked_of(html: &mut String, link: &AnswerLink, question: &Question, now: Timestamp) {
    let checkpoint = &question.checkpoint;
    let role = match &checkpoint.role {
        Some(role) => format!(", in the role {role}"),
        None => String::new(),
    };
    let mut told = vec![format!("You answer as {}{role}.", link.person)];
    if let Some(who) = checkpoint.approvers.as_deref() {
        told.push(approvers(who));
    }
    if !question.endorsed.is_empty() {
        let so_far = question.endorsed.join(", ");
        told.push(format!("Approved so far by {so_far}."));
    }
    let left = match checkpoint.deadline.since(now) {
        Millis(0) => "now".to_owned(),
        left => format!("in {}", span(left)),
    };
    told.push(format!(
        "Rejected if not answered by {} ({left}).",
        minute(checkpoint.deadline)
    ));
    paragraph(html, "soft", &told.join(" "));
}

/// Who must answer, and how many of them.
fn approvers(who: &Approvers) -> String {
    let names: Vec<&str> = who.by.iter().map(|name| name.as_str()).collect();
    let names = names.join(", ");
    match (who.needed, names.is_empty()) {
        (0 | 1, true) => "One person must approve it.".to_owned(),
        (0 | 1, false) => format!("It is for {names}."),
        (needed, true) => format!("{needed} people must approve it."),
        (needed, false) => format!("{needed} of these must approve it: {names}."),
    }
}

/// `23 h 59 min`
fn span(span: Millis) -> String {
    let minutes = span.0 / 60_000;
    match minutes {
        0..=59 => format!("{minutes} min"),
        60..=2_879 => format!("{} h {} min", minutes / 60, minutes % 60),
        _ => format!("{} days", minutes / 1_440),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_is_shown_whole_or_without_personal_data() {
        let call: ProposedCall = serde_json::from_value(json!({
            "calls": "http_post", "agents": ["L2-RES"], "class": "once", "price": 2_500_000, "hash": "0",
            "arguments": {"date_of_birth": "1961-03-12", "to": "<b>Patient K.T.W.</b>"},
        }))
        .unwrap();
        let shown = |content| {
            let mut html = String::new();
            proposed(&mut html, &call, content);
            html
        };
        let whole = shown(Content::Whole);
        for part in [
            "<dd>http_post</dd>",
            "<dd>L2-RES</dd>",
            "<dd>must not happen twice</dd>",
            "<dd>$2.50</dd>",
            "1961-03-12",
            "&lt;b&gt;Patient K.T.W.&lt;/b&gt;",
        ] {
            assert!(whole.contains(part), "{part}: {whole}");
        }
        let redacted = shown(Content::Redacted);
        assert!(!redacted.contains("K.T.W"), "{redacted}");
        assert!(!redacted.contains("1961"), "{redacted}");
    }

    #[test]
    fn spans_are_told_to_the_minute() {
        let told = [0, 59, 60, 2_879, 2_880].map(|minutes| span(Millis(minutes * 60_000)));
        assert_eq!(
            told,
            ["0 min", "59 min", "1 h 0 min", "47 h 59 min", "2 days"]
        );
    }
}
