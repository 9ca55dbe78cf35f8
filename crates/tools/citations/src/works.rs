//! Records of the same work merged, in the order in which they are cited.

use std::collections::{BTreeMap, BTreeSet};

use crate::Refusal;
use crate::csl::{Field, Item};
use crate::notes::Notes;

/// One item for each work that is listed.
pub(crate) fn works_in_order(
    items: Vec<Item>,
    cited: Option<&[String]>,
    notes: &mut Notes,
) -> Result<Vec<Item>, Refusal> {
    let works = merge(items, notes)?;
    in_order(works, cited, notes)
}

/// One work, and the ids of all its records.
struct Work {
    item: Item,
    ids: BTreeSet<String>,
}

fn merge(items: Vec<Item>, notes: &mut Notes) -> Result<Vec<Work>, Refusal> {
    let mut works: Vec<Work> = Vec::with_capacity(items.len());
    let mut index_by_number: BTreeMap<(Field, String), usize> = BTreeMap::new();
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for item in items {
        let numbers: Vec<(Field, String)> = [Field::Doi, Field::Pmid]
            .into_iter()
            .filter(|field| item.has(*field))
            .map(|field| (field, item.text(field).to_lowercase()))
            .collect();
        let same = numbers
            .iter()
            .find_map(|number| index_by_number.get(number).copied());
        if let Some(index) = same {
            notes.add(format!(
                "{} is the same work as {} and is merged into it.",
                item.id, works[index].item.id
            ));
            works[index].item.fill_from(&item);
            ids.insert(item.id.clone());
            works[index].ids.insert(item.id);
        } else {
            if !ids.insert(item.id.clone()) {
                return Err(Refusal::unusable(
                    "items",
                    &item.id,
                    "two different works have this `id`, give each its own",
                ));
            }
            works.push(Work {
                ids: BTreeSet::from([item.id.clone()]),
                item,
            });
        }
        let index = same.unwrap_or(works.len() - 1);
        for number in numbers {
            index_by_number.entry(number).or_insert(index);
        }
    }
    Ok(works)
}

fn in_order(
    works: Vec<Work>,
    cited: Option<&[String]>,
    notes: &mut Notes,
) -> Result<Vec<Item>, Refusal> {
    let Some(cited) = cited else {
        return Ok(works.into_iter().map(|work| work.item).collect());
    };
    let mut index_by_id: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, work) in works.iter().enumerate() {
        index_by_id.extend(work.ids.iter().map(|id| (id.as_str(), index)));
    }
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for id in cited {
        let Some(&index) = index_by_id.get(id.as_str()) else {
            return Err(Refusal::unusable("cited", id, "no item has this `id`"));
        };
        if seen.insert(index) {
            order.push(index);
        }
    }
    let mut works: Vec<Option<Item>> = works.into_iter().map(|work| Some(work.item)).collect();
    let items = order
        .into_iter()
        .filter_map(|index| works.get_mut(index).and_then(Option::take))
        .collect();
    for item in works.into_iter().flatten() {
        notes.add(format!("{} is not cited and is left out.", item.id));
    }
    Ok(items)
}
