//! Which bytes of a memory are symbolic, and what they are.
//!
//! A byte is a part of the term that was stored: a word that is stored and loaded as a whole stays the term it was.
//! Cells lie in small pages behind a directory, so that asking about bytes that are all concrete is one look-up.

use crate::memory::Overlay;
use smt::TermId;
use std::ops::Range;

const PAGE: usize = 256;

/// A symbolic byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// A bit-vector whose width is a multiple of eight.
    pub term: TermId,
    /// Which byte of it, counted from the lowest.
    pub byte: u8,
}

/// The symbolic bytes of a memory.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// For every page of addresses, one more than the position of its cells; 0 if there are none.
    directory: Vec<u32>,
    pages: Vec<Box<[Option<Cell>]>>,
}

impl Cells {
    /// The cell of an address.
    pub fn get(&self, address: usize) -> Option<Cell> {
        let page = *self.directory.get(address / PAGE)?;
        self.pages[page.checked_sub(1)? as usize][address % PAGE]
    }

    /// Sets or clears the cell of an address.
    pub fn set(&mut self, address: usize, cell: Option<Cell>) {
        let number = address / PAGE;
        if self.directory.get(number).is_none_or(|&page| page == 0) {
            if cell.is_none() {
                return;
            }
            if self.directory.len() <= number {
                self.directory.resize(number + 1, 0);
            }
            self.pages.push(vec![None; PAGE].into());
            self.directory[number] = self.pages.len() as u32;
        }
        self.pages[self.directory[number] as usize - 1][address % PAGE] = cell;
    }

    /// Whether no byte near the range is symbolic. False does not mean that one in the range is.
    #[inline(always)]
    pub fn untouched(&self, address: usize, length: usize) -> bool {
        let number = address / PAGE;
        self.directory.get(number).is_none_or(|&page| {
            let within = address % PAGE + length <= PAGE;
            page == 0 && (within || self.directory.get(number + 1).is_none_or(|&next| next == 0))
        })
    }

    /// Whether a byte of the range is symbolic.
    pub fn any(&self, range: Range<usize>) -> bool {
        self.symbolic(range).next().is_some()
    }

    /// The symbolic bytes of a range, in order.
    pub(crate) fn symbolic(&self, range: Range<usize>) -> impl Iterator<Item = (usize, Cell)> {
        let pages = range.start / PAGE..range.end.div_ceil(PAGE).min(self.directory.len());
        pages.filter(|&number| self.directory[number] != 0).flat_map(move |number| {
            let page = &self.pages[self.directory[number] as usize - 1];
            let start = range.start.max(number * PAGE);
            let end = range.end.min((number + 1) * PAGE);
            (start..end).filter_map(|address| Some((address, page[address % PAGE]?)))
        })
    }
}

impl Overlay for Cells {
    fn clear(&mut self, range: Range<usize>) {
        let touched: Vec<usize> = self.symbolic(range).map(|(address, _)| address).collect();
        for address in touched {
            self.set(address, None);
        }
    }

    fn copy(&mut self, from: Range<usize>, to: usize) {
        let start = from.start;
        let moved: Vec<(usize, Cell)> = self.symbolic(from.clone()).collect();
        self.clear(to..to + from.len());
        for (address, cell) in moved {
            self.set(to + (address - start), Some(cell));
        }
    }
}
