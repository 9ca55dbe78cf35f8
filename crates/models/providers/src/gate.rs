//! Who may ask a provider, and when: its slots, its rates, its breaker.

use std::sync::{Mutex, MutexGuard, PoisonError};

use adjutant_mission::Timestamp;
use tokio::sync::Semaphore;

use crate::breaker::Breaker;
use crate::bucket::Bucket;
use crate::settings::Provider;

#[derive(Debug)]
pub(crate) struct Gate {
    pub(crate) slots: Semaphore,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    breaker: Breaker,
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
    /// What the provider's own headers said.
    not_before: Timestamp,
}

/// What a request tells about the provider, whatever it tells about the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    Well,
    Unwell,
    /// Nothing: the question's own time was up, say.
    Untold,
}

impl Gate {
    pub(crate) fn new(provider: &Provider, now: Timestamp) -> Self {
        let requests = provider.requests_per_minute.map(u64::from);
        Self {
            slots: Semaphore::new(provider.concurrency_max as usize),
            state: Mutex::new(State {
                breaker: Breaker::new(),
                requests: requests.map(|rate| Bucket::full(rate, now)),
                tokens: provider
                    .tokens_per_minute
                    .map(|rate| Bucket::full(rate, now)),
                not_before: Timestamp::default(),
            }),
        }
    }

    /// Takes a request of at most that many tokens from the rates; or says from when on it can be taken.
    pub(crate) fn admit(&self, tokens: u64, now: Timestamp) -> Result<(), Timestamp> {
        let mut state = self.state();
        if now < state.not_before {
            return Err(state.not_before);
        }
        let ready = |bucket: &mut Option<Bucket>, amount: u64| {
            let at = bucket.as_mut().map(|bucket| bucket.ready(amount, now));
            at.and_then(Result::err)
        };
        let by_requests = ready(&mut state.requests, 1);
        let by_tokens = ready(&mut state.tokens, tokens);
        if let Some(until) = by_requests.max(by_tokens) {
            return Err(until);
        }
        // Last, because admitting may make this the one question that tries whether the provider is back.
        state.breaker.admit(now)?;
        if let Some(bucket) = &mut state.requests {
            bucket.take(1);
        }
        if let Some(bucket) = &mut state.tokens {
            bucket.take(tokens);
        }
        Ok(())
    }

    /// What of the admitted tokens was used, and how the provider does.
    pub(crate) fn settle(&self, admitted: u64, used: u64, health: Health, now: Timestamp) {
        let mut state = self.state();
        if let Some(bucket) = &mut state.tokens {
            bucket.give_back(admitted.saturating_sub(used));
        }
        match health {
            Health::Well => state.breaker.succeeded(),
            Health::Unwell => state.breaker.failed(now),
            Health::Untold => {}
        }
    }

    pub(crate) fn close_until(&self, until: Timestamp) {
        let mut state = self.state();
        state.not_before = state.not_before.max(until);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
