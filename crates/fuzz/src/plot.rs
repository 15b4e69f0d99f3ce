//! Plots as SVG: lines, steps and dots over linear or logarithmic axes. Owns the drawing; what is plotted and which file it
//! goes to is the caller's business. No fonts, scripts or styles from elsewhere: the text of a plot is the plot.

use smt::text::put;

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Points joined by a line.
    Line,
    /// A staircase: each value holds until the next point.
    Steps,
    /// Points alone.
    Dots,
}

/// Points under one name.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points, in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
    /// How they are drawn.
    pub mark: Mark,
}

/// The scale and the label of one axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// Whether it is logarithmic; values that are not positive are left out then.
    pub log: bool,
    /// Whether it counts: its labels are integers.
    pub whole: bool,
}

impl Axis {
    /// An axis on which equal distances are equal differences.
    pub(crate) fn linear(label: &str) -> Axis {
        Axis { label: label.into(), log: false, whole: false }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Axis {
        Axis { label: label.into(), log: true, whole: false }
    }

    /// A linear axis that counts.
    pub fn counts(label: &str) -> Axis {
        Axis { label: label.into(), log: false, whole: true }
    }

    /// The label with what kind of scale it is, where that is not plain to see.
    fn shown(&self) -> String {
        if self.log { format!("{} (log scale)", self.label) } else { self.label.clone() }
    }

    fn scaled(&self, value: f64) -> Option<f64> {
        let value = if self.log { (value > 0.0).then(|| value.log10())? } else { value };
        value.is_finite().then_some(value)
    }
}

/// A line plot that is written as SVG.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is plotted.
    pub series: Vec<Series>,
}

/// The drawing and its margins, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 55.0;
/// Colours that are told apart with any kind of colour vision (Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"];

/// The range of an axis, and where a value stands on the page.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let (mut low, mut high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-9 {
            (low, high) = (low - 0.5, high + 0.5);
        }
        Scale { low, high, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round values to label, about five.
    fn ticks(&self, axis: &Axis) -> Vec<f64> {
        if axis.log && self.high - self.low < DECADES {
            return self.within_decades();
        }
        let span = self.high - self.low;
        let raw = span / 5.0;
        let magnitude = 10f64.powf(raw.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * magnitude).find(|&s| s >= raw).unwrap_or(magnitude);
        // Powers of ten are labelled as such where there are any.
        let step = if axis.log || axis.whole { step.max(1.0).round() } else { step };
        let first = (self.low / step).ceil();
        (0..20).map(|i| (first + f64::from(i)) * step).take_while(|t| *t <= self.high + 1e-9).collect()
    }

    /// Round values between and at powers of ten, where a logarithmic axis has few of these: the coarsest that give three.
    fn within_decades(&self) -> Vec<f64> {
        let powers = (self.low.floor() as i32)..=(self.high.ceil() as i32);
        let inside = |mantissas: &[f64]| -> Vec<f64> {
            let all =
                powers.clone().flat_map(|power| mantissas.iter().map(move |m| m.log10() + f64::from(power)));
            all.filter(|t| (self.low - 1e-9..=self.high + 1e-9).contains(t)).collect()
        };
        let fine: Vec<f64> = (10..100).map(|tenths| f64::from(tenths) / 10.0).collect();
        let finest: Vec<f64> = (100..1000).map(|hundredths| f64::from(hundredths) / 100.0).collect();
        let coarse =
            [&[1.0][..], &[1.0, 3.0], &[1.0, 2.0, 5.0], &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0], &fine];
        let enough = coarse.into_iter().map(inside).find(|ticks| ticks.len() >= 3);
        let ticks = enough.unwrap_or_else(|| inside(&finest));
        // Fine steps give many: every so manieth is enough.
        let every = ticks.len().div_ceil(8).max(1);
        ticks.into_iter().step_by(every).collect()
    }
}

/// Below so many powers of ten a logarithmic axis is labelled between them too.
const DECADES: f64 = 3.0;

impl Plot {
    /// The plot as an SVG document.
    pub fn svg(&self) -> String {
        let scaled: Vec<Vec<(f64, f64)>> = self
            .series
            .iter()
            .map(|s| {
                s.points.iter().filter_map(|&(x, y)| Some((self.x.scaled(x)?, self.y.scaled(y)?))).collect()
            })
            .collect();
        let all = || scaled.iter().flatten();
        let x = Scale::new(all().map(|p| p.0), LEFT, WIDTH - RIGHT);
        let y = Scale::new(all().map(|p| p.1), HEIGHT - BOTTOM, TOP);
        let mut out = String::new();
        put(
            &mut out,
            format_args!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
            ),
        );
        text(&mut out, WIDTH / 2.0, 22.0, "middle", &self.title);
        self.axes(&mut out, &x, &y);
        for (number, (series, points)) in self.series.iter().zip(&scaled).enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let points: Vec<(f64, f64)> = points.iter().map(|p| (x.at(p.0), y.at(p.1))).collect();
            draw(&mut out, series.mark, &points, colour);
            let row = TOP + 16.0 * (number as f64 + 1.0);
            put(
                &mut out,
                format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\n",
                    LEFT + 12.0,
                    row - 9.0
                ),
            );
            text(&mut out, LEFT + 28.0, row, "start", &series.name);
        }
        out.push_str("</svg>\n");
        out
    }

    fn axes(&self, out: &mut String, x: &Scale, y: &Scale) {
        for tick in x.ticks(&self.x) {
            let at = x.at(tick);
            put(
                out,
                format_args!(
                    "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{}\" stroke=\"#ddd\"/>\n",
                    HEIGHT - BOTTOM
                ),
            );
            text(out, at, HEIGHT - BOTTOM + 16.0, "middle", &label(tick, self.x.log));
        }
        for tick in y.ticks(&self.y) {
            let at = y.at(tick);
            put(
                out,
                format_args!(
                    "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\n",
                    WIDTH - RIGHT
                ),
            );
            text(out, LEFT - 6.0, at + 4.0, "end", &label(tick, self.y.log));
        }
        text(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14.0, "middle", &self.x.shown());
        let (cx, cy) = (18.0, (TOP + HEIGHT - BOTTOM) / 2.0);
        put(
            out,
            format_args!(
                "<text x=\"{cx}\" y=\"{cy}\" text-anchor=\"middle\" transform=\"rotate(-90 {cx} {cy})\">{}</text>\n",
                escaped(&self.y.shown())
            ),
        );
    }
}

fn draw(out: &mut String, mark: Mark, points: &[(f64, f64)], colour: &str) {
    if mark == Mark::Dots {
        for (x, y) in points {
            put(
                out,
                format_args!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\" fill-opacity=\"0.7\"/>\n"
                ),
            );
        }
        return;
    }
    let mut path = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        match (i, mark) {
            (0, _) => put(&mut path, format_args!("M{x:.1} {y:.1}")),
            (_, Mark::Steps) => put(&mut path, format_args!("H{x:.1}V{y:.1}")),
            _ => put(&mut path, format_args!("L{x:.1} {y:.1}")),
        }
    }
    put(out, format_args!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n"));
}

fn label(tick: f64, log: bool) -> String {
    let value = if log { 10f64.powf(tick) } else { tick };
    if value != 0.0 && (value.abs() < 0.001 || value.abs() >= 1e6) {
        format!("{value:.0e}")
    } else {
        format!("{}", (value * 1000.0).round() / 1000.0)
    }
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, content: &str) {
    put(
        out,
        format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n",
            escaped(content)
        ),
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: &[(f64, f64)], mark: Mark, log: bool) -> String {
        let x = if log { Axis::log("time <s>") } else { Axis::linear("time <s>") };
        let series = vec![Series { name: "a & b".into(), points: points.to_vec(), mark }];
        Plot { title: "t".into(), x, y: Axis::linear("share"), series }.svg()
    }

    #[test]
    fn points_stand_where_they_belong() {
        let svg = plot(&[(0.0, 0.0), (10.0, 1.0)], Mark::Line, false);
        assert!(svg.contains("M70.0 385.0L700.0 40.0"), "{svg}");
        let steps = plot(&[(0.0, 0.0), (10.0, 1.0)], Mark::Steps, false);
        assert!(steps.contains("M70.0 385.0H700.0V40.0"));
        assert_eq!(plot(&[(0.0, 0.0), (1.0, 1.0)], Mark::Dots, false).matches("<circle").count(), 2);
    }

    #[test]
    fn logarithmic_axes_have_powers_of_ten_and_no_zero() {
        let svg = plot(&[(0.0, 0.5), (0.01, 0.0), (100.0, 1.0)], Mark::Dots, true);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains(">0.01<") && svg.contains(">1<") && svg.contains(">100<"), "{svg}");
    }

    #[test]
    fn axes_have_labels_whatever_their_range() {
        let labels = |svg: &str| svg.matches("text-anchor=\"middle\"").count() - 3;
        for (low, high) in [(2.0, 7.0), (1.2, 1.3), (0.5, 30.0), (3.0, 3.0), (0.001, 1000.0)] {
            let svg = plot(&[(low, 0.0), (high, 1.0)], Mark::Line, true);
            assert!(labels(&svg) >= 2, "{low} to {high}: {svg}");
            assert!(svg.contains("time &lt;s&gt; (log scale)"));
        }
        let series =
            vec![Series { name: "g".into(), points: vec![(0.0, 0.0), (3.0, 1.0)], mark: Mark::Line }];
        let svg =
            Plot { title: "t".into(), x: Axis::counts("generation"), y: Axis::linear("y"), series }.svg();
        assert!(
            [0, 1, 2, 3].iter().all(|n| svg.contains(&format!(">{n}<")))
                && !svg.contains(">0.5</text>\n<line x1=\"1"),
            "{svg}"
        );
    }

    #[test]
    fn names_are_escaped_and_odd_input_is_drawn() {
        let svg = plot(&[], Mark::Line, false);
        assert!(svg.contains("a &amp; b") && svg.contains("time &lt;s&gt;"));
        for points in [&[(1.0, 1.0)][..], &[(f64::NAN, 1.0), (2.0, f64::INFINITY)]] {
            let svg = plot(points, Mark::Line, false);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
