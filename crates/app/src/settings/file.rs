//! The settings file. What it may hold is spelled out here; anything else is refused with its line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use adjutant_host::Quotas;
use adjutant_mission::{AgentId, Autonomy, CheckpointType, TenantId};
use serde::Deserialize;

use crate::error::{AppError, ErrorKind, Place};
use crate::rules::RuleFiles;
use crate::workflow::WorkflowPolicy;

/// A settings file larger than this is something else.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Contents {
    #[serde(default)]
    pub(super) me: Me,
    #[serde(default)]
    pub(super) store: Store,
    #[serde(default)]
    pub(super) keys: Keys,
    #[serde(default)]
    pub(super) keeping: Keeping,
    #[serde(default)]
    pub(super) tools: super::tools::Tools,
    #[serde(default)]
    pub(super) lookups: super::lookups::Lookups,
    #[serde(default)]
    pub(super) mcp: BTreeMap<String, super::mcp::McpServer>,
    #[serde(default)]
    pub(super) delegates: BTreeMap<String, super::delegates::Delegate>,
    #[serde(default)]
    pub(super) host: Host,
    #[serde(default)]
    pub(super) notify: Vec<Notify>,
    #[serde(default)]
    pub(super) models: adjutant_providers::ModelSettings,
    #[serde(default)]
    pub(super) guard: adjutant_guard::GuardPolicy,
    #[serde(default)]
    pub(super) privacy: Privacy,
    #[serde(default)]
    pub(super) server: Server,
    #[serde(default)]
    pub(super) rules: Rules,
    #[serde(default)]
    pub(super) workflows: Workflows,
    #[serde(default)]
    pub(super) supervisors: Vec<adjutant_supervision::Supervisor>,
}

/// Workflows that programs outside start.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Workflows {
    #[serde(default)]
    approvers: Vec<String>,
    #[serde(default)]
    approved_in_advance: Vec<CheckpointType>,
    /// In dollars, as plans write amounts.
    budget: Option<String>,
}

impl Workflows {
    pub(super) fn policy(self) -> Result<WorkflowPolicy, AppError> {
        use CheckpointType::{FinalReview, PlanApproval};
        let unfit = |message: String, help: &str| {
            AppError::new(ErrorKind::BadInput, "ADJ-6233", message, help)
        };
        let own = |kind: &&CheckpointType| !matches!(kind, PlanApproval | FinalReview);
        if let Some(kind) = self.approved_in_advance.iter().find(own) {
            return Err(unfit(
                format!(
                    "`workflows.approved_in_advance` cannot contain `{}`",
                    kind.name()
                ),
                "Only `plan_approval` and `final_review` can be approved in advance for workflows.",
            ));
        }
        let default = WorkflowPolicy::default();
        let budget = self.budget.as_deref().map(adjutant_plans::parse_money);
        let budget = budget.transpose().map_err(|why| {
            unfit(
                format!("`workflows.budget` is no amount of money: {why}"),
                "Write it as in plans: `$2.00`.",
            )
        })?;
        let approvers = self.approvers.iter();
        let approvers = approvers.map(|who| super::name("workflows.approvers", who, AgentId::new));
        Ok(WorkflowPolicy {
            approvers: approvers.collect::<Result<_, _>>()?,
            approved_in_advance: self.approved_in_advance,
            budget: budget.unwrap_or(default.budget),
        })
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rules {
    #[serde(default)]
    pub(super) four_eyes: Vec<CheckpointType>,
    pub(super) autonomy: Option<Autonomy>,
    /// Rules for all tenants.
    pub(super) file: Option<PathBuf>,
    #[serde(default)]
    pub(super) tenants: BTreeMap<String, TenantRules>,
}

/// What one tenant has besides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TenantRules {
    pub(super) file: PathBuf,
}

impl Rules {
    /// Where the rules are.
    pub(super) fn files(
        &self,
        placed: &impl Fn(PathBuf) -> PathBuf,
    ) -> Result<RuleFiles, AppError> {
        let of = self.tenants.iter().map(|(tenant, rules)| {
            let tenant = super::name("rules.tenants", tenant, TenantId::new)?;
            Ok((tenant, placed(rules.file.clone())))
        });
        Ok(RuleFiles {
            general: self.file.clone().map(placed),
            of: of.collect::<Result<_, AppError>>()?,
        })
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Server {
    pub(super) public_url: Option<String>,
    #[serde(default)]
    pub(super) limits: super::StartLimits,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Privacy {
    pub(super) redact: Option<bool>,
    #[serde(default)]
    pub(super) outgoing: adjutant_redact::OutgoingPolicy,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Me {
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) roles: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Store {
    pub(super) path: Option<PathBuf>,
    pub(super) url: Option<String>,
    pub(super) schema: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    pub(super) master_file: Option<PathBuf>,
    pub(super) signing_file: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keeping {
    days: Option<u32>,
    quota_mb: Option<u64>,
    sign_minutes: Option<u64>,
    /// What is different for some tenants.
    #[serde(default)]
    tenants: BTreeMap<String, TenantKeeping>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct TenantKeeping {
    days: Option<u32>,
    quota_mb: Option<u64>,
}

impl Keeping {
    /// What holds for one tenant, and the quotas of all.
    pub(super) fn of(&self, tenant: &TenantId) -> Result<super::Keeping, AppError> {
        let own = self.tenants.get(tenant.as_str()).copied();
        let own_days = own.and_then(|own| own.days);
        let bytes = |mb: u64| mb.saturating_mul(1 << 20);
        let mut quotas = Quotas {
            general: self.quota_mb.map(bytes),
            of: BTreeMap::new(),
        };
        for (named, keeping) in &self.tenants {
            let named = super::name("keeping.tenants", named, TenantId::new)?;
            if let Some(mb) = keeping.quota_mb {
                quotas.of.insert(named, bytes(mb));
            }
        }
        Ok(super::Keeping {
            days: own_days.or(self.days).unwrap_or(super::KEEP_DAYS),
            quotas,
            sign_every: Duration::from_secs(
                60 * self.sign_minutes.unwrap_or(super::SIGN_MINUTES).max(1),
            ),
        })
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Host {
    pub(super) drain_seconds: Option<u64>,
}

/// A channel of notifications. What belongs to one kind of channel only is refused for the others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Notify {
    pub(super) name: String,
    pub(super) kind: NotifyKind,
    pub(super) tenant: Option<String>,
    #[serde(default)]
    pub(super) roles: Vec<String>,
    pub(super) events: Option<Vec<NotifyEvent>>,
    pub(super) quiet: Option<Quiet>,
    pub(super) url: Option<String>,
    pub(super) server: Option<String>,
    pub(super) port: Option<u16>,
    pub(super) security: Option<Security>,
    pub(super) user: Option<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<Vec<String>>,
    pub(super) ca_file: Option<PathBuf>,
    pub(super) secret_env: Option<String>,
    pub(super) secret_file: Option<PathBuf>,
    #[serde(default)]
    pub(super) insecure: bool,
    pub(super) redact: Option<bool>,
    pub(super) answers_as: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NotifyKind {
    Webhook,
    Email,
    Terminal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NotifyEvent {
    Checkpoints,
    Endings,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Security {
    Tls,
    Starttls,
    None,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Quiet {
    pub(super) from: String,
    pub(super) until: String,
    pub(super) zone: Option<String>,
    pub(super) urgent_anyway: Option<bool>,
}

/// Reads the first of these files that there is.
pub(super) fn read_first(
    candidates: &[PathBuf],
    may_use: impl Fn(&Path, &str) -> Result<(), AppError>,
) -> Result<(Option<PathBuf>, Contents), AppError> {
    for path in candidates {
        let Some(text) = read_text(path)? else {
            continue;
        };
        may_use(path, &text)?;
        let contents = parse(&path.display().to_string(), &text)?;
        return Ok((Some(path.clone()), contents));
    }
    Ok((None, Contents::default()))
}

/// The text of a settings file, if there is one.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, AppError> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let length = match std::fs::metadata(path) {
        Ok(found) if found.is_file() => found.len(),
        Ok(_) => return Ok(None),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(None),
        Err(error) => return Err(unreadable(path, &error.to_string())),
    };
    if length > FILE_BYTES_MAX {
        return Err(unreadable(path, &format!("it has {length} bytes")));
    }
    let text = std::fs::read_to_string(path);
    text.map(Some)
        .map_err(|error| unreadable(path, &error.to_string()))
}

fn unreadable(path: &Path, why: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6002",
        format!("the settings file {} cannot be read: {why}", path.display()),
        "Fix or remove the file.",
    )
}

/// A line as it may be shown: somebody may have written a key where its variable's name belongs.
pub(super) fn without_secret(line: &str) -> String {
    let name = line.split('=').next().unwrap_or_default().to_lowercase();
    let secret = ["key", "secret", "password", "token"];
    match line.split_once('=') {
        Some((before, _)) if secret.iter().any(|word| name.contains(word)) => {
            format!("{before}= …")
        }
        _ => line.to_owned(),
    }
}

pub(super) fn parse(file: &str, text: &str) -> Result<Contents, AppError> {
    let failed = |code: &str, help: &str, error: &toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        AppError::new(
            ErrorKind::BadInput,
            code,
            error.message().replace('\n', ", "),
            help,
        )
        .at(Place {
            file: file.into(),
            line,
            column: 1 + before.get(line_start..).unwrap_or_default().chars().count(),
            path: String::new(),
            excerpt: without_secret(text.lines().nth(line - 1).unwrap_or_default()),
        })
    };
    if let Err(error) = text.parse::<toml::Table>() {
        return Err(failed(
            "ADJ-6002",
            "Fix this line; the file is TOML.",
            &error,
        ));
    }
    toml::from_str(text).map_err(|error| {
        if error.message().starts_with("unknown field") {
            failed(
                "ADJ-6003",
                "Rename or remove it; `adjutant --help` lists the settings.",
                &error,
            )
        } else {
            failed(
                "ADJ-6004",
                "See docs/command-line.md for the values of this setting.",
                &error,
            )
        }
    })
}
