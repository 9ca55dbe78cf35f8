//! Error responses: RFC 9457 problem details with our own codes.

use adjutant_app::error::{AppError, ErrorKind};
use adjutant_host::HostError;
use adjutant_journal::JournalError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use adjutant_app::remedies;

/// How long a client should wait before it retries.
const RETRY_AFTER_SECONDS: u64 = 2;

/// A status, a code, what happened, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub status: StatusCode,
    pub code: String,
    pub message: String,
    pub remedy: String,
    /// Seconds until the same request may succeed.
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
            "GET /api/missions lists the missions.",
        )
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "ADJ-9001",
            message,
            "Correct the request as described in the message.",
        )
    }
}

/// The code of an error response.
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
            "remedy": remedies::for_http(&self.code, &self.remedy),
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
            status_of(ErrorKind::from_code(error.code())),
            error.code(),
            error.chain(),
            error.remedy(),
        )
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        HostError::from(error).into()
    }
}

impl From<AppError> for Problem {
    fn from(error: AppError) -> Self {
        let status = status_of(error.kind);
        match error.complaints.into_iter().next() {
            Some(first) => Self::new(status, &first.code, first.message, first.help),
            None => Self::new(status, "ADJ-9013", "the request failed", "Try again."),
        }
    }
}

fn status_of(kind: ErrorKind) -> StatusCode {
    StatusCode::from_u16(kind.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
