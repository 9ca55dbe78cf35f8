//! Redrawing in place: some lines at the end of the terminal that are replaced, and a cursor for typing.

use std::io::{self, Write as _};

use super::{Line, Paint};

/// Asks the terminal to show what follows at once; terminals that do not know it ignore it.
const BEGIN: &str = "\x1b[?2026h\x1b[?25l";
const END: &str = "\x1b[?2026l";
const SHOW_CURSOR: &str = "\x1b[?25h";
const CLEAR_LINE: &str = "\x1b[K";
const CLEAR_BELOW: &str = "\x1b[J";

/// What was drawn last.
#[derive(Debug)]
pub(crate) struct Frame {
    paint: Paint,
    shown: Vec<String>,
}

impl Frame {
    pub(crate) fn new(paint: Paint) -> Self {
        Self {
            paint,
            shown: Vec::new(),
        }
    }

    /// Replaces what was drawn by these lines; the last may be one to type into.
    pub(crate) fn draw(&mut self, lines: &[Line], typing: Option<&Line>) -> io::Result<()> {
        let mut shown: Vec<String> = lines.iter().map(|line| line.render(self.paint)).collect();
        shown.extend(typing.map(|line| line.render(self.paint)));
        if shown == self.shown {
            return Ok(());
        }
        let mut out = String::from(BEGIN);
        self.rewind(&mut out);
        for (n, line) in shown.iter().enumerate() {
            let end = if n == 0 { "" } else { "\r\n" };
            out.push_str(end);
            out.push_str(line);
            out.push_str(CLEAR_LINE);
        }
        out.push_str(CLEAR_BELOW);
        if typing.is_some() {
            out.push_str(SHOW_CURSOR);
        }
        out.push_str(END);
        self.shown = shown;
        write(&out)
    }

    /// Puts lines above the frame, for good.
    pub(crate) fn leave(&mut self, lines: &[Line]) -> io::Result<()> {
        let mut out = String::from(BEGIN);
        self.rewind(&mut out);
        for line in lines {
            out.push_str(&line.render(self.paint));
            out.push_str(CLEAR_LINE);
            out.push_str("\r\n");
        }
        out.push_str(CLEAR_BELOW);
        out.push_str(SHOW_CURSOR);
        out.push_str(END);
        self.shown.clear();
        write(&out)
    }

    fn rewind(&self, out: &mut String) {
        out.push('\r');
        let up = self.shown.len().saturating_sub(1);
        if up > 0 {
            out.push_str(&format!("\x1b[{up}A"));
        }
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Keys arrive one by one and are not echoed, as long as this lives.
#[derive(Debug)]
pub(crate) struct RawMode;

impl RawMode {
    pub(crate) fn enter() -> io::Result<Self> {
        crossterm::terminal::enable_raw_mode()?;
        Ok(Self)
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        // The terminal is gone if this fails, and then it does not matter.
        let _ = write(SHOW_CURSOR);
        let _ = crossterm::terminal::disable_raw_mode();
    }
}
