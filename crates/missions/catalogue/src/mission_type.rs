//! Which type of mission a plan was made as. Plans of the catalogue record it in a reserved input; for those that were made
//! before it was recorded, the shape of the inputs and the title tell.

use adjutant_mission::Plan;
use adjutant_plans::MISSION_TYPE_INPUT;
use serde_json::Value;

use crate::catalogue::Catalogue;
use crate::inputs::GIVEN;

/// The type of a mission, and how it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissionType {
    /// Of the catalogue: `deep_dive`.
    pub id: String,
    pub source: TypeSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeSource {
    /// The plan says it.
    Recorded,
    /// The plan was made before types were recorded; its title begins with the type's name.
    Derived,
}

/// The type of the mission that a plan belongs to; nothing for the plan of a file, or of a type that is no longer known.
pub fn mission_type(plan: &Plan, catalogue: &Catalogue) -> Option<MissionType> {
    let inputs: Value = serde_json::from_str(plan.inputs.as_ref()?.text()).ok()?;
    // A plan file of before the name was reserved may have had an input of that name.
    if !GIVEN.iter().all(|name| inputs.get(name).is_some()) {
        return None;
    }
    let found = |id: &str, source| MissionType {
        id: id.to_owned(),
        source,
    };
    if let Some(id) = inputs.get(MISSION_TYPE_INPUT) {
        return Some(found(id.as_str()?, TypeSource::Recorded));
    }
    let titled = |name: &str| {
        let rest = plan.title.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(": "))
    };
    let mut entries = catalogue.entries.iter();
    let entry = entries.find(|entry| titled(&entry.name))?;
    Some(found(&entry.id, TypeSource::Derived))
}
