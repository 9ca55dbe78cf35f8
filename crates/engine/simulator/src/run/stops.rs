//! Kill switches during a run: tools are stopped and allowed again, and the host heeds that as the embedded one does.
//! What is stopped outlives a crash, as the records of it do.

use std::collections::BTreeSet;

use adjutant_mission::{Actor, Command, Effect, Input, ToolId, ToolTable, Work};

use super::{Halt, Run};
use crate::coverage::CoverageItem;
use crate::laws::{self, Broken, Law};
use crate::random::Random;

#[derive(Debug)]
pub(super) struct Switches {
    random: Random,
    tools: Vec<ToolId>,
    stopped: BTreeSet<ToolId>,
}

impl Switches {
    pub(super) fn new(seed: u64, tools: &ToolTable) -> Self {
        Self {
            random: Random::new(seed, 19),
            tools: tools.keys().cloned().collect(),
            stopped: BTreeSet::new(),
        }
    }

    pub(super) fn any(&self) -> bool {
        !self.stopped.is_empty()
    }

    pub(super) fn allow_all(&mut self) {
        self.stopped.clear();
    }

    fn holds(&self, effect: &Effect) -> bool {
        match &effect.work {
            Work::CallTool(call) => self.stopped.contains(&call.tool),
            Work::AskModel(agent) => self.stopped.contains(&agent.route()),
            Work::EvaluateGate(_) | Work::RunMission { .. } => false,
        }
    }
}

impl Run<'_> {
    /// Now and then somebody stops a tool, or allows it again. Says whether somebody did.
    pub(super) fn throws_a_switch(&mut self) -> bool {
        let switches = &mut self.switches;
        if !switches.random.percent(2) {
            return false;
        }
        let Some(tool) = switches.random.pick(&switches.tools).cloned() else {
            return false;
        };
        let line = match switches.stopped.take(&tool) {
            Some(_) => format!("     `{tool}` is allowed again"),
            None => {
                self.coverage.mark(CoverageItem::ToolStopped);
                let line = format!("     `{tool}` is stopped");
                self.switches.stopped.insert(tool);
                line
            }
        };
        self.tell(|| line);
        true
    }

    /// Keeps back what is stopped, and pauses or resumes the mission for it.
    pub(super) fn heed_stops(&mut self) -> Result<(), Halt> {
        let (now, switches) = (self.now, &self.switches);
        let Some(driver) = &mut self.driver else {
            return Err(Halt::Crash);
        };
        let was_held = driver.held() > 0 || driver.mission().is_stopped();
        if !switches.any() && !was_held {
            return Ok(());
        }
        let held = driver.hold(now, |effect| switches.holds(effect));
        let mission = driver.mission();
        let command = match held {
            0 if mission.is_stopped() => Command::Resume,
            1.. if !mission.is_paused() => Command::Pause {
                reason: "something is stopped".into(),
            },
            _ => return self.observe(),
        };
        if held > 0 {
            self.coverage.mark(CoverageItem::HeldByStop);
        }
        let input = Input::Command {
            id: self.people.command_id(),
            by: Actor::host(None),
            command,
        };
        // Refused: the mission is winding down, and starts nothing anyway.
        let _ = driver.input(now, &input);
        self.observe()
    }

    /// What is stopped is begun by nobody.
    pub(super) fn law_nothing_stopped_is_begun(&self, effect: &Effect) -> Result<(), Broken> {
        laws::holds(Law::Stopped, !self.switches.holds(effect), || {
            format!("{effect:?} is performed, and what it calls is stopped")
        })
    }
}
