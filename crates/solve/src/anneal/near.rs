//! Where a search begins: at an assignment that the asker knows, if there is one.
//!
//! Who explores paths has an input that satisfies a path condition but for its last literal. A search from there passes through
//! assignments that leave the path at one branch or another, which are the partial solutions that MuSE is after, and
//! it is at a solution after few moves, if there is one nearby.

use super::layout::{Layout, Origin};
use super::program::{Code, Program, Slot};
use smt::{FunId, Value};

/// The values of all cells under an assignment of symbols; what it does not say is zero.
pub(super) fn cells(program: &Program, layout: &Layout, values: &[(FunId, Value)]) -> Vec<u64> {
    let mut cells = vec![0; program.cells.len()];
    for &(fun, slot, _) in &program.symbols {
        let given = values.binary_search_by_key(&fun, |(fun, _)| *fun).ok().map(|at| &values[at].1);
        let word = match given {
            Some(Value::BitVec(bits)) => bits.to_u64(),
            Some(Value::Bool(truth)) => Some(u64::from(*truth)),
            _ => None,
        };
        let Some(word) = word else { continue };
        match layout.origin(slot) {
            Origin::Cell(cell) => cells[cell as usize] = word,
            // Symbols that are read side by side are slices of one cell.
            Origin::Instr(instr) => {
                let instr = &program.instrs[instr as usize];
                if let (Code::Extract(_, low), Origin::Cell(cell)) =
                    (instr.code, layout.origin(Slot::Word(instr.a)))
                {
                    cells[cell as usize] |= word << low;
                }
            }
            Origin::Constant => {}
        }
    }
    cells
}
