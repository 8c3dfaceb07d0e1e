//! Dates as text, in UTC. A machine's clock may show any time, but `humantime` writes RFC 3339 only for the
//! years 1970 to 9999. Earlier and later times become the first or the last of these, since a wrong date must
//! not end a run.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The last second of the year 9999, counted from 1970.
pub const LAST_SECOND: u64 = 253_402_300_799;

/// The current time, such as 2026-01-31T12:00:00Z.
pub fn now() -> String {
    date(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

/// The time this many seconds after the start of 1970.
pub fn date(seconds: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(seconds.min(LAST_SECOND));
    humantime::format_rfc3339_seconds(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_seconds_is_a_date() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_769_860_800, "2026-01-31T12:00:00Z"),
            (LAST_SECOND, "9999-12-31T23:59:59Z"),
            (u64::MAX, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
