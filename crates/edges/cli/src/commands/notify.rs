//! `adjutant notify`: who is told of questions and endings, what they have not been told yet, and whether it works.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_journal::{Listed, TenantJournal};
use adjutant_mission::{InboxEntry, MissionId, Phase, Role, Timestamp};
use adjutant_notify::{
    About, Carrier, Channel, ChannelName, ChannelState, Progress, QuietHours, State, Subject, Tells,
};
use adjutant_store::{ListOrder, ListQuery, RecordKind, Retention};
use serde::Serialize;

use super::notify_trial;
use crate::args::Notify;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Table, Tone, count, short, short_checkpoint, until, wrap};
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::{ChannelSettings, Settings};
use adjutant_app::stores::AnyTenant;
use adjutant_app::wiring;

/// Open questions that are looked at.
const INBOX_MAX: u32 = 2_000;
pub(super) const SECRET_MISSING: &str = "Set the variable of `secret_env`, or write the file of `secret_file` with mode 600; test it with `adjutant notify test`.";
/// Missions read at a time when endings are looked for.
const PAGE_MISSIONS: u32 = 1_000;
const ENDED: [Phase; 3] = [Phase::Completed, Phase::Failed, Phase::Cancelled];
const REASON_INDENT: usize = 3;
/// Notices that are listed.
const LISTED_MAX: usize = 100;

pub(super) async fn run(settings: &Settings, which: Notify) -> Result<Exit, AppError> {
    match which {
        Notify::List(json) => list(settings, json.json.into()).await,
        Notify::Test { channel, json } => {
            notify_trial::test(settings, &channel, json.json.into()).await
        }
    }
}

/// What a channel has not told.
#[derive(Debug, Serialize)]
struct Untold {
    notice: String,
    about: String,
    tries: u16,
    /// When it is tried again; absent if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_try_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "String::is_empty")]
    why: String,
    #[serde(skip)]
    shown: String,
}

#[derive(Default)]
struct Told {
    states: BTreeMap<String, ChannelState>,
    progress: BTreeMap<String, Progress>,
    inbox: Vec<InboxEntry>,
    /// Missions that have ended and that some channel may still owe a notice of.
    ended: Vec<Ended>,
}

struct Ended {
    mission: MissionId,
    title: String,
    at: Timestamp,
}

impl Told {
    async fn read(settings: &Settings) -> Result<Self, AppError> {
        let Some(ReadOnlyStore { journal, .. }) = ReadOnlyStore::open(settings).await? else {
            return Ok(Self::default());
        };
        let states = journal.records(RecordKind::Channel).await?;
        let states: BTreeMap<String, ChannelState> = states.into_iter().collect();
        let progress = journal.records(RecordKind::Notice).await?;
        let progress = progress.into_iter().collect();
        Ok(Self {
            ended: ended(&journal, &states, &progress).await?,
            states,
            progress,
            inbox: journal.inbox(INBOX_MAX).await?,
        })
    }

    /// Open questions first, then endings.
    fn untold(&self, channel: &Channel, now: Timestamp) -> Vec<Untold> {
        if matches!(channel.carrier, Carrier::Terminal) {
            return Vec::new();
        }
        let trouble = trouble(channel, self.states.get(channel.name.as_str()));
        let works = Works::unless(trouble.as_ref());
        let never = Progress::default();
        let questions = self.inbox.iter().filter_map(|entry| {
            let about = about(entry);
            let record = channel.name.record(about.subject);
            let progress = self.progress.get(&record).unwrap_or(&never);
            let wanted = channel.takes(&about) && !is_delivered(progress);
            wanted.then(|| untold(channel, works, &about, &entry.question, progress, now))
        });
        let settled = self.states.get(channel.name.as_str());
        let settled = settled.map(|state| state.endings_until);
        let endings = self.ended.iter().filter_map(|ended| {
            let about = About::ending(ended.mission, ended.at);
            let record = channel.name.record(about.subject);
            let progress = self.progress.get(&record);
            // Without a record it was never tried, or is settled for good.
            let owed = match progress {
                Some(progress) => !is_delivered(progress),
                None => settled.is_some_and(|until| ended.at > until),
            };
            let wanted = channel.takes(&about) && owed;
            let progress = progress.unwrap_or(&never);
            let told = format!("the end of “{}”", ended.title);
            wanted.then(|| untold(channel, works, &about, &told, progress, now))
        });
        questions.chain(endings).collect()
    }
}

/// Missions are listed by when they began, so that all that have ended must be looked through.
async fn ended(
    journal: &TenantJournal<AnyTenant>,
    states: &BTreeMap<String, ChannelState>,
    progress: &BTreeMap<String, Progress>,
) -> Result<Vec<Ended>, AppError> {
    let (mut found, mut before) = (Vec::new(), None);
    let Some(until) = states.values().map(|state| state.endings_until).min() else {
        return Ok(found);
    };
    // What was given up is told of for some days, though nothing of its time is owed any more.
    let recorded: BTreeSet<Subject> = progress
        .keys()
        .filter_map(|name| Some(ChannelName::of_record(name)?.1))
        .collect();
    loop {
        let query = ListQuery {
            phases: Some(ENDED.to_vec()),
            limit: PAGE_MISSIONS,
            order: ListOrder::NewestFirst,
            past: before,
        };
        let page = journal.list(query).await?;
        before = page.last().map(|listed| listed.summary.mission);
        let is_last = page.len() < PAGE_MISSIONS as usize;
        for Listed { summary, kept, .. } in page {
            let (mission, at) = (summary.mission, summary.updated_at);
            let may_be_owed = at > until || recorded.contains(&Subject::Ending(mission));
            if kept == Retention::Working && may_be_owed {
                let title = summary.title;
                found.push(Ended { mission, title, at });
            }
        }
        if is_last {
            return Ok(found);
        }
    }
}

fn is_delivered(progress: &Progress) -> bool {
    matches!(progress.state, State::Delivered { .. })
}

fn about(entry: &InboxEntry) -> About {
    About {
        subject: Subject::Checkpoint(entry.checkpoint),
        at: entry.opened_at,
        role: entry.role.clone(),
        severity: Some(entry.severity),
    }
}

/// Whether anything goes through a channel at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Works {
    Yes,
    No,
}

impl Works {
    fn unless(trouble: Option<&String>) -> Self {
        match trouble {
            None => Self::Yes,
            Some(_) => Self::No,
        }
    }
}

fn untold(
    channel: &Channel,
    works: Works,
    about: &About,
    told: &str,
    progress: &Progress,
    now: Timestamp,
) -> Untold {
    let (next, why) = match &progress.state {
        State::Owed | State::Delivered { .. } => (Some(now), String::new()),
        State::Waiting { next_try_at, why } => (Some(*next_try_at), why.clone()),
        State::GivenUp { why, .. } => (None, why.clone()),
    };
    let next = next.filter(|_| works == Works::Yes);
    Untold {
        notice: about.subject.to_string(),
        about: told.to_owned(),
        tries: progress.tries,
        next_try_at: next.map(|next| channel.not_before(next.max(now), about)),
        why,
        shown: match about.subject {
            Subject::Checkpoint(checkpoint) => short_checkpoint(checkpoint),
            Subject::Ending(mission) => short(mission),
        },
    }
}

async fn list(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    let now = wiring::clock().now();
    let told = Told::read(settings).await?;
    let mut listed = Vec::new();
    for configured in &settings.channels {
        let channel = configured.channel();
        if channel.tenant == settings.tenant {
            let untold = told.untold(&channel, now);
            listed.push((configured, channel, untold));
        }
    }
    if form == Form::Json {
        for (configured, channel, untold) in &listed {
            let (kind, to) = configured.described();
            let state = told.states.get(channel.name.as_str());
            let document = serde_json::json!({
                "channel": channel.name.as_str(), "kind": kind, "to": to, "roles": channel.roles,
                "trouble": trouble(channel, state), "untold": untold,
            });
            output::line(&document.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    if listed.is_empty() {
        output::line("No notifications are sent: there are no channels.")?;
        output::note("Set one up under [[notify]] in adjutant.toml; see docs/notifications.md.");
        return Ok(Exit::Ok);
    }
    let mut table = Table::headed(&[
        "  channel",
        "kind",
        "to",
        "tells of",
        "for",
        "quiet",
        "untold",
    ]);
    let mut troubles = Vec::new();
    for (configured, channel, untold) in &listed {
        let trouble = trouble(channel, told.states.get(channel.name.as_str()));
        let works = Works::unless(trouble.as_ref());
        table.row(channel_row(configured, channel, untold.len(), works));
        troubles.extend(trouble.map(|why| (channel.name.as_str(), why)));
    }
    Line::print_all(&table.lines(output::size().0, 2), output::paint())?;
    for (name, why) in troubles {
        Line::print_all(&reason(Tone::Failed, name, &why), output::paint())?;
    }
    print_untold(&listed, now)
}

/// Why something is not told, in as many lines as it takes.
fn reason(tone: Tone, channel: &str, why: &str) -> Vec<Line> {
    let room = output::size().0.saturating_sub(REASON_INDENT);
    let parts = wrap(&format!("{channel}: {why}"), room).into_iter();
    parts
        .map(|part| Line::new().padded(REASON_INDENT).and(tone, part))
        .collect()
}

fn trouble(channel: &Channel, state: Option<&ChannelState>) -> Option<String> {
    if let Carrier::Unusable { why } = &channel.carrier {
        return Some(why.clone());
    }
    state.and_then(|state| state.gone.clone())
}

fn channel_row(
    configured: &ChannelSettings,
    channel: &Channel,
    untold: usize,
    works: Works,
) -> [Line; 7] {
    let (kind, to) = configured.described();
    let tells = match channel.tells {
        Tells::Both => "questions, endings",
        Tells::Checkpoints => "questions",
        Tells::Endings => "endings",
    };
    let roles: Vec<&str> = channel.roles.iter().map(Role::as_str).collect();
    let roles = if roles.is_empty() {
        "everyone".into()
    } else {
        roles.join(", ")
    };
    let clock = |time: jiff::civil::Time| time.strftime("%H:%M").to_string();
    let quiet = |quiet: &QuietHours| format!("{}–{}", clock(quiet.from()), clock(quiet.until()));
    let sign = match (works, untold) {
        (Works::No, _) => Line::of(Tone::Failed, "✗ "),
        (Works::Yes, 0) => Line::of(Tone::Done, "✓ "),
        (Works::Yes, _) => Line::of(Tone::Human, "● "),
    };
    let untold = match untold {
        0 => String::new(),
        untold => untold.to_string(),
    };
    [
        sign.and(Tone::Bold, channel.name.as_str()),
        Line::of(Tone::Plain, kind),
        Line::of(Tone::Plain, to),
        Line::of(Tone::Dim, tells),
        Line::of(Tone::Dim, roles),
        Line::of(
            Tone::Dim,
            channel.quiet.as_ref().map_or(String::new(), quiet),
        ),
        Line::of(Tone::Human, untold),
    ]
}

fn print_untold(
    listed: &[(&ChannelSettings, Channel, Vec<Untold>)],
    now: Timestamp,
) -> Result<Exit, AppError> {
    let all: usize = listed.iter().map(|(_, _, untold)| untold.len()).sum();
    if all == 0 {
        return Ok(Exit::Ok);
    }
    output::line("")?;
    let rows = listed.iter().flat_map(|(_, channel, untold)| {
        let name = channel.name.as_str();
        untold.iter().map(move |untold| (name, untold))
    });
    let mut table = Table::headed(&["untold", "about", "channel", "tries", "next"]);
    // Many notices fail for one reason.
    let mut reasons: Vec<(&str, &str)> = Vec::new();
    for (channel, untold) in rows.take(LISTED_MAX) {
        let reason = (channel, untold.why.as_str());
        if !untold.why.is_empty() && !reasons.contains(&reason) {
            reasons.push(reason);
        }
        let next = match untold.next_try_at {
            None if untold.tries > 0 => Line::of(Tone::Failed, "given up"),
            None => Line::of(Tone::Dim, "when it works"),
            Some(at) if at <= now => Line::of(Tone::Dim, "while a host is up"),
            Some(at) => Line::of(Tone::Dim, until(now, at)),
        };
        table.row([
            Line::of(Tone::Human, &untold.shown),
            Line::of(Tone::Bold, &untold.about),
            Line::of(Tone::Plain, channel),
            Line::of(Tone::Dim, untold.tries.to_string()),
            next,
        ]);
    }
    Line::print_all(&table.lines(output::size().0, 1), output::paint())?;
    for (channel, why) in reasons {
        Line::print_all(&reason(Tone::Dim, channel, why), output::paint())?;
    }
    if all > LISTED_MAX {
        output::line(&format!(" … and {} more", all - LISTED_MAX))?;
    }
    Ok(Exit::Ok)
}

/// Channels that lack something, and what.
pub(super) fn unusable(settings: &Settings) -> Vec<(&ChannelName, String)> {
    let broken = |configured: &'_ ChannelSettings| match configured.channel().carrier {
        Carrier::Unusable { why } => Some(why),
        _ => None,
    };
    let channels = settings.channels.iter();
    channels
        .filter_map(|configured| Some((configured.name(), broken(configured)?)))
        .collect()
}

/// What `doctor` says of channels: how many there are, what they gave up, and which cannot work.
pub(super) async fn standing(settings: &Settings) -> Result<String, (String, String)> {
    let broken = unusable(settings);
    if broken.is_empty() {
        let channels = match settings.channels.len() {
            0 => return Ok("none, so no notifications are sent".into()),
            n => count(n, "channel"),
        };
        // A store that cannot be read has a line of its own.
        let progress: Vec<(String, Progress)> = match ReadOnlyStore::open(settings).await {
            Ok(Some(reading)) => {
                let records = reading.journal.records(RecordKind::Notice).await;
                records.unwrap_or_default()
            }
            Ok(None) | Err(_) => Vec::new(),
        };
        let is_given_up = |progress: &Progress| matches!(progress.state, State::GivenUp { .. });
        let given_up = progress
            .iter()
            .filter(|(_, progress)| is_given_up(progress));
        return Ok(match given_up.count() {
            0 => channels,
            n => format!(
                "{channels}, {} given up; see `adjutant notify list`",
                count(n, "notice")
            ),
        });
    }
    let told: Vec<String> = broken
        .iter()
        .map(|(name, why)| format!("`{name}`: {why}"))
        .collect();
    Err((
        format!("[ADJ-7032] {}", told.join("; ")),
        SECRET_MISSING.into(),
    ))
}
