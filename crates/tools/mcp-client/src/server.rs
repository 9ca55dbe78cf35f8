//! A server over the life of the process: connected, and connected anew for the next call after its connection ended.

use std::sync::Arc;

use tokio::sync::Mutex;

use crate::connection::Connection;
use crate::{ConnectError, ServerSettings};

pub(crate) struct Server {
    pub(crate) settings: ServerSettings,
    connection: Mutex<Option<Arc<Connection>>>,
}

impl Server {
    pub(crate) fn new(settings: ServerSettings) -> Self {
        Self {
            settings,
            connection: Mutex::new(None),
        }
    }

    /// The connection there is, or a new one.
    pub(crate) async fn connection(&self) -> Result<Arc<Connection>, ConnectError> {
        let mut held = self.connection.lock().await;
        if let Some(connection) = held.as_ref().filter(|held| held.is_alive()) {
            return Ok(Arc::clone(connection));
        }
        // What is left of the old one ends before the new one begins.
        *held = None;
        let connection = Arc::new(Connection::open(&self.settings).await?);
        *held = Some(Arc::clone(&connection));
        Ok(connection)
    }

    /// Ends a connection, so that the next call gets another.
    pub(crate) async fn give_up(&self, connection: &Arc<Connection>) {
        connection.kill();
        let mut held = self.connection.lock().await;
        if held
            .as_ref()
            .is_some_and(|held| Arc::ptr_eq(held, connection))
        {
            *held = None;
        }
    }
}
