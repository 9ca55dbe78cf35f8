//! Named CSL styles and CSL files, through the processor.

use serde_json::{Value, json};

use super::{format_json, format_ok};

const HEAD: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
  <info>
    <title>House style</title>
    <id>http://example.org/styles/house</id>
    <updated>2025-01-01T00:00:00+00:00</updated>
    <category citation-format="author-date"/>
  </info>"#;

/// A CSL file with these macros, whose list writes `entry`.
fn csl(macros: &str, entry: &str) -> String {
    format!(
        r#"{HEAD}
  {macros}
  <citation><layout prefix="(" suffix=")"><names variable="author"><name form="short"/></names></layout></citation>
  <bibliography><layout suffix=".">{entry}</layout></bibliography>
</style>"#
    )
}

fn article(id: &str, family: &str, given: &str) -> Value {
    json!({
        "id": id, "type": "article-journal", "title": format!("Title of {id}"),
        "author": [{ "family": family, "given": given }], "container-title": "Journal of Trials",
        "volume": "12", "issue": "3", "page": "123-128", "issued": { "date-parts": [[2020, 3, 1]] },
        "DOI": "10.1000/abc"
    })
}

fn refused(request: Value) -> String {
    format_json(request).expect_err("a refusal").to_string()
}

fn given(csl: &str) -> Value {
    json!({ "format": "citations", "style": "csl", "csl": csl, "items": [article("a", "Moreau", "Ines")] })
}

fn style_names() -> Vec<String> {
    let styles = format_ok(json!({ "format": "styles" }));
    styles.entries.into_iter().map(|entry| entry.id).collect()
}

#[test]
fn ieee_numbers_and_labels_its_entries() {
    let items = [
        article("a", "Moreau", "Ines"),
        article("b", "Okafor", "Chidi"),
    ];
    let items = items.map(|mut item| {
        item["DOI"] = json!(format!(
            "10.1000/{}",
            item["id"].as_str().unwrap_or_default()
        ));
        item
    });
    let answer = format_ok(
        json!({ "format": "citations", "style": "ieee", "items": items, "cited": ["b", "a"], "markup": "markdown" }),
    );
    assert_eq!(
        answer.text,
        "\\[1\\] C. Okafor, “Title of b,” *Journal of Trials*, vol. 12, no. 3, pp. 123–128, Mar. 2020, doi: 10.1000/b.\n\n\
         \\[2\\] I. Moreau, “Title of a,” *Journal of Trials*, vol. 12, no. 3, pp. 123–128, Mar. 2020, doi: 10.1000/a."
    );
    assert_eq!(answer.entries[0].number, Some(1));
    assert_eq!(answer.entries[0].id, "b");
    assert_eq!(answer.entries[0].cited.as_deref(), Some("\\[1\\]"));
    assert!(
        answer.entries[0].text.starts_with("C. Okafor"),
        "{}",
        answer.entries[0].text
    );
}

#[test]
fn author_date_styles_tell_two_smiths_of_one_year_apart() {
    let mut items = [article("a", "Smith", "Anna"), article("b", "Smith", "Beth")];
    for item in &mut items {
        item["DOI"] = Value::Null;
    }
    for style in [
        "chicago-author-date",
        "harvard-cite-them-right",
        "springer-basic-author-date",
        "cse-name-year",
    ] {
        let answer = format_ok(json!({ "format": "citations", "style": style, "items": items }));
        let cited: Vec<_> = answer
            .entries
            .iter()
            .map(|entry| entry.cited.clone())
            .collect();
        assert_eq!(cited.len(), 2, "{style}");
        assert_ne!(cited[0], cited[1], "{style}");
    }
}

#[test]
fn letters_behind_the_year_follow_the_list() {
    let items = ["zebra", "apple"].map(|id| {
        let mut item = article(id, "Smith", "Anna");
        item["DOI"] = Value::Null;
        item["title"] = json!(id);
        item
    });
    let answer = format_ok(
        json!({ "format": "citations", "style": "harvard-cite-them-right", "items": items }),
    );
    let cited: Vec<_> = answer
        .entries
        .iter()
        .map(|entry| (entry.id.as_str(), entry.cited.as_deref()))
        .collect();
    assert_eq!(
        cited,
        [
            ("apple", Some("(Smith, 2020a)")),
            ("zebra", Some("(Smith, 2020b)"))
        ]
    );
}

/// The processor panics on these names unless its options are adapted.
#[test]
fn names_that_begin_those_of_another_work_are_written() {
    let by = |id: &str, count: usize| {
        let mut item = article(id, "x", "x");
        item["DOI"] = Value::Null;
        item["author"] = ["Ash", "Birch", "Cedar", "Doe", "Elm", "Fir"][..count]
            .iter()
            .map(|family| json!({ "family": family, "given": "Ann" }))
            .collect();
        item
    };
    let items = [by("six", 6), by("five", 5), by("four", 4)];
    let style = "american-anthropological-association";
    let answer = format_ok(json!({ "format": "citations", "style": style, "items": items }));
    assert_eq!(answer.entries.len(), 3);
    assert!(answer.notes.is_empty(), "{:?}", answer.notes);
}

#[test]
fn particles_of_family_names_are_kept() {
    let by = |id: &str, name: Value| {
        let mut item = article(id, "x", "x");
        item["DOI"] = Value::Null;
        item["author"] = json!([name]);
        item
    };
    let items = [
        by("a", json!({ "family": "van der Berg", "given": "Anna" })),
        by(
            "b",
            json!({ "family": "Cruz", "non-dropping-particle": "de la", "given": "Beth" }),
        ),
        by(
            "c",
            json!({ "family": "Humboldt", "dropping-particle": "von", "given": "Carl" }),
        ),
        by("d", json!({ "literal": "Ministry of the interior" })),
        by("e", json!({ "family": "Garcia y Lopez", "given": "Dan" })),
    ];
    let answer = format_ok(
        json!({ "format": "citations", "style": "harvard-cite-them-right", "items": items }),
    );
    let cited = |id: &str| {
        let entry = answer.entries.iter().find(|entry| entry.id == id);
        entry
            .and_then(|entry| entry.cited.clone())
            .unwrap_or_default()
    };
    assert_eq!(cited("a"), "(van der Berg, 2020)");
    assert_eq!(cited("b"), "(de la Cruz, 2020)");
    assert_eq!(cited("c"), "(Humboldt, 2020)");
    assert_eq!(cited("d"), "(Ministry of the interior, 2020)");
    assert_eq!(cited("e"), "(Garcia y Lopez, 2020)");
}

#[test]
fn every_named_style_writes_every_reference_item() {
    let items: Vec<Value> =
        serde_json::from_str(include_str!("../reference/items.json")).expect("items");
    // Every third, to keep the test short; they are of all types.
    let items: Vec<Value> = items.into_iter().step_by(3).collect();
    let names = style_names();
    assert!(names.len() >= 90, "only {} names", names.len());
    for style in names {
        let answer = format_ok(json!({ "format": "citations", "style": style, "items": items }));
        assert_eq!(answer.entries.len(), items.len(), "{style}");
        let empty = answer.entries.iter().find(|entry| entry.text.is_empty());
        assert!(empty.is_none(), "{style}: {empty:?}");
        let uncited = answer.entries.iter().find(|entry| {
            let cited = entry.cited.as_deref().unwrap_or("[]");
            !cited.contains(char::is_alphanumeric)
        });
        let for_programs = ["ris", "csl_json"].contains(&style.as_str());
        assert!(for_programs || uncited.is_none(), "{style}: {uncited:?}");
    }
}

#[test]
fn our_own_styles_keep_their_names() {
    for (name, method) in [
        ("apa", "APA Publication Manual, 7th edition"),
        (
            "american-psychological-association",
            "APA Publication Manual, 7th edition",
        ),
        ("ama", "AMA Manual of Style, 11th edition"),
        (
            "vancouver",
            "Vancouver: ICMJE samples and NLM Citing Medicine, 2nd edition",
        ),
    ] {
        let answer = format_ok(json!({ "format": "citations", "style": name, "items": [] }));
        assert_eq!(answer.method, method);
    }
}

#[test]
fn dates_that_the_processor_cannot_read_are_noted() {
    let dated = |id: &str, issued: Value| {
        let mut item = article(id, "Ash", id);
        item["issued"] = issued;
        item["DOI"] = Value::Null;
        item
    };
    let items = [
        dated("range", json!({ "date-parts": [[2019, 5], [2020, 6]] })),
        dated("raw", json!({ "raw": "2019-05/2020-06" })),
        dated("words", json!({ "literal": "Spring 2021" })),
        dated("nothing", json!({ "literal": "long ago" })),
        dated("far", json!({ "date-parts": [[99999]] })),
        dated("empty", json!({ "date-parts": [[]] })),
        dated("none", json!({ "date-parts": [] })),
    ];
    let answer = format_ok(json!({ "format": "citations", "style": "ieee", "items": items }));
    assert_eq!(answer.entries.len(), items.len());
    assert!(
        answer.entries[0].text.contains("May 2019"),
        "{}",
        answer.text
    );
    assert!(answer.entries[2].text.contains("2021"), "{}", answer.text);
    for note in [
        "range: of the range of dates, only the first is used.",
        "words: CSL styles write only the year of the date `Spring 2021`.",
        "nothing: the date `long ago` has no year that CSL styles can write; it is left out.",
        "far: the date `99999` has no year that CSL styles can write; it is left out.",
    ] {
        assert!(
            answer.notes.iter().any(|known| known == note),
            "{note}\n{:#?}",
            answer.notes
        );
    }
}

#[test]
fn an_unknown_style_is_refused_with_the_nearest() {
    for (wrong, nearest) in [
        ("vancuver", "vancouver"),
        ("IEEE", "ieee"),
        ("chicago_author_date", "chicago-author-date"),
        ("lancet", "the-lancet"),
    ] {
        let refusal = refused(json!({ "format": "citations", "style": wrong, "items": [] }));
        assert_eq!(
            refusal,
            format!(
                "`style` is `{wrong}`: there is no such style; did you mean `{nearest}`? The format `styles` lists all"
            )
        );
    }
    let refusal =
        refused(json!({ "format": "references", "from": "ris", "text": "", "to": "mlaa" }));
    assert!(refusal.starts_with("`to` is `mlaa`: "), "{refusal}");
}

#[test]
fn a_given_csl_file_is_used() {
    let file = csl(
        r#"<macro name="title"><text variable="title" font-style="italic"/></macro>"#,
        r#"<names variable="author" suffix=", "/><text macro="title"/>"#,
    );
    let answer = format_ok(given(&file));
    assert_eq!(answer.text, "Ines Moreau, Title of a.");
    assert_eq!(answer.entries[0].cited.as_deref(), Some("(Moreau)"));
    assert_eq!(
        answer.method,
        "House style, as a CSL style written by hayagriva"
    );
    let bibtex =
        "@article{m, author={Moreau, Ines}, title={Walking & sleep <b>}, journal={J}, year={2020}}";
    let converted = format_ok(
        json!({ "format": "references", "from": "bibtex", "text": bibtex, "to": "csl", "csl": file, "markup": "html" }),
    );
    assert_eq!(
        converted.entries[0].text,
        "Ines Moreau, <i>Walking &amp; sleep &lt;b&gt;</i>."
    );
}

#[test]
fn text_of_a_csl_file_is_escaped() {
    let file = csl(
        "",
        r#"<text value="&lt;script&gt;*"/><text variable="title"/>"#,
    );
    let mut request = given(&file);
    request["markup"] = json!("html");
    let html = format_ok(request.clone()).text;
    assert!(html.contains("&lt;script&gt;*Title of a"), "{html}");
    request["markup"] = json!("markdown");
    let markdown = format_ok(request).text;
    assert!(markdown.contains(r"\<script\>\*Title of a"), "{markdown}");
}

#[test]
fn a_csl_file_and_its_name_go_together() {
    let without = refused(json!({ "format": "citations", "style": "csl", "items": [] }));
    assert_eq!(
        without,
        "`csl` is missing: `style` is `csl`, give the text of a .csl file"
    );
    let file = csl("", r#"<text variable="title"/>"#);
    let both = refused(json!({ "format": "citations", "style": "apa", "csl": file, "items": [] }));
    assert_eq!(
        both,
        "`style` is `apa`: `csl` is given too: write `csl` here, or leave `csl` out"
    );
}

#[test]
fn a_file_that_points_to_a_style_of_the_archive_is_that_style() {
    let dependent = |parent: &str| {
        format!(
            r#"<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0">
  <info>
    <title>Some journal</title>
    <id>http://example.org/styles/some-journal</id>
    <link href="{parent}" rel="independent-parent"/>
    <updated>2025-01-01T00:00:00+00:00</updated>
  </info>
</style>"#
        )
    };
    let answer = format_ok(given(&dependent("http://www.zotero.org/styles/nature")));
    assert_eq!(
        answer.method,
        "Some journal, as a CSL style written by hayagriva"
    );
    assert!(answer.text.contains("Moreau, I."), "{}", answer.text);
    let unknown = refused(given(&dependent("http://www.zotero.org/styles/never")));
    assert_eq!(
        unknown,
        "`csl` is `http://www.zotero.org/styles/never`: it only points to this style: give the file of that one"
    );
}

#[test]
fn a_csl_file_cannot_run_forever() {
    let loops = csl(
        r#"<macro name="a"><text macro="b"/></macro><macro name="b"><text macro="&#97;"/></macro>"#,
        r#"<text macro="a"/>"#,
    );
    assert_eq!(
        refused(given(&loops)),
        "`csl` is `a`: this macro calls itself"
    );

    let doubling: String = (0..40)
        .map(|at| {
            let next = at + 1;
            format!(r#"<macro name="m{at}"><text macro="m{next}"/><text macro="m{next}"/></macro>"#)
        })
        .collect();
    let refusal = refused(given(&csl(&doubling, r#"<text macro="m0"/>"#)));
    assert!(
        refusal.contains("with its macros expanded it has"),
        "{refusal}"
    );

    let nested = "<group>".repeat(200) + &"</group>".repeat(200);
    let refusal = refused(given(&csl("", &nested)));
    assert!(
        refusal.contains("nested deeper than 100 elements"),
        "{refusal}"
    );

    let chain: String = (0..3000)
        .map(|at| format!(r#"<macro name="m{at}"><text macro="m{}"/></macro>"#, at + 1))
        .collect();
    let refusal = refused(given(&csl(&chain, r#"<text macro="m0"/>"#)));
    assert!(
        refusal.contains("nested deeper than 100 elements"),
        "{refusal}"
    );

    let large = csl("", &format!("<!--{}-->", "x".repeat(600 * 1024)));
    let refusal = refused(given(&large));
    assert!(
        refusal.ends_with("more than 524288: make it shorter"),
        "{refusal}"
    );
}

#[test]
fn the_deepest_allowed_file_fits_the_stack_of_a_worker_thread() {
    const WORKER_STACK_BYTES: usize = 2 * 1024 * 1024;
    let groups = 90;
    let nested = "<group delimiter=\" \">".repeat(groups)
        + r#"<text variable="title"/>"#
        + &"</group>".repeat(groups);
    let request = given(&csl("", &nested));
    let written = std::thread::Builder::new()
        .stack_size(WORKER_STACK_BYTES)
        .spawn(move || format_ok(request).text)
        .expect("a thread")
        .join()
        .expect("a text");
    assert_eq!(written, "Title of a.");
}

#[test]
fn files_that_are_no_csl_are_refused() {
    for (file, reason) in [
        ("", "it has no `style` element"),
        ("APA please", "it has no `style` element"),
        ("<style><info>", "its XML ends prematurely"),
        ("<style></info>", "it is not valid XML"),
        ("<html/>", "it has no `style` element"),
        (
            "<!DOCTYPE style [<!ENTITY a \"b\">]><style/>",
            "a document type is not allowed in it",
        ),
        ("<style/>", "it is not a CSL style"),
    ] {
        let refusal = refused(given(file));
        assert!(refusal.contains(reason), "{file}: {refusal}");
    }
}

#[test]
fn a_list_for_the_processor_has_a_limit() {
    let items: Vec<Value> = (0..251)
        .map(|at| json!({ "id": format!("i{at}"), "type": "book", "title": "T" }))
        .collect();
    let refusal = refused(json!({ "format": "citations", "style": "ieee", "items": items }));
    assert_eq!(
        refusal,
        "`items` has 251 entries, more than 250: split the request"
    );
    let allowed =
        format_ok(json!({ "format": "citations", "style": "ieee", "items": items[..250] }));
    assert_eq!(allowed.entries.len(), 250);
}

#[test]
fn a_template_writes_our_own_styles_only() {
    let request = json!({
        "format": "template", "template": "[[ item | citation('ieee') ]]",
        "values": { "item": article("a", "Ash", "A") }
    });
    let refusal = refused(request);
    assert!(
        refusal.contains(
            "`citation` has no style `ieee`: vancouver, apa, ama, bibtex, ris or csl_json"
        ),
        "{refusal}"
    );
}
