use adjutant_questions::{Cluster, Clusters, Input, Output, Source};

use crate::dossiers::{answered, harbour, velostat, without};

fn clustered(sources: Vec<Source>, most: u16) -> Clusters {
    let input = Input::Cluster(Cluster {
        about: String::new(),
        sources,
        most,
        guidance: Vec::new(),
    });
    match answered(&input) {
        Output::Cluster(output) => output,
        other => panic!("{other:?}"),
    }
}

fn both() -> Vec<Source> {
    let poem = Source {
        id: "poem".to_owned(),
        text: "Autumn leaves whisper beneath a pale moon.".to_owned(),
        ..Source::default()
    };
    [velostat(), harbour(), vec![poem]].concat()
}

#[test]
fn what_is_about_the_same_is_together() {
    let groups = clustered(both(), 5);
    let drug = groups
        .clusters
        .iter()
        .find(|group| group.sources.contains(&"north".to_owned()))
        .unwrap();
    assert!(drug.sources.contains(&"south".to_owned()), "{groups:?}");
    assert!(drug.keywords.contains(&"velostat".to_owned()), "{drug:?}");
    assert!(!drug.sources.contains(&"report".to_owned()), "{groups:?}");
    assert_eq!(groups.alone.last().map(String::as_str), Some("poem"));
}

#[test]
fn every_source_is_somewhere_once_and_there_are_no_more_groups_than_asked_for() {
    for most in [0, 1, 2, 9] {
        let groups = clustered(both(), most);
        assert!(groups.clusters.len() <= usize::from(most));
        let mut all: Vec<String> = groups
            .clusters
            .into_iter()
            .flat_map(|group| group.sources)
            .collect();
        all.extend(groups.alone);
        all.sort();
        let mut wanted: Vec<String> = both().into_iter().map(|source| source.id).collect();
        wanted.sort();
        assert_eq!(all, wanted);
    }
}

#[test]
fn without_its_like_a_source_is_alone() {
    let few = clustered(without(&both()[3..], "guideline"), 5);
    let only = clustered(vec![velostat().remove(0)], 5);
    assert!(few.alone.contains(&"poem".to_owned()));
    assert_eq!(only.alone, ["north"]);
    let nothing = clustered(Vec::new(), 5);
    assert!(nothing.clusters.is_empty() && nothing.confidence.abs() < f64::EPSILON);
}
