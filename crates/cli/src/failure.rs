//! What a person or a script is told when something does not work: one line of what happened with a code,
//! one of what to do. Exit codes live here, because every failure has one.

use std::fmt::Write as _;

use adjutant_host::control::{ClientError, Problem};
use adjutant_host::{HostError, TriggerError};
use adjutant_journal::JournalError;
use adjutant_knowledge_base::KnowledgeError;
use adjutant_plans::PlanErrors;
use adjutant_schedule::ScheduleError;
use adjutant_store::StoreError;
use serde::Serialize;

use crate::view::{Paint, Tone, clean};

/// How the program ends. The numbers are part of the command line's contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Ok = 0,
    /// The mission failed or was cancelled, or `verify` found damage.
    NotGood = 1,
    BadInput = 2,
    WaitingForHuman = 3,
    Trouble = 4,
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Complaint {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) help: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<Place>,
}

/// Where in a file.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// Path into the document, `tasks[3].after[0]`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) path: String,
    #[serde(skip)]
    pub(crate) excerpt: String,
}

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) complaints: Vec<Complaint>,
    /// How many more there were than are listed.
    pub(crate) left_out: usize,
}

impl Failure {
    pub(crate) fn new(
        exit: Exit,
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
            exit,
            complaints: vec![complaint],
            left_out: 0,
        }
    }

    /// Whoever read our output has gone away: there is nobody to tell.
    pub(crate) fn unheard() -> Self {
        Self {
            exit: Exit::Ok,
            complaints: Vec::new(),
            left_out: 0,
        }
    }

    pub(crate) fn has_code(&self, code: &str) -> bool {
        self.complaints.iter().any(|one| one.code == code)
    }

    pub(crate) fn at(mut self, place: Place) -> Self {
        if let Some(first) = self.complaints.first_mut() {
            first.place = Some(place);
        }
        self
    }

    /// Every problem of a plan file, with the lines they stand in.
    pub(crate) fn plan(file: &str, text: &[u8], errors: PlanErrors) -> Self {
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
            exit: Exit::BadInput,
            complaints: complaints.collect(),
            left_out: errors.left_out,
        }
    }

    pub(crate) fn json(&self) -> String {
        serde_json::json!({ "errors": self.complaints, "left_out": self.left_out }).to_string()
    }

    pub(crate) fn text(&self, paint: Paint) -> String {
        let mut text = String::new();
        for complaint in &self.complaints {
            complaint.write(&mut text, paint);
        }
        if self.left_out > 0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "… and {} more", self.left_out);
        }
        text
    }
}

/// How much of a line an excerpt shows.
const EXCERPT_CHARS_MAX: usize = 100;

impl Complaint {
    fn write(&self, text: &mut String, paint: Paint) {
        let head = paint.tone(Tone::Failed, &format!("error[{}]", self.code));
        let place = self.place.as_ref().map_or(String::new(), |place| {
            let path = if place.path.is_empty() {
                String::new()
            } else {
                format!("{}: ", place.path)
            };
            format!("{}:{}:{}: {path}", place.file, place.line, place.column)
        });
        let message = clean(&self.message);
        let _ = writeln!(text, "{head}: {place}{message}");
        if let Some(place) = &self.place {
            place.write_excerpt(text, paint);
        }
        let help = paint.tone(Tone::Bold, "help");
        let _ = writeln!(text, "  {help}: {}", clean(&self.help));
    }
}

impl Place {
    fn write_excerpt(&self, text: &mut String, paint: Paint) {
        if self.excerpt.trim().is_empty() {
            return;
        }
        let column = self.column.saturating_sub(1);
        let from = column.saturating_sub(EXCERPT_CHARS_MAX - 20);
        let shown: String = self
            .excerpt
            .chars()
            .skip(from)
            .take(EXCERPT_CHARS_MAX)
            .collect();
        let before: String = shown.chars().take(column - from).collect();
        let indent = crate::view::width(&clean(&before));
        let number = paint.tone(Tone::Dim, &format!("{:>5} │", self.line));
        let bar = paint.tone(Tone::Dim, "      │");
        let caret = paint.tone(Tone::Failed, "^");
        let _ = writeln!(text, "{number} {}", clean(&shown));
        let _ = writeln!(text, "{bar} {:indent$}{caret}", "");
    }
}

/// Which exit code a code's family has.
pub(crate) fn exit_of(code: &str) -> Exit {
    match code.as_bytes().get(4) {
        Some(b'1' | b'2' | b'7') => Exit::BadInput,
        Some(b'8') if !matches!(code, "ADJ-8004" | "ADJ-8005" | "ADJ-8011") => Exit::BadInput,
        Some(b'3') if ("ADJ-3061"..="ADJ-3068").contains(&code) => Exit::BadInput,
        // Keys and files that do not fit, and missions that are not there to be read.
        Some(b'4') if code >= "ADJ-4005" && code != "ADJ-4025" => Exit::BadInput,
        _ if matches!(
            code,
            "ADJ-5001" | "ADJ-5021" | "ADJ-5022" | "ADJ-5023" | "ADJ-5026"
        ) =>
        {
            Exit::BadInput
        }
        _ => Exit::Trouble,
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        let code = error.code();
        Self::new(exit_of(code), code, error.chain(), error.remedy())
    }
}

impl From<KnowledgeError> for Failure {
    fn from(error: KnowledgeError) -> Self {
        HostError::from(error).into()
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        HostError::from(error).into()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let code = error.code();
        Self::new(exit_of(code), code, error.to_string(), error.remedy())
    }
}

impl From<ScheduleError> for Failure {
    fn from(error: ScheduleError) -> Self {
        HostError::from(TriggerError::from(error)).into()
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        let exit = exit_of(&problem.code);
        Self::new(exit, problem.code, problem.message, problem.remedy)
    }
}

impl From<ClientError> for Failure {
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
                "Repeat the command; what was done is recorded. `adjutant up` starts a host if none runs.",
            ),
            ClientError::Unexpected => (
                "ADJ-5014",
                "Use the same version of `adjutant` as the running host.",
            ),
        };
        Self::new(Exit::Trouble, code, message, help)
    }
}

impl From<clap::Error> for Failure {
    /// Turns the parser's several paragraphs into our two lines.
    fn from(error: clap::Error) -> Self {
        let rendered = error.render().to_string();
        let mut lines = rendered
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or("the command line cannot be read");
        let mut message = first.trim_start_matches("error: ").to_owned();
        let mut help = String::new();
        for line in lines {
            if let Some(tip) = line.strip_prefix("tip: ") {
                tip.clone_into(&mut help);
            } else if let Some(usage) = line.strip_prefix("Usage: ") {
                if help.is_empty() {
                    help = format!("Usage: {usage}");
                }
            } else if !line.starts_with("For more information") {
                message = format!("{message} {line}");
            }
        }
        if help.is_empty() {
            help = "See `adjutant --help`.".into();
        }
        Self::new(Exit::BadInput, "ADJ-6001", message, help)
    }
}
