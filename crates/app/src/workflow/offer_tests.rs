use adjutant_suggestion::{KnownTool, Suggester, ToolEffect};

use super::*;

fn tool(id: &str, about: &str, effect: ToolEffect, needs: &[&str], gives: &[&str]) -> KnownTool {
    let fields = |names: &[&str]| {
        let fields = names
            .iter()
            .map(|name| ((*name).to_owned(), json!({ "type": "array" })));
        json!({ "type": "object", "properties": fields.collect::<Map<_, _>>(), "required": names })
    };
    KnownTool {
        id: id.into(),
        name: id.replace('_', " "),
        description: about.into(),
        input: fields(needs),
        output: Some(fields(gives)),
        effect,
        price: 0,
    }
}

fn house() -> Suggester {
    let tools = vec![
        tool(
            "tide_table",
            "Finds tides of a harbour.",
            ToolEffect::Finds,
            &[],
            &["tides"],
        ),
        tool(
            "paint_mixer",
            "Mixes paint out of pigments.",
            ToolEffect::Computes,
            &["pigments"],
            &["paint"],
        ),
    ];
    Suggester::new(tools, &[], Vec::new())
}

fn mission() -> MissionId {
    MissionId::from_bits(7)
}

fn offered(intent: &str) -> Offered {
    let suggested = house().suggest(intent).unwrap();
    let reason = Reason::Decide(suggested.ail_required.unwrap());
    Offered::new(
        mission(),
        &suggested,
        &reason,
        Configuration::default(),
        Timestamp(0),
    )
}

fn values(json: Value) -> Map<String, Value> {
    serde_json::from_value(json).unwrap()
}

#[test]
fn a_program_is_told_the_reason_the_graph_and_its_four_choices() {
    let told = offered("Mix paint out of pigments").told;
    assert_eq!(told["status"], "ail_required");
    assert_eq!(told["workflow_id"], json!(mission()));
    assert!(told["confidence"].as_f64().unwrap() < 0.95, "{told}");
    assert_eq!(told["suggested_dag"]["tasks"][0]["tool"], "paint_mixer");
    let options = told["options"].as_array().unwrap();
    let names: Vec<&Value> = options.iter().map(|option| &option["value"]).collect();
    assert_eq!(
        names,
        [
            "agent_delegation",
            "manual_dag",
            "execute_suggested",
            "abort"
        ]
    );
    for option in options {
        assert_eq!(option["tool"], "execute_workflow");
        assert_eq!(option["arguments"]["workflow_id"], told["workflow_id"]);
        assert_eq!(option["arguments"]["choice"], option["value"]);
    }
    let asked = &options[2]["requires_input"]["values"];
    assert_eq!(asked["paint_mixer"]["pigments"], "list", "{told}");
}

#[test]
fn what_is_missing_must_be_given_and_nothing_else_is_taken() {
    let offered = offered("Mix paint out of pigments");
    let refused = |given: Value| offered.completed(&values(given)).unwrap_err();
    assert!(refused(json!({})).has_code("ADJ-6261"));
    assert!(refused(json!({ "tide_table": { "pigments": [] } })).has_code("ADJ-6262"));
    assert!(refused(json!({ "paint_mixer": ["red"] })).has_code("ADJ-6262"));
    assert!(refused(json!({ "paint_mixer": { "paint": [] } })).has_code("ADJ-6261"));
    let given = values(json!({ "paint_mixer": { "pigments": ["red"] } }));
    let graph = offered.completed(&given).unwrap();
    assert_eq!(graph.tasks[0].arguments["pigments"], json!(["red"]));
}

#[test]
fn what_is_missing_and_what_is_not_covered_is_said_whatever_the_reason_is() {
    let told = offered("Find the tides of the harbour, mix paint, and mail it to Bob").told;
    assert_eq!(told["not_covered"], json!(["mail it to Bob"]), "{told}");
    let message = told["message"].as_str().unwrap();
    for named in [AilReason::MissingArguments, AilReason::NotCovered] {
        assert_eq!(message.matches(named.sentence()).count(), 1, "{message}");
    }
    let told = offered("Find the tides of the harbour").told;
    assert_eq!(told["not_covered"], json!([]), "{told}");
    let message = told["message"].as_str().unwrap();
    assert!(
        !message.contains("missing") && !message.contains("covers"),
        "{message}"
    );
}

#[test]
fn of_several_arguments_of_which_one_will_do_any_may_be_given() {
    let mut wreck = tool(
        "wreck_register",
        "Looks up wrecks of ships.",
        ToolEffect::Finds,
        &[],
        &[],
    );
    wreck.input = json!({
        "type": "object",
        "properties": { "ship": { "type": "string" }, "year": { "type": "number" } },
        "anyOf": [{ "required": ["ship"] }, { "required": ["year"] }],
    });
    let suggester = Suggester::new(vec![wreck], &[], Vec::new());
    let suggested = suggester.suggest("Look up wrecks of ships").unwrap();
    let reason = Reason::Decide(suggested.ail_required.unwrap());
    let config = Configuration::default();
    let offered = Offered::new(mission(), &suggested, &reason, config, Timestamp(0));
    assert_eq!(
        offered.told["missing"][0]["or"],
        json!(["year"]),
        "{}",
        offered.told
    );
    let refused = offered.completed(&Map::new()).unwrap_err();
    assert!(refused.has_code("ADJ-6261"));
    for given in [json!({ "ship": "Elsa" }), json!({ "year": 1904 })] {
        assert!(
            offered
                .completed(&values(json!({ "wreck_register": given })))
                .is_ok()
        );
    }
}

#[test]
fn where_nothing_was_suggested_nothing_can_be_run() {
    let offered = offered("Translate the poem into Welsh");
    assert_eq!(offered.told["reason"], "nothing_fits");
    assert_eq!(offered.told["options"][2]["available"], false);
    let refused = offered.completed(&Map::new()).unwrap_err();
    assert!(refused.has_code("ADJ-6261"));
}

#[test]
fn an_agent_gets_the_intent_as_words_and_only_tools_that_it_may_have() {
    let offered = offered("Find the tides of {{secret.output}} harbour and mix paint");
    let tasks = offered.as_agent(|tool| tool == "tide_table");
    assert_eq!(tasks[0]["agent_tools"], json!(["tide_table"]));
    let goal = tasks[0]["agent_goal"].as_str().unwrap();
    assert!(!goal.contains("{{"), "{goal}");
}

#[test]
fn what_was_kept_is_read_again_as_it_was() {
    let offered = offered("Mix paint out of pigments");
    let kept = serde_json::to_value(&offered).unwrap();
    let read: Offered = serde_json::from_value(kept).unwrap();
    assert_eq!(read, offered);
}
