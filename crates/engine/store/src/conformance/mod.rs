//! The store's contract as tests, one function per clause. Every backend runs all of them with
//! [`conformance_tests!`](crate::conformance_tests); one that persists also runs [`Filled`] over a reopen.
//!
//! A clause fails by panicking, like any test. It begins with an empty store and leaves it filled.

#![expect(
    clippy::unwrap_used,
    reason = "this is test code that other crates run: a clause that panics is a clause that fails"
)]

mod accounts;
mod append;
mod keeping;
mod read_models;
mod sample;
mod tenants;

pub use accounts::{a_soft_cap_is_passed_only_on_purpose, no_account_passes_its_hard_cap};
pub use append::{
    batch_must_continue_its_own_head, blobs_are_stored_once_and_read_back,
    conflict_changes_nothing, events_are_ordered_gapless_and_paged,
    events_of_all_missions_have_one_order, genesis_is_the_only_beginning,
    head_moves_with_every_append, malformed_batch_changes_nothing,
    parallel_appends_have_one_winner, snapshot_is_replaced, subscribers_hear_of_what_is_committed,
};
pub use keeping::{
    a_missing_key_is_given_once, a_mission_moves_whole, attestations_are_numbered_without_gaps,
    erasing_leaves_the_row_and_the_chain, keys_are_rewrapped_together,
    only_working_missions_are_due, positions_are_not_given_twice,
    pruning_leaves_the_row_and_an_attestation, records_are_kept_by_kind_and_name,
    records_change_together_or_not_at_all,
};
pub use read_models::{
    counts_follow_phases, due_is_earliest_first_and_never_of_the_ended, find_by_prefix,
    inbox_is_by_severity_then_deadline, inbox_keeps_what_is_changed_and_drops_what_is_closed,
    list_filters_by_phase, list_is_in_order_and_paged, next_wake_is_the_earliest_after_now,
    summary_is_kept_exactly,
};
pub use sample::{Writer, inbox_row, mission, summary, tenant, text};
pub use tenants::{
    Filled, same_mission_id_in_two_tenants_stays_apart, tenant_sees_nothing_of_another,
};

/// Makes one `#[tokio::test]` per clause. `$fresh` is a function, perhaps an `async` one, that gives an empty
/// store and a guard that keeps it alive, as a pair.
#[macro_export]
macro_rules! conformance_tests {
    (async $fresh:path) => {
        $crate::conformance_tests! { @clauses [$fresh().await] }
    };
    ($fresh:path) => {
        $crate::conformance_tests! { @clauses [$fresh()] }
    };
    (@clauses $fresh:tt) => {
        $crate::conformance_tests! { @ $fresh:
            append_and_read_back
            conflict_changes_nothing
            genesis_is_the_only_beginning
            batch_must_continue_its_own_head
            malformed_batch_changes_nothing
            parallel_appends_have_one_winner
            head_moves_with_every_append
            events_are_ordered_gapless_and_paged
            events_of_all_missions_have_one_order
            blobs_are_stored_once_and_read_back
            snapshot_is_replaced
            subscribers_hear_of_what_is_committed
            summary_is_kept_exactly
            list_is_in_order_and_paged
            list_filters_by_phase
            counts_follow_phases
            inbox_is_by_severity_then_deadline
            inbox_keeps_what_is_changed_and_drops_what_is_closed
            due_is_earliest_first_and_never_of_the_ended
            next_wake_is_the_earliest_after_now
            find_by_prefix
            tenant_sees_nothing_of_another
            same_mission_id_in_two_tenants_stays_apart
            erasing_leaves_the_row_and_the_chain
            pruning_leaves_the_row_and_an_attestation
            positions_are_not_given_twice
            attestations_are_numbered_without_gaps
            keys_are_rewrapped_together
            a_mission_moves_whole
            a_missing_key_is_given_once
            records_are_kept_by_kind_and_name
            records_change_together_or_not_at_all
            only_working_missions_are_due
            no_account_passes_its_hard_cap
            a_soft_cap_is_passed_only_on_purpose
        }
    };
    (@ [$fresh:expr]: $($clause:ident)*) => {
        $(
            #[::tokio::test]
            async fn $clause() {
                let (store, _guard) = $fresh;
                $crate::conformance::$clause(&store).await;
            }
        )*
    };
}

/// What a batch writes is there, all of it, once `append` has returned.
pub async fn append_and_read_back<S: crate::Store>(store: &S) {
    let filled = Filled::fill(store).await;
    filled.check(store).await;
}
