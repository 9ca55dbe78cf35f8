//! The OpenAPI 3.1 document. It is generated from the route table, so it describes exactly the routes that exist.

mod description;
mod page;
mod resources;
pub(crate) mod schemas;

use adjutant_host::AccessRole;
use adjutant_store::MemoryStore;
use serde_json::{Map, Value, json};

use crate::access::{Permit, may};
use crate::routes::{Route, table};

pub(crate) use description::{Description, describe};
pub(crate) use page::page;

pub(crate) const JSON: &str = "application/json";
const HTML: &str = "text/html";
const FORM: &str = "application/x-www-form-urlencoded";
const PROBLEM: &str = "application/problem+json";

pub(crate) const REPEATABLE: &[&str] = &["Idempotency-Key"];

/// The description.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    for entry in table::<MemoryStore>() {
        let route = entry.route;
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation(&route, &entry.description);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Adjutant",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Start missions (long-running agent work under human supervision), follow their events and answer their questions.",
        },
        "paths": paths,
        "security": [{"token": []}],
        "components": {
            "schemas": schemas::all(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn operation(route: &Route, described: &Description) -> Value {
    let mut parameters = in_path(route.path);
    for (name, schema, about) in &described.parameters {
        parameters.push(json!({
            "name": name, "in": "query", "description": about, "schema": schema,
            "required": described.required == Some(*name),
        }));
    }
    for name in described.headers {
        parameters.push(json!({
            "name": name, "in": "header", "schema": schemas::header(name),
        }));
    }
    let mut operation = json!({
        "operationId": operation_id(route),
        "tags": [described.group],
        "summary": described.summary,
        "description": for_whom(route.permit),
        "parameters": parameters,
        "responses": responses(route, described),
    });
    if let Some((kind, body)) = described.request {
        operation["requestBody"] = json!({
            "required": true,
            "content": {kind: {"schema": reference(body)}},
        });
    }
    if route.permit == Permit::Anybody {
        operation["security"] = json!([]);
    }
    operation
}

fn operation_id(route: &Route) -> String {
    let words = route.path.split(|char: char| !char.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && *word != "api");
    let words: Vec<&str> = words.collect();
    format!("{}_{}", route.method.to_lowercase(), words.join("_"))
}

fn in_path(path: &str) -> Vec<Value> {
    let names = path
        .split('{')
        .skip(1)
        .filter_map(|at| at.split('}').next());
    let parameters = names.map(|name| {
        json!({
            "name": name, "in": "path", "required": true, "schema": schemas::in_path(name),
        })
    });
    parameters.collect()
}

/// The roles that may call a route, in words.
fn for_whom(permit: Permit) -> String {
    if permit == Permit::Anybody {
        return "No token required.".to_owned();
    }
    let roles = AccessRole::ALL
        .into_iter()
        .filter(|role| may(*role, permit));
    let roles: Vec<&str> = roles.map(AccessRole::name).collect();
    format!("Allowed roles: {}.", roles.join(", "))
}

fn responses(route: &Route, described: &Description) -> Value {
    let mut responses = Map::new();
    for (status, kind, schema) in &described.answers {
        let said = responses
            .entry(status.to_string())
            .or_insert_with(|| json!({"description": reason(*status)}));
        if !kind.is_empty() {
            said["content"][*kind] = json!({"schema": reference(schema)});
        }
    }
    let signed_in: &[u16] = match route.permit {
        Permit::Anybody => &[],
        _ => &[401, 403],
    };
    let refusals = signed_in.iter().chain(described.refusals);
    for status in refusals.chain(&[421, 503]) {
        let said = responses.entry(status.to_string());
        said.or_insert_with(|| problem(reason(*status)));
    }
    responses.insert("default".to_owned(), problem("Any other error"));
    Value::Object(responses)
}

fn problem(about: &str) -> Value {
    json!({"description": about, "content": {PROBLEM: {"schema": reference("Problem")}}})
}

fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

fn reason(status: u16) -> &'static str {
    let status = axum::http::StatusCode::from_u16(status).ok();
    status
        .and_then(|status| status.canonical_reason())
        .unwrap_or("Problem")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn whatever_is_referred_to_is_there() {
        let document = document();
        let text = document.to_string();
        let referred = text.split("#/components/schemas/").skip(1);
        let referred: BTreeSet<&str> = referred.filter_map(|at| at.split('"').next()).collect();
        let known = document["components"]["schemas"].as_object();
        let known: BTreeSet<&str> = known
            .into_iter()
            .flat_map(|known| known.keys().map(String::as_str))
            .collect();
        assert_eq!(referred, known);
    }

    #[test]
    fn operations_have_names_of_their_own() {
        let ids: BTreeSet<String> = crate::ROUTES.iter().map(operation_id).collect();
        assert_eq!(ids.len(), crate::ROUTES.len());
    }
}
