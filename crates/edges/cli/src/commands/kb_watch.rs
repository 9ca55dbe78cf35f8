//! Looks at the folders of the knowledge base now and then, while a host runs.

use std::collections::BTreeSet;
use std::time::Duration;

use super::kb;
use crate::output::{self, Form};
use adjutant_app::error::AppError;
use adjutant_app::host_link::HostLink;
use adjutant_app::knowledge::{look_again, namespaces};
use adjutant_app::progress::Unwatched;
use adjutant_app::settings::Settings;

const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// Takes in what has changed, until the host stops. What is wrong with a folder is told once.
pub(super) async fn watch(settings: Settings, form: Form) {
    let mut told = BTreeSet::new();
    loop {
        // A host that is stopping, or a database that is away: it is looked again.
        let looked = look(&settings, form, &mut told).await;
        if let Err(failure) = looked {
            complain(
                "The knowledge base was not checked",
                &failure,
                form,
                &mut told,
            );
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

async fn look(
    settings: &Settings,
    form: Form,
    told: &mut BTreeSet<String>,
) -> Result<(), AppError> {
    let all = namespaces(settings).await?;
    let watched = all.iter().filter(|of| !of.folders.is_empty());
    let Some(engine) = HostLink::find(settings).await else {
        return Ok(());
    };
    for of in watched {
        match look_again(settings, &engine, of, &Unwatched).await {
            Ok(taken) if taken.changes_something() => {
                kb::tell(&of.name, &taken, form)?;
            }
            Ok(_) => {}
            Err(failure) => {
                let about = format!("Knowledge base `{}`", of.name);
                complain(&about, &failure, form, told);
            }
        }
    }
    Ok(())
}

fn complain(about: &str, failure: &AppError, form: Form, told: &mut BTreeSet<String>) {
    for complaint in &failure.complaints {
        let line = format!("{about}: {} ({})", complaint.message, complaint.code);
        if form == Form::Text && told.insert(line.clone()) {
            output::note(&line);
        }
    }
}
