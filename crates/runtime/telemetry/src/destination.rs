//! Where traces go, as the variables say that OpenTelemetry has for it.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

const HEADERS_MAX: usize = 32;
/// How long it is waited before a request is sent again for the first time; each further time twice as long.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
pub struct Destination {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) service: String,
    pub(crate) pause: Duration,
}

/// What is wrong with a variable: its name, and what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongDestination {
    pub variable: &'static str,
    pub why: String,
}

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
const TRACES_HEADERS: &str = "OTEL_EXPORTER_OTLP_TRACES_HEADERS";
const SERVICE: &str = "OTEL_SERVICE_NAME";
const DISABLED: &str = "OTEL_SDK_DISABLED";

impl Destination {
    /// Every variable that is asked for.
    pub const VARIABLES: [&str; 6] = [
        ENDPOINT,
        TRACES_ENDPOINT,
        HEADERS,
        TRACES_HEADERS,
        SERVICE,
        DISABLED,
    ];

    /// Where traces go by these variables; nowhere, if none names an endpoint. `get` gives a variable that is not empty.
    pub fn of(get: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, WrongDestination> {
        if get(DISABLED).is_some_and(|value| value.eq_ignore_ascii_case("true")) {
            return Ok(None);
        }
        let url = match (get(TRACES_ENDPOINT), get(ENDPOINT)) {
            // This one is the whole address.
            (Some(given), _) => address(TRACES_ENDPOINT, &given)?,
            (None, Some(given)) => {
                let given = format!("{}/v1/traces", given.trim_end_matches('/'));
                address(ENDPOINT, &given)?
            }
            (None, None) => return Ok(None),
        };
        let headers = match (get(TRACES_HEADERS), get(HEADERS)) {
            (Some(given), _) => headers(TRACES_HEADERS, &given)?,
            (None, Some(given)) => headers(HEADERS, &given)?,
            (None, None) => HeaderMap::new(),
        };
        Ok(Some(Self {
            url,
            headers,
            service: get(SERVICE).unwrap_or_else(|| "adjutant".to_owned()),
            pause: PAUSE,
        }))
    }

    /// Waits this long before a request is sent again, instead of a second.
    #[must_use]
    pub fn pausing(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    /// Without what may be secret about it.
    pub fn place(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

fn address(variable: &'static str, given: &str) -> Result<Url, WrongDestination> {
    let wrong = |why: String| WrongDestination { variable, why };
    let url =
        Url::parse(given).map_err(|error| wrong(format!("it is not a valid address: {error}")))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(wrong(format!("`{scheme}` is neither http nor https"))),
    }
}

/// `name=value,name=value`, with values as in addresses: `%20` is a space.
fn headers(variable: &'static str, given: &str) -> Result<HeaderMap, WrongDestination> {
    // What is in them is secret: it is not told.
    let wrong = |why: &str| WrongDestination {
        variable,
        why: why.to_owned(),
    };
    let mut headers = HeaderMap::new();
    let pairs = given.split(',').map(str::trim);
    for pair in pairs.filter(|pair| !pair.is_empty()) {
        if headers.len() == HEADERS_MAX {
            return Err(wrong("it has more than 32 headers"));
        }
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| wrong("its headers are not name=value,name=value"))?;
        let name = HeaderName::from_bytes(name.trim().as_bytes())
            .map_err(|_| wrong("a header has no valid name"))?;
        let mut value = HeaderValue::from_bytes(&decoded(value.trim()))
            .map_err(|_| wrong("a header has characters that cannot be sent"))?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}
