//! The knowledge base.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Kb {
    /// Import files and folders; folders are checked for changes by `kb reindex` and while `adjutant up` runs
    Add(KbAdd),
    /// List namespaces, or the documents of one
    List {
        namespace: Option<String>,
        #[command(flatten)]
        json: Json,
    },
    /// Search for passages
    Search(Box<KbSearch>),
    /// Read every document and list what changed, does not fit together, is owed or is missing
    Review(KbReview),
    /// Print the extracted text of a document, or the passage of a citation
    Show {
        /// `NAMESPACE/SOURCE`, or a citation such as `kb:trials/report.pdf#120-480`
        #[arg(value_name = "ADDRESS")]
        address: String,
        #[command(flatten)]
        json: Json,
    },
    /// Remove documents and everything stored about them
    Remove {
        namespace: String,
        /// The documents, as named by `kb list NAMESPACE`
        #[arg(value_name = "SOURCE", required_unless_present = "all")]
        sources: Vec<String>,
        /// All documents, and the namespace itself
        #[arg(long, conflicts_with = "sources")]
        all: bool,
        #[command(flatten)]
        json: Json,
    },
    /// Check all folders again: import new and changed files, remove deleted ones
    Reindex {
        /// Only this namespace
        namespace: Option<String>,
        /// Split and index every document again
        #[arg(long)]
        anew: bool,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(Debug, Args)]
pub(crate) struct KbAdd {
    /// Files (Markdown, text, HTML, PDF, DOCX, spreadsheets, CSV, JSON, e-mail), or folders of such files
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The namespace to add them to
    #[arg(long, short, default_value = "default", value_name = "NAME")]
    pub(crate) namespace: String,
    /// A tag for the documents; may be repeated
    #[arg(long = "tag", short, value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct KbReview {
    /// The namespaces to read; all of them if none is named
    #[arg(value_name = "NAMESPACE")]
    pub(crate) namespaces: Vec<String>,
    /// The day against which due dates are held, such as 2026-09-30
    #[arg(long, value_name = "DATE")]
    pub(crate) today: Option<String>,
    /// List everything, not only the first of each kind
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct KbSearch {
    /// The search text, in plain words
    pub(crate) question: String,
    /// Only in this namespace; may be repeated
    #[arg(long = "namespace", short, value_name = "NAME")]
    pub(crate) namespaces: Vec<String>,
    /// Only documents of this kind; may be repeated
    #[arg(long = "kind", value_name = "KIND", value_parser = ["markdown", "text", "html", "pdf", "docx", "csv", "json", "email", "spreadsheet"])]
    pub(crate) kinds: Vec<String>,
    /// Only documents with this tag; if repeated, with all of the tags
    #[arg(long = "tag", short, value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only documents dated on or after this date: 2024, 2024-03 or 2024-03-01
    #[arg(long, value_name = "DATE")]
    pub(crate) from: Option<String>,
    /// Only documents dated on or before this date
    #[arg(long, value_name = "DATE")]
    pub(crate) to: Option<String>,
    /// The maximum number of passages
    #[arg(long, short, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) most: u32,
    /// Explain each score
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
            Self::Review(review) => review.json.json,
            Self::List { json, .. }
            | Self::Show { json, .. }
            | Self::Remove { json, .. }
            | Self::Reindex { json, .. } => json.json,
        }
    }
}
