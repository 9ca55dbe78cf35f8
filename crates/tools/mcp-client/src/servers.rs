//! All configured servers: connected once, when their tools are first needed, all at the same time.

use std::fmt;
use std::sync::Arc;

use adjutant_mission::{EffectClass, MicroUsd};
use tokio::sync::OnceCell;

use crate::server::Server;
use crate::{ConnectError, LeftOut, RemoteTool, ServerSettings, offer};

/// How a server stands after it was connected.
#[derive(Debug, Clone)]
pub struct Standing {
    pub server: String,
    pub tools: Result<Vec<RemoteTool>, ConnectError>,
    pub left_out: Vec<LeftOut>,
}

pub struct Servers {
    servers: Vec<Arc<Server>>,
    standings: OnceCell<Vec<Standing>>,
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.servers.iter().map(|server| &server.settings.name);
        f.debug_list().entries(names).finish()
    }
}

impl Servers {
    /// Nothing is started before the tools are asked for.
    pub fn new(settings: Vec<ServerSettings>) -> Self {
        let servers = settings.into_iter().map(Server::new);
        Self {
            servers: servers.map(Arc::new).collect(),
            standings: OnceCell::new(),
        }
    }

    /// Whether a tool of this id would be one of theirs. Needs no connection.
    pub fn may_have(&self, tool: &str) -> bool {
        let server = tool.split_once('.').map(|(server, _)| server);
        let mut names = self.servers.iter().map(|server| &server.settings.name);
        server.is_some_and(|server| names.any(|name| name == server))
    }

    /// What the operator says of a tool of this id, whether or not it is there: what a call does, and costs at most.
    pub fn expected(&self, tool: &str) -> Option<(EffectClass, MicroUsd)> {
        let (server, name) = tool.split_once('.')?;
        let mut servers = self.servers.iter().map(|server| &server.settings);
        let settings = servers.find(|settings| settings.name == server)?;
        let class = settings.classes.get(name).copied();
        let price = settings.prices.get(name).copied();
        Some((
            class.unwrap_or(EffectClass::Once),
            price.unwrap_or(MicroUsd::ZERO),
        ))
    }

    /// Connects every server at the first call; what it finds then holds for the life of the process.
    pub async fn standings(&self) -> &[Standing] {
        let connecting = || futures::future::join_all(self.servers.iter().map(connect));
        self.standings.get_or_init(connecting).await
    }
}

async fn connect(server: &Arc<Server>) -> Standing {
    let name = server.settings.name.clone();
    let connection = match Box::pin(server.connection()).await {
        Ok(connection) => connection,
        Err(error) => {
            return Standing {
                server: name,
                tools: Err(error),
                left_out: Vec::new(),
            };
        }
    };
    let (offers, left_out) = offer::sort(&server.settings, &connection.listed().await);
    let tools = offers
        .into_iter()
        .map(|offer| RemoteTool::new(Arc::clone(server), offer));
    Standing {
        server: name,
        tools: Ok(tools.collect()),
        left_out,
    }
}
