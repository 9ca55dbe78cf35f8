//! The knowledge base.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Kb {
    /// Take in files and folders; a folder is looked at again by `kb reindex` and while `adjutant up` runs
    Add(KbAdd),
    /// List namespaces, or the documents of one
    List {
        namespace: Option<String>,
        #[command(flatten)]
        json: Json,
    },
    /// Find passages
    Search(Box<KbSearch>),
    /// Print what was read of a document, or the passage that a citation names
    Show {
        /// `NAMESPACE/SOURCE`, or a citation such as `kb:trials/report.pdf#120-480`
        #[arg(value_name = "ADDRESS")]
        address: String,
        #[command(flatten)]
        json: Json,
    },
    /// Take documents out, with everything that is kept of them
    Remove {
        namespace: String,
        /// Which, as `kb list NAMESPACE` calls them
        #[arg(value_name = "SOURCE", required_unless_present = "all")]
        sources: Vec<String>,
        /// All of them, and the namespace with them
        #[arg(long, conflicts_with = "sources")]
        all: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Look at all folders again: take in what is new or changed, take out what is gone
    Reindex {
        /// Only this one
        namespace: Option<String>,
        /// Cut and index every document anew as well
        #[arg(long)]
        anew: bool,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(Debug, Args)]
pub(crate) struct KbAdd {
    /// Markdown, text, HTML, PDF, DOCX, CSV, JSON, e-mail; folders with such files
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The namespace they belong to
    #[arg(long, short, default_value = "default", value_name = "NAME")]
    pub(crate) namespace: String,
    /// Tag them; may be repeated
    #[arg(long = "tag", short, value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct KbSearch {
    /// What is looked for, in plain words
    pub(crate) question: String,
    /// Only in this namespace; may be repeated
    #[arg(long = "namespace", short, value_name = "NAME")]
    pub(crate) namespaces: Vec<String>,
    /// Only documents of this kind; may be repeated
    #[arg(long = "kind", value_name = "KIND", value_parser = ["markdown", "text", "html", "pdf", "docx", "csv", "json", "email"])]
    pub(crate) kinds: Vec<String>,
    /// Only documents with this tag; with several, with all of them
    #[arg(long = "tag", short, value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only documents dated from then on: 2024, 2024-03 or 2024-03-01
    #[arg(long, value_name = "DATE")]
    pub(crate) from: Option<String>,
    /// Only documents dated until then
    #[arg(long, value_name = "DATE")]
    pub(crate) to: Option<String>,
    /// How many passages at most
    #[arg(long, short, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) most: u32,
    /// Say how each score came about
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl Kb {
    pub(super) fn json(&self) -> bool {
        match self {
            Self::Add(add) => add.json.json,
            Self::Search(search) => search.json.json,
            Self::List { json, .. }
            | Self::Show { json, .. }
            | Self::Remove { json, .. }
            | Self::Reindex { json, .. } => json.json,
        }
    }
}
