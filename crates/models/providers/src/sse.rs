//! Server-sent events out of bytes, however they are cut. Holds one unfinished event at most.

/// One event longer than this is no answer of a model.
pub(crate) const EVENT_BYTES_MAX: usize = 1024 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// Empty if it has none.
    pub(crate) name: String,
    pub(crate) data: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SseError {
    #[error("an event is longer than {EVENT_BYTES_MAX} bytes")]
    TooLong,
    #[error("it is not UTF-8")]
    NotUtf8,
}

#[derive(Debug, Default)]
pub(crate) struct Parser {
    line: Vec<u8>,
    event: Event,
    has_data: bool,
    after_return: bool,
    begun: bool,
}

impl Parser {
    /// The events that end in these bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, SseError> {
        let mut events = Vec::new();
        for &byte in bytes {
            let after_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if after_return => {}
                b'\n' | b'\r' => events.extend(self.end_line()?),
                _ => self.line.push(byte),
            }
            if self.line.len() + self.event.data.len() > EVENT_BYTES_MAX {
                return Err(SseError::TooLong);
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Result<Option<Event>, SseError> {
        let line = std::mem::take(&mut self.line);
        let mut line = std::str::from_utf8(&line).map_err(|_| SseError::NotUtf8)?;
        if !std::mem::replace(&mut self.begun, true) {
            line = line.trim_start_matches('\u{feff}');
        }
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return Ok(std::mem::take(&mut self.has_data).then_some(event));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.event.name),
            // Comments, ids and reconnection times mean nothing here.
            _ => {}
        }
        Ok(None)
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
