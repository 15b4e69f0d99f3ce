//! Charts: lines and stacked areas as SVG that stretches, with its labels as text beside it, so that they stay readable on a
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
    /// Stacked areas instead of lines.
    pub(super) stacked: bool,
    /// Values stay until the next point.
    pub(super) steps: bool,
    /// How a place is written.
    pub(super) place: fn(f64) -> String,
}

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

/// Draws a chart. Series of a stack must have the same places.
pub(super) fn draw(chart: &Chart<'_>, series: &[Series]) -> Markup {
    let places: Vec<f64> = series.iter().flat_map(|s| s.points.iter().map(|p| p.0)).collect();
    let (Some(from), Some(to)) =
        (places.iter().copied().reduce(f64::min), places.iter().copied().reduce(f64::max))
    else {
        return html! { figure.chart { figcaption { (chart.title) } div.empty { "nothing yet" } } };
    };
    let to = if to > from { to } else { from + 1.0 };
    let tops = tops(chart.stacked, series);
    let largest = tops.iter().flatten().map(|p| p.1).fold(0.0, f64::max);
    let (top, step) = scale(largest);
    let x = |place: f64| (place - from) / (to - from) * WIDTH;
    let y = |value: f64| HEIGHT - value / top * HEIGHT;
    let path = |points: &[(f64, f64)]| {
        let mut out = String::new();
        for (at, point) in points.iter().enumerate() {
            if at == 0 {
                out.push_str(&format!("M{:.1} {:.1}", x(point.0), y(point.1)));
            } else if chart.steps {
                out.push_str(&format!("H{:.1}V{:.1}", x(point.0), y(point.1)));
            } else {
                out.push_str(&format!("L{:.1} {:.1}", x(point.0), y(point.1)));
            }
        }
        out
    };
    let area = |line: &str, points: &[(f64, f64)], base: &[(f64, f64)]| {
        let back: String = base.iter().rev().map(|p| format!("L{:.1} {:.1}", x(p.0), y(p.1))).collect();
        match (points.first(), points.last()) {
            (Some(first), Some(last)) if base.is_empty() => {
                format!("{line}L{:.1} {HEIGHT}L{:.1} {HEIGHT}Z", x(last.0), x(first.0))
            }
            _ => format!("{line}{back}Z"),
        }
    };
    let data = json!({
        "from": from, "to": to, "unit": chart.unit,
        "labels": series.first().map(|s| s.points.iter().map(|p| (chart.place)(p.0)).collect::<Vec<_>>()),
        "series": series.iter().map(|s| json!({ "name": s.name, "class": s.class,
            "points": s.points.iter().map(|p| json!([p.0, p.1])).collect::<Vec<_>>() })).collect::<Vec<_>>(),
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
                    @for line in &lines { line.grid x1="0" x2=(WIDTH) y1=(format!("{:.1}", y(*line))) y2=(format!("{:.1}", y(*line))) {} }
                    @for (at, s) in series.iter().enumerate() {
                        @let line = path(&tops[at]);
                        @let base = if chart.stacked && at > 0 { tops[at - 1].as_slice() } else { &[] };
                        path class=(format!("area {}{}", s.class, if chart.stacked { " stack" } else { "" })) d=(area(&line, &tops[at], base)) {}
                        path class=(format!("line {}", s.class)) d=(line) {}
                    }
                }
                div.cross hidden {}
            }
            div.x {
                @for at in 0..5 { span { ((chart.place)(from + (to - from) * f64::from(at) / 4.0)) } }
            }
            div.tip hidden {}
        }
    }
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
        let chart = Chart { title: "t", unit: "u", stacked: true, steps: false, place: |x| format!("{x}") };
        assert!(draw(&chart, &[]).into_string().contains("nothing yet"));
        let drawn = draw(&chart, &[one(1.0), one(2.0)]).into_string();
        assert!(drawn.contains("&lt;a&gt;") && !drawn.contains("NaN"), "{drawn}");
    }
}
