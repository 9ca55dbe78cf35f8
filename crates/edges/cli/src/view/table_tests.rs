use super::*;

fn told(width: usize, rows: &[[&str; 4]]) -> Vec<String> {
    let mut table = Table::headed(&["id", "name", "when", "fired"]);
    for row in rows {
        table.row(row.map(|cell| Line::of(Tone::Plain, cell)));
    }
    let lines = table.lines(width, 2);
    lines
        .iter()
        .map(|line| line.render(Paint::Nothing))
        .collect()
}

#[test]
fn long_cells_give_way_and_no_column_is_lost() {
    let (name, when) = ("n".repeat(90), "w".repeat(60));
    let lines = told(80, &[["a", &name, &when, "3 of 7"]]);
    for line in &lines {
        assert!(super::super::width(line) <= 80, "{line}");
    }
    assert!(lines[0].ends_with("fired"), "{lines:?}");
    assert!(lines[1].ends_with("…  3 of 7"), "{lines:?}");
    assert!(lines[1].contains(&"n".repeat(40)), "{lines:?}");
}

#[test]
fn what_fits_is_left_as_it_is() {
    let lines = told(80, &[["a", "Nightly", "@daily", "0"]]);
    assert_eq!(lines[1], " a   Nightly  @daily  0");
}
