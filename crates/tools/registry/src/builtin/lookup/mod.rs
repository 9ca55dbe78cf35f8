//! `L5-PS`, `L5-CT`, `L5-FDA`, `L5-EMA`, `L5-PT`, `L5-NEWS` and `L5-WEB`: searches of public databases. What is asked
//! and what an answer means is decided in `adjutant-lookups`; here it is carried.

mod cache;
mod courier;
mod kinds;
mod sites;

pub use sites::Sites;

use adjutant_lookups::{Found, HttpRequest, Lookup, LookupError, Pace, Step};
use adjutant_mission::{EffectClass, FailureKind, MicroUsd, Millis, Provenance, TenantId};
use serde_json::{Value, json};

use super::ToolOutline;
use crate::{
    AllowedHosts, BoxFuture, Call, Clock, Egress, Manifest, RegistryError, Tool, ToolFailure,
    ToolSettings,
};
use courier::Courier;

const OUTPUT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// More exchanges than any search has.
const EXCHANGES_MAX: usize = 500;
/// Where an answer says that it does not come from the database itself.
const STAND_IN: &str = "stand_in";

pub(super) fn all(settings: &ToolSettings) -> Result<Vec<Box<dyn Tool>>, RegistryError> {
    let mut tools: Vec<Box<dyn Tool>> = Vec::new();
    for kind in kinds::all(&settings.sites) {
        tools.push(Box::new(LookupTool::new(kind, settings)?));
    }
    Ok(tools)
}

type Begin = Box<dyn Fn(Value) -> Result<Box<dyn Lookup>, ToolFailure> + Send + Sync>;
type PaceOf = Box<dyn Fn(&HttpRequest) -> Pace + Send + Sync>;

/// What differs between them.
struct Kind {
    id: &'static str,
    name: &'static str,
    description: &'static str,
    price: MicroUsd,
    input: Value,
    hosts: AllowedHosts,
    begin: Begin,
    pace: PaceOf,
}

struct LookupTool {
    manifest: Manifest,
    begin: Begin,
    pace: PaceOf,
    courier: Courier,
    clock: Clock,
    stand_in: bool,
}

impl LookupTool {
    fn new(kind: Kind, settings: &ToolSettings) -> Result<Self, RegistryError> {
        let mut manifest = ToolOutline {
            id: kind.id,
            name: kind.name,
            description: kind.description,
            class: EffectClass::Pure,
            provenance: Provenance::Outside,
            input: kind.input,
            output: Some(output()),
            time_limit: Millis::seconds(180),
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
        .manifest()?;
        manifest.price = kind.price;
        manifest.hosts = kind.hosts.clone();
        let egress = Egress {
            hosts: kind.hosts,
            private: settings.private_hosts.clone(),
            setting: "an `url` under [tools.sites]",
        };
        Ok(Self {
            manifest,
            begin: kind.begin,
            pace: kind.pace,
            courier: Courier::new(egress, settings.clock.clone()),
            clock: settings.clock.clone(),
            stand_in: settings.sites.stand_in,
        })
    }

    async fn search(&self, tenant: &TenantId, arguments: Value) -> Result<Value, ToolFailure> {
        let mut lookup = (self.begin)(arguments)?;
        let mut step = lookup.begin();
        for _ in 0..EXCHANGES_MAX {
            let request = match step.map_err(|error| self.failure(error))? {
                Step::Done(found) => return self.told(&found),
                Step::Send(request) => request,
            };
            let pace = (self.pace)(&request);
            let reply = self.courier.carry(tenant, request, pace).await?;
            step = lookup.received(reply);
        }
        Err(ToolFailure::permanent(format!(
            "the search did not finish within {EXCHANGES_MAX} requests: search for less"
        )))
    }

    fn told(&self, found: &Found) -> Result<Value, ToolFailure> {
        let told = serde_json::to_value(found);
        let mut told = told.map_err(|error| {
            ToolFailure::permanent(format!("the result is not valid JSON: {error}"))
        })?;
        if self.stand_in {
            told[STAND_IN] = true.into();
        }
        Ok(told)
    }

    fn failure(&self, error: LookupError) -> ToolFailure {
        let told = error.to_string();
        match error {
            LookupError::InvalidSearch(_) => ToolFailure::bad_input(told),
            LookupError::InvalidSetting(_) => ToolFailure::denied(told),
            LookupError::Busy {
                after_seconds: Some(seconds),
                ..
            } => ToolFailure::Deferred {
                until: (self.clock)().plus(Millis::seconds(seconds.max(1))),
            },
            LookupError::Busy { .. } | LookupError::Unavailable(_) => ToolFailure::temporary(told),
            LookupError::Unreadable(_) => ToolFailure::new(FailureKind::BadOutput, told),
        }
    }
}

impl Tool for LookupTool {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move { self.search(&call.tenant, call.arguments).await })
    }
}

fn output() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["sources"],
        "properties": {
            "sources": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["id", "title", "text", "url", "reference", "details"],
                    "properties": {
                        "id": { "type": "string", "description": "Stable; used in citations." },
                        "title": { "type": "string" },
                        "text": { "type": "string", "description": "The text that may be quoted." },
                        "published": { "type": "string" },
                        "url": { "type": "string" },
                        "reference": { "description": "CSL-JSON, as L5-FMT accepts it." },
                        "details": { "description": "Fields that are specific to this kind of record." }
                    }
                }
            },
            "total": { "type": "integer", "description": "The total number of matches." },
            "notes": { "type": "array", "items": { "type": "string" } },
            STAND_IN: {
                "type": "boolean",
                "description": "True if the result is simulated on this machine instead of coming from the database."
            }
        }
    })
}

#[cfg(test)]
#[path = "lookup_tests.rs"]
mod tests;
