//! What must hold of journals on every store, one function per clause. Every backend runs all of them with
//! [`journal_tests!`](crate::journal_tests).
//!
//! A clause fails by panicking, like any test. It is given a function that makes empty stores.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code that other crates run: a clause that panics is a clause that fails"
)]

mod forged_files;
mod forged_rows;
mod keeping;
mod sample;
mod tampering;

pub use forged_files::{
    nothing_follows_the_end_of_a_file, what_a_file_says_is_signed_or_not_listed,
};
pub use forged_rows::{
    a_record_is_not_taken_out, an_earlier_record_is_not_taken_back,
    an_unsealed_mission_is_not_let_in, caps_are_those_that_were_set,
    missions_from_before_seals_go_on, older_records_are_read_and_bound_when_written,
    the_end_of_the_audit_is_not_cut_off,
};
pub use keeping::{
    a_backup_restores_everything, an_export_is_read_and_verified_elsewhere,
    an_imported_mission_cannot_be_moved_on, erasing_leaves_nothing_to_read,
    keys_change_and_content_stays, pruning_leaves_what_verifies, records_are_sealed_to_their_place,
};
pub use sample::{Sample, master_key, signing_key};
pub use tampering::{a_cut_tail_needs_a_head_kept_elsewhere, tampering_is_found};

/// Makes one `#[tokio::test]` per clause. `$fresh` is an async function without arguments that gives an empty
/// store and a guard that keeps it alive, as a pair; `$times` is how many random tamperings to try.
#[macro_export]
macro_rules! journal_tests {
    ($fresh:path, $times:expr) => {
        #[::tokio::test]
        async fn tampering_is_found() {
            $crate::conformance::tampering_is_found($fresh, $times).await;
        }
        $crate::journal_tests! { @ $fresh:
            a_cut_tail_needs_a_head_kept_elsewhere
            an_export_is_read_and_verified_elsewhere
            an_imported_mission_cannot_be_moved_on
            erasing_leaves_nothing_to_read
            pruning_leaves_what_verifies
            keys_change_and_content_stays
            a_backup_restores_everything
            records_are_sealed_to_their_place
            what_a_file_says_is_signed_or_not_listed
            nothing_follows_the_end_of_a_file
            a_record_is_not_taken_out
            an_earlier_record_is_not_taken_back
            an_unsealed_mission_is_not_let_in
            caps_are_those_that_were_set
            missions_from_before_seals_go_on
            older_records_are_read_and_bound_when_written
            the_end_of_the_audit_is_not_cut_off
        }
    };
    (@ $fresh:path: $($clause:ident)*) => {
        $(
            #[::tokio::test]
            async fn $clause() {
                $crate::conformance::$clause($fresh).await;
            }
        )*
    };
}
