//! AMA, 11th edition.

use super::{article_title, case, edition, genre, list_names, pages, patent_number};
use crate::csl::{Date, Field, Item, Kind};
use crate::notes::Notes;
use crate::rich::Rich;

const AUTHORS_MAX: usize = 6;
const AUTHORS_SHOWN_OF_MORE: usize = 3;

pub(crate) fn entry(item: &Item, notes: &mut Notes) -> Rich {
    let title = Rich::plain(article_title(item, notes));
    let parts = match item.kind() {
        Kind::Journal | Kind::Magazine => vec![authors(item), title, serial(item), in_volume(item)],
        Kind::Newspaper => newspaper(item, title),
        Kind::Preprint => preprint(item, title),
        Kind::Chapter | Kind::Conference => part_of_book(item, title),
        Kind::Book | Kind::Report => whole_work(item),
        Kind::Thesis => thesis(item),
        Kind::WebPage => vec![
            authors(item),
            title,
            Rich::plain(item.text(Field::Container)),
            date(item),
        ],
        Kind::PressRelease => press_release(item, title),
        Kind::Patent => patent(item, title),
        Kind::Trial => trial(item, title),
        Kind::Dataset => dataset(item, title),
        Kind::Law => vec![
            authors(item),
            title,
            Rich::plain(item.text(Field::Number)),
            Rich::plain(item.text(Field::Container)),
            date(item),
        ],
    };
    Rich::join([Rich::sentences(parts), access(item)], " ")
}

fn authors(item: &Item) -> Rich {
    Rich::plain(list_names(
        &item.authors,
        AUTHORS_MAX,
        AUTHORS_SHOWN_OF_MORE,
    ))
}

fn editors(item: &Item) -> Rich {
    let names = list_names(&item.editors, AUTHORS_MAX, AUTHORS_SHOWN_OF_MORE);
    let title = if item.editors.len() == 1 {
        ", ed"
    } else {
        ", eds"
    };
    Rich::plain(names).followed_by(title)
}

fn serial(item: &Item) -> Rich {
    match item.text(Field::ContainerShort) {
        "" => Rich::italic(item.text(Field::Container)),
        short => Rich::italic(short.replace('.', "")),
    }
}

/// `2020;12(3):123-128`, or the date of online publication.
fn in_volume(item: &Item) -> Rich {
    let in_print = item.has(Field::Volume) || item.has(Field::Issue);
    let issued = item.issued.as_ref();
    let when = match issued {
        Some(date) if in_print => date.year(),
        Some(date) => format!("Published online {}", date.month_first()),
        None => String::new(),
    };
    let mut volume = item.text(Field::Volume).to_owned();
    if item.has(Field::Issue) {
        volume.push_str(&format!("({})", item.text(Field::Issue)));
    }
    let page_or_number = match item.text(Field::Number) {
        "" => pages::full(item.text(Field::Page), "-"),
        number => number.to_owned(),
    };
    let volume = Rich::join([Rich::plain(when), Rich::plain(volume)], ";");
    Rich::join([volume, Rich::plain(page_or_number)], ":")
}

fn newspaper(item: &Item, title: Rich) -> Vec<Rich> {
    let page = Rich::plain(pages::full(item.text(Field::Page), "-"));
    vec![
        authors(item),
        title,
        Rich::italic(item.text(Field::Container)),
        Rich::join([date(item), page], ":"),
    ]
}

fn preprint(item: &Item, title: Rich) -> Vec<Rich> {
    let server = match item.text(Field::Container) {
        "" => item.text(Field::Publisher),
        container => container,
    };
    let posted = date(item).preceded_by("Preprint posted online ");
    vec![authors(item), title, Rich::italic(server), posted]
}

fn part_of_book(item: &Item, title: Rich) -> Vec<Rich> {
    let container = case::title(item.text(Field::Container), item.text(Field::Language));
    let book = Rich::join([editors(item), Rich::italic(container)], ". ");
    let page = Rich::plain(pages::full(item.text(Field::Page), "-"));
    vec![
        authors(item),
        title,
        book.preceded_by("In: "),
        Rich::plain(edition(item)),
        Rich::plain(item.text(Field::Collection)),
        Rich::join([published(item), page], ":"),
    ]
}

fn whole_work(item: &Item) -> Vec<Rich> {
    let by = if item.authors.is_empty() {
        editors(item)
    } else {
        authors(item)
    };
    let edited = if item.authors.is_empty() {
        Rich::default()
    } else {
        editors(item).preceded_by("(").followed_by(".)")
    };
    let number = if item.kind() == Kind::Report {
        item.text(Field::Number)
    } else {
        ""
    };
    vec![
        by,
        book_title(item),
        Rich::plain(edition(item)),
        edited,
        published(item),
        Rich::plain(number),
    ]
}

fn book_title(item: &Item) -> Rich {
    Rich::italic(case::title(
        item.text(Field::Title),
        item.text(Field::Language),
    ))
}

fn thesis(item: &Item) -> Vec<Rich> {
    vec![
        authors(item),
        book_title(item),
        Rich::plain(genre(item)),
        published(item),
    ]
}

/// The organisation that issues it is written as its publisher.
fn press_release(item: &Item, title: Rich) -> Vec<Rich> {
    let from = match item.text(Field::Publisher) {
        "" => authors(item),
        publisher => Rich::plain(publisher),
    };
    vec![
        title,
        Rich::plain("News release"),
        Rich::join([from, date(item)], "; "),
    ]
}

fn patent(item: &Item, title: Rich) -> Vec<Rich> {
    let role = if item.authors.len() == 1 {
        ", inventor"
    } else {
        ", inventors"
    };
    vec![
        authors(item).followed_by(role),
        title,
        Rich::plain(patent_number(item)),
        date(item),
    ]
}

fn trial(item: &Item, title: Rich) -> Vec<Rich> {
    let registry = match item.text(Field::Container) {
        "" => item.text(Field::Publisher),
        container => container,
    };
    let number = Rich::plain(item.text(Field::Number));
    let record = if registry.is_empty() {
        number
    } else if number.is_empty() {
        Rich::plain(registry)
    } else {
        number.preceded_by(&format!("{registry} identifier: "))
    };
    vec![title, record, date(item)]
}

fn dataset(item: &Item, title: Rich) -> Vec<Rich> {
    let version = Rich::plain(item.text(Field::Version)).preceded_by("Version ");
    vec![authors(item), title, version, published(item)]
}

fn published(item: &Item) -> Rich {
    let year = item.issued.as_ref().map_or(String::new(), Date::year);
    Rich::join(
        [Rich::plain(item.text(Field::Publisher)), Rich::plain(year)],
        "; ",
    )
}

fn date(item: &Item) -> Rich {
    Rich::plain(
        item.issued
            .as_ref()
            .map_or(String::new(), Date::month_first),
    )
}

fn access(item: &Item) -> Rich {
    if item.has(Field::Doi) {
        return Rich::plain(item.text(Field::Doi)).preceded_by("doi:");
    }
    if !item.has(Field::Url) {
        return Rich::default();
    }
    let accessed = item
        .accessed
        .as_ref()
        .map_or(String::new(), Date::month_first);
    let accessed = Rich::plain(accessed)
        .preceded_by("Accessed ")
        .followed_by(".");
    Rich::join([accessed, Rich::link(item.text(Field::Url))], " ")
}
