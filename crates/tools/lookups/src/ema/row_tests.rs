use serde_json::json;

use super::*;

#[test]
fn older_headers_lead_to_the_same_fields() {
    let old = json!({ "Medicine name": " Some  name ", "Marketing authorisation date": "2018-02-08 00:00:00", "Revision number": 4 });
    let row = Row::read(&old).unwrap();
    assert_eq!(
        row.text(&["name_of_medicine", "medicine_name"]),
        Some("Some name")
    );
    let day = row.date(&["marketing_authorisation_date"]).map(Date::iso);
    assert_eq!(day.as_deref(), Some("2018-02-08"));
    assert_eq!(row.text(&["revision_number"]), Some("4"));
}

#[test]
fn lists_and_empty_values_are_read() {
    let row = Row::read(&json!({ "a": ["x", "", "y"], "b": null, "c": "  " })).unwrap();
    assert_eq!(row.text(&["a"]), Some("x; y"));
    assert_eq!((row.text(&["b"]), row.text(&["c"])), (None, None));
    assert!(Row::read(&json!(["no row"])).is_none());
}
