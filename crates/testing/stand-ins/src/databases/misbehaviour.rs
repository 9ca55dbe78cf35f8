//! How an answer goes wrong on its way, or at the database.

use adjutant_lookups::Reply;

const UNAVAILABLE_SECONDS: &str = "30";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misbehaviour {
    /// None: the answer comes as it should. For scripts in which only a later answer goes wrong.
    Behaves,
    /// The second half is missing.
    CutOff,
    /// Nothing at all, with status 200.
    Empty,
    /// A page for people, with status 200.
    Html,
    /// Status 500.
    ServerError,
    /// Status 503 and how long to wait.
    Unavailable,
    /// Well-formed, and none of the fields that belong there.
    WrongFields,
}

impl Misbehaviour {
    pub const ALL: [Self; 7] = [
        Self::Behaves,
        Self::CutOff,
        Self::Empty,
        Self::Html,
        Self::ServerError,
        Self::Unavailable,
        Self::WrongFields,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Behaves => "behaves",
            Self::CutOff => "cut_off",
            Self::Empty => "empty",
            Self::Html => "html",
            Self::ServerError => "server_error",
            Self::Unavailable => "unavailable",
            Self::WrongFields => "wrong_fields",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    pub(crate) fn of(self, proper: Reply) -> Reply {
        let content_type = proper.header("content-type").unwrap_or_default().to_owned();
        match self {
            Self::Behaves => proper,
            Self::CutOff => {
                let half = proper.body.len() / 2;
                let body = proper.body[..half].to_vec();
                Reply { body, ..proper }
            }
            Self::Empty => Reply {
                body: Vec::new(),
                ..proper
            },
            Self::Html => Reply::new(
                200,
                "text/html",
                "<!DOCTYPE html><html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1></body></html>",
            ),
            Self::ServerError => Reply::new(500, "text/plain", "Internal Server Error"),
            Self::Unavailable => Reply::new(503, "text/plain", "Service Unavailable")
                .with("retry-after", UNAVAILABLE_SECONDS),
            Self::WrongFields if content_type.contains("xml") => Reply::new(
                200,
                &content_type,
                "<unexpected><value>1</value></unexpected>",
            ),
            Self::WrongFields => Reply::new(200, &content_type, r#"{"unexpected":[1,null,"two"]}"#),
        }
    }
}
