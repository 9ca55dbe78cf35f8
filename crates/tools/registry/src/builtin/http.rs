//! `http` and `http_post`: one HTTP request. `http` has the methods that ask for something, `http_post` those that change
//! something: it reaches only hosts that the settings name, and with text from outside in it, a request is sent only if a
//! person approves it. Never answers from a cache, never goes through a proxy of the environment.

mod answer;

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

use adjutant_mission::{EffectClass, Lease, Millis, Provenance, references};
use adjutant_text::errors::request_cause;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Url};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ToolOutline, known_to_fail, read};
use crate::egress::Refused;
use crate::{
    AllowedHosts, BoxFuture, Call, Clock, Egress, Finding, Manifest, References, RegistryError,
    Tool, ToolFailure, ToolSettings,
};

const RESPONSE_BYTES_MAX: usize = 2 * 1024 * 1024;
const URL_CHARS_MAX: usize = 8 * 1024;
const HEADERS_MAX: usize = 50;
const TIMEOUT_SECONDS_DEFAULT: f64 = 30.0;
const TIMEOUT_SECONDS_MAX: u64 = 300;
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Headers that the tool itself is responsible for.
const RESERVED: [&str; 5] = [
    "connection",
    "content-length",
    "host",
    "idempotency-key",
    "transfer-encoding",
];

pub(super) struct Http {
    manifest: Manifest,
    egress: Egress,
    clock: Clock,
    method: Method,
    /// Made at the first call, because reading the machine's certificates takes time that most runs can spare.
    client: OnceLock<Result<Client, String>>,
}

#[derive(Deserialize)]
struct Arguments {
    method: Option<String>,
    url: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<String>,
    json: Option<Value>,
    timeout: Option<f64>,
    #[serde(default)]
    accept: Vec<u16>,
}

impl Http {
    pub(super) fn idempotent(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let manifest = ToolOutline {
            id: "http",
            name: "HTTP request",
            description: "Sends a GET or HEAD request. Statuses other than 2xx fail unless `accept` lists them.",
            class: EffectClass::Idempotent,
            provenance: Provenance::Outside,
            input: input_schema(&["GET", "HEAD"]),
            output: Some(answer::schema()),
            time_limit: Millis::seconds(TIMEOUT_SECONDS_MAX + 10),
            output_bytes_max: 4 * RESPONSE_BYTES_MAX,
        };
        let hosts = settings.http_hosts.clone();
        Self::new(manifest, settings, hosts, Method::GET)
    }

    pub(super) fn once(settings: &ToolSettings) -> Result<Self, RegistryError> {
        let manifest = ToolOutline {
            id: "http_post",
            name: "HTTP request that must not be repeated",
            description: "Sends a POST, PUT, PATCH or DELETE request, with the effect's id as Idempotency-Key. Statuses other than \
                          2xx fail unless `accept` lists them; a request whose response is lost is never sent again.",
            class: EffectClass::Once,
            provenance: Provenance::Outside,
            input: input_schema(&["POST", "PUT", "PATCH", "DELETE"]),
            output: Some(answer::schema()),
            time_limit: Millis::seconds(TIMEOUT_SECONDS_MAX + 10),
            output_bytes_max: 4 * RESPONSE_BYTES_MAX,
        };
        Self::new(
            manifest,
            settings,
            settings.http_hosts.named(),
            Method::POST,
        )
    }

    fn new(
        outline: ToolOutline,
        settings: &ToolSettings,
        hosts: AllowedHosts,
        method: Method,
    ) -> Result<Self, RegistryError> {
        let mut manifest = outline.manifest()?;
        manifest.hosts = hosts.clone();
        Ok(Self {
            manifest,
            egress: Egress {
                hosts,
                private: settings.private_hosts.clone(),
                setting: "`hosts` under [tools.http]",
            },
            clock: settings.clock.clone(),
            method,
            client: OnceLock::new(),
        })
    }

    async fn send(&self, call: Call) -> Result<Value, ToolFailure> {
        // A request that may be repeated needs none.
        let lease = match self.manifest.class.is_announced() {
            true => call.lease,
            false => Lease::default(),
        };
        let arguments: Arguments = read(call.arguments)?;
        let url = self.url(&arguments.url)?;
        let method = match &arguments.method {
            Some(name) => Method::from_bytes(name.as_bytes())
                .map_err(|error| ToolFailure::bad_input(format!("`method`: {error}")))?,
            None => self.method.clone(),
        };
        let place = format!("{method} {}", place(&url));
        let mut headers = headers(&arguments.headers)?;
        let key = HeaderValue::try_from(call.effect.to_string())
            .map_err(|error| ToolFailure::permanent(format!("the effect's id: {error}")))?;
        headers.insert(IDEMPOTENCY_KEY, key);
        let body = match (arguments.json, arguments.body) {
            (Some(value), _) => {
                headers
                    .entry(CONTENT_TYPE)
                    .or_insert(HeaderValue::from_static("application/json"));
                value.to_string()
            }
            (None, body) => body.unwrap_or_default(),
        };
        let seconds = arguments.timeout.unwrap_or(TIMEOUT_SECONDS_DEFAULT);
        let timeout = Duration::try_from_secs_f64(seconds)
            .map_err(|error| ToolFailure::bad_input(format!("`timeout`: {error}")))?;

        let response = self
            .client(lease)?
            .request(method, url)
            .headers(headers)
            .body(body)
            .timeout(timeout)
            .send()
            .await
            .map_err(|error| self.request_failure(&place, &error, timeout))?;
        let reader = answer::Reader {
            place: &place,
            class: self.manifest.class,
            accept: &arguments.accept,
            now: (self.clock)(),
        };
        reader
            .read(response, |error| {
                self.request_failure(&place, error, timeout)
            })
            .await
    }

    fn url(&self, text: &str) -> Result<Url, ToolFailure> {
        let url = Url::parse(text)
            .map_err(|error| ToolFailure::bad_input(format!("`url` is `{text:.100}`: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ToolFailure::bad_input(format!(
                "`url` begins with `{}:`; only http: and https: are supported",
                url.scheme()
            )));
        }
        match self.egress.check(&url) {
            Ok(()) => Ok(url),
            Err(refused) => Err(refused.failure(&place(&url))),
        }
    }

    fn client(&self, lease: Lease) -> Result<&Client, ToolFailure> {
        self.client
            .get_or_init(|| self.egress.client(lease))
            .as_ref()
            .map_err(|message| {
                ToolFailure::permanent(format!(
                    "the HTTP client cannot start: {message}; check that the machine has CA certificates (ca-certificates)"
                ))
            })
    }

    fn request_failure(
        &self,
        place: &str,
        error: &reqwest::Error,
        timeout: Duration,
    ) -> ToolFailure {
        if let Some(refused) = Refused::behind(error) {
            return refused.failure(place);
        }
        let cause = request_cause(error);
        if error.is_builder() {
            return ToolFailure::bad_input(format!("{place}: {cause}"));
        }
        if error.is_connect() {
            return ToolFailure::temporary(format!("{place}: no connection: {cause}"));
        }
        let once = self.manifest.class == EffectClass::Once;
        match (error.is_timeout(), once) {
            (true, true) => ToolFailure::in_doubt(format_args!(
                "{place}: no complete response within {timeout:?}"
            )),
            (true, false) => ToolFailure::timed_out(format!(
                "{place}: no complete response within {timeout:?}: raise `timeout` if it needs longer"
            )),
            (false, true) => {
                ToolFailure::in_doubt(format_args!("{place}: the response was lost: {cause}"))
            }
            (false, false) => {
                ToolFailure::temporary(format!("{place}: the response was lost: {cause}"))
            }
        }
    }
}

impl Tool for Http {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn check(&self, arguments: &Value, references: References) -> Vec<Finding> {
        let host = arguments["url"].as_str().and_then(known_host);
        known_to_fail("url", host, references, |url| self.url(url).map(|_| ()))
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(self.send(call))
    }
}

/// As much of an address as says which host it reaches, if no reference can change that.
fn known_host(url: &str) -> Option<&str> {
    let Some(first) = references(url).first().and(url.find("{{")) else {
        return Some(url);
    };
    let known = &url[..first];
    let (_, rest) = known.split_once("://")?;
    rest.contains(['/', '?', '#']).then_some(known)
}

/// The address without what may be secret in it: user, password and query.
fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map_or(String::new(), |port| format!(":{port}"));
    format!("{}://{host}{port}{}", url.scheme(), url.path())
}

fn headers(wanted: &BTreeMap<String, String>) -> Result<HeaderMap, ToolFailure> {
    let mut headers = HeaderMap::new();
    for (name, value) in wanted {
        let wrong = |why: &dyn std::fmt::Display| {
            ToolFailure::bad_input(format!("`headers.{name:.60}`: {why}"))
        };
        let parsed = HeaderName::try_from(name).map_err(|error| wrong(&error))?;
        if RESERVED.contains(&parsed.as_str()) {
            return Err(wrong(&"the tool sets this header itself: leave it out"));
        }
        headers.insert(
            parsed,
            HeaderValue::try_from(value).map_err(|error| wrong(&error))?,
        );
    }
    Ok(headers)
}

fn input_schema(methods: &[&str]) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["url"],
        "properties": {
            "method": { "enum": methods },
            "url": { "type": "string", "maxLength": URL_CHARS_MAX },
            "headers": {
                "type": "object",
                "maxProperties": HEADERS_MAX,
                "additionalProperties": { "type": "string" }
            },
            "body": { "type": "string", "description": "Sent unchanged." },
            "json": { "description": "Sent as JSON, instead of `body`." },
            "timeout": {
                "type": "number",
                "exclusiveMinimum": 0,
                "maximum": TIMEOUT_SECONDS_MAX,
                "description": "Seconds for the whole exchange."
            },
            "accept": {
                "type": "array",
                "items": { "type": "integer", "minimum": 100, "maximum": 599 },
                "description": "Statuses besides 2xx that count as success."
            }
        },
        "not": { "required": ["body", "json"] }
    })
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
