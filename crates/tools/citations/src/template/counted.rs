//! Evaluates templates within a number of bytes: what is built is counted before it is built.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::LazyLock;

use minijinja::machinery::{CodeGenerator, eval, make_string_output, parse};
use minijinja::value::{Rest, Value, ValueKind, ValueOrKwargs};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, context};

use super::rewrite;

/// Most bytes that one evaluation may build, all in all. Counting up to it takes a while, which tests need not wait for.
const BUILT_BYTES_MAX: usize = if cfg!(test) { 4 << 20 } else { 64 << 20 };
/// What a value takes besides its text.
const VALUE_BYTES: usize = 64;

pub(super) const ADD: &str = "@add";
pub(super) const MULTIPLY: &str = "@multiply";
pub(super) const CONCAT: &str = "@concat";
pub(super) const COUNT: &str = "@count_bytes";
const BUILT: &str = "@built";

/// How much a filter builds at most.
#[derive(Clone, Copy)]
enum Builds {
    /// A text about as long as what it is given.
    Text,
    /// A list of what is in what it is given.
    Items,
    Replaced,
    Indented,
    Joined,
    Formatted,
    /// A list in pieces, filled up to a number.
    Pieces,
}

/// Filters that build something, what they are called when they are counted, and how much they build. The others look.
const BUILDING: &[(&str, &str, Builds)] = &[
    ("safe", "@safe", Builds::Text),
    ("escape", "@escape", Builds::Text),
    ("e", "@e", Builds::Text),
    ("lower", "@lower", Builds::Text),
    ("upper", "@upper", Builds::Text),
    ("title", "@title", Builds::Text),
    ("capitalize", "@capitalize", Builds::Text),
    ("trim", "@trim", Builds::Text),
    ("string", "@string", Builds::Text),
    // With a text to start from it adds texts, also those of an attribute.
    ("sum", "@sum", Builds::Text),
    ("citation", "@citation", Builds::Text),
    ("table", "@table", Builds::Text),
    ("number", "@number", Builds::Text),
    ("percent", "@percent", Builds::Text),
    ("date", "@date", Builds::Text),
    ("plural", "@plural", Builds::Text),
    ("replace", "@replace", Builds::Replaced),
    ("indent", "@indent", Builds::Indented),
    ("join", "@join", Builds::Joined),
    ("format", "@format", Builds::Formatted),
    ("batch", "@batch", Builds::Pieces),
    ("slice", "@slice", Builds::Pieces),
    ("list", "@list", Builds::Items),
    ("sort", "@sort", Builds::Items),
    ("unique", "@unique", Builds::Items),
    ("reverse", "@reverse", Builds::Items),
    ("groupby", "@groupby", Builds::Items),
    ("items", "@items", Builds::Items),
    ("dictsort", "@dictsort", Builds::Items),
    ("chain", "@chain", Builds::Items),
    ("zip", "@zip", Builds::Items),
    ("split", "@split", Builds::Items),
    ("lines", "@lines", Builds::Items),
    ("map", "@map", Builds::Items),
    ("select", "@select", Builds::Items),
    ("reject", "@reject", Builds::Items),
    ("selectattr", "@selectattr", Builds::Items),
    ("rejectattr", "@rejectattr", Builds::Items),
];

/// What to call instead of a filter.
pub(super) fn counted_name(name: &str) -> &str {
    let building = BUILDING.iter().find(|(plain, ..)| *plain == name.trim());
    building.map_or(name, |(_, counted, _)| counted)
}

/// Prepares an environment whose templates are rendered by [`render_counted`].
pub fn count_what_is_built(environment: &mut Environment<'_>) {
    count_with(environment, minijinja::escape_formatter);
}

pub(super) fn count_with<W>(environment: &mut Environment<'_>, write: W)
where
    W: Fn(&mut Output<'_>, &mut State<'_, '_>, &Value) -> Result<(), Error> + Send + Sync + 'static,
{
    // They are for who debugs a template, and print all that there is.
    environment.remove_global("debug");
    environment.remove_filter("pprint");
    environment.set_formatter(move |out, state, value| {
        let bytes = text_bytes(value, left(state))?;
        build(state, bytes)?;
        write(out, state, value)
    });
    for (plain, counted, builds) in BUILDING {
        environment.add_filter(
            *counted,
            move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| {
                filtered(state, plain, *builds, args.into_values())
            },
        );
    }
    environment.add_filter(ADD, |state: &mut State<'_, '_>, a: Value, b: Value| {
        let bytes = match (a.as_str(), b.as_str()) {
            (Some(a), Some(b)) => a.len() + b.len(),
            _ if is_list(&a) && is_list(&b) => items(&[a.clone(), b.clone()], left(state))?,
            _ => VALUE_BYTES,
        };
        build(state, bytes)?;
        computed("a + b", a, b)
    });
    environment.add_filter(MULTIPLY, |state: &mut State<'_, '_>, a: Value, b: Value| {
        let (thing, times) = match a.kind() {
            ValueKind::Number => (&b, &a),
            _ => (&a, &b),
        };
        let one = match thing.as_str() {
            Some(text) => text.len(),
            None if is_list(thing) => items(std::slice::from_ref(thing), left(state))?,
            None => 0,
        };
        let times = times.as_usize().unwrap_or(1);
        build(state, one.saturating_mul(times))?;
        computed("a * b", a, b)
    });
    environment.add_filter(CONCAT, |state: &mut State<'_, '_>, a: Value, b: Value| {
        let bytes = texts_bytes(&[a.clone(), b.clone()], left(state))?;
        build(state, bytes)?;
        computed("a ~ b", a, b)
    });
    environment.add_filter(COUNT, |state: &mut State<'_, '_>, value: Value| {
        let bytes = value.as_str().map_or(VALUE_BYTES, str::len);
        build(state, bytes).map(|()| value)
    });
}

/// Fills in a template. What it builds on the way, the text included, stays within a number of bytes.
pub fn render_counted<'env>(
    environment: &'env Environment<'env>,
    source: &'env str,
    values: Value,
) -> Result<String, Error> {
    let parsed = parse(source, "<string>", environment.syntax().clone())?;
    let counted = rewrite::statement(&parsed)?;
    let mut generator = CodeGenerator::new("<string>", source);
    generator.compile_stmt(&counted);
    let (instructions, blocks) = generator.finish();
    debug_assert!(blocks.is_empty(), "templates here have no blocks");
    let mut text = String::new();
    let blocks = BTreeMap::new();
    let mut out = make_string_output(&mut text);
    eval(
        environment,
        &instructions,
        values,
        &blocks,
        &mut out,
        AutoEscape::None,
    )?;
    Ok(text)
}

fn filtered(
    state: &mut State<'_, '_>,
    name: &str,
    builds: Builds,
    mut args: Vec<Value>,
) -> Result<Value, Error> {
    let most = most_built(builds, &args, left(state))?;
    if most > left(state) {
        return Err(too_much());
    }
    // `map` calls another filter by its name.
    if name == "map"
        && let Some(inner) = args.get_mut(1)
        && let Some(filter) = inner.as_str()
    {
        *inner = Value::from(counted_name(filter));
    }
    let result = match state.apply_filter(name, &args) {
        Err(error) if error.kind() == ErrorKind::UnknownFilter => {
            let detail = format!("filter {name} is unknown");
            return Err(Error::new(ErrorKind::UnknownFilter, detail));
        }
        result => result?,
    };
    let bytes = match result.as_str() {
        Some(text) => text.len(),
        None => most.min(items(std::slice::from_ref(&result), left(state))?),
    };
    build(state, bytes)?;
    Ok(result)
}

fn most_built(builds: Builds, args: &[Value], left: usize) -> Result<usize, Error> {
    let text = || texts_bytes(args, left);
    let length = |at: usize| args.get(at).and_then(Value::as_str).map_or(0, str::len);
    Ok(match builds {
        // What it gives is counted when it is there: this only keeps it from being much more than it was given.
        Builds::Text => text()?,
        Builds::Items => items(args, left)?,
        Builds::Replaced => {
            let whole = text()?;
            let found = whole / length(1).max(1) + 1;
            whole.saturating_add(found.saturating_mul(longest_text(args)))
        }
        Builds::Indented => {
            let whole = text()?;
            let lines = args.first().and_then(Value::as_str);
            let lines = lines.map_or(0, |text| text.matches('\n').count()) + 1;
            let width = largest_number(args).max(longest_text(args));
            whole.saturating_add(lines.saturating_mul(width))
        }
        Builds::Joined => {
            let Some(joined) = args.first() else {
                return Ok(0);
            };
            let bytes = text()?;
            let parts = match (joined.as_str(), joined.try_iter()) {
                (Some(text), _) => text.len(),
                (None, Ok(items)) => items.count(),
                (None, Err(_)) => 0,
            };
            bytes.saturating_add(parts.saturating_mul(longest_text(args)))
        }
        Builds::Formatted => {
            let pattern = args.first().and_then(Value::as_str).unwrap_or_default();
            let stars = pattern.matches('*').count();
            let given = stars.saturating_mul(largest_number(args));
            let widths = pattern.split(|c: char| !c.is_ascii_digit());
            let widths = widths.map(|width| match width {
                "" => 0,
                width => width.parse().unwrap_or(usize::MAX),
            });
            let widths = widths.fold(given, usize::saturating_add);
            text()?.saturating_add(widths)
        }
        Builds::Pieces => {
            let filled = largest_number(args).saturating_mul(VALUE_BYTES);
            items(args, left)?.saturating_add(filled)
        }
    })
}

/// Operations are computed as the engine does it; only where it went wrong is known better outside.
fn computed(operation: &str, a: Value, b: Value) -> Result<Value, Error> {
    static PLAIN: LazyLock<Environment<'static>> = LazyLock::new(Environment::new);
    let result = PLAIN.compile_expression(operation)?.eval(context! { a, b });
    result.map_err(|error| match error.detail() {
        Some(detail) => Error::new(error.kind(), detail.to_owned()),
        None => Error::from(error.kind()),
    })
}

fn is_list(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable)
}

/// The arguments after the value that is filtered, also those with a name.
fn arguments(args: &[Value]) -> Vec<Value> {
    let after = args.get(1..).unwrap_or_default();
    let named = after.iter().filter(|value| value.is_kwargs());
    let named = named.flat_map(|map| {
        let keys = map.try_iter().into_iter().flatten();
        keys.filter_map(|key| map.get_item(&key).ok())
    });
    after.iter().cloned().chain(named).collect()
}

fn largest_number(args: &[Value]) -> usize {
    let numbers = arguments(args).into_iter();
    let numbers = numbers.filter_map(|value| value.as_usize());
    numbers.max().unwrap_or(0)
}

fn longest_text(args: &[Value]) -> usize {
    let texts = arguments(args);
    let lengths = texts.iter().filter_map(Value::as_str).map(str::len);
    lengths.max().unwrap_or(0)
}

/// What a list of all that is in these takes. Counts no further than there is room for.
fn items(values: &[Value], left: usize) -> Result<usize, Error> {
    let mut bytes = VALUE_BYTES;
    for value in values {
        if let Some(text) = value.as_str() {
            bytes = bytes.saturating_add(text.len().saturating_add(VALUE_BYTES));
            continue;
        }
        let Ok(items) = value.try_iter() else {
            continue;
        };
        for item in items {
            let text = item.as_str().map_or(0, str::len);
            bytes = bytes.saturating_add(text + VALUE_BYTES);
            if bytes > left {
                return Err(too_much());
            }
        }
    }
    Ok(bytes)
}

fn texts_bytes(values: &[Value], left: usize) -> Result<usize, Error> {
    let mut bytes = 0_usize;
    for value in values {
        bytes = bytes.saturating_add(text_bytes(value, left)?);
    }
    Ok(bytes)
}

/// How long a value is as text, counted without writing it, and no further than there is room for.
fn text_bytes(value: &Value, left: usize) -> Result<usize, Error> {
    if let Some(text) = value.as_str() {
        return Ok(text.len());
    }
    let mut length = Length { bytes: 0, left };
    match write!(length, "{value}") {
        Ok(()) => Ok(length.bytes),
        Err(_) => Err(too_much()),
    }
}

struct Length {
    bytes: usize,
    left: usize,
}

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes += text.len();
        match self.bytes > self.left {
            true => Err(fmt::Error),
            false => Ok(()),
        }
    }
}

fn built(state: &State<'_, '_>) -> usize {
    let built = state.get_temp(BUILT);
    built.and_then(|built| built.as_usize()).unwrap_or(0)
}

fn left(state: &State<'_, '_>) -> usize {
    BUILT_BYTES_MAX.saturating_sub(built(state))
}

/// Counts what is about to be built.
fn build(state: &mut State<'_, '_>, bytes: usize) -> Result<(), Error> {
    if bytes > left(state) {
        return Err(too_much());
    }
    let all = built(state) + bytes;
    state.set_temp(BUILT, Value::from(all));
    Ok(())
}

fn too_much() -> Error {
    Error::new(
        ErrorKind::InvalidOperation,
        format!(
            "it builds more than {} MiB: loop over less, or build shorter texts [ADJ-6181]",
            BUILT_BYTES_MAX >> 20
        ),
    )
}

#[cfg(test)]
#[path = "counted_tests.rs"]
mod tests;
