//! What must hold of every drawing: nothing overlaps, nothing runs out, the same again.

use serde_json::{Value, json};

use crate::canvas::Sketch;
use crate::chart::sketch;
use crate::samples;
use crate::{Chart, PngRefusal, Theme, draw, png};

pub(crate) fn assert_sound(name: &str, sketch: &Sketch) {
    let drawing = &sketch.drawing;
    let extent = sketch.extent;
    assert!(
        extent.left >= 0.0
            && extent.top >= 0.0
            && extent.right <= drawing.width
            && extent.bottom <= drawing.height,
        "{name} runs out: {extent:?} of {} x {}",
        drawing.width,
        drawing.height
    );
    let body = drawing.svg.split("</defs>").nth(1).unwrap();
    for element in body.lines().filter(|line| !line.starts_with("<text ")) {
        assert!(
            !element.contains("NaN") && !element.contains("inf"),
            "{name}: {element}"
        );
    }
    for (index, a) in sketch.texts.iter().enumerate() {
        for b in &sketch.texts[index + 1..] {
            assert!(
                !a.bounds.overlaps(&b.bounds),
                "{name}: {a:?} overlaps {b:?}"
            );
        }
    }
}

/// Every text in the chart made long, except what is read and not shown.
fn lengthened(value: &Value, key: &str) -> Value {
    const READ: [&str; 16] = [
        "chart",
        "kind",
        "id",
        "from",
        "to",
        "after",
        "date",
        "start",
        "end",
        "today",
        "scale",
        "layout",
        "direction",
        "colours",
        "trend",
        "arrows",
    ];
    match value {
        Value::String(text) if !READ.contains(&key) => {
            json!(format!(
                "{text} und was sonst noch dazugehört, Donaudampfschifffahrt"
            ))
        }
        Value::Array(all) => all.iter().map(|v| lengthened(v, key)).collect(),
        Value::Object(all) => Value::Object(
            all.iter()
                .map(|(k, v)| (k.clone(), lengthened(v, k)))
                .collect(),
        ),
        other => other.clone(),
    }
}

#[test]
fn every_sample_is_sound_in_both_themes() {
    for (name, chart) in samples::all() {
        for theme in [Theme::Light, Theme::Dark] {
            assert_sound(&name, &sketch(&chart, theme).unwrap());
        }
    }
}

#[test]
fn long_labels_neither_overlap_nor_run_out() {
    for (name, value) in samples::files() {
        if name.starts_with("line") {
            // Names and dates on the x axis are the same field.
            continue;
        }
        let chart: Chart = serde_json::from_value(lengthened(&value, "")).unwrap();
        assert_sound(&name, &sketch(&chart, Theme::Light).unwrap());
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for (_, chart) in samples::all() {
        assert_eq!(draw(&chart, Theme::Dark), draw(&chart, Theme::Dark));
    }
}

#[test]
fn every_sample_says_what_it_shows() {
    for (name, chart) in samples::all() {
        let drawing = draw(&chart, Theme::Light).unwrap();
        assert!(drawing.alt.len() > 40, "{name}: {}", drawing.alt);
        assert!(drawing.svg.contains("role=\"img\""));
        assert!(drawing.svg.contains("<title>") && drawing.svg.contains("<desc>"));
    }
}

#[test]
fn a_picture_has_the_size_asked_for() {
    let chart = serde_json::from_value(samples::file("tornado")).unwrap();
    let drawing = draw(&chart, Theme::Light).unwrap();
    let bytes = png(&drawing, 2.0).unwrap();
    assert_eq!(&bytes[1..4], b"PNG");
    let width = u32::from_be_bytes(bytes[16..20].try_into().unwrap());
    assert_eq!(f64::from(width), drawing.width * 2.0);
    for scale in [0.0, -1.0, 100.0, f64::NAN] {
        assert!(matches!(png(&drawing, scale), Err(PngRefusal::Side { .. })));
    }
}

fn titled(title: &str) -> Chart {
    let mut value = samples::file("tornado");
    value["title"] = json!(title);
    serde_json::from_value(value).unwrap()
}

#[test]
fn text_is_escaped_and_control_characters_are_dropped() {
    let drawing = draw(&titled("a<b> & \"c\"\u{7}\n\u{202E}d"), Theme::Light).unwrap();
    assert!(
        drawing
            .svg
            .contains("<title>a&lt;b&gt; &amp; &quot;c&quot; d</title>")
    );
    png(&drawing, 1.0).unwrap();
}

#[test]
fn a_script_the_font_lacks_is_left_to_the_viewer_and_never_lost_silently() {
    let drawing = draw(&titled("東京 <1>"), Theme::Light).unwrap();
    assert!(drawing.svg.contains(">東京 &lt;1&gt;</text>"));
    assert_eq!(png(&drawing, 1.0), Err(PngRefusal::Characters));
}

#[test]
fn accents_given_apart_are_joined() {
    let drawing = draw(&titled("Cafe\u{301}"), Theme::Light).unwrap();
    assert!(drawing.svg.contains("<title>Café</title>"));
    assert!(!drawing.svg.contains("<text "));
}
