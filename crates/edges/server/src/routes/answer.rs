//! Answers out of mails. The link is the authority: it says which question, and who answers.
//!
//! **Invariant:** Opening the page changes nothing, however often: mail scanners follow every link. Answers obey the same
//! rules as over the API and go through the same code. Every invalid token gets the same response.

use std::sync::Arc;

use adjutant_host::HostError;
use adjutant_journal::JournalError;
use adjutant_mission::{
    CheckpointId, CheckpointNumber, CheckpointState, Event, Mission, Refused, Timestamp,
};
use adjutant_notify::{AnswerLink, Content, Notice, What};
use adjutant_store::Store;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;

use super::Caller;
use super::checkpoints::take_answer;
use crate::access::Authority;
use crate::answer_form::AnswerForm;
use crate::answer_page::{AnswerPage, Question};
use crate::mission_cache::folded;
use crate::{App, Problem, sign_ins};

/// The same answer to the same question is the same command. No caller of the API can send this as a key: it has spaces.
const SAID_BY_MAIL: &str = "an answer by mail";
/// Events read at a time when the answer to a question is looked for.
const PAGE_EVENTS: u32 = 500;

type Token = Result<Path<String>, PathRejection>;

/// The question with a form. Changes nothing.
pub(super) async fn show<S: Store>(State(app): State<Arc<App<S>>>, token: Token) -> Response {
    let Some((link, id)) = opened(&app, token).await else {
        return no_such_link();
    };
    let page = match read(&app, link, id).await {
        Ok(asked) if asked.state().is_some_and(|state| state.closed.is_some()) => {
            closed(&app, link, &asked, StatusCode::GONE).await
        }
        Ok(asked) => Ok(AnswerPage::asking(&app, link, &asked.mission, &asked.shown)),
        Err(problem) => Err(problem),
    };
    respond(link, page)
}

/// An answer.
pub(super) async fn take<S: Store>(
    State(app): State<Arc<App<S>>>,
    token: Token,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some((link, id)) = opened(&app, token).await else {
        return no_such_link();
    };
    let page = taken(&app, link, id, &headers, &body).await;
    respond(link, page)
}

/// The link that has this token, and its question. Those that have none are counted like sign-ins that failed.
async fn opened<S: Store>(app: &App<S>, token: Token) -> Option<(&AnswerLink, CheckpointId)> {
    let token = token.map(|Path(token)| token).unwrap_or_default();
    let mut links = app.answer_links.iter();
    let found = links.find_map(|link| Some((link, link.opens(&token)?)));
    if found.is_none() {
        sign_ins::refused(app).await;
    }
    found
}

/// The same for every token that opens nothing, whatever the reason.
fn no_such_link() -> Response {
    let problem = Problem::new(
        StatusCode::NOT_FOUND,
        "ADJ-9060",
        "this link is not valid, or not valid any more",
        "Open the link as it is in the newest mail. If it still fails, ask the administrator of this server.",
    );
    AnswerPage::refusal(&problem, Content::Redacted).into_response()
}

fn respond(link: &AnswerLink, page: Result<AnswerPage, Problem>) -> Response {
    let page = page.unwrap_or_else(|problem| AnswerPage::refusal(&problem, link.content));
    let mut response = page.into_response();
    let who = Caller(Some(link.person.clone()));
    response.extensions_mut().insert(who);
    response
}

/// A mission, and one of its questions as the person may see it.
struct Asked {
    mission: Arc<Mission>,
    number: CheckpointNumber,
    shown: Question,
}

impl Asked {
    fn state(&self) -> Option<&CheckpointState> {
        self.mission.checkpoints().get(self.number.index())
    }
}

async fn read<S: Store>(
    app: &App<S>,
    link: &AnswerLink,
    id: CheckpointId,
) -> Result<Asked, Problem> {
    let mission = folded(app, id.mission).await?;
    let number = id.number;
    let state = mission
        .checkpoints()
        .get(number.index())
        .ok_or(HostError::Refused(Refused::CheckpointUnknown {
            checkpoint: number,
        }))?;
    // The page shows what the mail shows: what must not leave by mail is left out here too.
    let what = What::CheckpointOpened {
        mission: id.mission,
        title: mission.plan().title.clone(),
        checkpoint: state.checkpoint.clone(),
    };
    let notice = Notice {
        tenant: app.tenant.clone(),
        at: state.opened_at,
        what,
    };
    let shown = Question::of(notice, link.content, state);
    Ok(Asked {
        shown,
        number,
        mission,
    })
}

async fn taken<S: Store>(
    app: &App<S>,
    link: &AnswerLink,
    id: CheckpointId,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<AnswerPage, Problem> {
    let form = AnswerForm::read(headers, body)?;
    let asked = read(app, link, id).await?;
    let state = asked.state();
    let unknown = HostError::Refused(Refused::CheckpointUnknown {
        checkpoint: id.number,
    });
    let checkpoint = state.map(|state| &*state.checkpoint).ok_or(unknown)?;
    let authority = Authority::of_link(link);
    let key = authority.key.as_deref();
    sign_ins::came_in(app, &authority.who, authority.role, key).await?;
    let decision = form.decision();
    let said = decision.clone();
    let taken = take_answer(
        app,
        &authority,
        &asked.mission,
        checkpoint,
        Some(SAID_BY_MAIL),
        decision,
    )
    .await;
    match taken {
        Ok(taken) => {
            let will = match taken.is_repeated {
                true => None,
                false => Some(taken.will(app, &asked.mission, &asked.shown.checkpoint)),
            };
            Ok(AnswerPage::taken(link, &asked.shown, &said, will))
        }
        Err(problem) => {
            // Somebody else may have been first, also just now.
            let asked = read(app, link, id).await?;
            let is_closed = asked.state().is_some_and(|state| state.closed.is_some());
            match is_closed {
                true => closed(app, link, &asked, StatusCode::CONFLICT).await,
                false => Err(problem),
            }
        }
    }
}

/// What became of a question that waits no more.
async fn closed<S: Store>(
    app: &App<S>,
    link: &AnswerLink,
    asked: &Asked,
    status: StatusCode,
) -> Result<AnswerPage, Problem> {
    let at = closed_at(app, &asked.mission, asked.number).await?;
    let how = asked.state().and_then(|state| state.closed.as_ref());
    Ok(AnswerPage::closed(link, &asked.shown, how, at, status))
}

/// When a question was closed. The journal is read from its end: that is where questions come from whose links are
/// opened.
async fn closed_at<S: Store>(
    app: &App<S>,
    mission: &Mission,
    number: CheckpointNumber,
) -> Result<Option<Timestamp>, JournalError> {
    let journal = app.host.journal(&app.tenant);
    let mut end = mission.seq();
    while end > 0 {
        let from = end.saturating_sub(u64::from(PAGE_EVENTS) - 1).max(1);
        let events = journal.events(mission.id(), from, PAGE_EVENTS).await?;
        let closing = events.iter().rev().find(|recorded| {
            matches!(
                &recorded.event,
                Event::CheckpointDecided { checkpoint, .. }
                | Event::CheckpointExpired { checkpoint }
                | Event::CheckpointWithdrawn { checkpoint, .. } if *checkpoint == number
            )
        });
        if let Some(closing) = closing {
            return Ok(Some(closing.at));
        }
        end = from - 1;
    }
    Ok(None)
}
