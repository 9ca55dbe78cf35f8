//! Vancouver, as the ICMJE samples and the NLM's Citing Medicine have it.

use super::{article_title, bracketed, edition, genre, list_names, pages, patent_number};
use crate::csl::{Date, Field, Item, Kind};
use crate::notes::Notes;
use crate::rich::Rich;

const AUTHORS_MAX: usize = 6;
const DATE_UNKNOWN: &str = "[date unknown]";

pub(crate) fn entry(item: &Item, notes: &mut Notes) -> Rich {
    let title = article_title(item, notes);
    let parts = match item.kind() {
        Kind::Journal | Kind::Magazine | Kind::Newspaper => serial(item, title),
        Kind::Chapter | Kind::Conference => part_of_book(item, title),
        Kind::WebPage | Kind::PressRelease => web_page(item, title),
        Kind::Patent => patent(item, title),
        Kind::Trial => trial(item, title),
        Kind::Law => law(item, title),
        Kind::Preprint | Kind::Book | Kind::Report | Kind::Dataset | Kind::Thesis => {
            whole_work(item, title)
        }
    };
    let main = Rich::sentences(parts.into_iter().map(Rich::plain));
    Rich::join(
        [main, available(item), doi(item), database_numbers(item)],
        " ",
    )
}

fn serial(item: &Item, title: String) -> Vec<String> {
    let journal = item.kind() == Kind::Journal;
    let mut container = match item.text(Field::ContainerShort) {
        short if journal && !short.is_empty() => short.replace('.', ""),
        _ => item.text(Field::Container).to_owned(),
    };
    let online = is_online(item);
    if online && !container.is_empty() {
        container.push_str(" [Internet]");
    }
    let mut issue = item
        .issued
        .as_ref()
        .map_or(DATE_UNKNOWN.to_owned(), Date::year_first);
    if online {
        push_word(&mut issue, &access_date(item));
    }
    if item.kind() == Kind::Newspaper {
        if item.has(Field::Page) {
            issue.push_str(&format!(":{}", item.text(Field::Page)));
        }
    } else {
        let volume = in_volume(item);
        if !volume.is_empty() {
            issue.push_str(&format!(";{volume}"));
        }
    }
    vec![authors(item), title, container, issue]
}

/// `12(3):123-8`.
fn in_volume(item: &Item) -> String {
    let mut volume = item.text(Field::Volume).to_owned();
    if item.has(Field::Issue) {
        volume.push_str(&format!("({})", item.text(Field::Issue)));
    }
    let page_or_number = match item.text(Field::Number) {
        "" => pages::shortened(item.text(Field::Page)),
        number => number.to_owned(),
    };
    if page_or_number.is_empty() {
        return volume;
    }
    if volume.is_empty() {
        return page_or_number;
    }
    format!("{volume}:{page_or_number}")
}

fn part_of_book(item: &Item, title: String) -> Vec<String> {
    let editors = editors(item);
    let container = item.text(Field::Container);
    let within = match (editors.is_empty(), container.is_empty()) {
        (true, true) => String::new(),
        (true, false) => format!("In: {container}"),
        (false, true) => format!("In: {editors}"),
        (false, false) => format!("In: {editors}. {container}"),
    };
    let mut date = year(item);
    push_word(&mut date, &access_date(item));
    let page = match item.text(Field::Page) {
        "" => String::new(),
        page => format!("p. {}", pages::shortened(page)),
    };
    vec![
        authors(item),
        title,
        within,
        edition(item),
        published(item, &date),
        page,
    ]
}

fn whole_work(item: &Item, title: String) -> Vec<String> {
    let tag = match item.kind() {
        Kind::Preprint if !item.has(Field::Genre) => "Preprint".to_owned(),
        Kind::Dataset if !item.has(Field::Genre) && item.csl_type == "dataset" => {
            "dataset".to_owned()
        }
        _ => genre(item),
    };
    let mut title = title;
    push_word(&mut title, &bracketed(&tag));
    if item.has(Field::Url) && !item.has(Field::Container) {
        push_word(&mut title, "[Internet]");
    }
    let mut date = match (item.kind(), &item.issued) {
        (Kind::Report, Some(Date::Day(year, month, _))) => Date::Month(*year, *month).year_first(),
        (Kind::Report, Some(date)) => date.year_first(),
        _ => year(item),
    };
    push_word(&mut date, &access_date(item));
    let by = match (item.authors.is_empty(), item.editors.is_empty()) {
        (true, false) => editors(item),
        _ => authors(item),
    };
    let edited = if item.authors.is_empty() {
        String::new()
    } else {
        editors(item)
    };
    let version = match item.text(Field::Version) {
        "" => String::new(),
        version => format!("Version {version}"),
    };
    vec![
        by,
        title,
        edition(item),
        edited,
        version,
        item.text(Field::Container).to_owned(),
        published(item, &date),
        report_number(item),
    ]
}

fn report_number(item: &Item) -> String {
    let number = item.text(Field::Number);
    if number.is_empty() || item.kind() != Kind::Report {
        return String::new();
    }
    match genre(item) {
        kind if kind.is_empty() => format!("Report No.: {number}"),
        kind => format!("{kind} No.: {number}"),
    }
}

/// A page of a site is listed under the site (Citing Medicine, chapter 25).
fn web_page(item: &Item, title: String) -> Vec<String> {
    let site = item.text(Field::Container);
    let (mut head, part) = if site.is_empty() {
        (title, String::new())
    } else {
        (site.to_owned(), title)
    };
    push_word(&mut head, &bracketed(&genre(item)));
    push_word(&mut head, "[Internet]");
    let mut date = year(item);
    push_word(&mut date, &access_date(item));
    vec![authors(item), head, published(item, &date), part]
}

fn patent(item: &Item, title: String) -> Vec<String> {
    let inventors = match item.authors.len() {
        0 => String::new(),
        1 => format!("{}, inventor", authors(item)),
        _ => format!("{}, inventors", authors(item)),
    };
    let date = item
        .issued
        .as_ref()
        .map_or(DATE_UNKNOWN.to_owned(), Date::year_first);
    vec![inventors, title, patent_number(item), date]
}

/// A record in a registry is a part of a database (Citing Medicine, chapter 24).
fn trial(item: &Item, title: String) -> Vec<String> {
    let registry = match item.text(Field::Container) {
        "" => item.text(Field::Publisher),
        container => container,
    };
    let mut head = registry.to_owned();
    push_word(&mut head, "[Internet]");
    let mut record = match item.text(Field::Number) {
        "" => title,
        number => format!("Identifier {number}, {title}"),
    };
    let mut date = item.issued.as_ref().map_or(String::new(), Date::year_first);
    push_word(&mut date, &access_date(item));
    if !date.is_empty() {
        record = format!("{record}; {date}");
    }
    vec![head, record]
}

fn law(item: &Item, title: String) -> Vec<String> {
    let mut container = item.text(Field::Container).to_owned();
    if item.has(Field::Url) {
        let head = if container.is_empty() {
            "[Internet]"
        } else {
            " [Internet]"
        };
        container.push_str(head);
    }
    let mut date = item
        .issued
        .as_ref()
        .map_or(DATE_UNKNOWN.to_owned(), Date::year_first);
    push_word(&mut date, &access_date(item));
    vec![
        authors(item),
        title,
        item.text(Field::Number).to_owned(),
        container,
        date,
    ]
}

fn authors(item: &Item) -> String {
    list_names(&item.authors, AUTHORS_MAX, AUTHORS_MAX)
}

fn editors(item: &Item) -> String {
    match item.editors.len() {
        0 => String::new(),
        1 => format!(
            "{}, editor",
            list_names(&item.editors, AUTHORS_MAX, AUTHORS_MAX)
        ),
        _ => format!(
            "{}, editors",
            list_names(&item.editors, AUTHORS_MAX, AUTHORS_MAX)
        ),
    }
}

fn year(item: &Item) -> String {
    item.issued
        .as_ref()
        .map_or(DATE_UNKNOWN.to_owned(), Date::year)
}

/// `City: Publisher; date`.
fn published(item: &Item, date: &str) -> String {
    let city = match item.text(Field::Place) {
        "" => String::new(),
        city if item.kind() == Kind::Thesis => format!("[{city}]"),
        city => city.to_owned(),
    };
    let parts = [city.as_str(), item.text(Field::Publisher)];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let publisher = parts.join(": ");
    if publisher.is_empty() {
        return date.to_owned();
    }
    format!("{publisher}; {date}")
}

/// `[cited 2024 May 17]`.
fn access_date(item: &Item) -> String {
    match &item.accessed {
        Some(date) if item.has(Field::Url) => format!("[cited {}]", date.year_first()),
        _ => String::new(),
    }
}

/// A journal article with a DOI or a PubMed number is cited without its address.
fn is_online(item: &Item) -> bool {
    let numbered = [Field::Doi, Field::Pmid, Field::Pmcid]
        .into_iter()
        .any(|field| item.has(field));
    item.has(Field::Url) && !(item.kind() == Kind::Journal && numbered)
}

fn available(item: &Item) -> Rich {
    if !is_online(item) {
        return Rich::default();
    }
    Rich::link(item.text(Field::Url)).preceded_by("Available from: ")
}

fn doi(item: &Item) -> Rich {
    Rich::plain(item.text(Field::Doi)).preceded_by("doi:")
}

fn database_numbers(item: &Item) -> Rich {
    let pmid = Rich::plain(item.text(Field::Pmid)).preceded_by("PubMed PMID: ");
    let pmcid = Rich::plain(item.text(Field::Pmcid)).preceded_by("PubMed Central PMCID: ");
    Rich::join([pmid, pmcid], "; ").with_full_stop()
}

fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() && !word.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}
