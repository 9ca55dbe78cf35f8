//! One connection: how it is made and set up, and the statements it has prepared.
//!
//! **Invariant:** No other product code opens a connection to the server; `clippy.toml` bans it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use adjutant_mission::TenantId;
use adjutant_store::StoreError;
use futures::future::{join_all, join4};
use tokio::task::JoinHandle;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row, Statement};

use crate::Settings;
use crate::error::{from_connecting, from_request, said, unreachable};
use crate::tls::Tls;

/// How long connecting may take in all: finding the server, TLS, signing in.
const READY_WITHIN: Duration = Duration::from_secs(15);
/// The oldest server whose settings are known to be there.
const SERVER_VERSION_MIN: i32 = 140_000;

pub(crate) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Queries with the same parameters, asked from inside one tenant, or from outside all.
pub(crate) struct Question<'q> {
    pub(crate) tenant: Option<&'q TenantId>,
    pub(crate) queries: &'q [&'static str],
    pub(crate) params: Params<'q>,
}

/// Names the tenant for the rest of the transaction. Row security compares with it.
pub(crate) const SET_TENANT: &str = "SELECT set_config('adjutant.tenant', $1, true)";

/// For every working connection. The plans are held to walking an index in the order they answer in, made once
/// and kept: what a query costs must not grow with the store, nor hang on what the server last counted.
const WORKING: &str = "
    SET default_transaction_isolation = 'read committed';
    SET idle_session_timeout = 0;
    SET plan_cache_mode = force_generic_plan;
    SET enable_seqscan = off;
    SET enable_bitmapscan = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    SET enable_sort = off;
    SET jit = off";

/// For the one that writes. A confirmed append is on disk whatever the server's defaults are; and a host that
/// vanishes from the network is noticed in time for another to take over.
const HOST: &str = "
    SET synchronous_commit = 'on';
    SET statement_timeout = 0;
    SET lock_timeout = 0;
    SET tcp_keepalives_idle = 2;
    SET tcp_keepalives_interval = 1;
    SET tcp_keepalives_count = 2;
    SET tcp_user_timeout = 4000";

/// For the one that renews the lease: what it writes may be lost with the server, as every connection is then.
const LEASE: &str = "
    SET synchronous_commit = 'off';
    SET statement_timeout = 0;
    SET lock_timeout = 0";

const READER: &str = "SET default_transaction_read_only = on";

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Host,
    /// To renew the host's lease, whatever the host is writing meanwhile.
    Lease,
    Reader,
}

/// A connection with its prepared statements. Dropping it closes it.
pub(crate) struct Session {
    place: PathBuf,
    client: Client,
    statements: HashMap<&'static str, Statement>,
    /// Carries the connection's bytes, and ends when the connection does.
    driver: JoinHandle<()>,
}

impl Session {
    /// Connects as the user of the address, who may be more than the store's work needs.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place where connections are opened"
    )]
    pub(crate) async fn connect(settings: &Settings, purpose: Purpose) -> Result<Self, StoreError> {
        let place = settings.place();
        let mut config = settings.config.clone();
        if config.get_application_name().is_none() {
            config.application_name(application_name(purpose));
        }
        let tls = Tls::new(settings).map_err(|error| StoreError::Refused {
            path: place.clone(),
            why: error.to_string(),
        })?;
        let connecting = tokio::time::timeout(READY_WITHIN, config.connect(tls)).await;
        let connected = connecting.map_err(|_| {
            let seconds = READY_WITHIN.as_secs();
            unreachable(&place, format!("it did not answer within {seconds} s"))
        })?;
        let (client, connection) = connected.map_err(|error| from_connecting(&place, &error))?;
        let driver = tokio::spawn(async move {
            // Why it ended is told to whoever waits for an answer.
            let _ = connection.await;
        });
        let session = Self {
            place,
            client,
            statements: HashMap::new(),
            driver,
        };
        session.check_version().await?;
        Ok(session)
    }

    async fn check_version(&self) -> Result<(), StoreError> {
        let sql = "SELECT current_setting('server_version_num')::int";
        let version = self.client.query_one(sql, &[]).await;
        let version: i32 = version
            .and_then(|row| row.try_get(0))
            .map_err(|error| from_request(&self.place, &error))?;
        if version >= SERVER_VERSION_MIN {
            return Ok(());
        }
        Err(StoreError::Refused {
            path: self.place.clone(),
            why: format!(
                "it is PostgreSQL {}, older than {}",
                version / 10_000,
                SERVER_VERSION_MIN / 10_000
            ),
        })
    }

    /// From here on the connection can do what the store's work needs, and nothing else.
    pub(crate) async fn go_to_work(
        &self,
        settings: &Settings,
        purpose: Purpose,
    ) -> Result<(), StoreError> {
        let role = settings.app_role();
        let set_role = format!("SET ROLE {role}");
        if let Err(error) = self.client.batch_execute(&set_role).await {
            return Err(match error.code() {
                Some(_) => StoreError::Refused {
                    path: self.place.clone(),
                    why: format!("the role `{role}` cannot be assumed: {}", said(&error)),
                },
                None => from_request(&self.place, &error),
            });
        }
        let own = match purpose {
            Purpose::Host => HOST,
            Purpose::Lease => LEASE,
            Purpose::Reader => READER,
        };
        let schema = &settings.schema;
        let setup = format!("SET search_path = {schema}, pg_temp; {WORKING}; {own}");
        let done = self.client.batch_execute(&setup).await;
        done.map_err(|error| from_request(&self.place, &error))
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Returns when the connection has ended.
    pub(crate) async fn ended(&mut self) {
        // An error only means that the driver's runtime is going.
        let _ = (&mut self.driver).await;
    }

    /// Prepared on first use.
    pub(crate) async fn prepare(&mut self, sql: &'static str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    /// Asks, and gives each query's rows; all as of one moment, in one round trip.
    pub(crate) async fn answer(&mut self, asked: &Question<'_>) -> Result<Vec<Vec<Row>>, Error> {
        let set_tenant = self.prepare(SET_TENANT).await?;
        let mut prepared = Vec::with_capacity(asked.queries.len());
        for sql in asked.queries {
            prepared.push(self.prepare(sql).await?);
        }
        let queries = prepared.iter();
        let queries = queries.map(|query| self.client.query(query, asked.params));
        let tenant = asked.tenant.map_or("", TenantId::as_str);
        // Each is sent when it is polled first, which is in this order.
        let (began, set, found, ended) = join4(
            self.client
                .batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ"),
            self.client.execute(&set_tenant, &[&tenant]),
            join_all(queries),
            self.client.batch_execute("COMMIT"),
        )
        .await;
        began?;
        set?;
        let found = found.into_iter().collect::<Result<_, _>>()?;
        ended?;
        Ok(found)
    }

    /// One query, seen from inside one tenant.
    pub(crate) async fn read(
        &mut self,
        tenant: &TenantId,
        sql: &'static str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let asked = Question {
            tenant: Some(tenant),
            queries: &[sql],
            params,
        };
        let found = self.answer(&asked).await;
        let found = found.map_err(|error| from_request(&self.place, &error))?;
        Ok(found.into_iter().flatten().collect())
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

const HOST_NAME: &str = "adjutant host ";

fn application_name(purpose: Purpose) -> String {
    match purpose {
        Purpose::Host => format!("{HOST_NAME}{}", std::process::id()),
        Purpose::Lease => "adjutant lease".to_owned(),
        Purpose::Reader => "adjutant reader".to_owned(),
    }
}

/// The process that gave itself this name on connecting as a host.
pub(crate) fn host_process(application_name: &str) -> Option<u32> {
    application_name.strip_prefix(HOST_NAME)?.parse().ok()
}
