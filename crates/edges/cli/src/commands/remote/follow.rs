//! Following a mission on a server: its live events, taken up again where they were left off.

use std::time::Duration;

use adjutant_mission::{Mission, MissionId, Phase, TaskStatus};
use adjutant_session_events::SessionEvent;
use reqwest::{Method, Response};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::Instant;

use super::passport_of;
use crate::live::{Came, Patience};
use crate::output;
use crate::view::{Around, Frame, Line, Room, Tone, tree};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::wiring;
use adjutant_client::{Server, mission_path};

/// How often the state is fetched while events come.
const LOOK: Duration = Duration::from_millis(250);
/// The server says at least every 15 seconds that it is there.
const SILENCE_MAX: Duration = Duration::from_secs(45);
/// How often, and how long apart, a server that is away is looked for: for ten minutes.
const RETURNS_MAX: u32 = 600;
const RETURN: Duration = Duration::from_secs(1);
const EVENT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// How what happens is told.
pub(super) enum Telling {
    Drawn(Frame),
    Lines,
    /// One JSON document an event, as `events --session` prints them.
    Json,
}

pub(super) struct Followed {
    pub(super) mission: Mission,
    pub(super) came: Came,
}

pub(super) async fn follow(
    server: &Server,
    mission: MissionId,
    patience: Patience,
    mut telling: Telling,
) -> Result<Followed, AppError> {
    let trouble = |error: std::io::Error| {
        AppError::new(
            ErrorKind::Unavailable,
            "ADJ-6008",
            format!("signals cannot be received: {error}"),
            "Check the limits of this user's processes.",
        )
    };
    let mut interrupt = signal(SignalKind::interrupt()).map_err(trouble)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(trouble)?;
    let mut folded = passport_of(server, mission).await?;
    let (mut last, mut away) = (None, 0);
    let came = 'connected: loop {
        let opened = tokio::select! {
            opened = open(server, mission, last.as_deref()) => opened,
            _ = interrupt.recv() => break Came::Interrupted,
            _ = terminate.recv() => break Came::Interrupted,
        };
        let mut stream = match opened {
            Ok(stream) => Events::of(stream),
            Err(failure) if failure.kind == ErrorKind::Unavailable && away < RETURNS_MAX => {
                if away == 0 {
                    output::note("The server is unavailable; the mission is safe. Reconnecting …");
                }
                away += 1;
                tokio::select! {
                    () = tokio::time::sleep(RETURN) => continue,
                    _ = interrupt.recv() => break Came::Interrupted,
                    _ = terminate.recv() => break Came::Interrupted,
                }
            }
            Err(failure) => return Err(failure),
        };
        if away > 0 {
            output::note("Reconnected to the server.");
            away = 0;
        }
        let mut looks = tokio::time::interval(LOOK);
        let mut heard = Instant::now();
        let (mut is_stale, mut is_open) = (true, true);
        while is_open {
            tokio::select! {
                chunk = stream.response.chunk() => match chunk {
                    Ok(Some(bytes)) => {
                        heard = Instant::now();
                        for (id, event) in stream.take(server, &bytes)? {
                            tell(server, &telling, &event)?;
                            last = Some(id);
                            is_stale = true;
                        }
                    }
                    // What the server could not tell any more it tells when we come back.
                    Ok(None) | Err(_) => is_open = false,
                },
                _ = looks.tick() => {
                    if is_stale && let Ok(fresh) = passport_of(server, mission).await {
                        folded = fresh;
                        is_stale = false;
                    }
                    draw(&mut telling, &folded)?;
                    if heard.elapsed() > SILENCE_MAX {
                        is_open = false;
                    }
                    if patience == Patience::UntilItWaits && only_a_human_moves(&folded) {
                        break 'connected Came::Waiting;
                    }
                }
                _ = interrupt.recv() => break 'connected Came::Interrupted,
                _ = terminate.recv() => break 'connected Came::Interrupted,
            }
        }
        if let Ok(fresh) = passport_of(server, mission).await {
            folded = fresh;
        }
        if folded.phase().is_ended() {
            break Came::Ended;
        }
        tokio::time::sleep(LOOK).await;
    };
    if let Telling::Drawn(frame) = &mut telling {
        let lines = picture(&folded);
        frame.leave(&lines).map_err(output::unwritten)?;
    }
    Ok(Followed {
        mission: folded,
        came,
    })
}

async fn open(
    server: &Server,
    mission: MissionId,
    last: Option<&str>,
) -> Result<Response, AppError> {
    let mut request = server.request(Method::GET, &mission_path(mission, "/events"));
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    let answer = request
        .send()
        .await
        .map_err(|error| server.unreachable(&error))?;
    match answer.status().is_success() {
        true => Ok(answer),
        false => Err(server.refused(answer).await),
    }
}

/// Server-sent events, put together from the pieces in which they come.
struct Events {
    response: Response,
    pending: Vec<u8>,
}

impl Events {
    fn of(response: Response) -> Self {
        Self {
            response,
            pending: Vec::new(),
        }
    }

    /// The events that are whole now, each with its id and what it says.
    fn take(&mut self, server: &Server, bytes: &[u8]) -> Result<Vec<(String, String)>, AppError> {
        self.pending.extend_from_slice(bytes);
        let mut whole = Vec::new();
        while let Some(at) = self.pending.windows(2).position(|two| two == b"\n\n") {
            let frame: Vec<u8> = self.pending.drain(..at + 2).collect();
            whole.extend(parsed(&String::from_utf8_lossy(&frame)));
        }
        if self.pending.len() > EVENT_BYTES_MAX {
            let told = format!("an event is longer than {EVENT_BYTES_MAX} bytes");
            return Err(server.unexpected_answer(&told));
        }
        Ok(whole)
    }
}

/// What a mission comes to, piece by piece: its report is read as a whole.
const PIECES: [&str; 2] = ["event: token", "event: draft"];

/// An event's id and data; nothing of what only says that the server is there.
fn parsed(frame: &str) -> Option<(String, String)> {
    if frame.lines().any(|line| PIECES.contains(&line)) {
        return None;
    }
    let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
    let (id, data) = (field("id: ")?, field("data: ")?);
    Some((id.to_owned(), data.to_owned()))
}

/// Whether only a human can move a mission.
fn only_a_human_moves(mission: &Mission) -> bool {
    let running = |status| matches!(status, TaskStatus::Running | TaskStatus::Delayed);
    let is_at_work = mission.tasks().any(|(_, state)| running(state.status));
    let is_paused = mission.is_paused() && (mission.is_stopped() || !is_at_work);
    mission.phase() == Phase::AwaitingHuman || is_paused
}

fn tell(server: &Server, telling: &Telling, event: &str) -> Result<(), AppError> {
    match telling {
        Telling::Drawn(_) => Ok(()),
        Telling::Json => output::line(event),
        Telling::Lines => {
            let event: SessionEvent = serde_json::from_str(event)
                .map_err(|error| server.unexpected_answer(&error.to_string()))?;
            output::line(&line(&event).render(output::paint()))
        }
    }
}

/// What an event says of itself, in the order of what tells most.
const TOLD: [&str; 8] = [
    "question", "title", "name", "task", "task_id", "status", "phase", "message",
];

fn line(event: &SessionEvent) -> Line {
    let at = event.timestamp.get(11..19).unwrap_or(&event.timestamp);
    let said = TOLD
        .iter()
        .filter_map(|name| event.data.get(*name)?.as_str());
    let said: Vec<&str> = said.take(2).collect();
    Line::new()
        .and(Tone::Dim, at)
        .plain("  ")
        .and(Tone::Bold, event.event_type.name().replace('_', " "))
        .plain(format!("  {}", said.join("  ")))
}

fn picture(mission: &Mission) -> Vec<Line> {
    let (width, height) = output::size();
    let room = Room {
        width,
        height: height.saturating_sub(1).max(4),
        turn: 0,
    };
    tree(mission, &Around::default(), wiring::clock().now(), room)
}

fn draw(telling: &mut Telling, mission: &Mission) -> Result<(), AppError> {
    match telling {
        Telling::Drawn(frame) => {
            let lines = picture(mission);
            frame.draw(&lines, None).map_err(output::unwritten)
        }
        Telling::Lines | Telling::Json => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn an_event_is_read_and_a_sign_of_life_is_none() {
        let frame = "id: 12.0\nevent: complete\ndata: {\"a\": 1}\n\n";
        assert_eq!(
            parsed(frame),
            Some(("12.0".to_owned(), "{\"a\": 1}".to_owned()))
        );
        assert_eq!(parsed(":\n\n"), None);
        assert_eq!(parsed("id: 12.1\nevent: token\ndata: {}\n\n"), None);
    }
}
