//! A row of the route table.

use std::sync::Arc;

use adjutant_store::Store;
use axum::handler::Handler;
use axum::routing::{self, MethodRouter};

use crate::App;
use crate::access::Permit;
use crate::openapi::Description;

/// A route without its handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    pub method: &'static str,
    pub path: &'static str,
    pub permit: Permit,
}

/// A row of the table.
pub(crate) struct RouteEntry<S: Store> {
    pub(crate) route: Route,
    pub(crate) handler: MethodRouter<Arc<App<S>>>,
    pub(crate) description: Description,
}

macro_rules! constructors {
    ($($name:ident $method:literal)*) => {$(
        pub(super) fn $name<S: Store, H: Handler<T, Arc<App<S>>>, T: 'static>(
            path: &'static str,
            permit: Permit,
            handler: H,
            description: Description,
        ) -> RouteEntry<S> {
            RouteEntry {
                route: Route { method: $method, path, permit },
                handler: routing::$name(handler),
                description,
            }
        }
    )*};
}

constructors! { get "GET" post "POST" put "PUT" delete "DELETE" }
