//! From what a server says of a tool to its manifest. All of it is text from outside.

use std::collections::BTreeMap;

use adjutant_mission::{EffectClass, MicroUsd, Millis, ToolId};
use adjutant_tools::{AllowedHosts, Manifest, Schema};
use rmcp::model::Tool;
use serde_json::Value;

use crate::connection::{Listed, Rest, TOOLS_MAX};
use crate::{Allowed, Reach, ServerSettings, result};

const TITLE_CHARS_MAX: usize = 80;
const DESCRIPTION_CHARS_MAX: usize = 2_000;
const SCHEMA_BYTES_MAX: usize = 256 * 1024;
const RESULT_BYTES_MAX: usize = 8 * 1024 * 1024;
/// How much of a name that fits no id is kept in it, to be recognised by.
const STEM_CHARS_MAX: usize = 20;
/// What a call may take besides its limit: to be begun, and to be given up.
const GRACE_MS: u64 = 5_000;

/// A tool of a server that is usable.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) manifest: Manifest,
    pub(crate) tool: Tool,
}

/// Something of a server that is not used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub what: String,
    pub why: String,
    pub at_fault: AtFault,
}

/// Who can put right that something is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtFault {
    Server,
    /// They name something that the server does not have.
    Settings,
}

/// The usable ones of a server's tools, and those that are not.
pub(crate) fn sort(settings: &ServerSettings, listed: &Listed) -> (Vec<Offer>, Vec<LeftOut>) {
    let mut offers: BTreeMap<ToolId, Offer> = BTreeMap::new();
    let mut left_out = Vec::new();
    for tool in &listed.tools {
        if !settings.allowed.allows(&tool.name) {
            continue;
        }
        let offered = offer(settings, tool).and_then(|offer| {
            let id = offer.manifest.id.clone();
            match offers.contains_key(&id) {
                true => Err("the server has two tools with this name".to_owned()),
                false => Ok((id, offer)),
            }
        });
        match offered {
            Ok((id, offer)) => {
                offers.insert(id, offer);
            }
            Err(why) => left_out.push(LeftOut {
                what: format!("its tool `{}`", clean(&tool.name, TITLE_CHARS_MAX)),
                why,
                at_fault: AtFault::Server,
            }),
        }
    }
    if listed.rest == Rest::LeftOut {
        left_out.push(LeftOut {
            what: "the remaining tools".into(),
            why: format!("at most {TOOLS_MAX} tools of a server are used"),
            at_fault: AtFault::Server,
        });
    }
    left_out.extend(not_there(settings, listed));
    (offers.into_values().collect(), left_out)
}

/// Settings for tools that the server does not have.
fn not_there(settings: &ServerSettings, listed: &Listed) -> Vec<LeftOut> {
    let only = match &settings.allowed {
        Allowed::All => &[][..],
        Allowed::Only(tools) => tools,
    };
    let mut named: Vec<&String> = only
        .iter()
        .chain(settings.classes.keys())
        .chain(settings.prices.keys())
        .filter(|name| !listed.tools.iter().any(|tool| tool.name == **name))
        .collect();
    named.sort();
    named.dedup();
    let told = |name: &String| LeftOut {
        what: format!("the setting for `{name}`"),
        why: "the server has no such tool".into(),
        at_fault: AtFault::Settings,
    };
    named.into_iter().map(told).collect()
}

fn offer(settings: &ServerSettings, tool: &Tool) -> Result<Offer, String> {
    let input = schema("input", Value::Object((*tool.input_schema).clone()))?;
    let output = match &tool.output_schema {
        Some(given) => schema("output", Value::Object((**given).clone()))?,
        None => result::schema(),
    };
    Ok(Offer {
        manifest: manifest(settings, tool, input, output)?,
        tool: tool.clone(),
    })
}

/// The one place where a manifest of a server's tool is made. Its name and description are only cleaned: whoever puts
/// them before a model has the guard read them first, as text from outside.
fn manifest(
    settings: &ServerSettings,
    tool: &Tool,
    input: Value,
    output: Value,
) -> Result<Manifest, String> {
    let hints = tool.annotations.as_ref();
    let title = tool.title.as_deref();
    let title = title.or_else(|| hints.and_then(|hints| hints.title.as_deref()));
    let title = clean(title.unwrap_or(&tool.name), TITLE_CHARS_MAX);
    let described = tool.description.as_deref().unwrap_or_default();
    let described = clean(described, DESCRIPTION_CHARS_MAX);
    let limit = settings.call_limit + settings.start_limit;
    let limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    let price = settings.prices.get(tool.name.as_ref());
    Ok(Manifest {
        name: if title.is_empty() {
            settings.name.clone()
        } else {
            title
        },
        description: match described.as_str() {
            "" => format!("A tool of the MCP server `{}`.", settings.name),
            _ => described,
        },
        price: price.copied().unwrap_or(MicroUsd::ZERO),
        output: Some(output),
        time_limit: Millis(limit_ms.saturating_add(GRACE_MS)),
        output_bytes_max: RESULT_BYTES_MAX,
        hosts: hosts(&settings.reach),
        ..Manifest::new(
            id(&settings.name, &tool.name)?,
            class(settings, tool),
            input,
        )
    })
}

/// A program that runs here may reach what it likes.
fn hosts(reach: &Reach) -> AllowedHosts {
    match reach {
        Reach::Program { .. } | Reach::Unusable { .. } => AllowedHosts::Any,
        Reach::Address { url, .. } => {
            let host = url.split_once("://").map_or("", |(_, after)| after);
            let host = host.split(['/', ':', '?']).next().unwrap_or_default();
            AllowedHosts::Only(vec![host.to_owned()])
        }
    }
}

/// What the operator says of it, or the strictest. What the server says of itself, such as `readOnlyHint`, counts for
/// nothing: a hostile one would say that its tools are harmless.
fn class(settings: &ServerSettings, tool: &Tool) -> EffectClass {
    let said = settings.classes.get(tool.name.as_ref());
    said.copied().unwrap_or(EffectClass::Once)
}

/// `server.tool` where that is an id. Otherwise the tool's part is its beginning, `:` and a hash of all of it: no name
/// that fits holds a `:`, so the two never meet.
pub(crate) fn id(server: &str, tool: &str) -> Result<ToolId, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !tool.is_empty()
        && tool.chars().all(fits)
        && let Ok(id) = ToolId::new(format!("{server}.{tool}"))
    {
        return Ok(id);
    }
    let stem: String = tool
        .chars()
        .filter(|&c| fits(c))
        .take(STEM_CHARS_MAX)
        .collect();
    let hash = tool.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    ToolId::new(format!("{server}.{stem}:{hash:016x}")).map_err(|error| error.to_string())
}

fn schema(which: &str, schema: Value) -> Result<Value, String> {
    let bytes = schema.to_string().len();
    if bytes > SCHEMA_BYTES_MAX {
        return Err(format!(
            "its {which} schema has {bytes} bytes; the limit is {SCHEMA_BYTES_MAX}"
        ));
    }
    match Schema::compile(&schema) {
        Ok(_) => Ok(schema),
        Err(error) => Err(format!(
            "its {which} schema is not a usable JSON Schema: {error}"
        )),
    }
}

/// A text from outside as it may be shown: on one line, not longer than that, and with nothing in it that cannot be seen.
pub(crate) fn clean(text: &str, chars_max: usize) -> String {
    let unseen = |c: char| {
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    let seen: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|&c| !c.is_control() && !unseen(c))
        .collect();
    let words: Vec<&str> = seen.split(' ').filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
#[path = "offer_tests.rs"]
mod tests;
