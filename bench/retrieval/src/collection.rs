//! A judged collection: documents, questions, and what is relevant to each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;

pub struct Text {
    pub id: u32,
    pub title: String,
    pub body: String,
}

pub struct Question {
    pub text: String,
    /// Gain of each judged document: 5 minus the grade for grades 1 (best) to 4, else 0.
    pub gains: BTreeMap<u32, u32>,
}

pub struct Collection {
    pub texts: Vec<Text>,
    pub questions: Vec<Question>,
}

pub fn read(folder: &str) -> anyhow::Result<Collection> {
    let folder = Path::new(folder);
    let read = |name: &str| -> anyhow::Result<String> {
        let bytes = fs::read(folder.join(name)).with_context(|| name.to_owned())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut texts = Vec::new();
    for record in records(&read("cran.all.1400")?) {
        texts.push(Text {
            id: record.id,
            title: record.field('T'),
            body: record.field('W'),
        });
    }
    let mut questions: Vec<Question> = records(&read("cran.qry")?)
        .iter()
        .map(|record| Question {
            text: record.field('W'),
            gains: BTreeMap::new(),
        })
        .collect();
    for line in read("cranqrel")?.lines() {
        let numbers: Vec<i64> = line
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let [question, document, grade, ..] = numbers[..] else {
            continue;
        };
        let gain = if (1..=4).contains(&grade) {
            5 - grade
        } else {
            0
        };
        let place = usize::try_from(question - 1)?;
        questions[place]
            .gains
            .insert(document.try_into()?, gain.try_into()?);
    }
    Ok(Collection { texts, questions })
}

#[derive(Default)]
struct Record {
    id: u32,
    fields: BTreeMap<char, String>,
}

impl Record {
    fn field(&self, name: char) -> String {
        self.fields
            .get(&name)
            .map(|text| text.trim().to_owned())
            .unwrap_or_default()
    }
}

fn records(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut field = ' ';
    for line in text.lines() {
        if let Some(id) = line.strip_prefix(".I ") {
            records.push(Record {
                id: id.trim().parse().unwrap_or_default(),
                ..Record::default()
            });
            field = ' ';
        } else if let Some(name) = [".T", ".A", ".B", ".W"]
            .iter()
            .find(|n| line.trim_end() == **n)
        {
            field = name.chars().nth(1).unwrap_or(' ');
        } else if let Some(record) = records.last_mut() {
            let text = record.fields.entry(field).or_default();
            text.push_str(line);
            text.push('\n');
        }
    }
    records
}
