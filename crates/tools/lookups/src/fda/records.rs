//! Records of each dataset as sources.

use serde_json::{Value, json};

use super::search::{Area, Dataset};
use crate::Source;
use crate::dates::{Date, csl_date};
use crate::url;

const SECTION_CHARS_MAX: usize = 20_000;

/// The sections of a label that a reader asks for, in their order.
const SECTIONS: [&str; 16] = [
    "boxed_warning",
    "indications_and_usage",
    "dosage_and_administration",
    "dosage_forms_and_strengths",
    "contraindications",
    "warnings_and_cautions",
    "warnings",
    "precautions",
    "adverse_reactions",
    "drug_interactions",
    "use_in_specific_populations",
    "overdosage",
    "clinical_pharmacology",
    "clinical_studies",
    "how_supplied",
    "description",
];

/// Nothing without an id.
pub(super) fn read(dataset: Dataset, area: Area, record: &Value) -> Option<Source> {
    match dataset {
        Dataset::Applications => application(record),
        Dataset::Labels => label(record),
        Dataset::Events => event(record),
        Dataset::Clearances => clearance(record),
        Dataset::Recalls => recall(area, record),
    }
}

struct Parts {
    id: String,
    title: String,
    text: String,
    date: Option<Date>,
    url: String,
    database: &'static str,
    number: String,
    details: Value,
}

fn source(parts: Parts) -> Source {
    let mut reference = json!({
        "id": parts.id,
        "type": "webpage",
        "title": parts.title,
        "author": [{ "literal": "U.S. Food and Drug Administration" }],
        "container-title": parts.database,
        "number": parts.number,
        "URL": parts.url,
    });
    if let Some(date) = parts.date {
        reference["issued"] = csl_date(date);
    }
    Source {
        id: parts.id,
        title: parts.title,
        text: parts.text,
        published: parts.date.map(Date::iso),
        url: parts.url,
        reference,
        details: parts.details,
    }
}

fn application(record: &Value) -> Option<Source> {
    let number = text(&record["application_number"])?;
    let sponsor = text(&record["sponsor_name"]).unwrap_or("unknown sponsor");
    let (mut names, mut lines) = (Vec::new(), Vec::new());
    for product in list(&record["products"]) {
        let brand = text(&product["brand_name"]).unwrap_or("without a brand");
        let ingredients: Vec<String> = list(&product["active_ingredients"])
            .map(|one| joined(&[text(&one["name"]), text(&one["strength"])], " "))
            .collect();
        if !names.contains(&brand) {
            names.push(brand);
        }
        lines.push(format!(
            "{brand}: {} ({}), {}",
            ingredients.join(", "),
            joined(
                &[text(&product["dosage_form"]), text(&product["route"])],
                ", "
            ),
            text(&product["marketing_status"]).unwrap_or("status unknown")
        ));
    }
    let mut approved: Option<Date> = None;
    for submission in list(&record["submissions"]) {
        let day = compact(&submission["submission_status_date"]);
        let original = submission["submission_type"] == "ORIG";
        if original && submission["submission_status"] == "AP" {
            approved = day.or(approved);
        }
        lines.push(format!(
            "{}-{}: {} on {}",
            text(&submission["submission_type"]).unwrap_or("submission"),
            text(&submission["submission_number"]).unwrap_or("?"),
            text(&submission["submission_status"]).unwrap_or("status unknown"),
            day.map_or("an unknown day".to_owned(), Date::iso)
        ));
    }
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    Some(source(Parts {
        id: format!("FDA:{number}"),
        title: format!("{} ({number}), {sponsor}", names.join(", ")),
        text: lines.join("\n"),
        date: approved,
        url: format!(
            "https://www.accessdata.fda.gov/scripts/cder/daf/index.cfm?event=overview.process&ApplNo={digits}"
        ),
        database: "Drugs@FDA",
        number: number.to_owned(),
        details: json!({
            "application": number,
            "sponsor": sponsor,
            "approved": approved.map(Date::iso),
            "products": record["products"],
            "submissions": record["submissions"],
        }),
    }))
}

fn label(record: &Value) -> Option<Source> {
    let id = text(&record["set_id"])?;
    let names = &record["openfda"];
    let brand = first(&names["brand_name"]).or(first(&names["generic_name"]));
    let mut sections = serde_json::Map::new();
    let mut lines = Vec::new();
    for name in SECTIONS {
        let whole = list(&record[name])
            .filter_map(text)
            .collect::<Vec<_>>()
            .join("\n");
        if !whole.is_empty() {
            let cut: String = whole.chars().take(SECTION_CHARS_MAX).collect();
            lines.push(format!("{}: {cut}", name.replace('_', " ").to_uppercase()));
            sections.insert(name.to_owned(), cut.into());
        }
    }
    Some(source(Parts {
        id: format!("FDA:label:{id}"),
        title: format!("Label of {}", brand.unwrap_or("a drug without a name")),
        text: lines.join("\n"),
        date: compact(&record["effective_time"]),
        url: format!(
            "https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid={}",
            url::encode(id)
        ),
        database: "DailyMed",
        number: id.to_owned(),
        details: json!({
            "set_id": id,
            "version": record["version"],
            "brand_names": names["brand_name"],
            "generic_names": names["generic_name"],
            "manufacturers": names["manufacturer_name"],
            "applications": names["application_number"],
            "sections": sections,
        }),
    }))
}

fn event(record: &Value) -> Option<Source> {
    let id = text(&record["safetyreportid"])?;
    let patient = &record["patient"];
    let reactions: Vec<&str> = list(&patient["reaction"])
        .filter_map(|one| text(&one["reactionmeddrapt"]))
        .collect();
    let drugs: Vec<Value> = list(&patient["drug"])
        .map(|drug| {
            let role = match text(&drug["drugcharacterization"]) {
                Some("1") => "suspect",
                Some("2") => "concomitant",
                Some("3") => "interacting",
                _ => "unknown",
            };
            json!({ "name": drug["medicinalproduct"], "role": role, "indication": drug["drugindication"] })
        })
        .collect();
    let suspects: Vec<&str> = drugs
        .iter()
        .filter(|drug| drug["role"] == "suspect")
        .filter_map(|drug| text(&drug["name"]))
        .collect();
    let serious = text(&record["serious"]) == Some("1");
    let kind = if serious { "serious" } else { "not serious" };
    let names: Vec<&str> = drugs
        .iter()
        .filter_map(|drug| text(&drug["name"]))
        .collect();
    let country = text(&record["occurcountry"]).unwrap_or("unknown");
    Some(source(Parts {
        id: format!("FDA:event:{id}"),
        title: format!(
            "Report {id}: {} with {}",
            reactions.join(", "),
            suspects.join(", ")
        ),
        text: format!(
            "Reactions: {}. Drugs: {}. The report is {kind}; country: {country}.",
            reactions.join(", "),
            names.join(", ")
        ),
        date: compact(&record["receivedate"]),
        url: "https://open.fda.gov/apis/drug/event/".into(),
        database: "FDA Adverse Event Reporting System",
        number: id.to_owned(),
        details: json!({
            "report": id,
            "serious": serious,
            "reactions": reactions,
            "drugs": drugs,
            "country": country,
            "age": patient["patientonsetage"],
            "sex": match text(&patient["patientsex"]) {
                Some("1") => "male",
                Some("2") => "female",
                _ => "unknown",
            },
        }),
    }))
}

fn clearance(record: &Value) -> Option<Source> {
    let number = text(&record["k_number"])?;
    let device = text(&record["device_name"]).unwrap_or("a device without a name");
    let applicant = text(&record["applicant"]).unwrap_or("unknown applicant");
    let decision = text(&record["decision_description"]).unwrap_or("no decision is given");
    let statement = text(&record["statement_or_summary"]).unwrap_or("none");
    Some(source(Parts {
        id: format!("FDA:{number}"),
        title: format!("{device} ({number}), {applicant}"),
        text: format!("{device} of {applicant}: {decision}. Summary or statement: {statement}."),
        date: text(&record["decision_date"]).and_then(any_date),
        url: format!(
            "https://www.accessdata.fda.gov/scripts/cdrh/cfdocs/cfpmn/pmn.cfm?ID={}",
            url::encode(number)
        ),
        database: "510(k) Premarket Notification",
        number: number.to_owned(),
        details: json!({
            "k_number": number,
            "device": device,
            "applicant": applicant,
            "decision": decision,
            "decision_code": record["decision_code"],
            "product_code": record["product_code"],
            "received": record["date_received"],
            "committee": record["advisory_committee_description"],
            "device_class": record["openfda"]["device_class"],
        }),
    }))
}

fn recall(area: Area, record: &Value) -> Option<Source> {
    let number = text(&record["recall_number"])?;
    let firm = text(&record["recalling_firm"]).unwrap_or("unknown firm");
    let class = text(&record["classification"]).unwrap_or("not classified");
    let product = text(&record["product_description"]).unwrap_or("no product is named");
    let reason = text(&record["reason_for_recall"]).unwrap_or("no reason is given");
    Some(source(Parts {
        id: format!("FDA:{number}"),
        title: format!("Recall {number} ({class}), {firm}"),
        text: format!("{product}\nReason: {reason}"),
        date: compact(&record["report_date"]),
        url: format!(
            "https://www.accessdata.fda.gov/scripts/ires/index.cfm?Event={}",
            url::encode(text(&record["event_id"]).unwrap_or_default())
        ),
        database: "FDA Enforcement Reports",
        number: number.to_owned(),
        details: json!({
            "recall": number,
            "area": match area { Area::Drug => "drug", Area::Device => "device" },
            "class": class,
            "firm": firm,
            "status": record["status"],
            "reason": reason,
            "initiated": compact(&record["recall_initiation_date"]).map(Date::iso),
            "quantity": record["product_quantity"],
            "distribution": record["distribution_pattern"],
        }),
    }))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn first(value: &Value) -> Option<&str> {
    list(value).next().and_then(text)
}

fn text(value: &Value) -> Option<&str> {
    value
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

fn joined(parts: &[Option<&str>], between: &str) -> String {
    let parts: Vec<&str> = parts.iter().flatten().copied().collect();
    parts.join(between)
}

fn compact(value: &Value) -> Option<Date> {
    text(value).and_then(any_date)
}

fn any_date(text: &str) -> Option<Date> {
    Date::from_compact(text).or_else(|| Date::from_iso(text))
}
