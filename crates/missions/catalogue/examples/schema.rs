//! Prints the schema of template files, as `schema/mission-template.json` publishes it.
fn main() {
    println!("{:#}", adjutant_catalogue::schema());
}
