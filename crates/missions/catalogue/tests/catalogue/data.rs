//! The roster, the twenty-four missions and the reasoning phrases.

use std::collections::BTreeSet;

use adjutant_catalogue::{
    Category, MISSIONS, MissionFacts, PHRASES, ROSTER, agent, agents_of, mission, phrase,
};
use adjutant_mission::{AgentId, AgentLevel, MicroUsd, Millis, Pattern, ToolId};
use adjutant_questions::LevelFacts;

#[test]
fn the_roster_has_everybody_once() {
    let count = |level| agents_of(level).count();
    assert_eq!(count(AgentLevel::L1), 1);
    assert_eq!(count(AgentLevel::L2), 24);
    assert_eq!(count(AgentLevel::L3), 26);
    assert_eq!(count(AgentLevel::L4), 15);
    assert_eq!(count(AgentLevel::L5), 13);
    let ids: BTreeSet<&str> = ROSTER.iter().map(|agent| agent.id).collect();
    assert_eq!(ids.len(), ROSTER.len());
    let names: BTreeSet<_> = ROSTER
        .iter()
        .map(|agent| (agent.level, agent.name))
        .collect();
    assert_eq!(names.len(), ROSTER.len());
}

#[test]
fn ids_are_fixed_and_say_the_level() {
    for agent in ROSTER {
        assert!(AgentId::new(agent.id).is_ok(), "{}", agent.id);
        let level = agent.level.name();
        assert!(agent.id.starts_with(&format!("{level}-")), "{}", agent.id);
    }
    for (id, name) in [
        ("L1-master", "Master"),
        ("L2-research-coordinator", "Research Coordinator"),
        ("L2-trade-off-analyst", "Trade-off Analyst"),
        ("L3-domain-expert", "Domain Expert"),
        (
            "L3-pharmacovigilance-specialist",
            "Pharmacovigilance Specialist",
        ),
        ("L4-DE", "Data Extractor"),
        ("L4-PS", "Priority Scorer"),
        ("L5-PS", "PubMed Search"),
    ] {
        assert_eq!(agent(id).unwrap().name, name);
    }
    assert_eq!(agent("L2-nobody"), None);
}

#[test]
fn workers_have_the_tools_of_their_trade() {
    let workers = agents_of(AgentLevel::L4).map(|worker| (worker.id, worker.tools));
    let expected: [(&str, &[&str]); 15] = [
        ("L4-DE", &["L5-RAG", "L5-NLP"]),
        ("L4-DP", &["L5-RAG", "L5-NLP", "L5-FMT"]),
        ("L4-CM", &["L5-PS", "L5-RAG", "L5-FMT"]),
        ("L4-QA", &["L5-RAG", "L5-CALC"]),
        ("L4-CS", &["L5-RAG", "L5-VIZ"]),
        ("L4-TL", &["L5-RAG", "L5-VIZ"]),
        ("L4-PM", &["L5-RAG", "L5-NLP"]),
        ("L4-GD", &["L5-RAG", "L5-PS"]),
        ("L4-RF", &["L5-RAG", "L5-FDA"]),
        ("L4-EV", &["L5-PS", "L5-RAG", "L5-CT"]),
        ("L4-HG", &["L5-RAG", "L5-PS"]),
        ("L4-CA", &["L5-RAG", "L5-STAT"]),
        ("L4-SC", &["L5-RAG", "L5-CALC"]),
        ("L4-OE", &["L5-RAG", "L5-PS"]),
        ("L4-PS", &["L5-CALC", "L5-RAG"]),
    ];
    assert_eq!(workers.collect::<Vec<_>>(), expected);
    for agent in ROSTER.iter().filter(|agent| agent.level != AgentLevel::L4) {
        assert!(
            agent.tools.is_empty(),
            "only workers call tools: {}",
            agent.id
        );
    }
}

#[test]
fn a_life_is_twenty_questions() {
    for agent in ROSTER {
        let question = u64::from(LevelFacts::of(agent.level).tokens_max);
        assert_eq!(agent.tokens_lifetime(), 20 * question);
    }
    assert_eq!(agent("L2-risk-analyst").unwrap().tokens_lifetime(), 240_000);
}

#[test]
fn everybody_has_a_mission() {
    for level in [
        AgentLevel::L2,
        AgentLevel::L3,
        AgentLevel::L4,
        AgentLevel::L5,
    ] {
        for agent in agents_of(level) {
            assert!(agent.missions().next().is_some(), "{}", agent.id);
        }
    }
    let missions = |id: &str| -> Vec<&str> {
        let missions = agent(id).unwrap().missions();
        missions.map(|mission| mission.id).collect()
    };
    assert_eq!(missions("L2-case-builder"), ["case_building"]);
    assert_eq!(
        missions("L3-strategic-analyst"),
        ["gap_discovery", "decision_framing"]
    );
    assert_eq!(
        missions("L3-risk-specialist"),
        ["risk_assessment", "go_no_go"]
    );
    assert_eq!(missions("L4-CM"), ["knowledge_harvest", "case_building"]);
}

#[test]
fn there_are_twenty_four_missions_in_seven_categories() {
    let ids: Vec<&str> = MISSIONS.iter().map(|mission| mission.id).collect();
    let expected = "deep_dive knowledge_harvest gap_discovery expert_onboarding critique benchmark risk_assessment \
                    feasibility_check decision_framing option_exploration trade_off_analysis go_no_go \
                    failure_forensics signal_chasing due_diligence pattern_mining horizon_scanning competitive_watch \
                    trigger_monitoring get_unstuck alternative_finding path_finding meeting_prep case_building";
    assert_eq!(ids, expected.split_whitespace().collect::<Vec<_>>());
    let of = |category| MISSIONS.iter().filter(|it| it.category == category).count();
    assert_eq!(Category::ALL.map(of), [4, 4, 4, 4, 3, 3, 2]);
    let experts: BTreeSet<&str> = MISSIONS.iter().map(|mission| mission.expert).collect();
    assert_eq!(experts.len(), 24, "each expert leads one mission");
}

/// Everything about a mission in one line each: what the table says, written down a second time.
fn told(mission: &MissionFacts) -> Vec<String> {
    vec![
        format!("{} ({})", mission.name, mission.category.name()),
        mission.expert.to_owned(),
        mission.specialists.join(" "),
        mission.workers.join(" "),
        mission.tools().join(" "),
        mission.reasoning.join(" + "),
        mission.checkpoints.join(" "),
        format!(
            "{} to {} micro-dollars",
            mission.cost.from.0, mission.cost.to.0
        ),
        format!("{} to {} ms", mission.time.from.0, mission.time.to.0),
    ]
}

#[test]
fn the_facts_of_three_missions() {
    assert_eq!(
        told(mission("deep_dive").unwrap()),
        [
            "Deep Dive (understand)",
            "L2-research-coordinator",
            "L3-domain-expert L3-evidence-specialist",
            "L4-DE L4-CS L4-PM L4-TL L4-GD L4-OE",
            "L5-RAG L5-PS L5-CT L5-PT L5-FDA L5-WEB L5-NEWS L5-EMA",
            "Tree-of-Thought + Chain-of-Thought + Reflection",
            "scope insight_validation final_review",
            "150000 to 300000 micro-dollars",
            "900000 to 1500000 ms",
        ]
    );
    assert_eq!(
        told(mission("signal_chasing").unwrap()),
        [
            "Signal Chasing (investigate)",
            "L2-signal-analyst",
            "L3-pharmacovigilance-specialist",
            "L4-CA L4-PM L4-EV L4-RF L4-HG",
            "L5-FDA L5-PS L5-RAG L5-STAT L5-CT L5-EMA",
            "Causal Analysis + Pattern Recognition",
            "characterization causality",
            "100000 to 200000 micro-dollars",
            "600000 to 1200000 ms",
        ]
    );
    assert_eq!(
        told(mission("path_finding").unwrap()),
        [
            "Path Finding (solve)",
            "L2-path-optimizer",
            "L3-operations-specialist",
            "L4-SC L4-PS L4-RF L4-TL",
            "L5-RAG L5-CALC L5-VIZ",
            "Path Optimization + Constraint Satisfaction",
            "goal_definition path_selection",
            "50000 to 100000 micro-dollars",
            "300000 to 600000 ms",
        ]
    );
}

#[test]
fn every_mission_names_only_what_there_is() {
    for mission in MISSIONS {
        let level = |id: &str| agent(id).map(|agent| agent.level);
        assert_eq!(
            level(mission.expert),
            Some(AgentLevel::L2),
            "{}",
            mission.id
        );
        for id in mission.specialists {
            assert_eq!(level(id), Some(AgentLevel::L3), "{id}");
        }
        for id in mission.workers {
            assert_eq!(level(id), Some(AgentLevel::L4), "{id}");
        }
        for id in mission.tools() {
            assert_eq!(level(id), Some(AgentLevel::L5), "{id}");
            assert!(ToolId::new(id).is_ok());
        }
        assert!(mission.cost.from < mission.cost.to && mission.cost.from > MicroUsd::ZERO);
        assert!(mission.time.from < mission.time.to && mission.time.from > Millis::ZERO);
    }
}

#[test]
fn every_chain_keeps_law_6() {
    for mission in MISSIONS {
        let chain = |ids: &[&str]| -> Vec<AgentLevel> {
            ids.iter().map(|id| agent(id).unwrap().level).collect()
        };
        let master = agent("L1-master").unwrap().level;
        let expert = agent(mission.expert).unwrap().level;
        assert!(master.may_start(expert));
        let specialists = chain(mission.specialists);
        assert!(specialists.iter().all(|level| expert.may_start(*level)));
        let workers = chain(mission.workers);
        for specialist in &specialists {
            assert!(workers.iter().all(|level| specialist.may_start(*level)));
            assert!(
                !specialist.may_start(AgentLevel::L5),
                "nobody skips a level"
            );
        }
        let tools = chain(&mission.tools());
        for worker in &workers {
            assert!(tools.iter().all(|level| worker.may_start(*level)));
        }
    }
}

#[test]
fn the_european_agency_joins_the_american() {
    for mission in MISSIONS {
        let tools = mission.tools();
        if tools.contains(&"L5-FDA") {
            let times = tools.iter().filter(|tool| **tool == "L5-EMA").count();
            assert_eq!(times, 1, "{}", mission.id);
        }
    }
    assert!(
        !mission("pattern_mining")
            .unwrap()
            .tools()
            .contains(&"L5-EMA")
    );
}

#[test]
fn a_worker_may_call_its_own_tools_and_its_missions() {
    let tools = mission("go_no_go").unwrap().tools_of("L4-EV");
    assert_eq!(
        tools,
        ["L5-RAG", "L5-FDA", "L5-CALC", "L5-PS", "L5-EMA", "L5-CT"]
    );
}

#[test]
fn no_phrase_is_left_unmapped() {
    let mut said = BTreeSet::new();
    for mission in MISSIONS {
        for text in mission.reasoning {
            let Some(phrase) = phrase(text) else {
                panic!("`{text}` of {} is not mapped", mission.id);
            };
            assert!(!phrase.patterns.is_empty(), "`{text}` leads to no pattern");
            said.insert(*text);
        }
        let patterns = mission.reasoning.iter().map(|text| phrase(text).unwrap());
        assert!(patterns.map(|phrase| phrase.patterns.len()).sum::<usize>() <= 5);
    }
    let mapped: BTreeSet<&str> = PHRASES.iter().map(|phrase| phrase.text).collect();
    assert_eq!(mapped.len(), PHRASES.len(), "each phrase is mapped once");
    assert_eq!(mapped, said, "and none that nobody says");
}

#[test]
fn every_pattern_serves_some_mission() {
    let used: BTreeSet<Pattern> = PHRASES.iter().flat_map(|it| it.patterns.to_vec()).collect();
    assert_eq!(used.len(), Pattern::ALL.len());
    let methods = |text: &str| -> Vec<&str> {
        let methods = phrase(text).unwrap().methods.iter();
        methods.map(|method| method.name()).collect()
    };
    assert_eq!(methods("FMEA"), ["fmea"]);
    assert_eq!(methods("Monte Carlo"), ["monte_carlo"]);
    assert_eq!(methods("Decision Tree"), ["decision_tree", "sensitivity"]);
    assert_eq!(methods("Rubric Evaluation"), ["rubric"]);
}
