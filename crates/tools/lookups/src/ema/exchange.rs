//! One request for a whole table, then a look through its rows.

use serde_json::{Map, Value, json};

use super::row::Row;
use super::search::{Category, Checked, Mark, Search};
use super::table::{self, Table};
use crate::dates::{Date, csl_date};
use crate::gathered::Gathered;
use crate::{HttpRequest, Lookup, LookupError, Reply, Site, Source, Step, status, url};

const NAME: &str = "the European Medicines Agency";

pub fn lookup(site: &Site, search: Search) -> Box<dyn Lookup> {
    Box::new(Exchange {
        site: site.clone(),
        search,
        checked: Checked::default(),
    })
}

#[derive(Debug)]
struct Exchange {
    site: Site,
    search: Search,
    checked: Checked,
}

impl Lookup for Exchange {
    fn begin(&mut self) -> Result<Step, LookupError> {
        self.checked = self.search.check()?;
        let file = self.table().file;
        let request = HttpRequest::get(url::build(&self.site.base, file, &[]))
            .with("accept", "application/json");
        Ok(Step::Send(request))
    }

    fn received(&mut self, reply: Reply) -> Result<Step, LookupError> {
        status::check(NAME, &reply)?;
        let unreadable =
            |what: String| LookupError::Unreadable(format!("{NAME} answered with {what}"));
        let answer: Value = serde_json::from_slice(&reply.body)
            .map_err(|error| unreadable(format!("broken JSON: {error}")))?;
        let Some(rows) = rows(&answer) else {
            return Err(unreadable("no table".into()));
        };
        let mut gathered = Gathered::new(self.checked.most);
        let (mut found, mut unread) = (Vec::new(), 0_usize);
        for value in rows {
            let row = Row::read(value);
            let row = row.filter(|row| row.text(self.table().name).is_some());
            match row {
                Some(row) if self.holds(&row) => found.push(row),
                Some(_) => {}
                None => unread += 1,
            }
        }
        if unread > 0 && unread == rows.len() {
            return Err(unreadable(
                "rows that have none of the known columns".into(),
            ));
        }
        if unread > 0 {
            gathered.note(format!("{unread} rows could not be read"));
        }
        found.sort_by_cached_key(|row| self.rank(row));
        gathered.total(Some(found.len() as u64));
        for row in &found {
            gathered.add(self.source(row));
        }
        if let Some(as_of) = answer["meta"]["timestamp"]
            .as_str()
            .and_then(Date::from_iso)
        {
            gathered.note(format!("as the agency published it on {}", as_of.iso()));
        }
        Ok(gathered.done())
    }
}

/// Under `data`, or bare as in older files.
fn rows(answer: &Value) -> Option<&Vec<Value>> {
    let places = [&answer["data"], &answer["results"], answer];
    places.into_iter().find_map(Value::as_array)
}

impl Exchange {
    fn table(&self) -> &'static Table {
        table::of(self.search.report)
    }

    fn holds(&self, row: &Row) -> bool {
        let (table, wanted) = (self.table(), &self.checked);
        let has = |columns: &[&str], wanted: &Option<String>| match wanted {
            None => true,
            Some(wanted) => columns.iter().any(|column| {
                let value = row.text(&[column]).map(str::to_lowercase);
                value
                    .is_some_and(|value| wanted.split_whitespace().all(|word| value.contains(word)))
            }),
        };
        let begins = |wanted: &str| {
            let codes = row.text(table::ATC).unwrap_or_default().to_lowercase();
            let mut codes = codes.split(|c: char| !c.is_alphanumeric());
            codes.any(|code| code.starts_with(wanted))
        };
        let marked = |mark: &Mark| {
            let value = row.text(mark.columns());
            value.is_some_and(|value| value.eq_ignore_ascii_case("yes"))
        };
        let category = match self.search.category {
            Category::Any => None,
            Category::Human => Some("human".to_owned()),
            Category::Veterinary => Some("veterinary".to_owned()),
        };
        let id = || self.id(row).trim_start_matches("EMA:").to_lowercase();
        has(table.name, &wanted.name)
            && has(table.substance, &wanted.substance)
            && has(table.status, &wanted.status)
            && has(table::HOLDER, &wanted.company)
            && has(table::AREA, &wanted.area)
            && has(table::CATEGORY, &category)
            && wanted.atc.as_deref().is_none_or(begins)
            && (wanted.ids.is_empty() || wanted.ids.contains(&id()))
            && self.search.marks.iter().all(marked)
            && self.in_time(row)
    }

    fn in_time(&self, row: &Row) -> bool {
        let (from, to) = (self.checked.from, self.checked.to);
        if from.is_none() && to.is_none() {
            return true;
        }
        row.date(self.table().date).is_some_and(|date| {
            from.is_none_or(|from| date.last_day() >= from.first_day())
                && to.is_none_or(|to| date.first_day() <= to.last_day())
        })
    }

    /// The very name first, then what is authorised, then the newest.
    fn rank(&self, row: &Row) -> (bool, bool, std::cmp::Reverse<Option<Date>>) {
        let named = |columns: &[&str], wanted: &Option<String>| {
            let value = row.text(columns).map(str::to_lowercase);
            wanted.is_some() && value == *wanted
        };
        let table = self.table();
        let exact = named(table.name, &self.checked.name)
            || named(table.substance, &self.checked.substance);
        let authorised = row.text(table.status) == Some("Authorised");
        (!exact, !authorised, std::cmp::Reverse(row.date(table.date)))
    }

    /// A row without a number has the last part of its address.
    fn id(&self, row: &Row) -> String {
        let given = row.text(self.table().id).or(row.text(self.table().name));
        let given = given.unwrap_or_default();
        let last = match given.contains("://") {
            true => given
                .trim_end_matches('/')
                .rsplit('/')
                .next()
                .unwrap_or(given),
            false => given,
        };
        format!("EMA:{last}")
    }

    fn source(&self, row: &Row) -> Source {
        let table = self.table();
        let name = row.text(table.name).unwrap_or_default();
        let title = match row.text(table.substance) {
            Some(substance) if !substance.eq_ignore_ascii_case(name) => {
                format!("{name} ({substance})")
            }
            _ => name.to_owned(),
        };
        let lines = table.quotable.iter().filter_map(|(label, columns)| {
            let value = row.text(columns)?;
            Some(format!("{label}: {value}"))
        });
        let date = row.date(table.date);
        let id = self.id(row);
        let url = match row.text(table.url) {
            Some(url) if url.starts_with('/') => format!("https://www.ema.europa.eu{url}"),
            Some(url) => url.to_owned(),
            None => "https://www.ema.europa.eu/en/medicines".to_owned(),
        };
        let mut reference = json!({
            "id": id,
            "type": "webpage",
            "title": title,
            "author": [{ "literal": "European Medicines Agency" }],
            "container-title": table.title,
            "URL": url,
        });
        if let Some(number) = row.text(table.id).filter(|number| !number.contains("://")) {
            reference["number"] = number.into();
        }
        if let Some(date) = date {
            reference["issued"] = csl_date(date);
        }
        Source {
            id,
            title,
            text: lines.collect::<Vec<_>>().join("\n"),
            published: date.map(Date::iso),
            url,
            reference,
            details: self.details(row),
        }
    }

    /// What was searched by under one name, and all columns as they are.
    fn details(&self, row: &Row) -> Value {
        let table = self.table();
        let marks: Vec<&str> = Mark::ALL
            .iter()
            .filter(|(mark, _)| {
                row.text(mark.columns())
                    .is_some_and(|value| value.eq_ignore_ascii_case("yes"))
            })
            .map(|(_, word)| *word)
            .collect();
        let mut details = Map::new();
        let named = [
            ("name", table.name),
            ("substance", table.substance),
            ("status", table.status),
            ("atc", table::ATC),
            ("company", table::HOLDER),
            ("area", table::AREA),
            ("category", table::CATEGORY),
        ];
        for (name, columns) in named {
            if let Some(value) = row.text(columns) {
                details.insert(name.to_owned(), value.into());
            }
        }
        details.insert("marks".into(), json!(marks));
        details.insert("columns".into(), json!(row.fields()));
        Value::Object(details)
    }
}
