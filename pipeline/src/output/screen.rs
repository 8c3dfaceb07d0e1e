//! The terminal as a screen on which keys are read one by one.

use std::io::{self, IsTerminal as _};
use std::sync::Once;

use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute};

/// The screen while it is taken. The terminal is restored when this is dropped, and before a panic is
/// reported.
pub(crate) struct Screen;

impl Screen {
    /// Whether there are a terminal to draw on and one to read keys from.
    pub(crate) fn is_there() -> bool {
        io::stdout().is_terminal() && io::stdin().is_terminal()
    }

    /// Takes the screen.
    pub(crate) fn take() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let tell = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                tell(panic);
            }));
        });
        enable_raw_mode()?;
        let screen = Self;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // A terminal in raw mode shows a message as stairs, and on the other screen not at all.
    if crossterm::terminal::is_raw_mode_enabled().unwrap_or(false) {
        let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
        let _ = disable_raw_mode();
    }
}
