//! Where tools may send anything: to hosts that are named, and to addresses of the public network only.
//!
//! A name is resolved once, its addresses are checked, and the connection goes to those very addresses: a name that
//! later leads elsewhere leads nowhere. Redirects are held to the same.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use adjutant_mission::Lease;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Url, redirect};
use serde::{Deserialize, Serialize};
use tower::util::AndThenLayer;

use crate::ToolFailure;
use crate::tool::LEASE_LOST;

const REDIRECTS_MAX: usize = 5;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Which hosts a tool may reach, redirects included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllowedHosts {
    /// Every host.
    Any,
    /// Exactly these names or addresses, without port, whatever their case.
    Only(Vec<String>),
}

impl AllowedHosts {
    /// It sends nothing anywhere.
    pub const NONE: Self = Self::Only(Vec::new());

    /// Of these only the hosts that somebody has named.
    pub(crate) fn named(&self) -> Self {
        match self {
            Self::Any => Self::NONE,
            Self::Only(hosts) => Self::Only(hosts.clone()),
        }
    }

    pub fn allows(&self, host: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Only(hosts) => listed(hosts, host),
        }
    }
}

/// Where one tool may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Egress {
    pub hosts: AllowedHosts,
    /// Hosts that may be reached although their addresses are not public: this machine, or the house's own network.
    pub private: Vec<String>,
    /// What an operator writes the hosts into, for whoever reads the refusal.
    pub setting: &'static str,
}

#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Refused {
    #[error("more than {REDIRECTS_MAX} redirects: use the final address")]
    TooManyRedirects,
    #[error("the host `{host}` is not allowed: add it to {setting} in adjutant.toml [ADJ-6171]")]
    Host { host: String, setting: &'static str },
    #[error(
        "`{host}` is at {address}, which is not a public address: if that is intended, add it to `private_hosts` under \
         [tools] in adjutant.toml"
    )]
    Private { host: String, address: IpAddr },
}

impl Refused {
    /// What the guard said, if an error of a request comes from it.
    pub(crate) fn behind(error: &reqwest::Error) -> Option<Self> {
        let mut source = error.source();
        while let Some(inner) = source {
            if let Some(refused) = inner.downcast_ref::<Self>() {
                return Some(refused.clone());
            }
            source = inner.source();
        }
        None
    }

    pub(crate) fn failure(&self, place: &str) -> ToolFailure {
        match self {
            Self::TooManyRedirects => ToolFailure::permanent(format!("{place}: {self}")),
            Self::Host { .. } | Self::Private { .. } => ToolFailure::denied(self.to_string()),
        }
    }
}

impl Egress {
    /// Whether an address may be asked at all, before any name is resolved.
    pub(crate) fn check(&self, url: &Url) -> Result<(), Refused> {
        let host = url.host_str().unwrap_or_default();
        if !self.hosts.allows(host) {
            return Err(Refused::Host {
                host: host.to_owned(),
                setting: self.setting,
            });
        }
        match literal(host) {
            Some(address) => self.check_address(host, address),
            None => Ok(()),
        }
    }

    fn check_address(&self, host: &str, address: IpAddr) -> Result<(), Refused> {
        if is_public(address) || listed(&self.private, host) {
            return Ok(());
        }
        Err(Refused::Private {
            host: host.to_owned(),
            address,
        })
    }

    /// A client that goes nowhere else, never through a proxy of the environment, and never twice by itself. Connecting
    /// may take long: if the lease is lost meanwhile, nothing is sent.
    pub(crate) fn client(&self, lease: Lease) -> Result<Client, String> {
        // Another part of the process may have installed the provider before: then that one serves.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let egress = self.clone();
        let policy = redirect::Policy::custom(move |attempt| {
            if attempt.previous().len() > REDIRECTS_MAX {
                return attempt.error(Refused::TooManyRedirects);
            }
            match egress.check(attempt.url()) {
                Ok(()) => attempt.follow(),
                Err(refused) => attempt.error(refused),
            }
        });
        Client::builder()
            .no_proxy()
            .referer(false)
            .redirect(policy)
            .dns_resolver(Arc::new(Checked(self.clone())))
            .connector_layer(AndThenLayer::new(move |connection| {
                std::future::ready(match lease.holds() {
                    true => Ok(connection),
                    false => Err(LEASE_LOST.into()),
                })
            }))
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("adjutant/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| match error.source() {
                Some(source) => source.to_string(),
                None => error.to_string(),
            })
    }
}

/// Resolves names, and gives their addresses only if all of them may be reached.
struct Checked(Egress);

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let egress = self.0.clone();
        Box::pin(async move {
            let host = name.as_str();
            let found: Vec<SocketAddr> = tokio::net::lookup_host((host, 0)).await?.collect();
            for address in &found {
                egress.check_address(host, address.ip())?;
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn listed(hosts: &[String], host: &str) -> bool {
    hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
}

/// The address that a host is written as, if it is one.
fn literal(host: &str) -> Option<IpAddr> {
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    bare.unwrap_or(host).parse().ok()
}

/// Whether an address belongs to the public network, wherever another address is wrapped in it too.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = match (a, b, c) {
        // This network, shared by carriers, protocol assignments, the old relay, benchmarks, and all from multicast on.
        (0, ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18..=19, _) => true,
        (224..=255, ..) => true,
        _ => false,
    };
    !(special
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let wrapped = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // IPv4 in IPv6, mapped or translated.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            wrapped(high, low)
        }
        [0x2002, high, low, ..] => wrapped(high, low),
        // Only 2000::/3 is given out, and of that not the protocol assignments nor what documentation uses.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
#[path = "egress_tests.rs"]
mod tests;
