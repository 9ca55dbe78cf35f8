//! The syntax of BibTeX: entries, their fields and their lines. `bibtex_item` gives them meaning.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as MapEntry;

use super::bibtex_item::item;
use super::reading::Reading;

/// A longer value is taken for one whose closing brace is missing.
const VALUE_BYTES_MAX: usize = 256 * 1024;
/// Finding the end of a broken entry may read the rest of the file.
const BROKEN_MAX: usize = 200;

/// An entry with its values still in LaTeX.
pub(super) struct RawEntry {
    pub(super) kind: String,
    pub(super) key: String,
    pub(super) fields: BTreeMap<String, String>,
}

pub(crate) fn read(text: &str) -> Reading {
    let mut reader = Reader {
        text,
        at: 0,
        line: 1,
        begins_line: true,
        broken: 0,
        strings: BTreeMap::new(),
        reading: Reading::default(),
    };
    reader.read();
    reader.reading.finish()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// Only white space precedes in this line.
    begins_line: bool,
    broken: usize,
    strings: BTreeMap<String, String>,
    reading: Reading,
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        while let Some(letter) = self.peek() {
            match letter {
                '@' => self.entry_or_skip(),
                letter if letter.is_whitespace() => self.next(),
                _ => {
                    let (line, text) = (self.line, self.rest_of_line());
                    if !text.starts_with('%') {
                        self.reading.unread(line, text, "outside of an entry");
                    }
                }
            }
        }
    }

    fn entry_or_skip(&mut self) {
        let (start, line) = (self.at, self.line);
        let Err(why) = self.entry() else {
            return;
        };
        self.broken += 1;
        // Start again after the `@`: an open brace must not swallow the entries that follow.
        (self.at, self.line) = (start, line);
        self.next();
        self.begins_line = false;
        while let Some(letter) = self.peek() {
            if letter == '@' && self.begins_line {
                break;
            }
            self.next();
        }
        let text = self.text[start..self.at].lines().next().unwrap_or_default();
        self.reading.unread(line, text, why);
        if self.broken == BROKEN_MAX {
            let why = format!("{BROKEN_MAX} entries are broken; the rest is not read");
            self.reading.unread(self.line, "", why);
            self.at = self.text.len();
        }
    }

    fn entry(&mut self) -> Result<(), String> {
        self.next();
        let kind = self.word().to_lowercase();
        self.skip_white_space();
        if kind == "comment" {
            if self.peek() == Some('{') {
                self.braced()?;
            } else {
                self.rest_of_line();
            }
            return Ok(());
        }
        let close = match self.peek() {
            Some('{') => '}',
            Some('(') => ')',
            _ => return Err("no `{` after the type of entry".to_owned()),
        };
        self.next();
        match kind.as_str() {
            "preamble" => {
                self.value()?;
                self.reading.notes.add("A BibTeX preamble is not used.");
                self.expect_close(close)
            }
            "string" => {
                let (name, value) = self.field()?;
                self.strings.insert(name, value);
                self.expect_close(close)
            }
            _ => self.record(kind, close),
        }
    }

    fn record(&mut self, kind: String, close: char) -> Result<(), String> {
        let line = self.line;
        self.skip_white_space();
        let key = self
            .take_while(|letter| letter != ',' && letter != '}' && letter != '\n')
            .trim()
            .to_owned();
        let mut fields = BTreeMap::new();
        loop {
            self.skip_white_space();
            if self.peek() == Some(',') {
                self.next();
                self.skip_white_space();
            }
            if self.peek() == Some(close) {
                self.next();
                break;
            }
            let (name, value) = self.field()?;
            match fields.entry(name) {
                MapEntry::Vacant(slot) => {
                    slot.insert(value);
                }
                MapEntry::Occupied(slot) => self.reading.unread(
                    self.line,
                    &value,
                    format!("`{key}` has `{}` twice; the first is used", slot.key()),
                ),
            }
        }
        let raw = RawEntry { kind, key, fields };
        let item = item(&raw, line, &mut self.reading);
        self.reading.items.push(item);
        Ok(())
    }

    fn field(&mut self) -> Result<(String, String), String> {
        self.skip_white_space();
        let name = self.word().to_lowercase();
        if name.is_empty() {
            return Err(format!("line {}: a field's name is missing", self.line));
        }
        self.skip_white_space();
        if self.peek() != Some('=') {
            return Err(format!("line {}: no `=` follows `{name}`", self.line));
        }
        self.next();
        Ok((name, self.value()?))
    }

    /// Pieces joined by `#`.
    fn value(&mut self) -> Result<String, String> {
        let mut value = String::new();
        loop {
            self.skip_white_space();
            match self.peek() {
                Some('{') => value.push_str(self.braced()?),
                Some('"') => value.push_str(self.quoted()?),
                _ => {
                    let word = self.word();
                    if word.is_empty() {
                        return Err(format!("line {}: a value is missing", self.line));
                    }
                    match self.strings.get(&word.to_lowercase()) {
                        Some(text) => value.push_str(text),
                        None => value.push_str(word),
                    }
                }
            }
            if value.len() > VALUE_BYTES_MAX {
                return Err(format!(
                    "line {}: the value has more than {VALUE_BYTES_MAX} bytes",
                    self.line
                ));
            }
            self.skip_white_space();
            if self.peek() != Some('#') {
                return Ok(value);
            }
            self.next();
        }
    }

    fn braced(&mut self) -> Result<&'a str, String> {
        let line = self.line;
        self.next();
        let start = self.at;
        let mut depth = 1_usize;
        while let Some(letter) = self.peek() {
            if self.at - start > VALUE_BYTES_MAX {
                break;
            }
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let inside = &self.text[start..self.at];
                self.next();
                return Ok(inside);
            }
            self.next();
        }
        Err(format!("line {line}: a `{{` is never closed"))
    }

    fn quoted(&mut self) -> Result<&'a str, String> {
        let line = self.line;
        self.next();
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(letter) = self.peek() {
            if self.at - start > VALUE_BYTES_MAX {
                break;
            }
            match letter {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                '"' if depth == 0 => {
                    let inside = &self.text[start..self.at];
                    self.next();
                    return Ok(inside);
                }
                _ => {}
            }
            self.next();
        }
        Err(format!("line {line}: a `\"` is never closed"))
    }

    fn expect_close(&mut self, close: char) -> Result<(), String> {
        self.skip_white_space();
        if self.peek() != Some(close) {
            return Err(format!("line {}: no `{close}` at the end", self.line));
        }
        self.next();
        Ok(())
    }

    fn word(&mut self) -> &'a str {
        self.take_while(|letter| letter.is_alphanumeric() || "_-:.+/".contains(letter))
    }

    fn skip_white_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn rest_of_line(&mut self) -> &'a str {
        self.take_while(|letter| letter != '\n')
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&fits) {
            self.next();
        }
        &self.text[start..self.at]
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) {
        if let Some(letter) = self.peek() {
            self.at += letter.len_utf8();
            self.line += usize::from(letter == '\n');
            self.begins_line = letter == '\n' || (self.begins_line && letter.is_whitespace());
        }
    }
}
