//! The JSON Schema of a chart, written by hand so that it explains every field.

use serde_json::{Map, Value, json};

use crate::limits::{
    AFTER_MAX, CATEGORIES_MAX, COLUMNS_MAX, DEPTH_MAX, EDGES_MAX, EVENTS_MAX, GROUPS_MAX,
    INPUTS_MAX, LAYERS_MAX, NODES_MAX, OUTCOMES_MAX, POINTS_MAX, ROWS_MAX, STUDIES_MAX, TASKS_MAX,
    VALUES_MAX,
};
use crate::{SERIES_MAX, TEXT_CHARS_MAX};

/// Of what `Chart` is read from.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Chart",
        "description": "One chart. The field `chart` selects the kind; the other fields depend on it.",
        "type": "object",
        "required": ["chart"],
        "oneOf": [
            line(), bar(), scatter(), boxes(), heat_map(), forest(),
            timeline(), gantt(), tornado(), decision_tree(), network()
        ],
        "$defs": {
            "text": {
                "type": "string",
                "minLength": 1,
                "maxLength": TEXT_CHARS_MAX
            },
            "date": {
                "type": "string",
                "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$",
                "description": "YYYY-MM-DD, YYYY-MM or YYYY."
            },
            "axis": axis(),
            "tree_node": tree_node(),
        }
    })
}

fn text(description: &str) -> Value {
    json!({ "$ref": "#/$defs/text", "description": description })
}

fn date(description: &str) -> Value {
    json!({ "$ref": "#/$defs/date", "description": description })
}

fn an_axis(description: &str) -> Value {
    json!({ "$ref": "#/$defs/axis", "description": description })
}

fn number(description: &str) -> Value {
    json!({ "type": "number", "description": description })
}

fn choice(names: &[&str], description: &str) -> Value {
    json!({ "enum": names, "default": names.first(), "description": description })
}

fn list(items: Value, count_max: usize, description: &str) -> Value {
    json!({
        "type": "array",
        "items": items,
        "minItems": 1,
        "maxItems": count_max,
        "description": description
    })
}

fn object(required: &[&str], properties: Value) -> Value {
    json!({
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": properties
    })
}

/// An object with the fields every chart has.
fn chart(name: &str, description: &str, required: &[&str], properties: Value) -> Value {
    let mut all = Map::new();
    all.insert("chart".to_owned(), json!({ "const": name }));
    all.insert(
        "title".to_owned(),
        text("The message of the chart, preferably as a sentence."),
    );
    all.insert(
        "subtitle".to_owned(),
        text("What is shown: measure, period, location."),
    );
    all.insert("source".to_owned(), text("Where the data come from."));
    if let Value::Object(own) = properties {
        all.extend(own);
    }
    let required: Vec<&str> = ["chart", "title"].iter().chain(required).copied().collect();
    let mut whole = object(&required, Value::Object(all));
    whole["description"] = json!(description);
    whole
}

fn axis() -> Value {
    object(
        &[],
        json!({
            "label": text("What is measured."),
            "unit": text("The unit, shown in brackets after the label."),
            "scale": choice(&["linear", "log"], "A log axis requires values above zero.")
        }),
    )
}

fn line() -> Value {
    let point = json!({
        "type": "array",
        "prefixItems": [
            {
                "type": ["number", "string"],
                "description": "A number, a date or a name; the same type in the whole chart."
            },
            { "type": ["number", "null"], "description": "Null interrupts the line." }
        ],
        "items": false,
        "minItems": 2
    });
    let series = object(
        &["name", "points"],
        json!({ "name": text("For the legend."), "points": list(point, POINTS_MAX, "[x, y] pairs.") }),
    );
    chart(
        "line",
        "Shows how values develop over numbers, dates or named steps.",
        &["series"],
        json!({
            "x": an_axis("The horizontal axis."),
            "y": an_axis("The vertical axis."),
            "series": list(series, SERIES_MAX, "One line each.")
        }),
    )
}

fn bar() -> Value {
    let series = object(
        &["name", "values"],
        json!({
            "name": text("For the legend."),
            "values": list(number("Length of the bar."), CATEGORIES_MAX, "One for each category.")
        }),
    );
    chart(
        "bar",
        "Amounts of a few categories side by side. Bars begin at zero.",
        &["categories", "series"],
        json!({
            "categories": list(text("Name below or beside the bars."), CATEGORIES_MAX, "In the order of drawing."),
            "series": list(series, SERIES_MAX, "Each series has one bar in every category."),
            "layout": choice(&["grouped", "stacked"], "Side by side, or on top of each other."),
            "direction": choice(&["vertical", "horizontal"], "Horizontal bars suit long names."),
            "value_axis": an_axis("The axis of the amounts; linear only.")
        }),
    )
}

fn scatter() -> Value {
    let point = json!({
        "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2
    });
    let series = object(
        &["name", "points"],
        json!({ "name": text("For the legend."), "points": list(point, POINTS_MAX, "[x, y] pairs.") }),
    );
    chart(
        "scatter",
        "Shows how two measures of the same items relate.",
        &["series"],
        json!({
            "x": an_axis("The horizontal axis."),
            "y": an_axis("The vertical axis."),
            "series": list(series, SERIES_MAX, "Points with their own marker."),
            "trend": choice(&["none", "linear"], "A least-squares line through all points.")
        }),
    )
}

fn boxes() -> Value {
    let summary = object(
        &["low", "lower_quartile", "median", "upper_quartile", "high"],
        json!({
            "low": number("Where the lower whisker ends."),
            "lower_quartile": number("The first quartile."),
            "median": number("The median."),
            "upper_quartile": number("The third quartile."),
            "high": number("Where the upper whisker ends."),
            "outliers": {
                "type": "array", "items": { "type": "number" }, "maxItems": VALUES_MAX,
                "description": "Single values beyond the whiskers."
            }
        }),
    );
    let mut group = object(
        &["name"],
        json!({
            "name": text("Name below the box."),
            "values": list(number("One measured value."), VALUES_MAX, "The summary is computed from them."),
            "summary": summary
        }),
    );
    group["oneOf"] = json!([{ "required": ["values"] }, { "required": ["summary"] }]);
    chart(
        "box",
        "Shows how values are distributed within groups.",
        &["groups"],
        json!({
            "value_axis": an_axis("The axis of the values."),
            "groups": list(group, GROUPS_MAX, "One box each, from values or from a summary.")
        }),
    )
}

fn heat_map() -> Value {
    let row = list(
        json!({ "type": ["number", "null"] }),
        COLUMNS_MAX,
        "One value for each column; null where it is unknown.",
    );
    chart(
        "heat_map",
        "Shows a table of numbers as colours.",
        &["columns", "rows", "values"],
        json!({
            "columns": list(text("Name below the column."), COLUMNS_MAX, "From left to right."),
            "rows": list(text("Name beside the row."), ROWS_MAX, "From top to bottom."),
            "values": list(row, ROWS_MAX, "One list for each row."),
            "colours": choice(
                &["sequential", "diverging"],
                "From low to high, or two colours that diverge at zero."
            ),
            "value_axis": an_axis("What the colours mean; its scale is not used.")
        }),
    )
}

fn estimate(extra: Value) -> Value {
    let mut properties = json!({
        "name": text("Name of the row."),
        "estimate": number("Between low and high."),
        "low": number("Lower end of the interval."),
        "high": number("Upper end of the interval.")
    });
    if let (Value::Object(all), Value::Object(extra)) = (&mut properties, extra) {
        all.extend(extra);
    }
    object(&["name", "estimate", "low", "high"], properties)
}

fn forest() -> Value {
    let weight = json!({
        "weight": { "type": "number", "minimum": 0, "description": "Shown as a share of the sum." }
    });
    chart(
        "forest",
        "Shows estimates of several studies with their intervals, and the pooled result.",
        &["studies"],
        json!({
            "value_axis": an_axis("The effect; log for ratios."),
            "no_effect": number("Where the line of no effect is: 1 on a log axis, else 0."),
            "studies": list(estimate(weight), STUDIES_MAX, "One row each."),
            "pooled": estimate(json!({}))
        }),
    )
}

fn timeline() -> Value {
    let event = object(
        &["date", "label"],
        json!({
            "date": date("When it happened or began."),
            "label": text("What happened."),
            "end": date("The last day, if it took longer than a day.")
        }),
    );
    chart(
        "timeline",
        "What happened when.",
        &["events"],
        json!({ "events": list(event, EVENTS_MAX, "In any order.") }),
    )
}

fn gantt() -> Value {
    let task = object(
        &["id", "name", "start"],
        json!({
            "id": text("For `after` of other tasks."),
            "name": text("Name of the row."),
            "start": date("The first day."),
            "end": date("The last day; without one it is a milestone."),
            "after": {
                "type": "array", "items": { "type": "string" }, "maxItems": AFTER_MAX,
                "description": "Ids of the tasks that must be finished before."
            },
            "done": {
                "type": "number", "minimum": 0, "maximum": 1,
                "description": "The share that is done."
            },
            "group": text("Tasks of a group are listed under its name.")
        }),
    );
    chart(
        "gantt",
        "Shows a plan: tasks over time and their dependencies.",
        &["tasks"],
        json!({
            "tasks": list(task, TASKS_MAX, "From top to bottom."),
            "today": date("Marked where it is within the plan.")
        }),
    )
}

fn tornado() -> Value {
    let input = object(
        &["name", "low", "high"],
        json!({
            "name": text("Name of the input."),
            "low": number("The result when the input is low."),
            "high": number("The result when the input is high.")
        }),
    );
    chart(
        "tornado",
        "Shows how a result changes when one input at a time is low or high.",
        &["base", "inputs"],
        json!({
            "value_axis": an_axis("The result; linear only."),
            "base": number("The result when nothing is changed."),
            "inputs": list(input, INPUTS_MAX, "Sorted by their swing, regardless of the given order.")
        }),
    )
}

fn tree_node() -> Value {
    let branch = object(
        &["label", "then"],
        json!({
            "label": text("What is chosen or happens."),
            "probability": {
                "type": "number", "minimum": 0, "maximum": 1,
                "description": "Only for branches of a chance, where they must add up to 1."
            },
            "then": { "$ref": "#/$defs/tree_node" }
        }),
    );
    let node = |kind: &str, description: &str| {
        let mut node = object(
            &["kind", "branches"],
            json!({ "kind": { "const": kind }, "branches": list(branch.clone(), OUTCOMES_MAX, "What may follow.") }),
        );
        node["description"] = json!(description);
        node
    };
    let outcome = object(
        &["kind", "label", "value"],
        json!({
            "kind": { "const": "outcome" },
            "label": text("How it ends."),
            "value": number("What that is worth.")
        }),
    );
    json!({
        "oneOf": [
            node("decision", "Someone chooses."),
            node("chance", "Nobody chooses."),
            outcome
        ]
    })
}

fn decision_tree() -> Value {
    chart(
        "decision_tree",
        &format!(
            "Choices and chances up to {DEPTH_MAX} branches deep; expected values and the best choice are computed."
        ),
        &["root"],
        json!({
            "value_axis": an_axis("The unit of the values; its scale is not used."),
            "better": choice(&["higher", "lower"], "Which values a decision prefers."),
            "root": { "$ref": "#/$defs/tree_node" }
        }),
    )
}

fn network() -> Value {
    let node = object(
        &["id", "label"],
        json!({
            "id": text("For the ends of edges."),
            "label": text("Shown in the node."),
            "group": text(&format!("Shown by colour and sign; at most {SERIES_MAX} of them."))
        }),
    );
    let edge = object(
        &["from", "to"],
        json!({
            "from": text("A node's id."),
            "to": text("Another node's id."),
            "label": text("Shown beside the edge where there is room.")
        }),
    );
    chart(
        "network",
        "Things and what connects them.",
        &["nodes", "edges"],
        json!({
            "nodes": list(node, NODES_MAX, "In any order."),
            "edges": { "type": "array", "items": edge, "maxItems": EDGES_MAX },
            "layout": choice(
                &["force", "layered"],
                &format!("Connected things together, or from left to right in at most {LAYERS_MAX} layers.")
            ),
            "arrows": choice(&["forward", "none"], "Whether edges have a direction.")
        }),
    )
}
