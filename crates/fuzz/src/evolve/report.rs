//! What a run leaves behind for people: the result set as scripts, the tables and plots of the paper's evaluation as CSV and
//! SVG. Owns the layout of the folder; figures come from the run.
//!
//! | file | holds |
//! |---|---|
//! | `population/N.smt2` | the result set |
//! | `population.csv` | its times, scores and fronts (Fig. 5) |
//! | `convergence.csv`, `.svg` | the mean time score by generation (Fig. 4) |
//! | `cdf.csv`, `.svg` | how much of the result set is solved in which time (Fig. 3) |
//! | `pareto.svg` | the front in objective space (Fig. 5) |
//! | `table.csv` | the row of Table I beside the paper's |
//! | `contradictions/N.smt2` | formulas on which the solvers disagree, for `soundline reduce` |

use super::confirm::Rerun;
use super::evaluate::{Ending, EvolveError};
use super::nsga;
use super::search::{Evolution, Member};
use super::variant::{Printed, Variant};
use crate::plot::{Axis, Mark, Plot, Series};
use output::Folder;
use std::fmt::Write;

/// A row of Table I.
pub(crate) fn row(evolution: &Evolution, reruns: Option<&[Rerun]>) -> Printed {
    let members = &evolution.members;
    let mean =
        |value: &dyn Fn(&Member) -> f64| members.iter().map(value).sum::<f64>() / members.len().max(1) as f64;
    let timeouts = match reruns {
        Some(reruns) => reruns.iter().filter(|rerun| rerun.target.ending == Ending::Timeout).count(),
        None => members.iter().filter(|member| member.measurement.target.ending == Ending::Timeout).count(),
    };
    Printed {
        total_lines: evolution.table.lines() as f64,
        mean_lines: mean(&|member| member.measurement.coverage.lines() as f64),
        mean_score: mean(&Member::t_score),
        timeouts: timeouts as u32,
        mean_complexity: mean(&|member| member.complexity as f64),
    }
}

/// Writes everything.
pub(crate) fn write(
    out: &Folder,
    variant: &Variant,
    evolution: &Evolution,
    reruns: Option<&[Rerun]>,
) -> Result<(), EvolveError> {
    let texts: Vec<&str> = evolution.members.iter().map(|member| member.text.as_str()).collect();
    scripts(out, "population", &texts)?;
    let contradictions: Vec<&str> = evolution.contradictions.iter().map(String::as_str).collect();
    scripts(out, "contradictions", &contradictions)?;
    let times = times(&evolution.members, reruns);
    let files = [
        ("population.csv", population(&evolution.members)),
        ("convergence.csv", convergence(evolution)),
        ("convergence.svg", convergence_plot(variant, evolution).svg()),
        (
            "cdf.csv",
            cdf(&times).iter().fold("seconds,share\n".into(), |csv, (x, y)| format!("{csv}{x:.6},{y:.6}\n")),
        ),
        ("cdf.svg", cdf_plot(variant, &times).svg()),
        ("pareto.svg", pareto(&evolution.members).svg()),
        ("table.csv", table(variant, &row(evolution, reruns))),
    ];
    for (name, text) in files {
        out.write(name, text)?;
    }
    Ok(())
}

/// Numbered scripts in a folder of their own, in place of those of an earlier run; no folder for none.
fn scripts(out: &Folder, group: &str, texts: &[&str]) -> Result<(), EvolveError> {
    let names: Vec<String> = (0..texts.len()).map(|number| format!("{group}/{number:02}.smt2")).collect();
    for (name, text) in names.iter().zip(texts) {
        out.write(name, text)?;
    }
    let inside = format!("{group}/");
    for old in out.names().iter().filter(|old| old.starts_with(&inside) && !names.contains(old)) {
        out.remove(old)?;
    }
    Ok(())
}

fn word(ending: &Ending) -> &'static str {
    match ending {
        Ending::Answered(verdict) => verdict.word(),
        Ending::Timeout => "timeout",
        Ending::Rejected(_) => "rejected",
        Ending::Failed(_) => "failed",
    }
}

fn population(members: &[Member]) -> String {
    let points: Vec<&[f64]> = members.iter().map(|member| member.objectives.as_slice()).collect();
    let ranks = nsga::ranks(&nsga::fronts(&points));
    let mut csv = String::from(
        "script,front,target_s,target,reference_s,reference,t_score,coverage_score,lines,complexity\n",
    );
    for (number, (member, rank)) in members.iter().zip(ranks).enumerate() {
        let (target, reference) = (&member.measurement.target, &member.measurement.reference);
        let (seconds, ending) = match reference {
            Some(timing) => (format!("{:.4}", timing.seconds), word(&timing.ending)),
            None => (String::new(), ""),
        };
        writeln!(
            csv,
            "{number:02}.smt2,{},{:.4},{},{seconds},{ending},{:.4},{},{},{}",
            rank + 1,
            target.seconds,
            word(&target.ending),
            member.t_score(),
            member.coverage_score,
            member.measurement.coverage.lines(),
            member.complexity
        )
        .expect("a string grows");
    }
    csv
}

fn convergence(evolution: &Evolution) -> String {
    let mut csv = String::from("generation,tests,mean_score,best_score,timeouts,mean_complexity,lines\n");
    for g in &evolution.history {
        writeln!(
            csv,
            "{},{},{:.4},{:.4},{},{:.2},{}",
            g.number, g.tests, g.mean_score, g.best_score, g.timeouts, g.mean_complexity, g.lines
        )
        .expect("a string grows");
    }
    csv
}

fn convergence_plot(variant: &Variant, evolution: &Evolution) -> Plot {
    let series = |name: &str, value: &dyn Fn(&super::search::Generation) -> f64| Series {
        name: name.into(),
        points: evolution.history.iter().map(|g| (g.number as f64, value(g))).collect(),
        mark: Mark::Line,
    };
    Plot {
        title: format!("Convergence of tScore ({})", variant.title),
        x: Axis::counts("generation"),
        y: Axis::linear("tScore of the population (s)"),
        series: vec![series("mean", &|g| g.mean_score), series("best", &|g| g.best_score)],
    }
}

/// The target's time on each member, under the long limit where it was run again; `None` where it was not solved.
fn times(members: &[Member], reruns: Option<&[Rerun]>) -> Vec<Option<f64>> {
    let solved = |timing: &super::evaluate::Timing| match timing.ending {
        Ending::Answered(_) => Some(timing.seconds),
        Ending::Timeout | Ending::Rejected(_) | Ending::Failed(_) => None,
    };
    match reruns {
        Some(reruns) => reruns.iter().map(|rerun| solved(&rerun.target)).collect(),
        None => members.iter().map(|member| solved(&member.measurement.target)).collect(),
    }
}

/// The points (t_k, k) of Fig. 3 with the share of all, unsolved ones included, for k.
fn cdf(times: &[Option<f64>]) -> Vec<(f64, f64)> {
    let mut solved: Vec<f64> = times.iter().flatten().copied().collect();
    solved.sort_by(f64::total_cmp);
    solved.iter().enumerate().map(|(k, &t)| (t, (k + 1) as f64 / times.len() as f64)).collect()
}

fn cdf_plot(variant: &Variant, times: &[Option<f64>]) -> Plot {
    Plot {
        title: format!("Solving times of the result set ({})", variant.title),
        x: Axis::log("CPU time of the target (s)"),
        y: Axis::linear("share solved"),
        series: vec![Series { name: variant.name.into(), points: cdf(times), mark: Mark::Steps }],
    }
}

/// The front as in Fig. 5, objectives normalised to [0, 1]; the third, coverage, as one of three colours.
fn pareto(members: &[Member]) -> Plot {
    let valid: Vec<&Member> = members.iter().filter(|member| member.measurement.is_valid()).collect();
    let normal = |value: &dyn Fn(&Member) -> f64| -> Vec<f64> {
        let values: Vec<f64> = valid.iter().map(|member| value(member)).collect();
        let (low, high) =
            values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
        values.iter().map(|v| if high > low { (v - low) / (high - low) } else { 1.0 }).collect()
    };
    let time = normal(&Member::t_score);
    let coverage = normal(&|member| member.coverage_score as f64);
    let simplicity = normal(&|member| -(member.complexity as f64));
    let series = ["coverage in the lower third", "in the middle", "in the upper third"];
    let third = |value: f64| ((value * 3.0) as usize).min(2);
    Plot {
        title: "Result set in objective space".into(),
        x: Axis::linear("comScore (normalised)"),
        y: Axis::linear("tScore (normalised)"),
        series: series
            .iter()
            .enumerate()
            .map(|(number, name)| Series {
                name: name.to_string(),
                points: (0..valid.len())
                    .filter(|&i| third(coverage[i]) == number)
                    .map(|i| (simplicity[i], time[i]))
                    .collect(),
                mark: Mark::Dots,
            })
            .collect(),
    }
}

fn table(variant: &Variant, row: &Printed) -> String {
    let line = |who: &str, row: &Printed| {
        format!(
            "{who},\"{}\",{:.1},{:.1},{:.2},{},{:.2}\n",
            variant.title, row.total_lines, row.mean_lines, row.mean_score, row.timeouts, row.mean_complexity
        )
    };
    format!(
        "who,variant,tot_lines,avg_lines,avg_tscore,num_timeout,avg_complexity\n{}{}",
        line("this run", row),
        line("paper", &variant.printed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsolved_members_keep_the_distribution_below_one() {
        let points = cdf(&[Some(2.0), None, Some(0.5), None]);
        assert_eq!(points, [(0.5, 0.25), (2.0, 0.5)]);
        assert!(cdf(&[]).is_empty());
    }

    #[test]
    fn the_table_stands_beside_the_paper_s() {
        let variant = Variant::default_variant();
        let text = table(variant, &variant.printed);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1].replace("this run", "paper"), lines[2]);
        assert!(lines[2].ends_with("21188.5,13593.5,7.85,13,22.88"));
    }
}
