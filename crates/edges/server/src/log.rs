//! What a server tells of itself while it works. Whoever starts it says where that goes.

use std::sync::Arc;
use std::time::Duration;

use adjutant_mission::AgentId;

/// Something to be logged.
#[derive(Debug)]
#[non_exhaustive]
pub enum Logged<'a> {
    /// A request was answered, or began to be.
    Answered {
        /// As in `X-Request-Id`.
        request: &'a str,
        method: &'a str,
        /// The route's pattern; none where no route has the path.
        route: Option<&'a str>,
        status: u16,
        took: Duration,
        /// Who sent it, if that is known.
        who: Option<&'a AgentId>,
        /// The code of the problem that it was answered with.
        code: Option<&'a str>,
    },
    /// A reader of live events did not take what it was sent for so long.
    ReaderDropped { after: Duration },
}

/// Where it goes. It is called while requests wait, so it must not.
pub type Log = Arc<dyn Fn(&Logged<'_>) + Send + Sync>;
