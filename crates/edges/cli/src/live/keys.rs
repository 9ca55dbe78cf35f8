//! Keys as they are pressed, from a thread that waits for them.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::sync::mpsc;

const KEYS_WAITING_MAX: usize = 256;

/// The keys pressed from here on. The thread ends with the process.
pub(super) fn pressed() -> mpsc::Receiver<KeyEvent> {
    let (to, keys) = mpsc::channel(KEYS_WAITING_MAX);
    std::thread::spawn(move || {
        while let Ok(event) = crossterm::event::read() {
            if let Event::Key(key) = event
                && key.kind != KeyEventKind::Release
                && to.blocking_send(key).is_err()
            {
                return;
            }
        }
    });
    keys
}

pub(super) fn is_interrupt(key: &KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c')
}
