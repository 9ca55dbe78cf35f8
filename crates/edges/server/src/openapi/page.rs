//! The description as a page: every route with who may take it, what it takes and what it answers. It needs no script and
//! loads nothing from elsewhere.

use std::fmt::Write;

use serde_json::Value;

use crate::html::escaped;

const STYLE: &str = "\
:root{--ink:#1c2430;--soft:#5c6675;--line:#d8dee6;--paper:#fff;--tint:#f5f7fa;--blue:#005a9c;--green:#1a6b3c;--red:#9c2a1f}\
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa5b4;--line:#2f3946;--paper:#141a22;--tint:#1b232d;--blue:#6db3f2;--green:#6fce98;--red:#f08b7d}}\
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\
main{max-width:60rem;margin:0 auto;padding:3rem 1.5rem 6rem}h1{margin:0;font-size:2rem}h2{margin:2.5rem 0 .75rem;font-size:1.15rem}\
p{margin:.35rem 0 0;color:var(--soft)}a{color:var(--blue)}code,pre{font:.875rem/1.5 ui-monospace,monospace}\
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;background:var(--paper)}details[open]{background:var(--tint)}\
summary{display:flex;gap:.75rem;align-items:baseline;padding:.55rem .8rem;cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}\
summary:focus-visible{outline:2px solid var(--blue);outline-offset:2px;border-radius:6px}\
.method{flex:0 0 3.6rem;font-weight:600;font-size:.8rem;color:var(--blue)}.post{color:var(--green)}.delete{color:var(--red)}\
.path{overflow-wrap:anywhere}.says{margin-left:auto;color:var(--soft);text-align:right}\
.body{padding:0 .8rem .9rem;border-top:1px solid var(--line)}h3{margin:.9rem 0 .3rem;font-size:.85rem;color:var(--soft);font-weight:600}\
table{width:100%;border-collapse:collapse}td{padding:.25rem .6rem .25rem 0;vertical-align:top;border-top:1px solid var(--line)}\
tr:first-child td{border-top:0}td:first-child{white-space:nowrap}pre{margin:0;padding:.7rem;overflow:auto;background:var(--tint);border:1px solid var(--line);border-radius:4px}\
@media(max-width:40rem){summary{flex-wrap:wrap}.says{margin-left:4.35rem;text-align:left;flex-basis:100%}}";

pub(crate) fn page(document: &Value) -> String {
    let mut html = String::new();
    let version = document["info"]["version"].as_str().unwrap_or_default();
    let summary = document["info"]["summary"].as_str().unwrap_or_default();
    // Writing to a string does not fail.
    let _ = write!(
        html,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Adjutant HTTP API</title>\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><style>{STYLE}</style></head><body><main>\
         <h1>Adjutant HTTP API</h1><p>{}</p><p>Version {} · <a href=\"/api/openapi.json\">OpenAPI 3.1</a> · send \
         <code>Authorization: Bearer TOKEN</code></p>",
        escaped(summary),
        escaped(version)
    );
    for (group, operations) in groups(document) {
        let _ = write!(html, "<h2>{}</h2>", escaped(group));
        for (method, path, operation) in operations {
            one(&mut html, document, method, path, operation);
        }
    }
    html.push_str("</main></body></html>");
    html
}

type Operations<'a> = Vec<(&'a str, &'a str, &'a Value)>;

/// What people come for goes first.
const ORDER: [&str; 6] = [
    "Missions",
    "Questions",
    "Catalogue",
    "Mode 3",
    "Access",
    "About",
];

/// The operations by group.
fn groups(document: &Value) -> Vec<(&str, Operations<'_>)> {
    let mut groups: Vec<(&str, Operations<'_>)> = Vec::new();
    let paths = document["paths"].as_object().into_iter().flatten();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let group = operation["tags"][0].as_str().unwrap_or_default();
            let of_path = (method.as_str(), path.as_str(), operation);
            match groups.iter_mut().find(|(known, _)| *known == group) {
                Some((_, operations)) => operations.push(of_path),
                None => groups.push((group, vec![of_path])),
            }
        }
    }
    groups.sort_by_key(|(group, _)| ORDER.iter().position(|known| known == group));
    groups
}

fn one(html: &mut String, document: &Value, method: &str, path: &str, operation: &Value) {
    let text = |name: &str| escaped(operation[name].as_str().unwrap_or_default());
    let _ = write!(
        html,
        "<details><summary><span class=\"method {method}\">{}</span><code class=\"path\">{}</code>\
         <span class=\"says\">{}</span></summary><div class=\"body\"><p>{}</p>",
        method.to_uppercase(),
        escaped(path),
        text("summary"),
        text("description"),
    );
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let rows: Vec<String> = parameters.map(parameter).collect();
    table(html, "Parameters", &rows);
    let kinds = operation["requestBody"]["content"].as_object();
    let schema = kinds.and_then(|kinds| Some(&kinds.values().next()?["schema"]));
    if let Some(sent) = schema.and_then(|schema| resolved(document, schema)) {
        let shown = serde_json::to_string_pretty(sent).unwrap_or_default();
        let _ = write!(html, "<h3>Takes</h3><pre>{}</pre>", escaped(&shown));
    }
    let responses = operation["responses"].as_object().into_iter().flatten();
    let rows: Vec<String> = responses
        .map(|(status, response)| {
            let kinds = response["content"].as_object().into_iter().flatten();
            let kinds: Vec<&str> = kinds.map(|(kind, _)| kind.as_str()).collect();
            format!(
                "<td><code>{}</code></td><td>{}</td><td><code>{}</code></td>",
                escaped(status),
                escaped(response["description"].as_str().unwrap_or_default()),
                escaped(&kinds.join(", "))
            )
        })
        .collect();
    table(html, "Answers", &rows);
    html.push_str("</div></details>");
}

fn parameter(parameter: &Value) -> String {
    let text = |name: &str| escaped(parameter[name].as_str().unwrap_or_default());
    format!(
        "<td><code>{}</code></td><td>{}</td><td>{}</td><td><code>{}</code></td>",
        text("name"),
        text("in"),
        text("description"),
        escaped(&parameter["schema"].to_string())
    )
}

fn table(html: &mut String, heading: &str, rows: &[String]) {
    if !rows.is_empty() {
        let _ = write!(html, "<h3>{heading}</h3><table>");
        for row in rows {
            let _ = write!(html, "<tr>{row}</tr>");
        }
        html.push_str("</table>");
    }
}

/// What a schema refers to.
fn resolved<'a>(document: &'a Value, schema: &Value) -> Option<&'a Value> {
    let name = schema["$ref"].as_str()?.rsplit('/').next()?;
    document["components"]["schemas"].get(name)
}
