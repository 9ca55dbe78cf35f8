use adjutant_mission::{WorkSpec, references_in_json};
use serde_json::{Value, json};

use super::{ABOUT, Json, MissionId, Plan, Question, unnamed_expert};

/// What a document, a question or a person may say.
const TEXTS: [&str; 8] = [
    "{{inputs.about}}",
    "{{ .Values.image.tag }}",
    "{{answer.output}} and {{",
    "}} {{inputs.asked.question}} {{inputs.asked}}",
    "{% raw %}{{x}}{% endraw %} {# note #}",
    "${{ secrets.TOKEN }}",
    "{{{{}}}}",
    "\u{7b}\u{7b}inputs.about\u{7d}\u{7d} \\u007b\\u007b",
];

fn plan(input: &Value) -> Plan {
    let question = Question {
        title: TEXTS[0].to_owned(),
        objective: TEXTS[1].to_owned(),
        by: unnamed_expert().unwrap(),
        purpose: "conclude",
        input,
        reasoning: None,
        money: None,
        about: Some(MissionId::from_bits(7)),
        listed_at: None,
    };
    question.plan().unwrap()
}

#[test]
fn no_text_of_a_question_is_read_as_a_template() {
    for text in TEXTS {
        let input = json!({
            "question": text,
            "sources": [{ "id": text, "title": text, "text": text }],
            "guidance": [text],
        });
        let plan = plan(&input);
        let WorkSpec::Agent(work) = &plan.tasks[0].work else {
            unreachable!("it asks an agent");
        };
        let referred: Vec<String> = references_in_json(work.with.text())
            .into_iter()
            .map(|reference| reference.text)
            .collect();
        let wanted = ["guidance", "question", "sources"].map(|name| format!("inputs.asked.{name}"));
        assert_eq!(referred, wanted, "{text}");
        let inputs: Value =
            serde_json::from_str(plan.inputs.as_ref().map_or("", Json::text)).unwrap();
        assert_eq!(inputs["asked"], input);
        let dangling: Vec<String> = plan
            .problems(&Default::default())
            .iter()
            .map(ToString::to_string)
            .filter(|problem| problem.contains("{{"))
            .collect();
        assert_eq!(dangling, Vec::<String>::new(), "{text}");
        assert!(inputs[ABOUT].is_string());
    }
}
