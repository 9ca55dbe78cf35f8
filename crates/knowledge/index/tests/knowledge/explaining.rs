use adjutant_knowledge_index::{Explained, Query, Ranking, Way, search};
use proptest::prelude::*;

use crate::corpus::{index, random_entries};

fn way(explained: &Explained, way: Way) -> Option<f64> {
    explained
        .ways
        .iter()
        .find(|share| share.way == way)
        .map(|share| share.value)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_score_is_the_sum_of_what_explains_it(entries in random_entries()) {
        let mut query = Query::new("steel tanks under presure", 100);
        query.vector = Some(vec![1.0, 2.0, -1.0]);
        let ranking = Ranking::default();
        let found = search(&index(&entries), &query);
        for (place, hit) in (1_u32..).zip(&found.hits) {
            let explained = &hit.explained;
            let passage: f64 = explained.terms.iter().map(|term| term.passage_share).sum();
            let document: f64 = explained.terms.iter().map(|term| term.document_share).sum();
            prop_assert_eq!(passage, explained.passage);
            prop_assert_eq!(document, explained.document);
            let words = (1.0 - ranking.document_share) * passage + ranking.document_share * document;
            let said = way(explained, Way::Words).unwrap();
            prop_assert!(said == words || (said == 0.0 && passage == 0.0));
            let score: f64 = explained.ways.iter().map(|way| way.share).sum();
            prop_assert_eq!(score, hit.score);
            for way in &explained.ways {
                prop_assert!(way.best == 0.0 || way.share == way.weight * (way.value / way.best));
            }
            for term in &explained.terms {
                let count = f64::from(term.in_body) + ranking.heads_weight * f64::from(term.in_heads);
                let share = term.weight * term.idf * count * (ranking.saturation + 1.0)
                    / (count + ranking.saturation * term.length_norm);
                prop_assert_eq!(share, term.passage_share);
            }
            prop_assert_eq!(explained.diversity.map(|moved| moved.to), Some(place));
        }
    }

    #[test]
    fn what_diversity_moved_it_names(entries in random_entries()) {
        let query = Query::new("steel tank valve", 100);
        let found = search(&index(&entries), &query);
        let mut plain = query;
        plain.ways = plain.ways.without(Way::Diversity);
        let before = search(&index(&entries), &plain).hits;
        prop_assert_eq!(found.hits.len(), before.len());
        for hit in &found.hits {
            let from = hit.explained.diversity.unwrap().from as usize - 1;
            prop_assert_eq!((hit.document, hit.chunk), (before[from].document, before[from].chunk));
            prop_assert_eq!(hit.score, before[from].score);
        }
    }
}
