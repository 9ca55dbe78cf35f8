//! What every use case is given besides its own arguments.

use adjutant_host::Host;
use adjutant_mission::Actor;

use crate::plan_checker::PlanChecker;
use crate::settings::Settings;
use crate::stores::AnyStore;

/// The installation, who asks, and which host carries out what follows from it.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    pub settings: &'a Settings,
    pub checker: &'a PlanChecker,
    pub caller: &'a Actor,
    pub hosting: Hosting<'a>,
}

impl<'a> Context<'a> {
    /// For a caller outside the host's process.
    pub fn outside_the_host(
        settings: &'a Settings,
        checker: &'a PlanChecker,
        caller: &'a Actor,
    ) -> Self {
        Self {
            settings,
            checker,
            caller,
            hosting: Hosting::Reached,
        }
    }
}

/// Which host runs the missions that a use case needs on its way.
#[derive(Debug, Clone, Copy)]
pub enum Hosting<'a> {
    /// The host of this process.
    Here(&'a Host<AnyStore>),
    /// The host that runs already, reached by its socket; or one that is started for as long as it takes.
    Reached,
}
