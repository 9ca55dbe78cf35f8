//! The loop that follows a mission: its events, the clock, the keyboard, and signals.

use std::collections::BTreeSet;
use std::time::Duration;

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{
    Actor, Asks, Checkpoint, CheckpointNumber, Command, Decision, Mission, MissionId, Phase,
    Recorded, TaskStatus, Timestamp,
};
use adjutant_store::TenantStore;
use adjutant_supervision::Supervision;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::news::{self, News};
use super::showing::{FRAME, OpenPrompt};
use super::{Answering, Showing, Typed, keys};
use crate::bell::Bell;
use crate::output::{self, Stage};
use crate::surroundings::look_around;
use crate::view::{Around, Line, RawMode, Started, Undoing};
use adjutant_app::answer_in_words::spell_out;
use adjutant_app::calibration::calibration_table;
use adjutant_app::constitution::{RESULT_BLOCKED, review_answer};
use adjutant_app::context::Context;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::HostLink;
use adjutant_app::plan_checker::PlanChecker;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::stores::AnyTenant;
use adjutant_app::wiring;

/// How often what stands around a mission is looked up.
const LOOK_AROUND: Duration = Duration::from_secs(1);

/// How long to keep following.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Until the mission has ended or only a human can move it. Questions are answered here.
    UntilItWaits,
    /// Until the mission has ended. Questions are somebody else's.
    UntilItEnds,
}

/// Why following came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Came {
    Ended,
    /// Only a human can move it.
    Waiting,
    Interrupted,
    /// The host that ran it is gone.
    HostStopped,
}

#[derive(Debug)]
pub(crate) struct Followed {
    pub(crate) mission: Mission,
    pub(crate) came: Came,
}

/// Everything the loop needs to know.
#[derive(Debug)]
pub(crate) struct Follow<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) engine: &'a HostLink,
    pub(crate) mission: MissionId,
    pub(crate) patience: Patience,
    pub(crate) showing: Showing,
}

impl Follow<'_> {
    pub(crate) async fn run(mut self) -> Result<Followed, AppError> {
        let journal = match self.engine.host() {
            Some(host) => host.journal(&self.settings.tenant),
            None => ReadOnlyStore::expect(self.settings).await?.journal,
        };
        let at_keyboard = matches!(self.showing, Showing::Drawn(_))
            && self.patience == Patience::UntilItWaits
            && output::stage() == Stage::Interactive;
        let raw = if at_keyboard {
            RawMode::enter().ok()
        } else {
            None
        };
        let keys = match &raw {
            Some(_) => keys::pressed(),
            None => mpsc::channel(1).1,
        };
        let mut course = Course {
            folded: None,
            supervision: None,
            answering: None,
            left: BTreeSet::new(),
            at_keyboard: raw.is_some(),
            began: wiring::clock().now(),
            bell: Bell::of(self.settings),
            started: Started::default(),
            around: Around {
                calibration: Some(calibration_table(&journal).await?),
                ..Around::default()
            },
            reading: None,
        };
        let came = self.follow(&journal, &mut course, keys).await;
        let settled = match (&mut self.showing, &course.folded) {
            (Showing::Drawn(drawn), Some(mission)) => {
                drawn.settle(mission, &course.around, wiring::clock().now())
            }
            _ => Ok(()),
        };
        drop(raw);
        let came = came?;
        settled?;
        let mission = course.folded.ok_or_else(gone)?;
        Ok(Followed { mission, came })
    }

    async fn follow(
        &mut self,
        journal: &TenantJournal<AnyTenant>,
        course: &mut Course,
        mut keys: mpsc::Receiver<KeyEvent>,
    ) -> Result<Came, AppError> {
        let client = self.engine.client().await?;
        let tenant = self.settings.tenant.clone();
        let mut news = news::follow(client, tenant, self.mission, 1).await?;
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
        let mut ticks = tokio::time::interval(FRAME);
        let mut looks = tokio::time::interval(LOOK_AROUND);
        let draws = matches!(self.showing, Showing::Drawn(_));
        loop {
            tokio::select! {
                next = news.recv() => {
                    let mut next = next;
                    loop {
                        match next {
                            Some(News::Event(recorded)) => {
                                self.take(journal, course, &recorded).await?;
                            }
                            Some(News::Failed(failure)) => return Err(failure),
                            Some(News::End) | None => return self.end(journal, course).await,
                        }
                        match news.try_recv() {
                            Ok(more) => next = Some(more),
                            Err(_) => break,
                        }
                    }
                    if course.waits(journal.store(), self.patience).await? {
                        return Ok(Came::Waiting);
                    }
                }
                Some(key) = keys.recv() => {
                    if keys::is_interrupt(&key) {
                        return Ok(Came::Interrupted);
                    }
                    self.key(course, &key).await;
                    if course.waits(journal.store(), self.patience).await? {
                        return Ok(Came::Waiting);
                    }
                    self.draw(course)?;
                }
                _ = interrupt.recv() => return Ok(Came::Interrupted),
                _ = terminate.recv() => return Ok(Came::Interrupted),
                _ = ticks.tick(), if draws => self.draw(course)?,
                _ = looks.tick() => self.look_around(course).await?,
            }
            let due = matches!(&self.showing, Showing::Drawn(drawn) if drawn.may_draw());
            if due {
                self.draw(course)?;
            }
        }
    }

    /// What is not in the mission's own events is looked up now and then, where there is anything to find.
    async fn look_around(&self, course: &mut Course) -> Result<(), AppError> {
        let Some(mission) = &course.folded else {
            return Ok(());
        };
        if Undoing::of(mission).is_none() && course.started.children(mission).is_empty() {
            return Ok(());
        }
        let reading = match &mut course.reading {
            Some(reading) => reading,
            none => none.insert(ReadOnlyStore::expect(self.settings).await?),
        };
        let around = look_around(self.settings, reading, mission, &course.started).await?;
        let is_news = course.around.held_by != around.held_by;
        if matches!(self.showing, Showing::Lines) && is_news {
            Line::print_all(&around.held_by, output::paint())?;
        }
        course.around = Around {
            calibration: course.around.calibration.take(),
            ..around
        };
        Ok(())
    }

    /// The host has no more to tell. What it did not get to tell stands in the journal.
    async fn end(
        &mut self,
        journal: &TenantJournal<AnyTenant>,
        course: &mut Course,
    ) -> Result<Came, AppError> {
        let seq = course.folded.as_ref().map_or(0, Mission::seq);
        let missed = journal.events(self.mission, seq + 1, u32::MAX).await?;
        for recorded in missed {
            self.take(journal, course, &recorded).await?;
        }
        let ended = course
            .folded
            .as_ref()
            .is_some_and(|mission| mission.phase().is_ended());
        Ok(if ended {
            Came::Ended
        } else {
            Came::HostStopped
        })
    }

    async fn take(
        &mut self,
        journal: &TenantJournal<AnyTenant>,
        course: &mut Course,
        recorded: &Recorded,
    ) -> Result<(), AppError> {
        if !matches!(self.showing, Showing::Json | Showing::Session(_))
            && recorded.at >= course.began
        {
            course.bell.event(self.mission, recorded, recorded.at);
        }
        let mission = course.apply(self.mission, recorded)?;
        self.showing.event(journal, mission, recorded).await
    }

    fn draw(&mut self, course: &mut Course) -> Result<(), AppError> {
        let Showing::Drawn(drawn) = &mut self.showing else {
            return Ok(());
        };
        course.attend();
        let Some(mission) = &course.folded else {
            return Ok(());
        };
        let prompt = course.answering.as_ref().and_then(|answering| {
            let state = mission.checkpoints().get(answering.checkpoint.index())?;
            Some(OpenPrompt { state, answering })
        });
        drawn.draw(mission, &course.around, wiring::clock().now(), prompt)
    }

    async fn key(&mut self, course: &mut Course, key: &KeyEvent) {
        course.attend();
        let Some((checkpoint, mut answering)) = course.take_open_prompt() else {
            if let (Showing::Drawn(drawn), KeyCode::Char('r')) = (&mut self.showing, key.code) {
                drawn.toggle_thoughts();
            }
            return;
        };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if control => answering.typed.clear(),
            KeyCode::Char(c) if !control => answering.typed.push(c),
            KeyCode::Backspace => {
                answering.typed.pop();
            }
            KeyCode::Esc => answering = Answering::new(checkpoint.number),
            KeyCode::Enter => match answering.submit(&checkpoint) {
                Typed::More => {}
                Typed::Leave => {
                    course.left.insert(checkpoint.number);
                    return;
                }
                Typed::Decide(decision) => {
                    let folded = course.folded.as_ref();
                    match self.decide(folded, &checkpoint, decision).await {
                        Ok(()) => return,
                        Err(failure) => answering.refused(refusal(&failure)),
                    }
                }
            },
            _ => {}
        }
        course.answering = Some(answering);
    }

    async fn spell_out(
        &self,
        by: &Actor,
        mission: &Mission,
        checkpoint: &Checkpoint,
        decision: Decision,
    ) -> Result<Decision, AppError> {
        let checker = PlanChecker::new(self.settings).await?;
        let context = Context::outside_the_host(self.settings, &checker, by);
        spell_out(context, mission, checkpoint, decision).await
    }

    async fn review(
        &self,
        checkpoint: &Checkpoint,
        decision: Decision,
    ) -> Result<Decision, AppError> {
        let journal = &ReadOnlyStore::expect(self.settings).await?.journal;
        review_answer(journal, self.mission, checkpoint, decision).await
    }

    async fn decide(
        &self,
        mission: Option<&Mission>,
        checkpoint: &Checkpoint,
        decision: Decision,
    ) -> Result<(), AppError> {
        let by = self.settings.actor(checkpoint.role.as_ref());
        let decision = match mission.filter(|_| decision.is_words()) {
            Some(mission) => {
                // Rare and large: whoever follows a mission does not carry it along.
                Box::pin(self.spell_out(&by, mission, checkpoint, decision)).await?
            }
            None => decision,
        };
        let decision = match checkpoint.asks {
            Asks::ReviewResult => Box::pin(self.review(checkpoint, decision)).await?,
            _ => decision,
        };
        let command = Command::Decide {
            checkpoint: checkpoint.number,
            decision,
        };
        let tenant = &self.settings.tenant;
        self.engine.command(tenant, self.mission, by, command).await
    }
}

/// Why an answer was refused, in words for whoever types.
fn refusal(failure: &AppError) -> String {
    match (failure.has_code(RESULT_BLOCKED), failure.complaints.first()) {
        (true, Some(first)) => format!(
            "{}. If it is a false alarm, type `o` and why [{RESULT_BLOCKED}]",
            first.message
        ),
        _ => told(failure),
    }
}

fn told(failure: &AppError) -> String {
    let first = failure.complaints.first();
    first.map_or(String::new(), |complaint| {
        format!("{} [{}]", complaint.message, complaint.code)
    })
}

fn gone() -> AppError {
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-5013",
        "the connection to the host was lost before the mission was found",
        "Repeat the command; start a host with `adjutant up` if none is running.",
    )
}

/// What has been seen so far, and what is being typed.
struct Course {
    folded: Option<Mission>,
    /// What the mission's supervisors want, as its host sees it.
    supervision: Option<Supervision>,
    answering: Option<Answering>,
    /// Questions that the person left for later.
    left: BTreeSet<CheckpointNumber>,
    at_keyboard: bool,
    /// What happened before is shown, but rings no bell.
    began: Timestamp,
    bell: Bell,
    started: Started,
    around: Around,
    /// For looking around, once there was something to look for.
    reading: Option<ReadOnlyStore>,
}

impl Course {
    fn apply(&mut self, id: MissionId, recorded: &Recorded) -> Result<&Mission, AppError> {
        let corrupt = |source| {
            AppError::from(JournalError::Corrupt {
                mission: id,
                source: Box::new(source),
            })
        };
        match &mut self.folded {
            None => {
                self.folded = Some(Mission::begin(recorded).map_err(corrupt)?);
                // Supervisors that cannot be read do nothing; their host says so.
                self.supervision = Supervision::begin(recorded).ok().flatten();
            }
            Some(mission) => mission.apply(recorded).map_err(corrupt)?,
        }
        if let Some(supervision) = self.supervision.as_mut().filter(|_| recorded.seq > 1) {
            supervision.apply(recorded).map_err(corrupt)?;
        }
        self.started.note(&recorded.event);
        self.folded.as_ref().ok_or_else(gone)
    }

    /// Turns to the first open question that was not left, unless one is being answered.
    fn attend(&mut self) {
        let Some(mission) = self.folded.as_ref().filter(|_| self.at_keyboard) else {
            return;
        };
        let mut open = mission
            .open_checkpoints()
            .map(|state| state.checkpoint.number);
        let still_open = |number: CheckpointNumber| {
            mission
                .open_checkpoints()
                .any(|state| state.checkpoint.number == number)
        };
        if self
            .answering
            .as_ref()
            .is_some_and(|answering| still_open(answering.checkpoint))
        {
            return;
        }
        self.answering = open
            .find(|number| !self.left.contains(number))
            .map(Answering::new);
    }

    /// What is being answered; whoever takes it puts it back, unless it is answered.
    fn take_open_prompt(&mut self) -> Option<(Checkpoint, Answering)> {
        let answering = self.answering.take()?;
        let mission = self.folded.as_ref()?;
        let state = mission.checkpoints().get(answering.checkpoint.index())?;
        Some(((*state.checkpoint).clone(), answering))
    }

    /// Whether only a human can move the mission, and nobody here will.
    async fn waits(&mut self, store: &AnyTenant, patience: Patience) -> Result<bool, AppError> {
        let Some(mission) = self
            .folded
            .as_ref()
            .filter(|_| patience == Patience::UntilItWaits)
        else {
            return Ok(false);
        };
        // What waits for its time does not start while the mission is paused.
        let mut tasks = mission.tasks();
        let is_running = tasks.any(|(_, state)| state.status == TaskStatus::Running);
        let paused =
            !self.at_keyboard && mission.is_paused() && (mission.is_stopped() || !is_running);
        if mission.phase() != Phase::AwaitingHuman && !paused {
            return Ok(false);
        }
        let mut open = mission
            .open_checkpoints()
            .map(|state| state.checkpoint.number);
        if self.at_keyboard && open.any(|number| !self.left.contains(&number)) {
            return Ok(false);
        }
        let supervision = self.supervision.as_mut();
        if supervision.is_some_and(|watching| watching.is_about_to_act(wiring::clock().now())) {
            return Ok(false);
        }
        // Events come one by one; only where the journal ends does the state say what is so.
        let head = store.head(mission.id()).await?;
        Ok(head.is_some_and(|head| head.seq == mission.seq()))
    }
}
