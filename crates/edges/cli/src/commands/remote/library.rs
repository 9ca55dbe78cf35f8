//! What a server's missions may use: tools, and documents to read.

use adjutant_tools::Manifest;
use serde::Deserialize;
use serde_json::Value;

use super::as_type;
use crate::args::{Kb, KbSearch, Tools};
use crate::commands::{kb, kb_search, tools as local};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::Line;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::knowledge::title_within;
use adjutant_client::Server;

pub(super) async fn tools(server: &Server, which: Tools) -> Result<Exit, AppError> {
    match which {
        Tools::List(json) => local::list(&listed(server).await?, json.json.into()),
        Tools::Show { tool, json } => {
            let all = listed(server).await?;
            let found = all.iter().find(|one| one.manifest.id.as_str() == tool);
            let found = found.ok_or_else(|| {
                let names: Vec<&str> = all.iter().map(|one| one.manifest.id.as_str()).collect();
                AppError::new(
                    ErrorKind::BadInput,
                    "ADJ-6080",
                    format!(
                        "the server has no tool `{tool}`; its tools are {}",
                        names.join(", ")
                    ),
                    "Use one of those; `adjutant tools list` describes them.",
                )
            })?;
            local::show(&found.manifest, found.refusal.as_deref(), json.json.into())
        }
        // Refused before anything was asked.
        Tools::Call(_) => Ok(Exit::BadInput),
    }
}

async fn listed(server: &Server) -> Result<Vec<local::Listed>, AppError> {
    let mut told = server.get("/api/tools").await?;
    let rows: Vec<Value> = as_type(server, told["tools"].take())?;
    let listed = rows.into_iter().map(|row| {
        let permitted = row["permitted"] == true;
        let manifest: Manifest = as_type(server, row)?;
        let refusal = format!("the server's settings do not permit `{}`", manifest.id);
        Ok(local::Listed {
            refusal: (!permitted).then_some(refusal),
            manifest,
        })
    });
    listed.collect()
}

pub(super) async fn knowledge(server: &Server, which: Kb) -> Result<Exit, AppError> {
    match which {
        Kb::List { namespace, json } => list(server, namespace, json.json.into()).await,
        Kb::Search(search) => self::search(server, *search).await,
        // Refused before anything was asked.
        Kb::Add(_) | Kb::Review(_) | Kb::Show { .. } | Kb::Remove { .. } | Kb::Reindex { .. } => {
            Ok(Exit::BadInput)
        }
    }
}

async fn list(server: &Server, one: Option<String>, form: Form) -> Result<Exit, AppError> {
    let (path, rows) = match &one {
        None => ("/api/knowledge_bases".to_owned(), "knowledge_bases"),
        Some(one) => {
            let path = server.path(&["api", "knowledge_bases", one], &[]);
            (path, "documents")
        }
    };
    let mut told = server.get(&path).await?;
    let rows = told[rows].take();
    if form == Form::Json {
        for row in rows.as_array().into_iter().flatten() {
            output::line(&row.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    match one {
        None if rows.as_array().is_some_and(Vec::is_empty) => {
            output::note("The server's knowledge base is empty; import documents on the server.");
            Ok(Exit::Ok)
        }
        None => kb::tell_bases(&as_type::<Vec<_>>(server, rows)?),
        Some(_) => kb::tell_documents(&as_type::<Vec<_>>(server, rows)?),
    }
}

#[derive(Deserialize)]
struct Passage {
    title: Option<String>,
    source: String,
    headings: Vec<String>,
    pages: Option<(u32, u32)>,
    date: Option<String>,
    text: String,
    address: String,
}

async fn search(server: &Server, search: KbSearch) -> Result<Exit, AppError> {
    let base = only(server, &search.namespaces).await?;
    let most = search.most.to_string();
    let path = server.path(
        &["api", "knowledge_bases", &base, "search"],
        &[("query", &search.question), ("limit", &most)],
    );
    let mut told = server.get(&path).await?;
    if let Some(note) = told["note"].as_str() {
        output::note(note);
    }
    if search.json.json {
        for passage in told["passages"].as_array().into_iter().flatten() {
            output::line(&passage.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    let searched: u32 = as_type(server, told["searched"].take())?;
    let passages: Vec<Passage> = as_type(server, told["passages"].take())?;
    if passages.is_empty() {
        kb_search::nothing_found(searched);
        return Ok(Exit::Ok);
    }
    let (width, _) = output::size();
    let mut lines = Vec::new();
    for (rank, passage) in (1..).zip(passages) {
        let title = passage.title.as_ref().unwrap_or(&passage.source);
        let shown = kb_search::Shown {
            title: title_within(title, passage.headings.last().map(String::as_str)),
            pages: passage.pages,
            date: passage.date,
            text: passage.text,
            address: passage.address,
        };
        lines.extend(shown.lines(rank, width));
        lines.push(Line::new());
    }
    lines.push(kb_search::searched(searched));
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

/// A server searches one namespace at a time: the one that is named, or the only one there is.
async fn only(server: &Server, named: &[String]) -> Result<String, AppError> {
    let one = |told: String| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6146",
            told,
            "Name one with `--namespace`; `adjutant kb list` lists them.",
        )
    };
    match named {
        [name] => return Ok(name.clone()),
        [] => {}
        _ => return Err(one("a server searches one namespace at a time".into())),
    }
    let told = server.get("/api/knowledge_bases").await?;
    let bases = told["knowledge_bases"].as_array().into_iter().flatten();
    let names: Vec<&str> = bases.filter_map(|base| base["name"].as_str()).collect();
    match names.as_slice() {
        [name] => Ok((*name).to_owned()),
        [] => Err(one("the server's knowledge base is empty".into())),
        names => {
            let all = names.join(", ");
            Err(one(format!(
                "a server searches one namespace at a time, and it has {all}"
            )))
        }
    }
}
