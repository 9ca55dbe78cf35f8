//! The error of every use case: a code, what happened, and what to do about it. How it is shown is up to the caller.

use adjutant_host::control::{ClientError, Problem};
use adjutant_host::{HostError, TriggerError};
use adjutant_journal::JournalError;
use adjutant_knowledge_base::KnowledgeError;
use adjutant_plans::PlanErrors;
use adjutant_schedule::ScheduleError;
use adjutant_store::StoreError;
use serde::Serialize;

pub use crate::error_kind::ErrorKind;

/// One problem.
#[derive(Debug, Clone, Serialize)]
pub struct Complaint {
    pub code: String,
    pub message: String,
    pub help: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// A position in a file.
#[derive(Debug, Clone, Serialize)]
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: usize,
    /// Path into the document, `tasks[3].after[0]`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    #[serde(skip)]
    pub excerpt: String,
}

#[derive(Debug)]
pub struct AppError {
    pub kind: ErrorKind,
    pub complaints: Vec<Complaint>,
    /// Number of problems that are not listed.
    pub left_out: usize,
}

impl AppError {
    pub fn new(
        kind: ErrorKind,
        code: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let complaint = Complaint {
            code: code.into(),
            message: message.into(),
            help: help.into(),
            place: None,
        };
        Self {
            kind,
            complaints: vec![complaint],
            left_out: 0,
        }
    }

    /// The output was closed by its reader, so nothing can be reported.
    pub fn output_closed() -> Self {
        Self {
            kind: ErrorKind::OutputClosed,
            complaints: Vec::new(),
            left_out: 0,
        }
    }

    pub fn has_code(&self, code: &str) -> bool {
        self.complaints.iter().any(|one| one.code == code)
    }

    pub fn at(mut self, place: Place) -> Self {
        if let Some(first) = self.complaints.first_mut() {
            first.place = Some(place);
        }
        self
    }

    /// Every problem of a plan file, each with its line.
    pub fn plan(file: &str, text: &[u8], errors: PlanErrors) -> Self {
        let text = String::from_utf8_lossy(text);
        let lines: Vec<&str> = text.lines().collect();
        let complaints = errors.problems.into_iter().map(|problem| Complaint {
            code: problem.code.into(),
            message: problem.message,
            help: problem.remedy,
            place: Some(Place {
                file: file.into(),
                line: problem.line,
                column: problem.column,
                path: problem.place,
                excerpt: problem
                    .line
                    .checked_sub(1)
                    .and_then(|at| lines.get(at))
                    .map_or(String::new(), |line| (*line).to_owned()),
            }),
        });
        Self {
            kind: ErrorKind::BadInput,
            complaints: complaints.collect(),
            left_out: errors.left_out,
        }
    }

    pub fn json(&self) -> String {
        serde_json::json!({ "errors": self.complaints, "left_out": self.left_out }).to_string()
    }
}

impl From<HostError> for AppError {
    fn from(error: HostError) -> Self {
        let code = error.code();
        Self::new(
            ErrorKind::from_code(code),
            code,
            error.chain(),
            error.remedy(),
        )
    }
}

impl From<KnowledgeError> for AppError {
    fn from(error: KnowledgeError) -> Self {
        HostError::from(error).into()
    }
}

impl From<JournalError> for AppError {
    fn from(error: JournalError) -> Self {
        HostError::from(error).into()
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        let code = error.code();
        Self::new(
            ErrorKind::from_code(code),
            code,
            error.to_string(),
            error.remedy(),
        )
    }
}

impl From<ScheduleError> for AppError {
    fn from(error: ScheduleError) -> Self {
        HostError::from(TriggerError::from(error)).into()
    }
}

impl From<Problem> for AppError {
    fn from(problem: Problem) -> Self {
        let kind = ErrorKind::from_code(&problem.code);
        Self::new(kind, problem.code, problem.message, problem.remedy)
    }
}

impl From<ClientError> for AppError {
    fn from(error: ClientError) -> Self {
        let cause = |error: &ClientError| {
            std::error::Error::source(error).map_or(String::new(), |cause| format!(": {cause}"))
        };
        let message = format!("{error}{}", cause(&error));
        let (code, help) = match error {
            ClientError::Problem(problem) => return problem.into(),
            ClientError::NoHost(_) => ("ADJ-5012", "Start one with `adjutant up`."),
            ClientError::Lost(_) => (
                "ADJ-5013",
                "Repeat the command; completed work is recorded. If no host is running, start one with `adjutant up`.",
            ),
            ClientError::Unexpected => (
                "ADJ-5014",
                "Use the same version of `adjutant` as the running host.",
            ),
        };
        Self::new(ErrorKind::Unavailable, code, message, help)
    }
}
