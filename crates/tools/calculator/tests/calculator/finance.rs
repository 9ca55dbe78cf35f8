use super::*;

fn flows(kind: &str, flows: Value) -> Value {
    json!({ "calculate": kind, "flows": flows })
}

#[test]
fn interest_is_exact() {
    let simple = json!({ "calculate": "simple_interest", "principal": "1000", "rate_percent": "5", "years": "2.5" });
    assert_eq!(text(simple), "1125");
    let compound = |compounding: &str| {
        ask(json!({
            "calculate": "compound_interest", "principal": 1000, "rate_percent": 5, "years": 10,
            "compounding": compounding,
        }))
        .expect("an answer")
        .rounded
        .expect("a number")
    };
    assert_eq!(compound("yearly"), "1628.89");
    assert_eq!(compound("monthly"), "1647.01");
    assert_eq!(compound("continuous"), "1648.72");
}

#[test]
fn a_loan_is_paid_back_to_the_cent() {
    let answer = ask(json!({
        "calculate": "loan", "principal": "200000", "rate_percent": "6", "payments": 360,
    }))
    .expect("an answer");
    assert_eq!(answer.text, "1199.1");
    let rows = answer.table.as_ref().expect("a schedule").rows.clone();
    assert_eq!(rows.len(), 360);
    assert_eq!(
        rows[0],
        ["1", "1199.10", "1000.00", "199.10", "199800.90"].map(str::to_owned)
    );
    assert_eq!(rows[359][4], "0.00");
    let interest: f64 = part(&answer, "interest_in_all").parse().expect("a number");
    assert!((interest - 231_676.38).abs() < 2.0, "{interest}");
}

#[test]
fn a_loan_without_interest_divides() {
    let answer =
        ask(json!({ "calculate": "loan", "principal": 100, "rate_percent": 0, "payments": 3 }))
            .expect("an answer");
    assert_eq!(answer.text, "33.33");
    assert_eq!(part(&answer, "last_payment"), "33.34");
    assert_eq!(part(&answer, "paid_in_all"), "100");
}

#[test]
fn internal_rates_are_bracketed() {
    assert_eq!(text(flows("internal_rate", json!([-100, 110]))), "10");
    assert_eq!(text(flows("internal_rate", json!([-100, 50]))), "-50");
    let several = refusal(flows("internal_rate", json!([-100, 230, -132])));
    assert!(several.contains("10.0000 % and 20.0000 %"), "{several}");
    assert!(refusal(flows("internal_rate", json!([100, 110]))).contains("no internal rate"));
    assert!(refusal(flows("internal_rate", json!([-100]))).contains("at least two"));
}

#[test]
fn dated_rates_count_days() {
    // The example of the documentation of XIRR in spreadsheets: 37.3362535 percent.
    let answer = ask(json!({ "calculate": "dated_internal_rate", "flows": [
        { "date": "2008-01-01", "amount": -10000 }, { "date": "2008-03-01", "amount": 2750 },
        { "date": "2008-10-30", "amount": 4250 }, { "date": "2009-02-15", "amount": 3250 },
        { "date": "2009-04-01", "amount": 2750 },
    ]}))
    .expect("an answer");
    assert!(answer.text.starts_with("37.33625"), "{}", answer.text);
    let late = refusal(json!({ "calculate": "dated_internal_rate", "flows": [
        { "date": "2020-01-01", "amount": -1 }, { "date": "2019-01-01", "amount": 2 },
    ]}));
    assert!(late.contains("earliest"));
}

#[test]
fn payback_lies_within_a_period() {
    assert_eq!(text(flows("payback", json!([-1000, 400, 400, 400]))), "2.5");
    assert_eq!(text(flows("payback", json!([-1000, 400]))), "not paid back");
    let discounted =
        json!({ "calculate": "payback", "flows": [-100, 110, 10], "rate_percent": 10 });
    assert_eq!(text(discounted), "1");
}

#[test]
fn prices_taxes_and_margins_agree() {
    let units =
        json!({ "calculate": "break_even", "fixed_costs": 1000, "price": 10, "variable_cost": 7 });
    assert_eq!(text(units), "334");
    let margin =
        ask(json!({ "calculate": "margin", "cost": 80, "price": 100 })).expect("an answer");
    assert_eq!(
        (part(&margin, "margin"), part(&margin, "markup")),
        ("20".into(), "25".into())
    );
    assert_eq!(
        text(json!({ "calculate": "margin", "cost": 80, "margin_percent": 20 })),
        "100"
    );
    assert_eq!(
        text(json!({ "calculate": "margin", "cost": 80, "markup_percent": 25 })),
        "100"
    );
    let tax = |way: &str, amount: &str| {
        text(json!({ "calculate": "tax", "amount": amount, "rate_percent": 19, "way": way }))
    };
    assert_eq!(tax("add", "100"), "119");
    assert_eq!(tax("remove", "119"), "100");
    assert_eq!(tax("remove", "9.99"), "8.39");
}

#[test]
fn rounding_follows_its_mode() {
    let round = |value: &str, mode: &str| {
        text(json!({ "calculate": "round", "value": value, "places": 2, "rounding": mode }))
    };
    assert_eq!(round("2.345", "half_even"), "2.34");
    assert_eq!(round("2.355", "half_even"), "2.36");
    assert_eq!(round("2.345", "half_up"), "2.35");
    assert_eq!(round("-2.345", "half_up"), "-2.35");
    assert_eq!(round("-2.349", "down"), "-2.34");
}

#[test]
fn a_split_loses_nothing() {
    let split = |amount: &str, shares: Value| {
        text(json!({ "calculate": "split", "amount": amount, "shares": shares }))
    };
    assert_eq!(split("100", json!([1, 1, 1])), "33.34, 33.33, 33.33");
    assert_eq!(split("-100", json!([1, 1, 1])), "-33.34, -33.33, -33.33");
    assert_eq!(split("0.05", json!([50, 30, 20])), "0.03, 0.01, 0.01");
    assert_eq!(split("10", json!([0, 1])), "0.00, 10.00");
}

#[test]
fn assets_lose_their_worth() {
    let asset = |way: &str| {
        ask(json!({ "calculate": "depreciation", "cost": 1000, "salvage": 100, "years": 7, "way": way }))
            .expect("an answer")
    };
    let straight = asset("straight_line");
    assert_eq!(straight.text, "128.57");
    assert_eq!(part(&straight, "in_all"), "900");
    assert_eq!(asset("declining_balance").text, "285.71");
}

#[test]
fn health_is_weighed_against_cost() {
    let icer = |new_cost: i32, new_effect: &str| {
        text(json!({
            "calculate": "cost_effectiveness", "new_cost": new_cost, "new_effect": new_effect,
            "old_cost": 10000, "old_effect": "4.5",
        }))
    };
    assert_eq!(icer(22000, "5.1"), "20000");
    assert!(icer(9000, "5").starts_with("dominant"));
    assert!(icer(11000, "4").starts_with("dominated"));
    let qaly = json!({ "calculate": "quality_years", "states": [
        { "years": 2, "utility": "0.8" }, { "years": "0.5", "utility": "0.6" },
    ]});
    assert_eq!(text(qaly), "1.9");
    let discounted = ask(
        json!({ "calculate": "quality_years", "rate_percent": "3.5", "states": [
            { "years": 3, "utility": 1 },
        ]}),
    )
    .expect("an answer");
    assert_eq!(discounted.rounded.as_deref(), Some("2.900"));
    let impact = json!({
        "calculate": "budget_impact", "population": 100000, "eligible_percent": 1, "new_cost": 1200,
        "old_cost": 1000, "uptake_percent": [10, 20, 50],
    });
    assert_eq!(text(impact), "160000");
    let each = json!({ "calculate": "cost_per_outcome", "cost": 5000, "outcomes": 8 });
    assert_eq!(text(each), "625");
}

#[test]
fn absurd_money_is_refused() {
    let rate =
        json!({ "calculate": "simple_interest", "principal": 1, "rate_percent": 5000, "years": 1 });
    assert!(refusal(rate).contains("outside -99 to 1000 percent"));
    let cents = json!({ "calculate": "split", "amount": "1.005", "shares": [1, 1] });
    assert!(refusal(cents).contains("2 decimal places"));
    let huge = json!({ "calculate": "compound_interest", "principal": 1, "rate_percent": 1000, "years": 100 });
    assert!(refusal(huge).contains("28 digits"));
    let loss =
        json!({ "calculate": "break_even", "fixed_costs": 1, "price": 1, "variable_cost": 2 });
    assert!(refusal(loss).contains("no number of units"));
}

#[test]
fn declining_balances_take_from_what_is_left() {
    let answer = ask(json!({
        "calculate": "depreciation", "cost": 1000, "salvage": 100, "years": 5, "way": "declining_balance",
    }))
    .expect("an answer");
    let amounts: Vec<_> = answer
        .table
        .expect("a schedule")
        .rows
        .into_iter()
        .map(|row| row[1].clone())
        .collect();
    assert_eq!(amounts, ["400.00", "240.00", "144.00", "86.40", "29.60"]);
}

#[test]
fn thresholds_and_growth_count() {
    let answer = ask(json!({
        "calculate": "cost_effectiveness", "new_cost": 22000, "new_effect": "5.1", "old_cost": 10000,
        "old_effect": "4.5", "threshold": 30000,
    }))
    .expect("an answer");
    assert_eq!(part(&answer, "net_monetary_benefit"), "6000");
    let impact = json!({
        "calculate": "budget_impact", "population": 1000, "eligible_percent": 10, "new_cost": 3, "old_cost": 2,
        "uptake_percent": [100, 100], "growth_percent": 10,
    });
    assert_eq!(text(impact), "210");
}
