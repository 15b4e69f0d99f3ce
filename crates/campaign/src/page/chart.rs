//! Charts: lines and stacked columns as SVG that stretches, with its labels as text beside it, so that they stay readable on a
//! phone and take the page's colours in light and dark. What the pointer shows is in an attribute that `page.js` reads.

use super::words;
use maud::{Markup, html};
use serde_json::json;

/// One line of a chart.
pub(super) struct Series {
    pub(super) name: String,
    /// Its colour: a class of the style sheet.
    pub(super) class: String,
    /// Places and values; places ascend.
    pub(super) points: Vec<(f64, f64)>,
}

/// What a chart looks like.
pub(super) struct Chart<'a> {
    pub(super) title: &'a str,
    pub(super) unit: &'a str,
    /// Lines whose values stay until the next point, or columns.
    pub(super) shape: Shape,
    /// How a place is written.
    pub(super) place: fn(f64) -> String,
}

/// How values are drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Shape {
    /// One line a series; a value stays until the next point.
    Steps,
    /// Columns of this width, the series on top of each other; a place is where a column begins. All series have the same places.
    Columns(f64),
}

/// The most labels below a chart.
const TICKS: usize = 6;
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 300.0;

/// A round number at or above a value, and the distance of the lines to it.
fn scale(largest: f64) -> (f64, f64) {
    if largest <= 0.0 {
        return (1.0, 0.5);
    }
    let power = 10f64.powf(largest.log10().floor());
    let step = [0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 2.5]
        .into_iter()
        .map(|s| s * power)
        .find(|step| largest / step <= 5.0)
        .unwrap_or(power * 2.5);
    ((largest / step).ceil() * step, step)
}

/// Draws a chart.
pub(super) fn draw(chart: &Chart<'_>, series: &[Series]) -> Markup {
    let places: Vec<f64> = series.iter().flat_map(|s| s.points.iter().map(|p| p.0)).collect();
    let (Some(from), Some(to)) =
        (places.iter().copied().reduce(f64::min), places.iter().copied().reduce(f64::max))
    else {
        return html! { figure.chart { figcaption { (chart.title) } div.empty { "nothing yet" } } };
    };
    let width = if let Shape::Columns(width) = chart.shape { width } else { 0.0 };
    let to = if to + width > from { to + width } else { from + 1.0 };
    let tops = tops(width > 0.0, series);
    let largest = tops.iter().flatten().map(|p| p.1).fold(0.0, f64::max);
    let (top, step) = scale(largest);
    let frame = Frame { from, to, top };
    let data = json!({
        "from": from, "to": to, "unit": chart.unit,
        "labels": series.first().map(|s| s.points.iter().map(|p| (chart.place)(p.0)).collect::<Vec<_>>()),
        "series": series.iter().map(|s| json!({ "name": s.name, "class": s.class,
            "points": s.points.iter().map(|p| json!([p.0 + width / 2.0, p.1])).collect::<Vec<_>>() })).collect::<Vec<_>>(),
    });
    let lines = (0..=((top / step).round() as usize)).map(|at| at as f64 * step).collect::<Vec<_>>();
    html! {
        figure.chart data-chart=(data.to_string()) {
            figcaption {
                span { (chart.title) }
                span.legend { @for s in series { span { i class=(format!("key {}", s.class)) {} (s.name) } } }
            }
            div.plot {
                @for line in &lines { span.y style=(format!("bottom:{:.2}%", line / top * 100.0)) { (words::short(*line)) } }
                svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none" role="img" aria-label=(chart.title) {
                    @for line in &lines {
                        @let y = format!("{:.1}", frame.y(*line));
                        line.grid x1="0" x2=(WIDTH) y1=(y) y2=(y) {}
                    }
                    @for (at, s) in series.iter().enumerate() {
                        @if width > 0.0 {
                            path class=(format!("column {}", s.class)) d=(frame.columns(&s.points, &tops[at], width)) {}
                        } @else {
                            @let line = frame.steps(&s.points);
                            path class=(format!("area {}", s.class)) d=(frame.closed(&line, &s.points)) {}
                            path class=(format!("line {}", s.class)) d=(line) {}
                        }
                    }
                }
                div.cross hidden {}
            }
            (ticks(&marks(chart, series, &frame, width)))
            div.tip hidden {}
        }
    }
}

/// From places and values to points of the picture.
struct Frame {
    from: f64,
    to: f64,
    top: f64,
}

impl Frame {
    fn part(&self, place: f64) -> f64 {
        (place - self.from) / (self.to - self.from)
    }

    fn x(&self, place: f64) -> f64 {
        self.part(place) * WIDTH
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - value / self.top * HEIGHT
    }

    fn steps(&self, points: &[(f64, f64)]) -> String {
        let step = |(at, point): (usize, &(f64, f64))| {
            let (x, y) = (self.x(point.0), self.y(point.1));
            if at == 0 { format!("M{x:.1} {y:.1}") } else { format!("H{x:.1}V{y:.1}") }
        };
        points.iter().enumerate().map(step).collect()
    }

    /// A line down to the ground and back.
    fn closed(&self, line: &str, points: &[(f64, f64)]) -> String {
        match (points.first(), points.last()) {
            (Some(first), Some(last)) => {
                format!("{line}V{HEIGHT}H{:.1}Z", self.x(first.0).min(self.x(last.0)))
            }
            _ => String::new(),
        }
    }

    /// A column for each value, from the sum of those below it to its own, with a gap to the next place.
    fn columns(&self, values: &[(f64, f64)], tops: &[(f64, f64)], width: f64) -> String {
        let across = self.x(self.from + width) * 0.8;
        let column = |(value, top): (&(f64, f64), &(f64, f64))| {
            let (left, high) = (self.x(top.0) + across / 8.0, self.y(top.1));
            let low = self.y(top.1 - value.1);
            format!("M{left:.1} {low:.1}V{high:.1}h{across:.1}V{low:.1}Z")
        };
        values.iter().zip(tops).filter(|(value, _)| value.1 > 0.0).map(column).collect()
    }
}

/// Where labels stand below a chart, in percent, and what they say. No label is said twice.
fn marks(chart: &Chart<'_>, series: &[Series], frame: &Frame, width: f64) -> Vec<(f64, String)> {
    let mut marks: Vec<(f64, String)> = match chart.shape {
        Shape::Columns(_) => {
            let places: Vec<f64> =
                series.first().map_or(&[][..], |s| &s.points).iter().map(|p| p.0).collect();
            let every = places.len().div_ceil(TICKS).max(1);
            let mark = |place: &f64| (frame.part(place + width / 2.0) * 100.0, (chart.place)(*place));
            places.iter().step_by(every).map(mark).collect()
        }
        Shape::Steps => (0..5)
            .map(|at| f64::from(at) / 4.0)
            .map(|part| (part * 100.0, (chart.place)(frame.from + (frame.to - frame.from) * part)))
            .collect(),
    };
    marks.dedup_by(|later, earlier| later.1 == earlier.1);
    marks
}

/// Labels below a chart, each in the middle of its place, in percent of the width.
pub(super) fn ticks(marks: &[(f64, String)]) -> Markup {
    html! { div.x { @for (at, text) in marks { span style=(format!("left:{at:.2}%")) { (text) } } } }
}

/// What is drawn of each series: its values, or in a stack the sums up to it.
fn tops(stacked: bool, series: &[Series]) -> Vec<Vec<(f64, f64)>> {
    let mut sums: Vec<Vec<(f64, f64)>> = Vec::new();
    for s in series {
        let mut points = s.points.clone();
        if let (true, Some(below)) = (stacked, sums.last()) {
            for (point, base) in points.iter_mut().zip(below) {
                point.1 += base.1;
            }
        }
        sums.push(points);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round_and_cover() {
        for value in [0.0, 0.3, 1.0, 7.0, 9.9, 42.0, 100.0, 12_345.0] {
            let (top, step) = scale(value);
            assert!(top >= value && top / step <= 5.01, "{value}: {top} by {step}");
        }
    }

    #[test]
    fn stacks_add_up_and_empty_charts_say_so() {
        let one = |value| Series {
            name: "<a>".into(),
            class: "s0".into(),
            points: vec![(0.0, value), (1.0, value)],
        };
        assert_eq!(tops(true, &[one(1.0), one(2.0)])[1], [(0.0, 3.0), (1.0, 3.0)]);
        let chart = Chart { title: "t", unit: "u", shape: Shape::Columns(1.0), place: |x| format!("{x}") };
        assert!(draw(&chart, &[]).into_string().contains("nothing yet"));
        let drawn = draw(&chart, &[one(1.0), one(2.0)]).into_string();
        assert!(drawn.contains("&lt;a&gt;") && !drawn.contains("NaN"), "{drawn}");
        // The second column of the second series goes from a third of the height to all of it.
        assert!(drawn.contains("M550.0 200.0V0.0h400.0V200.0Z"), "{drawn}");
        let still = Chart { place: |_| "now".into(), shape: Shape::Steps, ..chart };
        assert_eq!(draw(&still, &[one(1.0)]).into_string().matches(">now<").count(), 1);
    }
}
