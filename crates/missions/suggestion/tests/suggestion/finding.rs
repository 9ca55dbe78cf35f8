//! Tools are found by what they do, and by their names.

use std::sync::Arc;

use adjutant_suggestion::{Learned, Suggester, ToolEffect, said};
use serde_json::json;

use super::house::{suggester, tool, tools};

#[test]
fn the_tool_that_does_it_is_found_before_one_that_only_shares_words() {
    let mut all = tools();
    for (id, about) in [
        ("list_maker", "Makes lists of lists, in a list."),
        (
            "folder_view",
            "Lists the files that are in a folder of the disk.",
        ),
    ] {
        all.push(tool(id, about, ToolEffect::Finds, json!({}), None));
    }
    let house = Suggester::new(all, &[], Vec::new());
    assert_eq!(house.find_tools("list files in a folder")[0], "folder_view");
    assert_eq!(
        house.find_tools("which files are in the folders?")[0],
        "folder_view"
    );
}

#[test]
fn the_name_of_a_tool_finds_it_first_however_it_is_written() {
    let house = suggester(Vec::new());
    for tool in tools() {
        let spelled = [
            tool.id.clone(),
            tool.id.to_uppercase(),
            tool.name.clone(),
            tool.id.replace('_', "-"),
            format!("  {} ", tool.id),
        ];
        for query in spelled {
            assert_eq!(house.find_tools(&query)[0], tool.id, "{query}");
        }
    }
    // A part of a name is found as well.
    assert!(house.find_tools("mixe").contains(&"paint_mixer"));
}

#[test]
fn what_was_learned_of_words_counts_where_no_tool_has_them() {
    let query = "horoscope";
    assert!(suggester(Vec::new()).find_tools(query).is_empty());
    let sign = said(query)
        .into_keys()
        .find(|sign| sign.starts_with("horoscop"))
        .unwrap();
    let table = format!("(tools)\tstar_search\n(always)\t0\t0:-300,-300\n{sign}\t200\t0:200,200\n");
    let learned = Arc::new(Learned::parse(&table).unwrap());
    let house = Suggester::with_learned(tools(), &[], Vec::new(), learned);
    assert_eq!(house.find_tools(query), ["star_search"]);
}

#[test]
fn of_two_tools_that_do_the_same_both_are_found() {
    let mut all = tools();
    let mut twin = all[0].clone();
    twin.id = "cheap_search".to_owned();
    all[0].price = 7;
    all.push(twin);
    let house = Suggester::new(all, &[], Vec::new());
    let found = house.find_tools("measurements of weather stations");
    assert!(
        found.contains(&"cheap_search") && found.contains(&"weather_search"),
        "{found:?}"
    );
}

#[test]
fn careless_queries_find_nothing_and_harm_nothing() {
    let house = suggester(Vec::new());
    for query in ["", "  ", "?!", "\u{0}\u{202e}", "the of and"] {
        assert!(
            house.find_tools(query).is_empty(),
            "{query:?}: {:?}",
            house.find_tools(query)
        );
    }
    assert!(
        house
            .find_tools(&"weather ".repeat(100_000))
            .contains(&"weather_search")
    );
}
