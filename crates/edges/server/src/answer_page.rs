//! The pages behind a link in a mail: a question with its form, what an answer leads to, who was first, and refusals.
//! They need no script and load nothing from elsewhere.

mod asking;
mod style;

use std::fmt::Write as _;

use adjutant_mission::{
    Checkpoint, CheckpointState, Closed, Decision, OptionKey, Timestamp, Verdict,
};
use adjutant_notify::{AnswerLink, Content, Notice, What};
use adjutant_session_events::{Through, rfc3339};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::Problem;
use crate::html::escaped;
use crate::problem::Code;
use style::STYLE;

/// A question as the person of a link may see it.
pub(crate) struct Question {
    title: String,
    pub(crate) checkpoint: Box<Checkpoint>,
    /// Who has approved it so far, where it needs several.
    endorsed: Vec<String>,
    content: Content,
}

impl Question {
    pub(crate) fn of(notice: Notice, content: Content, state: &CheckpointState) -> Self {
        let notice = match content {
            Content::Redacted => notice.redacted(),
            Content::Whole => notice,
        };
        let (title, checkpoint) = match notice.what {
            What::CheckpointOpened {
                title, checkpoint, ..
            } => (title, checkpoint),
            What::MissionEnded { .. } | What::Test => (String::new(), state.checkpoint.clone()),
        };
        let endorsed = state.endorsed.iter();
        Self {
            title,
            checkpoint,
            endorsed: endorsed.map(|one| one.by.id.to_string()).collect(),
            content,
        }
    }

    fn label<'a>(&'a self, key: &'a OptionKey) -> &'a str {
        let mut options = self.checkpoint.options.iter();
        let found = options.find(|option| option.key == *key);
        found.map_or(key.as_str(), |option| &option.label)
    }

    /// `approved: Left`
    fn said(&self, decision: &Decision) -> String {
        let verdict = match decision.verdict {
            Verdict::Approve => "approved",
            Verdict::Modify => "asked for a change",
            Verdict::Reject => "rejected",
        };
        match &decision.option {
            Some(key) => format!("{verdict}: {}", self.label(key)),
            None => verdict.to_owned(),
        }
    }
}

/// A page with its status.
pub(crate) struct AnswerPage {
    status: StatusCode,
    code: Option<String>,
    retry_after: Option<u64>,
    heading: String,
    body: String,
}

impl AnswerPage {
    fn new(status: StatusCode, heading: &str, body: String) -> Self {
        Self {
            status,
            code: None,
            retry_after: None,
            heading: heading.to_owned(),
            body,
        }
    }

    /// An answer was recorded, now or before. Its consequence is shown only the first time.
    pub(crate) fn taken(
        link: &AnswerLink,
        question: &Question,
        said: &Decision,
        will: Option<String>,
    ) -> Self {
        let heading = match will {
            Some(_) => "Your answer is recorded",
            None => "Your answer was recorded before",
        };
        let mut body = about(question);
        let said = question.said(said);
        paragraph(
            &mut body,
            "",
            &format!("You answered as {}: {said}.", link.person),
        );
        let will = will.map(|will| question.content.of(&will));
        if let Some(will) = will.filter(|will| !will.is_empty()) {
            paragraph(&mut body, "strong", &will);
        }
        paragraph(&mut body, "soft", "You can close this page.");
        Self::new(StatusCode::OK, heading, body)
    }

    /// The question waits no more.
    pub(crate) fn closed(
        link: &AnswerLink,
        question: &Question,
        how: Option<&Closed>,
        at: Option<Timestamp>,
        status: StatusCode,
    ) -> Self {
        let at = at.map_or(String::new(), |at| format!(" on {}", minute(at)));
        let mut body = about(question);
        let (told, note) = match how {
            Some(Closed::Decided { by, decision }) => {
                let who = match by.id == link.person {
                    true => format!("You ({})", by.id),
                    false => by.id.to_string(),
                };
                let (who, note) = match Through::read(by, &decision.note) {
                    Some((through, own)) => (through.told(who), own),
                    None => (who, &*decision.note),
                };
                let said = question.said(decision);
                (format!("{who} answered{at}: {said}."), note)
            }
            Some(Closed::Expired) => (
                format!("Nobody answered in time, so it was rejected{at}."),
                "",
            ),
            Some(Closed::Withdrawn { reason }) => {
                (format!("It was withdrawn{at}."), reason.as_str())
            }
            None => ("It is closed.".to_owned(), ""),
        };
        paragraph(&mut body, "strong", &told);
        if !note.is_empty() {
            let _ = write!(
                body,
                "<blockquote dir=\"auto\">{}</blockquote>",
                escaped(&question.content.of(note))
            );
        }
        paragraph(&mut body, "soft", "Nothing more can be answered here.");
        code(&mut body, "ADJ-9061");
        let mut page = Self::new(status, "This question is closed", body);
        page.code = Some("ADJ-9061".into());
        page
    }

    /// Something was refused: why, and what to do.
    pub(crate) fn refusal(problem: &Problem, content: Content) -> Self {
        let mut body = String::new();
        paragraph(
            &mut body,
            "strong",
            &sentence(&content.of(&problem.message)),
        );
        paragraph(
            &mut body,
            "",
            remedy(&problem.code, problem.status, &problem.remedy),
        );
        code(&mut body, &problem.code);
        let mut page = Self::new(problem.status, "This did not work", body);
        page.code = Some(problem.code.clone());
        page.retry_after = problem.retry_after;
        page
    }
}

/// What somebody can do who has a browser and no command line.
fn remedy<'a>(code: &str, status: StatusCode, other: &'a str) -> &'a str {
    match code {
        "ADJ-2014" => {
            "Ask someone with this role to answer, or ask the administrator of this server to add the role to your mail channel."
        }
        "ADJ-2015" => "Go back, and press one of the buttons.",
        "ADJ-2016" | "ADJ-2017" => "Go back, and choose one of the options.",
        "ADJ-2018" | "ADJ-6149" => "Go back, and say in the note what to change.",
        _ if status.is_server_error() => "Try again in a few minutes.",
        // It names a command.
        _ if other.contains('`') => "Ask the administrator of this server.",
        _ => other,
    }
}

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    let text: String = first.into_iter().flatten().chain(letters).collect();
    match text.ends_with(['.', '?', '!']) {
        true => text,
        false => text + ".",
    }
}

/// Which question it was.
fn about(question: &Question) -> String {
    let mut html = String::new();
    paragraph(&mut html, "soft", &question.title);
    paragraph(&mut html, "asked", &question.checkpoint.question);
    html
}

fn paragraph(html: &mut String, class: &str, text: &str) {
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    // Writing to a string does not fail.
    let _ = write!(html, "<p dir=\"auto\"{class}>{}</p>", escaped(text));
}

fn code(html: &mut String, code: &str) {
    let _ = write!(html, "<p class=\"code\">{}</p>", escaped(code));
}

/// To the minute.
fn minute(at: Timestamp) -> String {
    match jiff::Timestamp::from_millisecond(at.0) {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        Err(_) => rfc3339(at),
    }
}

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

impl IntoResponse for AnswerPage {
    fn into_response(self) -> Response {
        let random = || getrandom::u64().unwrap_or_default();
        let nonce = format!("{:016x}{:016x}", random(), random());
        let heading = escaped(&self.heading);
        let html = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{heading} · Adjutant</title>\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <style nonce=\"{nonce}\">{STYLE}</style></head><body><main><p class=\"brand\">Adjutant</p>\
             <h1 dir=\"auto\">{heading}</h1>{}</main></body></html>\n",
            self.body
        );
        let policy = format!(
            "default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        );
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-store"),
            // The address never leaves for another site. With `no-referrer`, a browser would send the form without
            // saying where it comes from (`Origin: null`), and that is refused.
            (header::REFERRER_POLICY, "same-origin"),
            (ROBOTS, "noindex, nofollow"),
        ];
        let mut response = (self.status, headers, html).into_response();
        let headers = response.headers_mut();
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(code) = self.code {
            response.extensions_mut().insert(Code(code));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remedy_is_one_for_a_browser() {
        let ask = "Ask someone who is allowed to.";
        assert_eq!(remedy("ADJ-2013", StatusCode::FORBIDDEN, ask), ask);
        let command = "See `adjutant inbox` for the open questions.";
        let told = remedy("ADJ-2010", StatusCode::NOT_FOUND, command);
        assert_eq!(told, "Ask the administrator of this server.");
        assert_eq!(sentence("it is gone"), "It is gone.");
        assert_eq!(sentence("Why?"), "Why?");
        assert_eq!(sentence(""), ".");
    }
}
