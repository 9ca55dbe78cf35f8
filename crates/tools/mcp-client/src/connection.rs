//! One connection to a server: begun, asked for its tools, and called, until it ends for whatever reason.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::io;
use std::sync::Arc;

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, Implementation,
    JsonObject, PaginatedRequestParams, Tool,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, RoleClient, RunningService, ServiceError,
    serve_client,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransportConfig, StreamableHttpError,
};
use tokio::sync::Mutex;

use crate::lines::{Lines, MESSAGE_BYTES_MAX};
use crate::process::{self, Process};
use crate::watch::Watch;
use crate::web::{Web, WebError};
use crate::{Reach, ServerSettings};

/// How many tools of one server are taken.
pub(crate) const TOOLS_MAX: usize = 200;
/// How many times a list of tools may say that it goes on.
const PAGES_MAX: usize = 50;

/// Why a server is not connected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    #[error("{why}")]
    Unusable { why: String },
    #[error("the program `{program}` is not installed")]
    NoProgram { program: String },
    #[error("`{program}` cannot be started: {message}")]
    NotStarted { program: String, message: String },
    #[error("it was not ready within {seconds} seconds{words}")]
    Silent { seconds: u64, words: String },
    #[error("{why}{words}")]
    Ended { why: String, words: String },
    #[error("it denies access (status {status})")]
    Refused { status: u16 },
    #[error("it cannot be reached: {message}")]
    Unreachable { message: String },
    #[error("it does not follow the protocol: {message}")]
    Protocol { message: String },
}

impl ConnectError {
    /// What to do about it, in one sentence.
    pub fn help(&self, server: &str) -> String {
        match self {
            Self::Unusable { .. } => {
                format!("Correct the settings under [mcp.{server}]; see docs/mcp.md.")
            }
            Self::NoProgram { .. } => {
                format!("Install it, or correct `command` under [mcp.{server}].")
            }
            Self::NotStarted { .. } => {
                format!("Correct `command` and `folder` under [mcp.{server}].")
            }
            Self::Silent { .. } => format!(
                "Start it by hand to see what happens; if it only needs more time, raise `start_seconds` under \
                 [mcp.{server}]."
            ),
            Self::Ended { .. } | Self::Protocol { .. } => {
                format!(
                    "Start it by hand to see what happens; `command` or `url` under [mcp.{server}] may be wrong."
                )
            }
            Self::Refused { .. } => format!("Check `key_env` and `headers` under [mcp.{server}]."),
            Self::Unreachable { .. } => {
                format!("Check `url` under [mcp.{server}], and that the server runs.")
            }
        }
    }
}

/// What a server asks for is refused by default, which is what we want; only the news of its tools is taken.
#[derive(Debug)]
pub(crate) struct Listener {
    watch: Arc<Watch>,
}

impl rmcp::ClientHandler for Listener {
    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.watch.tools_changed();
    }

    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("adjutant", env!("CARGO_PKG_VERSION")),
        )
    }
}

/// A list of tools, and whether there were more than we take.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    pub(crate) tools: Vec<Tool>,
    pub(crate) rest: Rest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    Nothing,
    LeftOut,
}

pub(crate) struct Connection {
    service: RunningService<RoleClient, Listener>,
    watch: Arc<Watch>,
    process: Option<Process>,
    listed: Mutex<Listed>,
}

impl Connection {
    /// Begins a connection and lists the tools, all within the start limit.
    pub(crate) async fn open(settings: &ServerSettings) -> Result<Self, ConnectError> {
        let watch = Arc::new(Watch::default());
        let listener = Listener {
            watch: Arc::clone(&watch),
        };
        let (process, service) = match &settings.reach {
            Reach::Unusable { why } => return Err(ConnectError::Unusable { why: why.clone() }),
            Reach::Program {
                keeper,
                program,
                arguments,
                environment,
                folder,
            } => {
                let folder = folder.as_deref();
                let started = process::check(program, environment, folder)
                    .and_then(|()| Process::start(keeper, program, arguments, environment, folder));
                let (process, stdout, stdin) =
                    started.map_err(|error| not_started(program, &error))?;
                let lines = Lines::new(stdout, stdin, Arc::clone(&watch));
                let begun = limited(settings, Box::pin(serve_client(listener, lines))).await;
                let service = match begun {
                    Some(Ok(service)) => service,
                    Some(Err(error)) => return Err(not_begun(&error, &watch, Some(&process)).await),
                    None => return Err(silent(settings, Some(&process))),
                };
                (Some(process), service)
            }
            Reach::Address { url, headers, key } => {
                let web = Web::new().map_err(|message| ConnectError::Unreachable { message })?;
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                    .custom_headers(parsed(headers))
                    .max_sse_event_size(MESSAGE_BYTES_MAX);
                if let Some(key) = key {
                    config = config.auth_header(key.reveal());
                }
                let transport = StreamableHttpClientTransport::with_client(web, config);
                match limited(settings, Box::pin(serve_client(listener, transport))).await {
                    Some(Ok(service)) => (None, service),
                    Some(Err(error)) => return Err(not_begun(&error, &watch, None).await),
                    None => return Err(silent(settings, None)),
                }
            }
        };
        let connection = Self {
            service,
            watch,
            process,
            listed: Mutex::new(Listed {
                tools: Vec::new(),
                rest: Rest::Nothing,
            }),
        };
        let listed = limited(settings, Box::pin(connection.list())).await;
        let process = connection.process.as_ref();
        match listed {
            None => Err(silent(settings, process)),
            Some(Err(error)) => Err(connection.not_listed(&error).await),
            Some(Ok(listed)) => {
                *connection.listed.lock().await = listed;
                Ok(connection)
            }
        }
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.watch.ending().is_none() && !self.service.is_transport_closed()
    }

    pub(crate) async fn listed(&self) -> Listed {
        self.listed.lock().await.clone()
    }

    /// The tool as the server has it now. Asks again only if the server said that its tools changed.
    pub(crate) async fn now(&self, name: &str) -> Result<Option<Tool>, ServiceError> {
        let mut listed = self.listed.lock().await;
        if self.watch.take_changed() {
            *listed = self.list().await?;
        }
        Ok(listed.tools.iter().find(|tool| tool.name == name).cloned())
    }

    /// Dropping the future tells the server that the call is cancelled.
    pub(crate) async fn call(
        &self,
        name: &str,
        arguments: JsonObject,
    ) -> Result<CallToolResponse, ServiceError> {
        let params = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        self.service.peer().call_tool_once(params).await
    }

    /// Why it ended, for the middle of a sentence.
    pub(crate) async fn why_it_ended(&self) -> String {
        let why = match self.watch.ending() {
            Some(ending) => ending.to_string(),
            None => "the connection ended".into(),
        };
        match &self.process {
            Some(process) => why + &process.how_it_ended().await,
            None => why,
        }
    }

    /// Ends the server, if it is ours.
    pub(crate) fn kill(&self) {
        if let Some(process) = &self.process {
            process.kill();
        }
        self.service.cancellation_token().cancel();
    }

    async fn list(&self) -> Result<Listed, ServiceError> {
        let mut tools: Vec<Tool> = Vec::new();
        let mut cursor = None;
        let offers = self.service.peer_info();
        if offers.is_some_and(|server| server.capabilities.tools.is_none()) {
            let rest = Rest::Nothing;
            return Ok(Listed { tools, rest });
        }
        for _ in 0..PAGES_MAX {
            let asked = PaginatedRequestParams::default().with_cursor(cursor);
            let page = self.service.peer().list_tools(Some(asked)).await?;
            tools.extend(page.tools);
            cursor = page.next_cursor;
            if cursor.is_none() || tools.len() > TOOLS_MAX {
                break;
            }
        }
        let rest = match cursor.is_some() || tools.len() > TOOLS_MAX {
            true => Rest::LeftOut,
            false => Rest::Nothing,
        };
        tools.truncate(TOOLS_MAX);
        Ok(Listed { tools, rest })
    }

    async fn not_listed(&self, error: &ServiceError) -> ConnectError {
        match (web_error(error), error) {
            (Some(error), _) => of_web(error),
            (None, ServiceError::McpError(error)) => ConnectError::Protocol {
                message: format!(
                    "it answered the request for its tools with: {:.300}",
                    error.message
                ),
            },
            (None, ServiceError::UnexpectedResponse) => ConnectError::Protocol {
                message: "its list of tools is not valid".into(),
            },
            _ => ConnectError::Ended {
                why: self.why_it_ended().await,
                words: String::new(),
            },
        }
    }
}

/// `None` when the start limit is over.
async fn limited<T>(settings: &ServerSettings, work: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(settings.start_limit, work).await.ok()
}

fn silent(settings: &ServerSettings, process: Option<&Process>) -> ConnectError {
    ConnectError::Silent {
        seconds: settings.start_limit.as_secs(),
        words: process.map_or(String::new(), Process::last_words),
    }
}

fn not_started(program: &str, error: &io::Error) -> ConnectError {
    let program = program.to_owned();
    match error.kind() {
        io::ErrorKind::NotFound => ConnectError::NoProgram { program },
        _ => ConnectError::NotStarted {
            program,
            message: error.to_string(),
        },
    }
}

async fn not_begun(
    error: &ClientInitializeError,
    watch: &Watch,
    process: Option<&Process>,
) -> ConnectError {
    if let ClientInitializeError::TransportError { error, .. } = error
        && let Some(error) = in_chain(error.error.as_ref())
    {
        return of_web(error);
    }
    let words = match process {
        Some(process) => process.how_it_ended().await,
        None => String::new(),
    };
    match (watch.ending(), error) {
        (Some(ending), _) => ConnectError::Ended {
            why: ending.to_string(),
            words,
        },
        (None, ClientInitializeError::TransportError { .. }) => ConnectError::Ended {
            why: "it ended before it was ready".into(),
            words,
        },
        (None, ClientInitializeError::JsonRpcError(error)) => ConnectError::Protocol {
            message: format!("it says: {:.300}", error.message),
        },
        (None, error) => ConnectError::Protocol {
            message: format!("{:.300}", error.to_string()),
        },
    }
}

fn of_web(error: &WebError) -> ConnectError {
    match error {
        WebError::Refused(status) => ConnectError::Refused { status: *status },
        WebError::Unreadable(_) | WebError::ForeignId(_) => ConnectError::Protocol {
            message: error.to_string(),
        },
        other => ConnectError::Unreachable {
            message: other.to_string(),
        },
    }
}

/// What went wrong on the way to a server that others run.
pub(crate) fn web_error(error: &ServiceError) -> Option<&WebError> {
    match error {
        ServiceError::TransportSend(error) => in_chain(error.error.as_ref()),
        _ => None,
    }
}

fn in_chain<'a>(error: &'a (dyn Error + Send + Sync + 'static)) -> Option<&'a WebError> {
    let mut error: Option<&'a (dyn Error + 'static)> = Some(error);
    while let Some(current) = error {
        if let Some(StreamableHttpError::Client(found)) =
            current.downcast_ref::<StreamableHttpError<WebError>>()
        {
            return Some(found);
        }
        if let Some(found) = current.downcast_ref::<WebError>() {
            return Some(found);
        }
        error = current.source();
    }
    None
}

/// The settings were checked before.
fn parsed(headers: &BTreeMap<String, crate::Secret>) -> HashMap<HeaderName, HeaderValue> {
    let parse = |(name, value): (&String, &crate::Secret)| {
        let mut value = HeaderValue::try_from(value.reveal()).ok()?;
        value.set_sensitive(true);
        Some((HeaderName::try_from(name).ok()?, value))
    };
    headers.iter().filter_map(parse).collect()
}
