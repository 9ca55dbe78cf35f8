//! What people say of a mission that has ended: one question, asked at delivery, that may be answered then or later.

use adjutant_analytics::{Insight, insights};
use adjutant_host::{MissionRating, Stars, outcomes};
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{AgentId, MissionId, Timestamp};
use adjutant_store::TenantStore;
use serde::{Deserialize, Serialize};

use crate::analytics::read;
use crate::error::{AppError, ErrorKind};
use crate::words::short;

/// The one question.
pub const QUESTION: &str = "How satisfied are you with the result, from 1 to 5?";
/// Characters of a remark.
pub const REMARK_CHARS_MAX: usize = 2_000;

/// What is said now. What is left out stays as it was said before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingGiven {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stars: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Numbers of insights.
    #[serde(default)]
    pub useful: Vec<u32>,
    #[serde(default)]
    pub not_useful: Vec<u32>,
}

/// A rating that may be kept, and whether the same person rated the mission before.
#[derive(Debug)]
pub struct CheckedRating {
    pub rating: MissionRating,
    pub replaces: Option<MissionRating>,
}

/// The insights of a mission, and what was said of it.
#[derive(Debug)]
pub struct Rated {
    pub has_ended: bool,
    pub insights: Vec<Insight>,
    pub ratings: Vec<MissionRating>,
}

/// Reads what can be rated of a mission, and how it was rated.
pub async fn read_rated<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
) -> Result<Rated, AppError> {
    let row = journal.store().row(mission).await?;
    let row = row.ok_or(JournalError::MissionUnknown(mission))?;
    let (events, found) = read(journal, &row).await?;
    let insights = insights(&events, &found).map_err(|source| JournalError::Corrupt {
        mission,
        source: Box::new(source),
    })?;
    let mut ratings = outcomes(journal).await?.ratings;
    ratings.retain(|rating| rating.mission == mission);
    ratings.sort_by_key(|rating| rating.at);
    Ok(Rated {
        has_ended: row.summary.phase.is_ended(),
        insights,
        ratings,
    })
}

/// Checks what somebody says of a mission, and puts it together with what they said before.
pub async fn check_rating<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
    by: AgentId,
    given: RatingGiven,
    at: Timestamp,
) -> Result<CheckedRating, AppError> {
    let rated = read_rated(journal, mission).await?;
    if !rated.has_ended {
        return Err(AppError::new(
            ErrorKind::Conflict,
            "ADJ-6203",
            format!("mission {} has not ended", short(mission)),
            "Rate it when it has ended.",
        ));
    }
    let before = rated.ratings.iter().find(|rating| rating.by == by);
    let rating = merged(&rated.insights, before, given, |before| MissionRating {
        mission,
        by: by.clone(),
        at,
        stars: before.and_then(|before| before.stars),
        remark: before.map_or_else(String::new, |before| before.remark.clone()),
        useful: before.map_or_else(Vec::new, |before| before.useful.clone()),
        not_useful: before.map_or_else(Vec::new, |before| before.not_useful.clone()),
    })?;
    Ok(CheckedRating {
        replaces: before.cloned(),
        rating,
    })
}

fn merged(
    insights: &[Insight],
    before: Option<&MissionRating>,
    given: RatingGiven,
    start: impl FnOnce(Option<&MissionRating>) -> MissionRating,
) -> Result<MissionRating, AppError> {
    let says_nothing = given.stars.is_none()
        && given.remark.is_none()
        && given.useful.is_empty()
        && given.not_useful.is_empty();
    if says_nothing {
        return Err(wrong(
            "the rating is empty".to_owned(),
            "Give 1 to 5 stars, a remark, or the numbers of insights.",
        ));
    }
    let mut rating = start(before);
    if let Some(stars) = given.stars {
        let stars = u8::try_from(stars)
            .ok()
            .and_then(|stars| Stars::try_from(stars).ok());
        rating.stars = Some(stars.ok_or_else(|| {
            let message = "stars are a whole number from 1 to 5".to_owned();
            wrong(message, "5 is the best.")
        })?);
    }
    if let Some(remark) = given.remark {
        let remark = remark.trim();
        if remark.chars().count() > REMARK_CHARS_MAX {
            let message = format!("the remark is longer than {REMARK_CHARS_MAX} characters");
            return Err(wrong(message, "Shorten it."));
        }
        rating.remark = remark.to_owned();
    }
    let marked = |number: &u32| insights.iter().any(|insight| insight.number == *number);
    let all = given.useful.iter().chain(&given.not_useful);
    for number in all.clone() {
        if !marked(number) {
            let message = match insights.len() {
                0 => format!("there is no insight {number}: the mission has none"),
                most => format!("there is no insight {number}: the mission has 1 to {most}"),
            };
            return Err(wrong(
                message,
                "`adjutant rate MISSION` lists the insights.",
            ));
        }
        if given.useful.contains(number) && given.not_useful.contains(number) {
            let message = format!("insight {number} is marked both useful and not useful");
            return Err(wrong(message, "Mark it once."));
        }
    }
    let marks: Vec<u32> = all.copied().collect();
    rating.useful.retain(|number| !marks.contains(number));
    rating.not_useful.retain(|number| !marks.contains(number));
    rating.useful.extend(given.useful);
    rating.not_useful.extend(given.not_useful);
    for numbers in [&mut rating.useful, &mut rating.not_useful] {
        numbers.sort_unstable();
        numbers.dedup();
    }
    Ok(rating)
}

fn wrong(message: String, help: &str) -> AppError {
    AppError::new(ErrorKind::BadInput, "ADJ-6202", message, help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insight(number: u32) -> Insight {
        Insight {
            number,
            task: "conclude".to_owned(),
            text: format!("insight {number}"),
        }
    }

    fn fresh(before: Option<&MissionRating>) -> MissionRating {
        before.cloned().unwrap_or_else(|| MissionRating {
            mission: MissionId::from_bits(7),
            by: AgentId::new("ann").unwrap(),
            at: Timestamp(1),
            stars: None,
            remark: String::new(),
            useful: Vec::new(),
            not_useful: Vec::new(),
        })
    }

    fn given(stars: Option<i64>, useful: &[u32], not_useful: &[u32]) -> RatingGiven {
        RatingGiven {
            stars,
            remark: None,
            useful: useful.to_vec(),
            not_useful: not_useful.to_vec(),
        }
    }

    #[test]
    fn what_is_said_again_replaces_only_what_it_speaks_of() {
        let insights = [insight(1), insight(2), insight(3)];
        let first = RatingGiven {
            remark: Some("  Clear.  ".to_owned()),
            ..given(Some(4), &[2, 1, 1], &[])
        };
        let first = merged(&insights, None, first, fresh).unwrap();
        assert_eq!(
            (first.stars.map(u8::from), &*first.remark),
            (Some(4), "Clear.")
        );
        assert_eq!(first.useful, [1, 2]);
        let again = given(None, &[], &[2]);
        let again = merged(&insights, Some(&first), again, fresh).unwrap();
        assert_eq!((again.stars, &again.remark), (first.stars, &first.remark));
        assert_eq!((again.useful, again.not_useful), (vec![1], vec![2]));
    }

    #[test]
    fn a_careless_rating_is_refused() {
        let insights = [insight(1)];
        let long = RatingGiven {
            remark: Some("x".repeat(REMARK_CHARS_MAX + 1)),
            ..RatingGiven::default()
        };
        for given in [
            RatingGiven::default(),
            given(Some(0), &[], &[]),
            given(Some(6), &[], &[]),
            given(Some(-1), &[], &[]),
            given(Some(256 + 5), &[], &[]),
            given(Some(5), &[2], &[]),
            given(Some(5), &[0], &[]),
            given(Some(5), &[1], &[1]),
            long,
        ] {
            let told = format!("{given:?}");
            let refused = merged(&insights, None, given, fresh).unwrap_err();
            assert!(refused.has_code("ADJ-6202"), "{told:.200}");
        }
    }
}
