//! `adjutant rate MISSION 1…5`: how satisfied somebody is with a mission, and which of its insights were useful.

use adjutant_analytics::Insight;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::host_link::HostLink;
use adjutant_app::ratings::{CheckedRating, QUESTION, RatingGiven, check_rating, read_rated};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;
use adjutant_host::{MissionRating, Performs, Upkeep};
use adjutant_mission::MissionId;
use serde_json::json;

use crate::args::Rate;
use crate::exit::Exit;
use crate::output::{self, Form, Stage};
use crate::view::{Line, Tone, instant, short, stars, wrap};

/// Whether a rating is one of a whole mission: a whole number without a sign. `1.0` is a share.
pub(super) fn is_stars(rating: &str) -> bool {
    matches!(rating, "1" | "2" | "3" | "4" | "5")
}

pub(super) async fn run(settings: &Settings, rate: Rate) -> Result<Exit, AppError> {
    let form = Form::from(rate.json.json);
    let reading = ReadOnlyStore::expect(settings).await?;
    let named = rate.mission.as_deref().unwrap_or_default();
    let mission = find::mission(reading.store(), named).await?;
    let Some(given) = given(rate)? else {
        let rated = read_rated(&reading.journal, mission).await?;
        return show(mission, &rated.insights, &rated.ratings, form);
    };
    let checked = keep(settings, &reading, mission, given).await?;
    if form == Form::Json {
        output::line(&json!({ "rated": checked.rating }).to_string())?;
        return Ok(Exit::Ok);
    }
    confirm(mission, &checked.rating, checked.replaces.is_some())?;
    Ok(Exit::Ok)
}

/// What is said of the mission; nothing if it is only to be shown.
pub(super) fn given(rate: Rate) -> Result<Option<RatingGiven>, AppError> {
    let remark = rate.note.or(rate.remark);
    let says_nothing = rate.rating.is_none()
        && remark.is_none()
        && rate.useful.is_empty()
        && rate.not_useful.is_empty();
    if says_nothing {
        return Ok(None);
    }
    if let Some(task) = rate.task {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6202",
            format!("a rating from 1 to 5 is of the whole mission, not of `{task:.60}`"),
            "Omit `--task`, or write `right`, `wrong` or a share such as 0.5.",
        ));
    }
    Ok(Some(RatingGiven {
        stars: rate.rating.and_then(|stars| stars.parse().ok()),
        remark,
        useful: rate.useful,
        not_useful: rate.not_useful,
    }))
}

/// Refuses a rating with an answer that delivers nothing, and one that is none.
pub(super) fn check_rating_at_delivery(stars: Option<i64>, delivers: bool) -> Result<(), AppError> {
    match stars {
        None => Ok(()),
        Some(1..=5) if delivers => Ok(()),
        Some(1..=5) => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6202",
            "`--rating` goes with the approval of the final review",
            "Omit it here; `adjutant rate` rates a mission that has ended.",
        )),
        Some(other) => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6202",
            format!("`--rating {other}` is not a rating"),
            "Give a whole number from 1 to 5; 5 is the best.",
        )),
    }
}

/// The one question, at a terminal. Any other answer than 1 to 5 is none.
pub(super) fn ask_for_stars() -> Option<i64> {
    if output::stage() != Stage::Interactive {
        return None;
    }
    output::note(&format!("{QUESTION} (Enter: no answer)"));
    let mut typed = String::new();
    std::io::stdin().read_line(&mut typed).ok()?;
    typed
        .trim()
        .parse()
        .ok()
        .filter(|stars| (1..=5).contains(stars))
}

/// Keeps the rating that came with the final answer.
pub(super) async fn rate_at_delivery(
    settings: &Settings,
    mission: MissionId,
    stars: Option<i64>,
) -> Result<(), AppError> {
    if stars.is_none() {
        return Ok(());
    }
    let given = RatingGiven {
        stars,
        ..RatingGiven::default()
    };
    let reading = ReadOnlyStore::expect(settings).await?;
    let checked = keep(settings, &reading, mission, given).await?;
    confirm(mission, &checked.rating, checked.replaces.is_some())
}

/// Checks a rating and has the host keep it.
async fn keep(
    settings: &Settings,
    reading: &ReadOnlyStore,
    mission: MissionId,
    given: RatingGiven,
) -> Result<CheckedRating, AppError> {
    let now = wiring::clock().now();
    let by = settings.me.clone();
    let checked = check_rating(&reading.journal, mission, by, given, now).await?;
    let upkeep = Upkeep::RateMission {
        rating: Box::new(checked.rating.clone()),
    };
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let done = engine.upkeep(&settings.tenant, upkeep).await;
    engine.close().await?;
    done?;
    Ok(checked)
}

pub(super) fn confirm(
    mission: MissionId,
    rating: &MissionRating,
    is_replaced: bool,
) -> Result<(), AppError> {
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(format!(" Mission {}: ", short(mission)))
        .then(told(rating));
    output::line(&line.render(output::paint()))?;
    if is_replaced {
        output::note("   It replaces what you said before.");
    }
    Ok(())
}

/// What can be said of a mission, and what was.
pub(super) fn show(
    mission: MissionId,
    insights: &[Insight],
    ratings: &[MissionRating],
    form: Form,
) -> Result<Exit, AppError> {
    if form == Form::Json {
        let told = json!({ "insights": insights, "ratings": ratings });
        output::line(&told.to_string())?;
        return Ok(Exit::Ok);
    }
    let width = output::size().0.min(100);
    let mut lines = vec![Line::of(Tone::Bold, format!(" {QUESTION}"))];
    let id = short(mission);
    lines.push(Line::of(
        Tone::Dim,
        format!(
            " adjutant rate {id} 4 \"a remark\"   adjutant rate {id} --useful 1,3 --not-useful 2"
        ),
    ));
    if !insights.is_empty() {
        lines.push(Line::new());
        lines.push(Line::of(Tone::Dim, " insights"));
    }
    for insight in insights {
        let mut wrapped = wrap(&insight.text, width.saturating_sub(6)).into_iter();
        let first = wrapped.next().unwrap_or_default();
        lines.push(Line::of(Tone::Dim, format!(" {:>3}  ", insight.number)).plain(first));
        lines.extend(wrapped.map(|more| Line::new().plain(format!("      {more}"))));
    }
    if !ratings.is_empty() {
        lines.push(Line::new());
        lines.push(Line::of(Tone::Dim, " ratings"));
    }
    for rating in ratings {
        let when = Line::of(
            Tone::Dim,
            format!(" · {} · {}", rating.by, instant(rating.at)),
        );
        lines.push(Line::new().plain(" ").then(told(rating)).then(when));
    }
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

fn told(rating: &MissionRating) -> Line {
    let mut line = Line::new();
    if let Some(given) = rating.stars {
        line = line
            .and(Tone::Human, stars(given.get()))
            .plain(format!(" {} of 5", given.get()));
    }
    if !rating.remark.is_empty() {
        line = line.plain(format!(" “{}”", rating.remark));
    }
    for (numbers, word) in [
        (&rating.useful, "useful"),
        (&rating.not_useful, "not useful"),
    ] {
        if !numbers.is_empty() {
            let listed: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            line = line.and(Tone::Dim, format!(" · {word}: {}", listed.join(", ")));
        }
    }
    line
}
