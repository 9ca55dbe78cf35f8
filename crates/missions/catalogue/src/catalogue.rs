//! All missions together: the twenty-four that are known, the templates that are built in, and a user's own.

use adjutant_plans::PlanErrors;

use crate::checker::WithoutTools;
use crate::missions::{MISSIONS, MissionFacts};
use crate::read::read;
use crate::template::Template;

/// The built-in templates: file name and text.
pub const BUILT_IN: &[(&str, &str)] = &[
    (
        "deep_dive.yaml",
        include_str!("../templates/deep_dive.yaml"),
    ),
    (
        "risk_assessment.yaml",
        include_str!("../templates/risk_assessment.yaml"),
    ),
    ("go_no_go.yaml", include_str!("../templates/go_no_go.yaml")),
    (
        "trade_off_analysis.yaml",
        include_str!("../templates/trade_off_analysis.yaml"),
    ),
    (
        "decision_framing.yaml",
        include_str!("../templates/decision_framing.yaml"),
    ),
    (
        "option_exploration.yaml",
        include_str!("../templates/option_exploration.yaml"),
    ),
    (
        "alternative_finding.yaml",
        include_str!("../templates/alternative_finding.yaml"),
    ),
    (
        "get_unstuck.yaml",
        include_str!("../templates/get_unstuck.yaml"),
    ),
    (
        "path_finding.yaml",
        include_str!("../templates/path_finding.yaml"),
    ),
    (
        "failure_forensics.yaml",
        include_str!("../templates/failure_forensics.yaml"),
    ),
    (
        "signal_chasing.yaml",
        include_str!("../templates/signal_chasing.yaml"),
    ),
    (
        "due_diligence.yaml",
        include_str!("../templates/due_diligence.yaml"),
    ),
    (
        "pattern_mining.yaml",
        include_str!("../templates/pattern_mining.yaml"),
    ),
    (
        "meeting_prep.yaml",
        include_str!("../templates/meeting_prep.yaml"),
    ),
    (
        "case_building.yaml",
        include_str!("../templates/case_building.yaml"),
    ),
    (
        "gap_discovery.yaml",
        include_str!("../templates/gap_discovery.yaml"),
    ),
    ("critique.yaml", include_str!("../templates/critique.yaml")),
    (
        "feasibility_check.yaml",
        include_str!("../templates/feasibility_check.yaml"),
    ),
    (
        "benchmark.yaml",
        include_str!("../templates/benchmark.yaml"),
    ),
    (
        "knowledge_harvest.yaml",
        include_str!("../templates/knowledge_harvest.yaml"),
    ),
    (
        "expert_onboarding.yaml",
        include_str!("../templates/expert_onboarding.yaml"),
    ),
    (
        "horizon_scanning.yaml",
        include_str!("../templates/horizon_scanning.yaml"),
    ),
    (
        "competitive_watch.yaml",
        include_str!("../templates/competitive_watch.yaml"),
    ),
    (
        "trigger_monitoring.yaml",
        include_str!("../templates/trigger_monitoring.yaml"),
    ),
];

/// One mission of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: String,
    pub name: String,
    /// Absent for a mission that only a user's template describes.
    pub facts: Option<&'static MissionFacts>,
    pub state: State,
}

/// Whether a mission can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Its facts are known; nobody has written its graph yet.
    Announced,
    /// It has a template.
    Ready(Box<Template>),
    /// As `Ready`, by a user's file of that name.
    Yours(Box<Template>, String),
}

impl Entry {
    /// What it is for, in a sentence.
    pub fn about(&self) -> &str {
        match (self.template(), self.facts) {
            (Some(template), _) => &template.about,
            (None, facts) => facts.map_or("", |facts| facts.about),
        }
    }

    pub fn template(&self) -> Option<&Template> {
        match &self.state {
            State::Announced => None,
            State::Ready(template) | State::Yours(template, _) => Some(template),
        }
    }
}

/// A user's file that is not used, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UserFileProblem {
    #[error("{file}: {errors}")]
    Unreadable { file: String, errors: PlanErrors },
    #[error("{file} has the id `{id}`, which {first} has already")]
    Repeated {
        file: String,
        id: String,
        first: String,
    },
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// In the order of the catalogue; a user's own missions at the end.
    pub entries: Vec<Entry>,
    pub problems: Vec<UserFileProblem>,
}

impl Catalogue {
    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    pub fn template(&self, id: &str) -> Option<&Template> {
        self.entry(id)?.template()
    }
}

/// The catalogue with a user's templates in it: file name and text of each. One of them takes the place of the built-in
/// template of the same id; one that cannot be read changes nothing and is reported.
pub fn load(user: Option<&[(&str, &str)]>) -> Catalogue {
    let announced = |facts: &'static MissionFacts| Entry {
        id: facts.id.to_owned(),
        name: facts.name.to_owned(),
        facts: Some(facts),
        state: State::Announced,
    };
    let mut catalogue = Catalogue {
        entries: MISSIONS.iter().map(announced).collect(),
        problems: Vec::new(),
    };
    for &(file, text) in BUILT_IN {
        catalogue.take(file, text, |template| State::Ready(Box::new(template)));
    }
    for (file, text) in user.unwrap_or_default() {
        let file = (*file).to_owned();
        catalogue.take(&file.clone(), text, |template| {
            State::Yours(Box::new(template), file)
        });
    }
    catalogue
}

impl Catalogue {
    fn take(&mut self, file: &str, text: &str, state: impl FnOnce(Template) -> State) {
        let template = match read(text.as_bytes(), &WithoutTools) {
            Ok(template) => template,
            Err(errors) => {
                let file = file.to_owned();
                self.problems
                    .push(UserFileProblem::Unreadable { file, errors });
                return;
            }
        };
        let (id, name) = (template.id.clone(), template.name.clone());
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) else {
            self.entries.push(Entry {
                id,
                name,
                facts: None,
                state: state(template),
            });
            return;
        };
        if let State::Yours(_, first) = &entry.state {
            let (file, first) = (file.to_owned(), first.clone());
            self.problems
                .push(UserFileProblem::Repeated { file, id, first });
            return;
        }
        entry.name = name;
        entry.state = state(template);
    }
}
