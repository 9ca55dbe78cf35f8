//! Which type of mission a plan was made as: said by the plan, told by its title, or unknown.

use adjutant_catalogue::{Catalogue, TypeSource, load, mission_type};
use adjutant_mission::{Autonomy, Json, Plan};
use serde_json::{Value, json};

use crate::support::{READY, built_in, planned, start};

fn inputs_of(plan: &Plan) -> Value {
    serde_json::from_str(plan.inputs.as_ref().unwrap().text()).unwrap()
}

fn with_inputs(plan: &Plan, change: impl FnOnce(&mut Value)) -> Plan {
    let mut inputs = inputs_of(plan);
    change(&mut inputs);
    Plan {
        inputs: Some(Json::encode(&inputs).unwrap()),
        ..plan.clone()
    }
}

fn type_of(plan: &Plan, catalogue: &Catalogue) -> Option<(String, TypeSource)> {
    mission_type(plan, catalogue).map(|found| (found.id, found.source))
}

#[test]
fn every_ready_mission_records_its_type_and_older_plans_tell_theirs() {
    let catalogue = load(None);
    for id in READY {
        let plan = planned(&built_in(id), &start(Autonomy::Balanced)).plan;
        let recorded = Some(((*id).to_owned(), TypeSource::Recorded));
        assert_eq!(type_of(&plan, &catalogue), recorded);
        let older = with_inputs(&plan, |inputs| {
            inputs.as_object_mut().unwrap().remove("mission_type");
        });
        let derived = Some(((*id).to_owned(), TypeSource::Derived));
        assert_eq!(type_of(&older, &catalogue), derived);
    }
}

#[test]
fn what_is_recorded_holds_whatever_the_title_says() {
    let plan = planned(&built_in("deep_dive"), &start(Autonomy::Balanced)).plan;
    let plan = Plan {
        title: "Critique: what is said here".to_owned(),
        ..plan
    };
    let recorded = Some(("deep_dive".to_owned(), TypeSource::Recorded));
    assert_eq!(type_of(&plan, &load(None)), recorded);
}

#[test]
fn plans_of_files_have_no_type_even_if_they_look_like_one() {
    let catalogue = load(None);
    let plan = planned(&built_in("deep_dive"), &start(Autonomy::Balanced)).plan;
    for (title, inputs) in [
        ("Deep Dive: by hand", None),
        ("Deep Dive: by hand", Some(json!({"objective": "x"}))),
        (
            "By hand",
            Some(json!({"mission_type": "deep_dive", "objective": "x"})),
        ),
        ("Deep Diver: more", Some(inputs_without_type(&plan))),
        ("Deep Dive", Some(inputs_without_type(&plan))),
    ] {
        let plan = Plan {
            title: title.to_owned(),
            inputs: inputs.map(|inputs| Json::encode(&inputs).unwrap()),
            ..plan.clone()
        };
        assert_eq!(type_of(&plan, &catalogue), None, "{title}");
    }
    let odd = with_inputs(&plan, |inputs| inputs["mission_type"] = json!(7));
    assert_eq!(type_of(&odd, &catalogue), None);
}

fn inputs_without_type(plan: &Plan) -> Value {
    let mut inputs = inputs_of(plan);
    inputs.as_object_mut().unwrap().remove("mission_type");
    inputs
}
