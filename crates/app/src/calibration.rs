//! How often stated confidences turned out right, by every outcome that people rated.

use adjutant_host::calibration::{History, Table};
use adjutant_host::outcomes;
use adjutant_journal::TenantJournal;
use adjutant_store::TenantStore;

use crate::error::AppError;

pub async fn calibration_table<T: TenantStore>(
    journal: &TenantJournal<T>,
) -> Result<Table, AppError> {
    let mut pairs = outcomes(journal).await?.conclusions;
    pairs.sort_by(|(one, left), (other, right)| {
        (left.outcome.at, one).cmp(&(right.outcome.at, other))
    });
    let mut history = History::new();
    for (_, pair) in pairs {
        history.add(pair.forecast, pair.outcome);
    }
    Ok(Table::of(&history))
}
