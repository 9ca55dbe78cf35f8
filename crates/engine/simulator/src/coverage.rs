//! What the runs have seen, so that a generator which no longer reaches something is noticed.

macro_rules! coverage_map {
    ($($name:ident),* $(,)?) => {
        /// Something a run can come across.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum CoverageItem { $($name),* }

        impl CoverageItem {
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),* }
            }
        }
    };
}

coverage_map!(
    // crashes
    CrashBeforeAppend,
    CrashAfterAppend,
    CrashAfterSaved,
    CrashBeforePerform,
    CrashAfterPerform,
    CrashBeforeOutcome,
    CrashBeforeCommand,
    CrashBeforeWake,
    CrashBeforeTriggerKept,
    CrashAfterTriggerKept,
    CrashBeforeNoticeKept,
    CrashAfterNoticeKept,
    CrashBeforeFirstEvent,
    CrashDuringRecovery,
    AppendFailed,
    ClockSteppedBack,
    StoodStill,
    FormerHostSent,
    FormerHostSilent,
    // outcomes
    OutcomeRepeated,
    OutcomeAfterCrash,
    OutcomeUnwanted,
    OutcomeUnfit,
    DeferralRepeated,
    WokenLate,
    // effects
    EffectPerformedAgain,
    EffectStarted,
    EffectDeferred,
    EffectInDoubt,
    EffectLost,
    EffectAbandoned,
    DoubtRetried,
    DoubtMarkedDone,
    DoubtAborted,
    DoubtByWallTime,
    // kill switches
    ToolStopped,
    HeldByStop,
    // forks
    Forked,
    ForkForked,
    ForkedWithAnAnswer,
    ForkedWithAnotherModel,
    CrashBeforeForkIsSaved,
    SentBeforeTheFork,
    // triggers
    TriggerFired,
    TriggerFiredAgain,
    TriggerPutOff,
    TriggerPassedOver,
    TriggerCancelled,
    TriggerMissionGone,
    // notices
    NoticeDelivered,
    NoticePutOff,
    NoticeRefused,
    NoticeTwice,
    // agents
    AgentStarted,
    StepTaken,
    CrashInMidThought,
    ThinkerCalled,
    ThinkerAskedToCallOnce,
    ThinkerCallInDoubt,
    BreachRefused,
    ThoughtAgain,
    ConclusionAsked,
    ConclusionAccepted,
    ConclusionSentBack,
    ConclusionLeftOut,
    ConclusionWaived,
    UnsureAndNobodyAsked,
    TaskHandedUp,
    ThoughtHandedUp,
    LifetimeCap,
    // tasks
    TaskRetried,
    AlternativeTried,
    TaskEscalated,
    TaskGivenUp,
    TaskHeld,
    TaskReleased,
    TaskRequeued,
    TaskSkippedByHuman,
    TaskSkippedForLackOfAnother,
    GatePassed,
    GateReturned,
    GateEscalated,
    GateGivenUp,
    GateReturnsUsedUp,
    WorkSentBackAtReview,
    CallChanged,
    LayerPassed,
    StartedFinishToStart,
    StartedStartToStart,
    FinishedFinishToFinish,
    FinishedStartToFinish,
    Sequential,
    ContinueOnBlock,
    ParallelSafe,
    SkipsUsedUp,
    // caps
    MissionMoneyCap,
    MissionTurnCap,
    MissionWallTimeCap,
    TaskMoneyCap,
    MissionTokenCap,
    TaskTokenCap,
    AccountSoftCap,
    AccountHardCap,
    SoftCapPassed,
    Degraded,
    TaskTurnCap,
    TaskWallTimeCap,
    // checkpoints
    PlanExpired,
    ToolExpired,
    QuestionExpired,
    RecoveryExpired,
    DoubtExpired,
    ConclusionExpired,
    LayerExpired,
    SoftCapExpired,
    ChangeExpired,
    ReviewExpired,
    PlanRejected,
    ToolRejected,
    QuestionRejected,
    RecoveryRejected,
    DoubtRejected,
    ConclusionRejected,
    LayerRejected,
    SoftCapRejected,
    ChangeRejected,
    ReviewRejected,
    CheckpointClaimed,
    CheckpointReleased,
    AnsweredInWords,
    CheckpointWaived,
    CheckpointWithdrawn,
    OutsideTextAsked,
    OutsideTextLetThrough,
    // commands
    Paused,
    Resumed,
    Continued,
    Aborted,
    UndoBegan,
    Undone,
    UndoRetried,
    UndoGivenUp,
    ReplannedByCommand,
    ReplannedAfterFailure,
    ReplannedBeforeStart,
    ReplannedOnOccasion,
    Informed,
    CommandResentAfterCrash,
    // refusals
    RefusedEnded,
    RefusedUnfit,
    RefusedRepeated,
    RefusedOtherCommandUnderSameId,
    RefusedUnknownCheckpoint,
    RefusedClosed,
    RefusedClaimed,
    RefusedAgent,
    RefusedSystem,
    RefusedRole,
    RefusedAction,
    RefusedOptionNeeded,
    RefusedOptionUnknown,
    RefusedChange,
    RefusedOutcome,
    RefusedPlan,
    // endings
    EndedDelivered,
    EndedDraft,
    EndedFailed,
    EndedCancelled,
);

/// How many runs saw each thing.
#[derive(Debug, Clone)]
pub struct Coverage {
    runs: Vec<u64>,
    seen_now: Vec<bool>,
}

impl Default for Coverage {
    fn default() -> Self {
        Self {
            runs: vec![0; CoverageItem::ALL.len()],
            seen_now: vec![false; CoverageItem::ALL.len()],
        }
    }
}

impl Coverage {
    pub(crate) fn mark(&mut self, what: CoverageItem) {
        self.seen_now[what as usize] = true;
    }

    pub(crate) fn end_run(&mut self) {
        for (runs, seen) in self.runs.iter_mut().zip(&mut self.seen_now) {
            *runs += u64::from(core::mem::take(seen));
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.runs.iter_mut().zip(&other.runs) {
            *mine += theirs;
        }
    }

    /// Runs that saw `what`.
    pub fn runs(&self, what: CoverageItem) -> u64 {
        self.runs[what as usize]
    }

    /// Everything no run has seen.
    pub fn unseen(&self) -> Vec<&'static str> {
        CoverageItem::ALL
            .iter()
            .filter(|what| self.runs(**what) == 0)
            .map(|what| what.name())
            .collect()
    }
}
