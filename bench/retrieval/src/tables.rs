//! The tables: one to choose numbers by, one to report.

use adjutant_knowledge_index::{Index, Ranking, Way, Ways};

use crate::collection::{self, Collection};
use crate::measures::{Half, Measures, mean};
use crate::ours::{self, Cut};
use crate::peer::{self, StopWords, Titles};

fn line(name: &str, odd: Measures, even: Measures) {
    let cells = |m: Measures| {
        format!(
            "{:.4} | {:.4} | {:.4} | {:.4}",
            m.ndcg_10, m.precision_10, m.average_precision, m.recall_100
        )
    };
    println!("| {name:<34} | {} | {} |", cells(odd), cells(even));
}

fn steps() -> Vec<(&'static str, Ways)> {
    use Way::{Diversity, Expansion, Neighbours, Spelling, Words};
    vec![
        ("words (BM25, heads and body)", Ways::only([Words])),
        ("+ spelling", Ways::only([Words, Spelling])),
        ("+ expansion", Ways::only([Words, Spelling, Expansion])),
        (
            "+ neighbours (fusion)",
            Ways::only([Words, Spelling, Expansion, Neighbours]),
        ),
        (
            "+ diversity (the default)",
            Ways::only([Words, Spelling, Expansion, Neighbours, Diversity]),
        ),
    ]
}

pub fn report(folder: &str) -> anyhow::Result<()> {
    let collection = collection::read(folder)?;
    let index = ours::index(&collection, Cut::AsAlways);
    println!(
        "{} documents, {} passages, {} questions; gain 5 - grade, linear; odd: chosen on, even: reported",
        index.document_count(),
        index.chunk_count(),
        collection.questions.len()
    );
    println!("| | odd nDCG@10 | P@10 | MAP | R@100 | even nDCG@10 | P@10 | MAP | R@100 |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, stop_words, titles) in [
        ("tantivy", StopWords::Kept, Titles::InBody),
        ("tantivy, no stop words", StopWords::Removed, Titles::InBody),
        ("tantivy, title before", StopWords::Kept, Titles::Before),
        ("tantivy, both", StopWords::Removed, Titles::Before),
    ] {
        let rankings = peer::rankings(&collection, stop_words, titles)?;
        let of = |half| mean(&rankings, &collection.questions, half);
        line(name, of(Half::Odd), of(Half::Even));
    }
    for (name, ways) in steps() {
        let halves = [Half::Odd, Half::Even];
        let rankings = ours::rankings(&collection, &index, &ways, &Ranking::default(), &halves);
        let of = |half| mean(&rankings, &collection.questions, half);
        line(name, of(Half::Odd), of(Half::Even));
    }
    Ok(())
}

/// One number at a time around the defaults, on the odd questions only.
pub fn tune(folder: &str) -> anyhow::Result<()> {
    let collection = collection::read(folder)?;
    for (name, cut) in [("as always", Cut::AsAlways), ("small", Cut::Small)] {
        let index = ours::index(&collection, cut);
        println!("passages cut {name}: {}", index.chunk_count());
        for (way, ways) in steps() {
            try_one(&collection, &index, &ways, way, |_| ());
        }
        tune_all(&collection, &index);
    }
    Ok(())
}

fn tune_all(collection: &Collection, index: &Index) {
    use Way::{Expansion, Neighbours, Words};
    let words = Ways::only([Words]);
    let more = Ways::only([Words, Expansion]);
    let fused = Ways::only([Words, Expansion, Neighbours]);
    let vary = |ways: &Ways, name: &str, values: &[f64], set: fn(&mut Ranking, f64)| {
        for value in values {
            try_one(collection, index, ways, &format!("{name} {value}"), |r| {
                set(r, *value);
            });
        }
    };
    vary(&words, "saturation", &[0.9, 1.2, 1.6, 2.0], |r, v| {
        r.saturation = v
    });
    vary(&words, "length penalty", &[0.4, 0.6, 0.75, 0.9], |r, v| {
        r.length_penalty = v
    });
    vary(
        &words,
        "heads weight",
        &[0.0, 0.5, 1.0, 1.5, 2.0, 3.0],
        |r, v| r.heads_weight = v,
    );
    vary(
        &words,
        "document share",
        &[0.0, 0.2, 0.3, 0.4, 0.5, 0.7],
        |r, v| r.document_share = v,
    );
    vary(
        &more,
        "expansion share",
        &[0.2, 0.3, 0.4, 0.5, 0.6],
        |r, v| r.expansion_share = v,
    );
    vary(&more, "expansion chunks", &[5.0, 10.0, 20.0], |r, v| {
        r.expansion_chunks = v as usize
    });
    vary(
        &more,
        "expansion terms",
        &[10.0, 20.0, 30.0, 40.0],
        |r, v| r.expansion_terms = v as usize,
    );
    vary(&fused, "neighbour pool", &[50.0, 100.0, 200.0], |r, v| {
        r.neighbour_pool = v as usize
    });
    vary(&fused, "neighbours", &[3.0, 5.0, 10.0, 20.0], |r, v| {
        r.neighbours = v as usize
    });
    vary(
        &fused,
        "neighbours weight",
        &[0.2, 0.3, 0.4, 0.6, 0.8],
        |r, v| r.neighbours_weight = v,
    );
}

fn try_one(
    collection: &Collection,
    index: &Index,
    ways: &Ways,
    name: &str,
    change: impl Fn(&mut Ranking),
) {
    let mut ranking = Ranking::default();
    change(&mut ranking);
    let rankings = ours::rankings(collection, index, ways, &ranking, &[Half::Odd]);
    let odd = mean(&rankings, &collection.questions, Half::Odd);
    println!(
        "  {name:<32} nDCG@10 {:.4}  MAP {:.4}  R@100 {:.4}",
        odd.ndcg_10, odd.average_precision, odd.recall_100
    );
}
