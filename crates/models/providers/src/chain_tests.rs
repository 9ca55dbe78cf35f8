use adjutant_mission::{AgentLevel, Complexity, DomainId, ModelId};
use adjutant_questions::{AskFailure, Tier};

use super::Route;
use crate::settings::Chains;

fn chains() -> Chains {
    let mut chains = Chains::default();
    let one = |name: &str| vec![name.to_owned()];
    chains.tiers.insert(Tier::Worker, one("a/tier"));
    chains.tiers.insert(Tier::Tool, vec![]);
    chains
        .complexity
        .insert((Complexity::Complex, Tier::Worker), one("a/complex"));
    let field = DomainId::new("biomedical").unwrap();
    chains
        .domains
        .insert((field, Tier::Worker), one("a/biomedical"));
    chains
}

#[test]
fn the_most_particular_chain_is_asked() {
    let chains = chains();
    let (field, other) = (
        DomainId::new("biomedical").unwrap(),
        DomainId::new("law").unwrap(),
    );
    let model = ModelId::new("b/named").unwrap();
    let plain = Route {
        level: AgentLevel::L4,
        domain: None,
        complexity: Complexity::Ordinary,
        model: None,
    };
    let complex = Route {
        complexity: Complexity::Complex,
        ..plain
    };
    assert_eq!(chains.of(&plain).unwrap(), ["a/tier"]);
    assert_eq!(chains.of(&complex).unwrap(), ["a/complex"]);
    let in_field = Route {
        domain: Some(&field),
        ..complex
    };
    assert_eq!(chains.of(&in_field).unwrap(), ["a/biomedical"]);
    let elsewhere = Route {
        domain: Some(&other),
        ..complex
    };
    assert_eq!(chains.of(&elsewhere).unwrap(), ["a/complex"]);
    let named = Route {
        model: Some(&model),
        ..in_field
    };
    assert_eq!(chains.of(&named).unwrap(), ["b/named"]);
}

#[test]
fn a_tier_without_settings_is_answered_offline_and_one_with_none_not_at_all() {
    let chains = chains();
    let route = |level| Route {
        level,
        domain: None,
        complexity: Complexity::Ordinary,
        model: None,
    };
    assert_eq!(chains.of(&route(AgentLevel::L1)).unwrap(), ["offline"]);
    assert_eq!(
        chains.of(&route(AgentLevel::L5)),
        Err(AskFailure::NoModel {
            tier: "tool".to_owned()
        })
    );
}
