//! What a request that cannot be served is told: RFC 9457, with our own codes.

use adjutant_host::{HostError, TriggerError};
use adjutant_journal::JournalError;
use adjutant_mission::{ForkRefused, Refused};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::remedies::over_http;

/// How long a caller should wait where the same request may be served soon.
const RETRY_AFTER_SECONDS: u64 = 2;

/// A status, a code, what happened, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub status: StatusCode,
    pub code: String,
    pub message: String,
    pub remedy: String,
    /// In how many seconds the same request may be served.
    pub retry_after: Option<u64>,
}

impl Problem {
    pub fn new(
        status: StatusCode,
        code: &str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            status,
            code: code.to_owned(),
            message: message.into(),
            remedy: remedy.into(),
            retry_after: (status == StatusCode::SERVICE_UNAVAILABLE).then_some(RETRY_AFTER_SECONDS),
        }
    }

    pub(crate) fn unknown_mission(text: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "ADJ-6021",
            format!("there is no mission `{text}`"),
            "GET /api/missions has those there are.",
        )
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "ADJ-9001",
            message,
            "Correct the request as the message says.",
        )
    }
}

/// The code of an answer that is a problem.
#[derive(Debug, Clone)]
pub(crate) struct Code(pub(crate) String);

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({
            "type": format!("https://adjutant.invalid/errors#{}", self.code),
            "title": self.status.canonical_reason().unwrap_or("Problem"),
            "status": self.status.as_u16(),
            "code": self.code,
            "detail": self.message,
            "remedy": over_http(&self.code, &self.remedy),
        });
        let mut response = (self.status, body.to_string()).into_response();
        response.extensions_mut().insert(Code(self.code));
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<HostError> for Problem {
    fn from(error: HostError) -> Self {
        Self::new(
            status_of(&error),
            error.code(),
            error.chain(),
            match &error {
                HostError::Refused(
                    Refused::OptionNeeded { .. } | Refused::OptionUnknown { .. },
                ) => "Send `option` with one that the question offers: GET …/checkpoints has them.",
                HostError::Refused(Refused::CheckpointUnknown { .. }) => {
                    "GET /api/inbox has the open questions."
                }
                _ => error.remedy(),
            },
        )
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        HostError::from(error).into()
    }
}

/// What a caller who knows HTTP and not Adjutant makes of an error.
pub fn status_of(error: &HostError) -> StatusCode {
    match error {
        HostError::Refused(refused) => status_of_refusal(refused),
        HostError::Trigger(TriggerError::Unknown(_)) => StatusCode::NOT_FOUND,
        HostError::Trigger(TriggerError::Ended(_) | TriggerError::TooMany) => StatusCode::CONFLICT,
        HostError::Fork(ForkRefused::Refused(refused)) => status_of_refusal(refused),
        HostError::Fork(_) | HostError::Trigger(_) | HostError::Knowledge(_) => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        HostError::Journal(error) => match error {
            JournalError::MissionUnknown(_) => StatusCode::NOT_FOUND,
            JournalError::Gone { .. } => StatusCode::GONE,
            JournalError::Unfinished { .. } | JournalError::Present { .. } => StatusCode::CONFLICT,
            JournalError::Store(_) | JournalError::Append(_) => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        },
        HostError::NotLoaded { .. } | HostError::NoSigningKey => StatusCode::INTERNAL_SERVER_ERROR,
        HostError::NotSaved { .. } | HostError::Draining | HostError::Busy(_) => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        HostError::QuotaReached { .. } => StatusCode::INSUFFICIENT_STORAGE,
        HostError::ToolsNotPermitted { .. } => StatusCode::FORBIDDEN,
        HostError::OpeningStopped { .. }
        | HostError::StillStopped { .. }
        | HostError::NotStopped { .. }
        | HostError::AlreadyStopped { .. }
        | HostError::StopUnknown { .. } => StatusCode::CONFLICT,
    }
}

fn status_of_refusal(refused: &Refused) -> StatusCode {
    match refused {
        Refused::CheckpointUnknown { .. } => StatusCode::NOT_FOUND,
        Refused::NotAllowed { .. } | Refused::RoleMissing { .. } => StatusCode::FORBIDDEN,
        Refused::PlanInvalid(_)
        | Refused::ActionNotOffered { .. }
        | Refused::OptionUnknown { .. }
        | Refused::OptionNeeded { .. }
        | Refused::ChangeUnfit { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        Refused::CommandRepeated
        | Refused::CheckpointClaimed { .. }
        | Refused::MissionEnded { .. }
        | Refused::DoesNotFit { .. }
        | Refused::CheckpointClosed { .. }
        | Refused::EffectNotOutstanding { .. }
        | Refused::OutcomeUnfit { .. } => StatusCode::CONFLICT,
        Refused::MachineFault { .. } => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
