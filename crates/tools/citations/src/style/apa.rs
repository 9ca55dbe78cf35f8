//! APA, 7th edition.

use super::{article_title, case, edition, genre, pages};
use crate::csl::{Date, Field, Item, Kind, Name};
use crate::notes::Notes;
use crate::rich::Rich;

const AUTHORS_MAX: usize = 20;
const AUTHORS_BEFORE_ELLIPSIS: usize = 19;
const NO_DATE: &str = "n.d.";

pub(crate) fn entry(item: &Item, suffix: &str, notes: &mut Notes) -> Rich {
    if item.kind() == Kind::Law {
        return law(item, suffix);
    }
    let title = title(item, notes);
    let when = Rich::plain(date(item, suffix))
        .preceded_by("(")
        .followed_by(")");
    let people = people(item);
    let head = if people.is_empty() {
        vec![title, when]
    } else {
        vec![people, when, title]
    };
    let parts = head.into_iter().chain([source(item)]);
    Rich::join([Rich::sentences(parts), link(item)], " ")
}

/// By names, then date, then title.
pub(crate) fn sort_key(item: &Item) -> (String, String, String) {
    let title = item.text(Field::Title).to_lowercase();
    let bare = ["the ", "a ", "an "]
        .into_iter()
        .find_map(|article| title.strip_prefix(article))
        .unwrap_or(&title)
        .to_owned();
    let names: Vec<String> = leading_people(item)
        .iter()
        .map(Name::family_first_with_stops)
        .collect();
    let names = if names.is_empty() {
        bare.clone()
    } else {
        names.join(" ").to_lowercase()
    };
    let issued = item.issued.as_ref().map_or(String::new(), Date::iso);
    (names, issued, bare)
}

/// The people an entry begins with: the authors, or the editors of a book without authors.
pub(super) fn leading_people(item: &Item) -> &[Name] {
    let edited = matches!(item.kind(), Kind::Book | Kind::Report);
    if item.authors.is_empty() && edited {
        &item.editors
    } else {
        &item.authors
    }
}

pub(super) fn year(item: &Item, suffix: &str) -> String {
    match &item.issued {
        Some(date) => format!("{}{suffix}", date.year()),
        None if suffix.is_empty() => NO_DATE.to_owned(),
        None => format!("{NO_DATE}-{suffix}"),
    }
}

fn date(item: &Item, suffix: &str) -> String {
    let year = year(item, suffix);
    let exact = matches!(
        item.kind(),
        Kind::WebPage | Kind::Newspaper | Kind::Magazine | Kind::PressRelease | Kind::Trial
    ) || item.csl_type == "speech";
    match item.issued.as_ref().and_then(Date::within_year) {
        Some(day) if exact => format!("{year}, {day}"),
        _ => year,
    }
}

fn people(item: &Item) -> Rich {
    let names = join_family_first(leading_people(item));
    if !item.authors.is_empty() || names.is_empty() {
        return Rich::plain(names);
    }
    Rich::plain(names).followed_by(role(&item.editors))
}

fn role(editors: &[Name]) -> &'static str {
    if editors.len() == 1 {
        " (Ed.)"
    } else {
        " (Eds.)"
    }
}

fn join_family_first(names: &[Name]) -> String {
    let written: Vec<String> = names.iter().map(Name::family_first_with_stops).collect();
    match written.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) if others.len() < AUTHORS_MAX => {
            format!("{}, & {last}", others.join(", "))
        }
        Some((last, others)) => {
            format!("{}, … {last}", others[..AUTHORS_BEFORE_ELLIPSIS].join(", "))
        }
    }
}

/// Whether the work is published by itself, not as a part of another.
pub(super) fn stands_alone(item: &Item) -> bool {
    !matches!(
        item.kind(),
        Kind::Journal | Kind::Magazine | Kind::Newspaper | Kind::Chapter | Kind::Conference
    )
}

fn title(item: &Item, notes: &mut Notes) -> Rich {
    let text = case::with_capital_subtitle(&article_title(item, notes));
    let text = if stands_alone(item) {
        Rich::italic(text)
    } else {
        Rich::plain(text)
    };
    let details = details_in_parentheses(item)
        .preceded_by("(")
        .followed_by(")");
    Rich::join([text, details, bracketed_description(item)], " ")
}

/// Details that follow the title in parentheses.
fn details_in_parentheses(item: &Item) -> Rich {
    let number = item.text(Field::Number);
    let numbered = |what: &str| match number {
        "" => Rich::default(),
        number => Rich::plain(format!("{what} No. {number}")),
    };
    match item.kind() {
        Kind::Book => Rich::join([further_editors(item), edition_with_stop(item)], "; "),
        Kind::Report => match item.text(Field::Genre) {
            "" => Rich::join([Rich::plain(number), edition_with_stop(item)], "; "),
            _ => numbered(&genre(item)),
        },
        Kind::Patent => numbered("Patent"),
        Kind::Trial => numbered("Clinical Trial Registration"),
        Kind::Dataset => Rich::plain(item.text(Field::Version)).preceded_by("Version "),
        _ => Rich::default(),
    }
}

fn further_editors(item: &Item) -> Rich {
    if item.authors.is_empty() {
        return Rich::default();
    }
    let role = if item.editors.len() == 1 {
        ", Ed."
    } else {
        ", Eds."
    };
    Rich::plain(join_given_first(&item.editors)).followed_by(role)
}

fn edition_with_stop(item: &Item) -> Rich {
    Rich::plain(edition(item)).followed_by(".")
}

/// The description that follows the title in square brackets.
fn bracketed_description(item: &Item) -> Rich {
    let university = item.text(Field::Publisher);
    let text = match item.kind() {
        Kind::Dataset if item.csl_type == "software" => "Computer software".to_owned(),
        Kind::Dataset => "Dataset".to_owned(),
        Kind::Preprint if !item.has(Field::Genre) => "Preprint".to_owned(),
        Kind::PressRelease => "Press release".to_owned(),
        Kind::Thesis if is_reachable(item) && item.has(Field::Genre) && !university.is_empty() => {
            format!("{}, {university}", genre(item))
        }
        Kind::Preprint | Kind::Thesis => genre(item),
        _ => String::new(),
    };
    Rich::plain(text).preceded_by("[").followed_by("]")
}

fn is_reachable(item: &Item) -> bool {
    item.has(Field::Url) || item.has(Field::Doi)
}

fn source(item: &Item) -> Rich {
    match item.kind() {
        Kind::Journal | Kind::Magazine | Kind::Newspaper => serial(item),
        Kind::Chapter | Kind::Conference => Rich::join([part_of_book(item), publisher(item)], ". "),
        Kind::WebPage | Kind::Trial => Rich::plain(item.text(Field::Container)),
        Kind::Thesis if is_reachable(item) => Rich::plain(item.text(Field::Container)),
        Kind::Patent => Rich::plain(item.text(Field::Authority)),
        Kind::Preprint if !item.has(Field::Publisher) => Rich::plain(item.text(Field::Container)),
        _ => publisher(item),
    }
}

fn serial(item: &Item) -> Rich {
    let volume = Rich::join(
        [
            Rich::italic(item.text(Field::Volume)),
            Rich::plain(item.text(Field::Issue))
                .preceded_by("(")
                .followed_by(")"),
        ],
        "",
    );
    let page_or_number = match item.text(Field::Number) {
        "" => Rich::plain(pages::full(item.text(Field::Page), "–")),
        number => Rich::plain(format!("Article {number}")),
    };
    Rich::join(
        [
            Rich::italic(item.text(Field::Container)),
            volume,
            page_or_number,
        ],
        ", ",
    )
}

fn part_of_book(item: &Item) -> Rich {
    let editors = Rich::plain(join_given_first(&item.editors)).followed_by(role(&item.editors));
    let title = case::with_capital_subtitle(item.text(Field::Container));
    let book = Rich::join([editors, Rich::italic(title)], ", ");
    let page = pages::full(item.text(Field::Page), "–");
    let before = if page.contains(['–', ',']) {
        "pp. "
    } else {
        "p. "
    };
    let edition_and_page = Rich::join(
        [
            edition_with_stop(item),
            Rich::plain(page).preceded_by(before),
        ],
        ", ",
    );
    Rich::join(
        [
            book.preceded_by("In "),
            edition_and_page.preceded_by("(").followed_by(")"),
        ],
        " ",
    )
}

fn join_given_first(names: &[Name]) -> String {
    let written: Vec<String> = names.iter().map(Name::given_first_with_stops).collect();
    match written.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, [one])) => format!("{one} & {last}"),
        Some((last, others)) => format!("{}, & {last}", others.join(", ")),
    }
}

/// The publisher, unless it is also the author.
fn publisher(item: &Item) -> Rich {
    let publisher = item.text(Field::Publisher);
    let own = matches!(leading_people(item), [only] if only.family() == publisher);
    if own {
        return Rich::default();
    }
    Rich::plain(publisher)
}

fn law(item: &Item, suffix: &str) -> Rich {
    let title = case::title(item.text(Field::Title), item.text(Field::Language));
    let parts = [
        Rich::plain(title),
        Rich::plain(item.text(Field::Number)),
        Rich::plain(item.text(Field::Container)),
    ];
    let when = Rich::plain(year(item, suffix))
        .preceded_by("(")
        .followed_by(")");
    let cited = Rich::join([Rich::join(parts, ", "), when], " ").with_full_stop();
    Rich::join([cited, link(item)], " ")
}

fn link(item: &Item) -> Rich {
    if item.has(Field::Doi) {
        return Rich::link(format!("https://doi.org/{}", item.text(Field::Doi)));
    }
    let address = Rich::link(item.text(Field::Url));
    match &item.accessed {
        Some(date) if item.issued.is_none() => {
            address.preceded_by(&format!("Retrieved {}, from ", date.month_first()))
        }
        _ => address,
    }
}
