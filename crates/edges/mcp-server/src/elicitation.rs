//! Questions to the person at the client, where the client offers to put them: an `approval_response` without an answer asks
//! for it. Nothing is kept in between: the client repeats its call with what the person said.
//!
//! What comes back through a client counts as its program's answer, for a program could make it up. So it is taken only
//! from those whom the settings name, and never for what was made in the same name: the tool sees to that.

use rmcp::RoleServer;
use rmcp::model::{InputRequiredResult, ProtocolVersion};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};

const TOOL: &str = "approval_response";
/// The name of the question in what the client sends back.
const APPROVAL: &str = "approval";

/// What is to be done with a call.
#[derive(Debug, PartialEq)]
pub(crate) enum Elicited {
    /// The person has to be asked about this question of this workflow.
    Ask { workflow: Value, checkpoint: Value },
    /// As the arguments have it now.
    Call,
    /// The person was asked and did not answer.
    Unanswered,
}

/// Whether the person can be asked through this client. Revisions before need a connection that stays open for it.
pub(crate) fn is_offered(context: &RequestContext<RoleServer>) -> bool {
    let offers = context
        .client_capabilities()
        .is_some_and(|capabilities| capabilities.elicitation.is_some());
    let version = context.protocol_version();
    let since = ProtocolVersion::V_2026_07_28;
    offers && version.is_some_and(|version| version.as_str() >= since.as_str())
}

/// Fills in what the person said, or says that they have to be asked.
pub(crate) fn elicit(
    tool: &str,
    arguments: &mut Map<String, Value>,
    answers: Option<&Value>,
) -> Elicited {
    if tool != TOOL || arguments.get("approved").is_some_and(|it| !it.is_null()) {
        return Elicited::Call;
    }
    let (Some(workflow), Some(checkpoint)) =
        (arguments.get("workflow_id"), arguments.get("checkpoint"))
    else {
        return Elicited::Call;
    };
    let Some(answer) = answers
        .map(|answers| &answers[APPROVAL])
        .filter(|it| it.is_object())
    else {
        let (workflow, checkpoint) = (workflow.clone(), checkpoint.clone());
        return Elicited::Ask {
            workflow,
            checkpoint,
        };
    };
    let said = &answer["content"];
    match (answer["action"].as_str(), said["approved"].as_bool()) {
        (Some("accept"), Some(approved)) => {
            arguments.insert("approved".into(), approved.into());
            if let Some(note) = said["note"].as_str().filter(|note| !note.is_empty()) {
                arguments.insert("feedback".into(), note.into());
            }
            Elicited::Call
        }
        _ => Elicited::Unanswered,
    }
}

/// The question as a form, out of what `workflow_status` tells; none if the workflow does not ask it.
pub(crate) fn form(told: &Value, checkpoint: &Value) -> Option<InputRequiredResult> {
    let mut asked = told["approvals"].as_array()?.iter();
    let asked = asked.find(|asked| asked["checkpoint"] == *checkpoint)?;
    let question = asked["question"].as_str().unwrap_or("Is it approved?");
    let properties = json!({
        "approved": { "type": "boolean", "title": "Approve" },
        "note": { "type": "string", "title": "Note" },
    });
    let request = json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": question,
            "requestedSchema": {
                "type": "object", "properties": properties, "required": ["approved"],
            },
        },
    });
    let result = json!({ "resultType": "input_required", "inputRequests": { APPROVAL: request } });
    serde_json::from_value(result).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(answers: Option<Value>) -> (Elicited, Value) {
        let arguments = json!({ "workflow_id": "msn_1", "checkpoint": 2 });
        let Value::Object(mut arguments) = arguments else {
            unreachable!("it is an object");
        };
        let elicited = elicit(TOOL, &mut arguments, answers.as_ref());
        (elicited, Value::Object(arguments))
    }

    #[test]
    fn a_person_is_asked_once_and_only_a_clear_answer_counts() {
        let ask = Elicited::Ask {
            workflow: "msn_1".into(),
            checkpoint: 2.into(),
        };
        assert_eq!(call(None).0, ask);
        assert_eq!(call(Some(json!({}))).0, ask);
        for unanswered in [
            json!({ "action": "decline" }),
            json!({ "action": "cancel" }),
            json!({ "action": "accept" }),
            json!({ "action": "accept", "content": { "approved": "yes" } }),
            json!({ "content": { "approved": true } }),
        ] {
            let (elicited, arguments) = call(Some(json!({ APPROVAL: unanswered })));
            assert_eq!(elicited, Elicited::Unanswered, "{unanswered}");
            assert!(arguments["approved"].is_null());
        }
        for approved in [true, false] {
            let content = json!({ "approved": approved, "note": "fine" });
            let answer = json!({ APPROVAL: { "action": "accept", "content": content } });
            let (elicited, arguments) = call(Some(answer));
            assert_eq!(elicited, Elicited::Call);
            assert_eq!(arguments["approved"], approved);
            assert_eq!(arguments["feedback"], "fine");
        }
    }

    #[test]
    fn whoever_says_the_answer_is_not_asked() {
        let Value::Object(mut arguments) =
            json!({ "workflow_id": "msn_1", "checkpoint": 2, "approved": false })
        else {
            unreachable!("it is an object");
        };
        assert_eq!(elicit(TOOL, &mut arguments, None), Elicited::Call);
        assert_eq!(elicit("abort", &mut Map::new(), None), Elicited::Call);
    }

    #[test]
    fn the_form_asks_what_the_workflow_asks() {
        let told = json!({ "approvals": [{ "checkpoint": 2, "question": "Write the file?" }] });
        let form = form(&told, &json!(2)).unwrap();
        let form = serde_json::to_value(&form).unwrap();
        let params = &form["inputRequests"][APPROVAL]["params"];
        assert_eq!(params["message"], "Write the file?", "{form}");
        assert_eq!(params["requestedSchema"]["required"], json!(["approved"]));
        assert!(super::form(&told, &json!(1)).is_none());
    }
}
