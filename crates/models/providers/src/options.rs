use crate::tools::Tools;

/// What is seen of an answer while it is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    Text(&'a str),
    /// What came so far does not count: the question was sent again.
    StartedOver,
}

/// Called for each piece as it comes, from within the reading of the stream: a slow watcher slows the stream, nothing
/// piles up.
pub type Watcher<'a> = &'a (dyn Fn(Progress<'_>) + Send + Sync);

/// What a question may have besides itself.
#[derive(Clone, Copy, Default)]
pub struct AskOptions<'a> {
    pub watcher: Option<Watcher<'a>>,
    pub tools: Option<Tools<'a>>,
}

impl std::fmt::Debug for AskOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AskOptions")
            .field("watched", &self.watcher.is_some())
            .field("tools", &self.tools)
            .finish()
    }
}
