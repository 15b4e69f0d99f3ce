//! Coverage over time as a picture: one band for each source of inputs, as high as what its inputs were the first to take.

use super::put;
use crate::search::{Exploration, SOURCES, Source};

/// A colour for each source, told apart also without colour vision by the legend's order, which is that of the bands.
const COLOURS: &[(Source, &str)] = &[
    (Source::Seed, "#68727f"),
    (Source::Solve, "#2456a5"),
    (Source::Engine, "#d1762b"),
    (Source::Look, "#2f8f5b"),
    (Source::Graft, "#8e44ad"),
    (Source::Sweep, "#b08900"),
    (Source::Parts, "#c0392b"),
    (Source::Mutate, "#1697a6"),
];

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 12.0;
const BOTTOM: f64 = 26.0;
const TOP: f64 = 10.0;
/// Steps that are closer than this on the screen are drawn as one.
const CLOSE: f64 = 0.5;

/// Where things are on the picture: time by its logarithm, branch directions evenly.
struct Scale {
    first: f64,
    last: f64,
    most: f64,
}

impl Scale {
    fn of(found: &Exploration) -> Scale {
        let most = found.timeline.iter().map(|moment| moment.branches).max().unwrap_or(0).max(1) as f64;
        let first = found.timeline.first().map_or(0.001, |moment| moment.time.as_secs_f64()).max(1e-4);
        let last = found.time.as_secs_f64().max(first * 2.0);
        Scale { first, last, most }
    }

    fn x(&self, seconds: f64) -> f64 {
        let share = (seconds.max(self.first) / self.first).ln() / (self.last / self.first).ln();
        LEFT + (WIDTH - LEFT - RIGHT) * share.min(1.0)
    }

    fn y(&self, branches: f64) -> f64 {
        TOP + (HEIGHT - BOTTOM - TOP) * (1.0 - branches / self.most)
    }
}

/// Covered branch directions over the logarithm of time, and what each source added.
pub(super) fn chart(out: &mut String, found: &Exploration) {
    let scale = Scale::of(found);
    put(
        out,
        format_args!(
            "<div class=\"panel\"><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"covered branch directions over time\">"
        ),
    );
    grid(out, &scale);
    let sources = contributing(found);
    let steps = steps(found, &scale, &sources);
    for (at, &source) in sources.iter().enumerate() {
        band(out, &scale, &steps, at, colour(source));
    }
    out.push_str("</svg><p class=\"legend\">");
    let gained = steps.last().map_or(&[][..], |step| &step.gained);
    for (&source, gained) in sources.iter().zip(gained) {
        put(
            out,
            format_args!(
                "<span><b style=\"color:{}\">&#9632;</b> {} <b>+{gained}</b></span> ",
                colour(source),
                source.name()
            ),
        );
    }
    out.push_str("</p></div>\n");
}

fn colour(source: Source) -> &'static str {
    COLOURS.iter().find(|row| row.0 == source).expect("the table has a colour for every source").1
}

fn grid(out: &mut String, scale: &Scale) {
    for part in 0..=4 {
        let branches = scale.most * f64::from(part) / 4.0;
        let y = scale.y(branches);
        put(
            out,
            format_args!(
                "<line class=\"g\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{branches:.0}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0
            ),
        );
    }
    // With only one power of ten in sight there are no two marks to read a time off.
    let marks = [1.0, 2.0, 5.0];
    let powers = (scale.last / scale.first).log10();
    for exponent in -4..7 {
        for mark in marks.iter().take(if powers < 2.5 { 3 } else { 1 }) {
            let seconds = mark * 10_f64.powi(exponent);
            let x = scale.x(seconds);
            if seconds >= scale.first && seconds <= scale.last && x < WIDTH - 24.0 {
                put(
                    out,
                    format_args!(
                        "<line class=\"g\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                        HEIGHT - BOTTOM,
                        HEIGHT - BOTTOM + 4.0,
                        HEIGHT - 8.0,
                        time(seconds)
                    ),
                );
            }
        }
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.9995 => format!("{} ms", round(s * 1000.0)),
        s => format!("{} s", round(s)),
    }
}

/// Without what powers of ten cannot represent.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// The sources whose inputs were the first to take some branch direction, in the order of the table.
fn contributing(found: &Exploration) -> Vec<Source> {
    let gains = |source| found.timeline.iter().any(|moment| moment.source == source);
    SOURCES.iter().map(|row| row.source).filter(|&source| gains(source)).collect()
}

/// What each source had added at some place of the picture.
struct Step {
    x: f64,
    gained: Vec<usize>,
}

fn steps(found: &Exploration, scale: &Scale, sources: &[Source]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut gained = vec![0; sources.len()];
    let mut before = 0;
    for moment in &found.timeline {
        if let Some(at) = sources.iter().position(|&source| source == moment.source) {
            gained[at] += moment.branches.saturating_sub(before);
        }
        before = moment.branches;
        let x = scale.x(moment.time.as_secs_f64());
        match steps.last_mut() {
            Some(last) if x - last.x < CLOSE => last.gained.clone_from(&gained),
            _ => steps.push(Step { x, gained: gained.clone() }),
        }
    }
    steps
}

/// The band of one source, on top of those before it: along its upper edge and back along the lower one.
fn band(out: &mut String, scale: &Scale, steps: &[Step], at: usize, colour: &str) {
    let height = |step: &Step, bands: usize| scale.y(step.gained[..bands].iter().sum::<usize>() as f64);
    let Some(first) = steps.first() else { return };
    put(out, format_args!("<path fill=\"{colour}\" d=\"M{:.1} {:.1}", first.x, scale.y(0.0)));
    for step in steps {
        put(out, format_args!("H{:.1}V{:.1}", step.x, height(step, at + 1)));
    }
    put(out, format_args!("H{:.1}", WIDTH - RIGHT));
    for step in steps.iter().rev() {
        put(out, format_args!("V{:.1}H{:.1}", height(step, at), step.x));
    }
    out.push_str("Z\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_source_has_a_colour_of_its_own() {
        let colours: BTreeSet<&str> = SOURCES.iter().map(|row| colour(row.source)).collect();
        assert_eq!(colours.len(), SOURCES.len());
    }
}
