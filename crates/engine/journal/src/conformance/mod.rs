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
mod keeping;
mod sample;
mod tampering;

pub use forged_files::{
    nothing_follows_the_end_of_a_file, what_a_file_says_is_signed_or_not_listed,
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
