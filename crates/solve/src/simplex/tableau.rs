//! The sparse tableau: rows of entries, columns of occurrences, each linked to the other.
//!
//! A row states `sum of entries = 0` and has coefficient -1 at its basic variable, so the other
//! entries give the basic variable as a combination of non-basic ones. A basic variable occurs in its
//! own row only. Entries know their place in the column and occurrences their place in the row, so
//! removal is a swap and two relinkings. Bounds and values are none of this module's business.

use super::form::Var;
use super::num::Rational;

/// No row and no column.
const NONE: u32 = u32::MAX;

/// One coefficient of a row.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) var: Var,
    pub(super) coeff: Rational,
    /// Where the column of `var` lists this entry.
    link: u32,
}

/// Where a variable occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) row: u32,
    pos: u32,
}

/// Rows and columns of the system `A x = 0`.
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    rows: Vec<Vec<Entry>>,
    basic: Vec<Var>,
    columns: Vec<Vec<Occurrence>>,
    /// The row in which a variable is basic.
    home: Vec<u32>,
    /// Scratch: position of each variable in the row being changed.
    position: Vec<u32>,
    /// Scratch: the occurrences that a pivot eliminates.
    eliminate: Vec<Occurrence>,
    /// Entries touched so far, the measure of work.
    pub(super) work: u64,
}

impl Tableau {
    /// Makes room for one more variable, non-basic and without occurrences.
    pub(super) fn add_column(&mut self) {
        self.columns.push(Vec::new());
        self.home.push(NONE);
        self.position.push(NONE);
    }

    /// Number of rows.
    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The entries of a row, its basic variable included.
    #[inline]
    pub(super) fn row(&self, row: u32) -> &[Entry] {
        &self.rows[row as usize]
    }

    /// The rows in which a variable occurs.
    #[inline]
    pub(super) fn column(&self, var: Var) -> &[Occurrence] {
        &self.columns[var.index()]
    }

    /// The coefficient at an occurrence.
    #[inline]
    pub(super) fn coeff(&self, at: Occurrence) -> &Rational {
        &self.rows[at.row as usize][at.pos as usize].coeff
    }

    /// The basic variable of a row.
    #[inline]
    pub(super) fn basic(&self, row: u32) -> Var {
        self.basic[row as usize]
    }

    /// The row in which `var` is basic.
    #[inline]
    pub(super) fn home(&self, var: Var) -> Option<u32> {
        let row = self.home[var.index()];
        (row != NONE).then_some(row)
    }

    /// Is the variable basic?
    #[inline]
    pub(super) fn is_basic(&self, var: Var) -> bool {
        self.home[var.index()] != NONE
    }

    /// Adds the row `basic = terms` for a variable that occurs nowhere yet.
    pub(super) fn add_row(&mut self, basic: Var, terms: &[(Var, Rational)]) {
        let row = self.rows.len() as u32;
        self.rows.push(Vec::with_capacity(terms.len() + 1));
        self.basic.push(basic);
        self.push_entry(row, basic, Rational::MINUS_ONE);
        for (var, coeff) in terms {
            self.push_entry(row, *var, coeff.clone());
        }
        for (var, coeff) in terms {
            if let Some(source) = self.home(*var) {
                self.add_multiple(row, source, coeff);
            }
        }
        self.home[basic.index()] = row;
    }

    /// Removes the row of a basic variable, which then occurs nowhere. The last row takes its number.
    pub(super) fn remove_row(&mut self, basic: Var) {
        let Some(row) = self.home(basic) else { return };
        for pos in (0..self.rows[row as usize].len()).rev() {
            self.remove_entry(row, pos as u32);
        }
        self.home[basic.index()] = NONE;
        self.rows.swap_remove(row as usize);
        self.basic.swap_remove(row as usize);
        if let Some(moved) = self.rows.get(row as usize) {
            for entry in moved {
                self.columns[entry.var.index()][entry.link as usize].row = row;
            }
            self.home[self.basic[row as usize].index()] = row;
        }
    }

    /// Makes `entering` basic in `row` in place of the row's basic variable.
    pub(super) fn pivot(&mut self, row: u32, entering: Var) {
        let mut eliminate = std::mem::take(&mut self.eliminate);
        eliminate.clear();
        eliminate.extend_from_slice(&self.columns[entering.index()]);
        if let Some(own) = eliminate.iter().position(|at| at.row == row) {
            self.make_minus_one(eliminate.swap_remove(own));
        }
        for &at in &eliminate {
            let factor = self.coeff(at).clone();
            self.add_multiple(at.row, row, &factor);
        }
        self.eliminate = eliminate;
        let leaving = std::mem::replace(&mut self.basic[row as usize], entering);
        self.home[leaving.index()] = NONE;
        self.home[entering.index()] = row;
    }

    /// Scales a row so that the entry at `at` becomes -1.
    fn make_minus_one(&mut self, at: Occurrence) {
        let entries = &mut self.rows[at.row as usize];
        self.work += entries.len() as u64;
        let coeff = &entries[at.pos as usize].coeff;
        if *coeff == Rational::MINUS_ONE {
            return;
        }
        let factor = &Rational::MINUS_ONE / coeff;
        for entry in entries {
            entry.coeff *= &factor;
        }
    }

    /// `target += factor * source`.
    fn add_multiple(&mut self, target: u32, source: u32, factor: &Rational) {
        let Ok([to, from]) = self.rows.get_disjoint_mut([target as usize, source as usize]) else {
            unreachable!("a row is never added to itself");
        };
        self.work += (to.len() + from.len()) as u64;
        for (pos, entry) in to.iter().enumerate() {
            self.position[entry.var.index()] = pos as u32;
        }
        for entry in from.iter() {
            let pos = self.position[entry.var.index()];
            if pos == NONE {
                let column = &mut self.columns[entry.var.index()];
                let link = column.len() as u32;
                column.push(Occurrence { row: target, pos: to.len() as u32 });
                to.push(Entry { var: entry.var, coeff: factor * &entry.coeff, link });
            } else {
                to[pos as usize].coeff.add_mul(factor, &entry.coeff);
            }
        }
        for pos in (0..self.rows[target as usize].len()).rev() {
            let entry = &self.rows[target as usize][pos];
            self.position[entry.var.index()] = NONE;
            if entry.coeff.is_zero() {
                self.remove_entry(target, pos as u32);
            }
        }
    }

    fn push_entry(&mut self, row: u32, var: Var, coeff: Rational) {
        let entries = &mut self.rows[row as usize];
        let column = &mut self.columns[var.index()];
        let link = column.len() as u32;
        column.push(Occurrence { row, pos: entries.len() as u32 });
        entries.push(Entry { var, coeff, link });
    }

    fn remove_entry(&mut self, row: u32, pos: u32) {
        let entries = &mut self.rows[row as usize];
        let removed = entries.swap_remove(pos as usize);
        if let Some(moved) = entries.get(pos as usize) {
            self.columns[moved.var.index()][moved.link as usize].pos = pos;
        }
        let column = &mut self.columns[removed.var.index()];
        column.swap_remove(removed.link as usize);
        if let Some(&moved) = column.get(removed.link as usize) {
            self.rows[moved.row as usize][moved.pos as usize].link = removed.link;
        }
    }

    /// Checks every link and the shape of every row; for tests.
    #[cfg(test)]
    pub(super) fn assert_consistent(&self) {
        let mut entries = 0;
        for (row, list) in self.rows.iter().enumerate() {
            for (pos, entry) in list.iter().enumerate() {
                let at = self.columns[entry.var.index()][entry.link as usize];
                assert_eq!((at.row as usize, at.pos as usize), (row, pos));
                assert!(!entry.coeff.is_zero());
                let is_own = entry.var == self.basic[row];
                assert_eq!(is_own, self.is_basic(entry.var), "a basic variable occurs in its row only");
                assert!(!is_own || entry.coeff == Rational::MINUS_ONE);
                entries += 1;
            }
            assert_eq!(self.home[self.basic[row].index()] as usize, row);
        }
        assert_eq!(entries, self.columns.iter().map(Vec::len).sum::<usize>());
        assert!(self.position.iter().all(|pos| *pos == NONE));
    }
}
