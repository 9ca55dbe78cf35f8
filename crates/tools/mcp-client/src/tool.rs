//! A tool of a server, called like any other.

use std::fmt;
use std::sync::Arc;

use adjutant_mission::EffectClass;
use adjutant_tools::{BoxFuture, Call, Manifest, Tool, ToolFailure};
use rmcp::model::{CallToolResponse, ErrorCode};
use rmcp::service::ServiceError;
use serde_json::Value;

use crate::connection::{Connection, web_error};
use crate::offer::{Offer, clean};
use crate::server::Server;
use crate::web::{LOST, WebError};
use crate::{ConnectError, result};

const MESSAGE_CHARS_MAX: usize = 1_000;

/// Cheap to clone; all clones share the server's one connection.
#[derive(Clone)]
pub struct RemoteTool {
    server: Arc<Server>,
    offer: Arc<Offer>,
}

impl fmt::Debug for RemoteTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RemoteTool")
            .field(&self.offer.manifest.id)
            .finish()
    }
}

impl RemoteTool {
    pub(crate) fn new(server: Arc<Server>, offer: Offer) -> Self {
        Self {
            server,
            offer: Arc::new(offer),
        }
    }

    /// As the server calls it.
    pub fn original_name(&self) -> &str {
        &self.offer.tool.name
    }

    /// Whether the server has promised a form of its results. All others are messages in our form.
    pub fn promises_data(&self) -> bool {
        self.offer.tool.output_schema.is_some()
    }

    async fn perform(&self, call: Call) -> Result<Value, ToolFailure> {
        let Value::Object(arguments) = &call.arguments else {
            return Err(ToolFailure::bad_input("the arguments are not an object"));
        };
        let arguments = arguments.clone();
        let connection = self.server.connection().await;
        let connection = connection.map_err(|error| self.not_connected(&error))?;
        let limit = self.server.settings.call_limit;
        let calling = async {
            self.is_still_the_same(&connection).await?;
            // A server may take long to start and to say what it offers.
            if self.offer.manifest.class.is_announced() {
                call.check_lease()?;
            }
            let name = &self.offer.tool.name;
            match connection.call(name, arguments).await {
                Ok(response) => self.read(response),
                Err(error) => Err(self.trouble(&connection, error).await),
            }
        };
        match tokio::time::timeout(limit, Box::pin(calling)).await {
            Ok(done) => done,
            Err(_) => {
                self.server.give_up(&connection).await;
                let message = format!(
                    "the MCP server `{}` did not answer within {limit:?}",
                    self.server.settings.name
                );
                Err(match self.is_once() {
                    true => ToolFailure::in_doubt(message),
                    false => ToolFailure::timed_out(format!(
                        "{message}: raise `timeout_seconds` if it needs longer"
                    )),
                })
            }
        }
    }

    /// A plan was checked against the tool that was there when we started, so no other is called in its place.
    async fn is_still_the_same(&self, connection: &Arc<Connection>) -> Result<(), ToolFailure> {
        let known = &self.offer.tool;
        let server = &self.server.settings;
        let found = match connection.now(&known.name).await {
            Ok(found) => found,
            Err(error) => {
                let said = self.said(connection, &error).await;
                return Err(ToolFailure::temporary(format!(
                    "{said}; nothing was called yet"
                )));
            }
        };
        let same = found.as_ref().is_some_and(|found| {
            found.input_schema == known.input_schema && found.output_schema == known.output_schema
        });
        if same {
            return Ok(());
        }
        let what = match found {
            Some(_) => "has changed",
            None => "is gone",
        };
        Err(ToolFailure::permanent(format!(
            "the tool `{}` of the MCP server `{}` {what} since Adjutant started, so it is not called: restart \
             Adjutant and check the plan again",
            self.offer.manifest.id, server.name
        )))
    }

    fn read(&self, response: CallToolResponse) -> Result<Value, ToolFailure> {
        match response {
            CallToolResponse::Complete(result) => result::read(&self.offer.tool, result),
            CallToolResponse::InputRequired(_) => Err(ToolFailure::permanent(
                "the tool requests more input from a person, which is not supported",
            )),
            CallToolResponse::Task(_) => Err(self.lost(
                "the server continues the call on its own and did not return a result".into(),
            )),
            _ => Err(self.lost("the server's answer is not a result".into())),
        }
    }

    async fn trouble(&self, connection: &Arc<Connection>, error: ServiceError) -> ToolFailure {
        let said = self.said(connection, &error).await;
        if let Some(error) = web_error(&error) {
            return self.web_trouble(error, said);
        }
        match error {
            ServiceError::McpError(error) => match error.code {
                ErrorCode::INVALID_PARAMS => ToolFailure::bad_input(said),
                // An error inside the server may have come before or after what it was to do.
                LOST | ErrorCode::INTERNAL_ERROR => self.lost(said),
                _ => ToolFailure::permanent(said),
            },
            _ => self.lost(said),
        }
    }

    /// What went wrong, in words. A connection that ended is given up.
    async fn said(&self, connection: &Arc<Connection>, error: &ServiceError) -> String {
        let said = match (web_error(error), error) {
            (Some(error), _) => error.to_string(),
            (None, ServiceError::McpError(error)) => {
                format!("it says: {}", clean(&error.message, MESSAGE_CHARS_MAX))
            }
            (None, ServiceError::UnexpectedResponse) => "its answer is not a result".into(),
            _ => {
                let why = connection.why_it_ended().await;
                self.server.give_up(connection).await;
                why
            }
        };
        format!("the MCP server `{}`: {said}", self.server.settings.name)
    }

    fn web_trouble(&self, error: &WebError, said: String) -> ToolFailure {
        match error {
            WebError::NoConnection(_) | WebError::Status(429 | 503) => ToolFailure::temporary(said),
            WebError::Refused(_) => ToolFailure::permanent(format!(
                "{said}: check `key_env` and `headers` under [mcp.{}] in adjutant.toml",
                self.server.settings.name
            )),
            WebError::Redirected(_) | WebError::Status(400..=499) => ToolFailure::permanent(said),
            WebError::Lost(_)
            | WebError::Status(_)
            | WebError::TooLong
            | WebError::Unreadable(_)
            | WebError::ForeignId(_) => self.lost(said),
        }
    }

    fn not_connected(&self, error: &ConnectError) -> ToolFailure {
        let server = &self.server.settings.name;
        let help = error.help(server);
        let message = format!("the MCP server `{server}` is not connected: {error}. {help}");
        match error {
            ConnectError::Unusable { .. }
            | ConnectError::NoProgram { .. }
            | ConnectError::NotStarted { .. }
            | ConnectError::Refused { .. }
            | ConnectError::Protocol { .. } => ToolFailure::permanent(message),
            ConnectError::Silent { .. }
            | ConnectError::Ended { .. }
            | ConnectError::Unreachable { .. } => ToolFailure::temporary(message),
        }
    }

    /// The call was sent, and what became of it is not known.
    fn lost(&self, message: String) -> ToolFailure {
        match self.is_once() {
            true => ToolFailure::in_doubt(message),
            false => ToolFailure::temporary(message),
        }
    }

    fn is_once(&self) -> bool {
        self.offer.manifest.class == EffectClass::Once
    }
}

impl Tool for RemoteTool {
    fn manifest(&self) -> &Manifest {
        &self.offer.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(self.perform(call))
    }
}
