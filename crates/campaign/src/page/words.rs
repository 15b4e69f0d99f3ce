//! Numbers, times and names in few letters.

/// `1 234 567`, with thin spaces.
pub(super) fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

/// `1.2 M`
pub(super) fn short(n: f64) -> String {
    let (value, unit) = match n.abs() {
        a if a >= 1e9 => (n / 1e9, "G"),
        a if a >= 1e6 => (n / 1e6, "M"),
        a if a >= 1e4 => (n / 1e3, "k"),
        _ => (n, ""),
    };
    let text = if value.abs() >= 100.0 || value.fract().abs() < 0.005 {
        format!("{value:.0}")
    } else if value.abs() < 1.0 {
        // Two places, or one where the second is a zero: the ticks of a small scale are not the same.
        format!("{value:.2}").trim_end_matches('0').to_string()
    } else {
        let text = format!("{value:.1}");
        text.strip_suffix(".0").map_or(text.clone(), str::to_string)
    };
    format!("{text}{unit}")
}

/// `1.24 s`, `3 min`, `2.5 h`
pub(super) fn time(micros: u64) -> String {
    let seconds = micros as f64 / 1e6;
    match seconds {
        s if s < 0.001 => format!("{micros} µs"),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// `2024-02-29 13:37` UTC.
pub(super) fn stamp(seconds: i64) -> String {
    let (year, month, day) = date(seconds.div_euclid(86_400));
    let rest = seconds.rem_euclid(86_400);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", rest / 3600, rest / 60 % 60)
}

/// `13:37` UTC.
pub(super) fn clock(seconds: i64) -> String {
    let rest = seconds.rem_euclid(86_400);
    format!("{:02}:{:02}", rest / 3600, rest / 60 % 60)
}

/// `02-29 13:37` UTC.
pub(super) fn day(seconds: i64) -> String {
    stamp(seconds)[5..16].to_string()
}

/// `3 min ago`
pub(super) fn ago(then: i64, now: i64) -> String {
    match (now - then).max(0) {
        s if s < 60 => format!("{s} s ago"),
        s if s < 5400 => format!("{} min ago", s / 60),
        s if s < 129_600 => format!("{} h ago", s / 3600),
        s => format!("{} days ago", s / 86_400),
    }
}

/// Year, month and day of a day since 1970 (Howard Hinnant's `civil_from_days`).
fn date(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month, doy - (153 * mp + 2) / 5 + 1)
}

/// The last part of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The class that a strategy's colour has; strategies that come later share the last.
pub(super) fn strategy_class(strategy: &str) -> String {
    let known = ["truth", "approx", "evolve", "mutate", "fusion", "enumerate", "explore"];
    format!("s{}", known.iter().position(|name| *name == strategy).unwrap_or(known.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_dates_right() {
        assert_eq!((number(0), number(1_234_567)), ("0".into(), "1\u{2009}234\u{2009}567".into()));
        for (figure, text) in
            [(12_345.0, "12.3k"), (7.0, "7"), (2.5e6, "2.5M"), (0.15, "0.15"), (0.2, "0.2"), (1.02, "1")]
        {
            assert_eq!(short(figure), text);
        }
        assert_eq!(
            (time(1_240_000), time(200), time(9_000_000_000)),
            ("1.24 s".into(), "200 µs".into(), "2.5 h".into())
        );
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_827_820, "2000-02-29 12:37 UTC"),
            (1_735_689_599, "2024-12-31 23:59 UTC"),
        ] {
            assert_eq!(stamp(seconds), text);
        }
    }
}
