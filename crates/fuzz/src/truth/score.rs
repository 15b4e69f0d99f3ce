//! What a solver did with the enumeration, by category and by the columns of Table 4 of Bugariu and Müller 2020: incorrect models,
//! incorrect cores, sat, unsat, unknown, timeouts, errors. A test stands in one column. Counts what looked wrong, before anything
//! is confirmed.

use super::Category;
use crate::case::Verdict;
use crate::evidence::{Class, Suspicion};
use crate::solver::answer::{Answer, Trouble};
use std::collections::BTreeMap;

/// The columns, in the paper's order.
const COLUMNS: [&str; 7] = ["IM", "IC", "S", "U", "K", "T", "E"];

/// The counts of all categories, without and with patterns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// In the order of Table 4: one number a column.
    pub rows: BTreeMap<(Category, bool), [u64; 7]>,
}

impl Score {
    pub(super) fn add(&mut self, category: (Category, bool), answer: &Answer, suspicions: &[Suspicion]) {
        let suspected = |class| suspicions.iter().any(|suspicion| suspicion.class == class);
        let verdict = answer.replies.first().map(|reply| reply.verdict);
        let column = match (&answer.trouble, verdict) {
            (Some(Trouble::Stopped), _) => return,
            (Some(Trouble::Timeout | Trouble::OutOfMemory), _) => "T",
            (Some(_), _) | (None, None) => "E",
            (None, Some(Verdict::Unknown)) => "K",
            (None, Some(Verdict::Sat)) if suspected(Class::InvalidModel) => "IM",
            (None, Some(Verdict::Sat)) => "S",
            (None, Some(Verdict::Unsat))
                if suspected(Class::WrongCore) || suspected(Class::ImpreciseCore) =>
            {
                "IC"
            }
            (None, Some(Verdict::Unsat)) => "U",
        };
        let at = COLUMNS.iter().position(|name| *name == column).expect("a column of the table");
        self.rows.entry(category).or_default()[at] += 1;
    }

    /// The table for people; empty if nothing was counted.
    pub fn table(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let line = |first: &str, second: &str, cells: Vec<String>| {
            let cells: String = cells.iter().map(|cell| format!(" {cell:>6}")).collect();
            format!("{first:<30} {second:<8}{cells}\n")
        };
        let mut out = line("category", "patterns", COLUMNS.map(String::from).into());
        for ((category, patterns), row) in &self.rows {
            let patterns = if *patterns { "yes" } else { "no" };
            out.push_str(&line(category.name(), patterns, row.map(|count| count.to_string()).into()));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::answer::Reply;

    #[test]
    fn a_test_stands_in_one_column() {
        let mut score = Score::default();
        let at = (Category::Equivalent, true);
        let mut add = |verdict: Option<Verdict>, trouble, class: Option<Class>| {
            let reply =
                |verdict| Reply { verdict, model: None, core: None, values: None, reason_unknown: None };
            let answer = Answer { replies: verdict.map(reply).into_iter().collect(), trouble };
            let suspicion = |class| Suspicion { class, query: 0, detail: String::new() };
            score.add(at, &answer, &class.map(suspicion).into_iter().collect::<Vec<_>>());
        };
        add(Some(Verdict::Sat), None, Some(Class::WrongSat));
        add(Some(Verdict::Sat), None, Some(Class::InvalidModel));
        add(Some(Verdict::Unsat), None, Some(Class::ImpreciseCore));
        add(Some(Verdict::Unsat), None, None);
        add(Some(Verdict::Unknown), None, None);
        add(None, Some(Trouble::Timeout), None);
        add(None, Some(Trouble::Signal(11)), Some(Class::Crash));
        assert_eq!(score.rows[&at], [1; 7]);
        assert!(score.table().contains("equivalent formula"));
    }
}
