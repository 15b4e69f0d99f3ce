//! Universes: their leaves, their applications, and the formulas over them by number.

use crate::truth::rows_of;
use crate::tuning::enumerate_universe::VARIABLES;
use smt::eval::values_of;
use smt::op::Laws;
use smt::walk::reachable;
use smt::{Evaluator, IBig, Model, Op, Sort, SortId, TermId, Terms, Theory, Value};

/// A row of the table of universes.
#[derive(Debug)]
pub(super) struct UniverseRow {
    name: &'static str,
    theories: &'static [Theory],
    sorts: fn(&mut Terms) -> Vec<SortId>,
    /// Literals, as terms of a script.
    literals: &'static [&'static str],
    /// The solvers that know the theories; empty for all.
    pub(super) solvers: &'static [&'static str],
}

/// Solvers with integers and reals.
const ARITHMETIC: &[&str] = &["z3", "cvc5", "cvc4", "yices-smt2", "mathsat", "opensmt", "oxiz", "soundline"];

/// The table of universes: sorts and operators that small formulas are built from.
pub(super) static UNIVERSES: &[UniverseRow] = &[
    UniverseRow {
        name: "bit-vectors",
        theories: &[Theory::BitVec, Theory::Core],
        sorts: |terms| vec![terms.bit_vec_sort(2), SortId::BOOL],
        literals: &["#b00", "#b01", "#b10", "#b11"],
        solvers: &[],
    },
    UniverseRow {
        name: "floats",
        theories: &[Theory::Float],
        sorts: |terms| vec![terms.float_sort(2, 3), SortId::ROUNDING_MODE],
        literals: &[
            "(_ +zero 2 3)",
            "(_ -zero 2 3)",
            "(_ NaN 2 3)",
            "(_ +oo 2 3)",
            "(fp #b0 #b00 #b01)",
            "RNE",
            "RTN",
        ],
        // cvc5 has this format by an option for experts only.
        solvers: &["z3", "bitwuzla", "soundline"],
    },
    UniverseRow {
        name: "half floats",
        theories: &[Theory::Float],
        sorts: |terms| vec![terms.float_sort(5, 11), SortId::ROUNDING_MODE],
        literals: &[
            "(_ +zero 5 11)",
            "(_ -zero 5 11)",
            "(_ NaN 5 11)",
            "(_ +oo 5 11)",
            "(fp #b0 #b00000 #b0000000001)",
            "RNE",
            "RTN",
        ],
        solvers: &["cvc5"],
    },
    UniverseRow {
        name: "integers",
        theories: &[Theory::Arith],
        sorts: |_| vec![SortId::INT],
        literals: &["0", "1", "(- 1)", "2"],
        solvers: ARITHMETIC,
    },
    UniverseRow {
        name: "reals",
        theories: &[Theory::Arith],
        sorts: |_| vec![SortId::REAL, SortId::INT],
        literals: &["0.0", "1.0", "(/ 1.0 2.0)", "0", "1"],
        solvers: ARITHMETIC,
    },
    UniverseRow {
        name: "strings",
        theories: &[Theory::Strings],
        sorts: |_| vec![SortId::STRING, SortId::INT],
        literals: &["\"\"", "\"a\"", "\"b\"", "\"ab\"", "0", "1", "(- 1)"],
        solvers: &["z3", "cvc5", "cvc4", "oxiz"],
    },
];

/// Terms of one sort, without and with an application.
#[derive(Debug)]
struct Terrain {
    sort: SortId,
    leaves: Vec<TermId>,
    grown: Vec<TermId>,
}

/// An operator of atoms and, for each argument, the list it is taken from.
#[derive(Debug)]
struct Shape {
    op: Op,
    lists: Vec<(usize, bool)>,
    /// How many atoms there are before this shape's.
    before: u64,
    count: u64,
}

/// A row of the table with its sorts and operators in an arena.
#[derive(Debug)]
pub(super) struct Universe {
    pub(super) name: &'static str,
    pub(super) terms: Terms,
    terrains: Vec<Terrain>,
    shapes: Vec<Shape>,
    variables: Vec<TermId>,
}

impl Universe {
    pub(super) fn new(row: &UniverseRow) -> Universe {
        let mut terms = Terms::new();
        let sorts = (row.sorts)(&mut terms);
        let mut terrains: Vec<Terrain> =
            sorts.iter().map(|&sort| Terrain { sort, leaves: Vec::new(), grown: Vec::new() }).collect();
        let mut variables = Vec::new();
        for terrain in &mut terrains {
            for _ in 0..VARIABLES {
                let var = terms.symbol_constant(&format!("x{}", variables.len()), terrain.sort);
                variables.push(var);
                terrain.leaves.push(var);
            }
        }
        for literal in row.literals {
            let source = format!("(assert (= {literal} {literal}))");
            let script = smt::read_script(&mut terms, &source).script;
            let assertion = script.assertions().next().expect("the table's literals are terms");
            let term = terms.args(assertion)[0];
            if let Some(terrain) = terrains.iter_mut().find(|t| t.sort == terms.sort(term)) {
                terrain.leaves.push(term);
            }
        }
        let mut universe = Universe { name: row.name, terms, terrains, shapes: Vec::new(), variables };
        universe.grow(row.theories);
        universe.shape(row.theories);
        universe
    }

    /// All applications to leaves.
    fn grow(&mut self, theories: &[Theory]) {
        let leaves: Vec<TermId> = self.terrains.iter().flat_map(|t| t.leaves.iter().copied()).collect();
        for row in rows_of(theories).into_iter().filter(|row| row.indices == 0) {
            let Some(count) = (1..=3).rev().find(|&n| row.takes(n) && (n < 3 || !row.takes(2))) else {
                continue;
            };
            for number in 0..leaves.len().pow(count as u32) {
                let mut rest = number;
                let args: Vec<TermId> = (0..count)
                    .map(|_| {
                        let leaf = leaves[rest % leaves.len()];
                        rest /= leaves.len();
                        leaf
                    })
                    .collect();
                if !in_order(row.op, &args) || args.iter().all(|&a| self.terms.as_value(a).is_some()) {
                    continue;
                }
                let Ok(term) = self.terms.app(row.op, &args) else { continue };
                let sort = self.terms.sort(term);
                if sort != SortId::BOOL
                    && let Some(terrain) = self.terrains.iter_mut().find(|t| t.sort == sort)
                    && !terrain.grown.contains(&term)
                {
                    terrain.grown.push(term);
                }
            }
        }
    }

    /// The shapes of atoms, by how many arguments are applications.
    fn shape(&mut self, theories: &[Theory]) {
        let mut rows = rows_of(theories);
        rows.extend(rows_of(&[Theory::Core]).into_iter().filter(|row| matches!(row.op, Op::Eq)));
        rows.dedup_by_key(|row| row.op);
        let mut before = 0;
        for grown in 0..=2 {
            for row in rows.iter().filter(|row| row.indices == 0) {
                let Some(count) = (1..=3).rev().find(|&n| row.takes(n) && (n < 3 || !row.takes(2))) else {
                    continue;
                };
                for number in 0..(2 * self.terrains.len()).pow(count as u32) {
                    let mut rest = number;
                    let lists: Vec<(usize, bool)> = (0..count)
                        .map(|_| {
                            let choice = rest % (2 * self.terrains.len());
                            rest /= 2 * self.terrains.len();
                            (choice / 2, choice % 2 == 1)
                        })
                        .collect();
                    if lists.iter().filter(|(_, is_grown)| *is_grown).count() != grown {
                        continue;
                    }
                    let sizes: Vec<u64> = lists.iter().map(|&list| self.list(list).len() as u64).collect();
                    let size: u64 = sizes.iter().product();
                    if size == 0 {
                        continue;
                    }
                    let samples: Vec<TermId> = lists.iter().map(|&list| self.list(list)[0]).collect();
                    let fits =
                        self.terms.app(row.op, &samples).is_ok_and(|t| self.terms.sort(t) == SortId::BOOL);
                    let repeated = self.shapes.iter().any(|s| s.op == row.op && s.lists == lists);
                    if fits && !repeated {
                        self.shapes.push(Shape { op: row.op, lists, before, count: size });
                        before += size;
                    }
                }
            }
        }
    }

    fn list(&self, (terrain, grown): (usize, bool)) -> &[TermId] {
        let terrain = &self.terrains[terrain];
        if grown { &terrain.grown } else { &terrain.leaves }
    }

    /// How many numbers formulas have.
    pub(super) fn len(&self) -> u64 {
        2 * self.shapes.last().map_or(0, |shape| shape.before + shape.count)
    }

    /// The formula of a number; `None` if it is a repetition of another, or there is none.
    pub(super) fn formula(&self, terms: &mut Terms, number: u64) -> Option<TermId> {
        let atom = number / 2;
        let at = self.shapes.partition_point(|shape| shape.before + shape.count <= atom);
        let shape = self.shapes.get(at)?;
        let mut rest = atom - shape.before;
        let mut args = Vec::new();
        for &list in &shape.lists {
            let list = self.list(list);
            args.push(list[(rest % list.len() as u64) as usize]);
            rest /= list.len() as u64;
        }
        if !in_order(shape.op, &args) {
            return None;
        }
        let term = terms.app(shape.op, &args).ok()?;
        if terms.as_value(term).is_some() || !self.is_first_of_its_names(terms, term) {
            return None;
        }
        Some(if number.is_multiple_of(2) { term } else { terms.mk(Op::Not, &[term]) })
    }

    /// Whether the variables of each sort occur in their order, read from left to right.
    fn is_first_of_its_names(&self, terms: &Terms, term: TermId) -> bool {
        let (mut stack, mut seen) = (vec![term], Vec::new());
        while let Some(next) = stack.pop() {
            if self.variables.contains(&next) && !seen.contains(&next) {
                seen.push(next);
            }
            stack.extend(terms.args(next).iter().rev());
        }
        let groups = self.variables.chunks(VARIABLES);
        groups.into_iter().all(|group| {
            let met: Vec<TermId> = seen.iter().copied().filter(|v| group.contains(v)).collect();
            met.iter().zip(group).all(|(a, b)| a == b)
        })
    }

    /// The variables of a formula.
    pub(super) fn variables(&self, terms: &Terms, formula: TermId) -> Vec<TermId> {
        let used = reachable(terms, &[formula]);
        self.variables.iter().copied().filter(|v| used.contains(v)).collect()
    }

    /// The truth, if trying values tells it.
    pub(super) fn truth(&self, terms: &Terms, formula: TermId) -> Option<bool> {
        let variables = self.variables(terms, formula);
        let mut exact = true;
        let lists: Vec<Vec<Value>> = variables
            .iter()
            .map(|&var| {
                values_of(terms, terms.sort(var), 64).unwrap_or_else(|| {
                    exact = false;
                    samples(terms.sort_of(terms.sort(var)))
                })
            })
            .collect();
        let total: usize = lists.iter().map(Vec::len).product();
        for number in 0..total.min(4096) {
            let (mut rest, mut model) = (number, Model::default());
            for (var, list) in variables.iter().zip(&lists) {
                model.set(terms.as_fun(*var).expect("a variable"), list[rest % list.len()].clone());
                rest /= list.len();
            }
            match Evaluator::new(terms, &model).with_steps(20_000).truth(formula) {
                Ok(true) => return Some(true),
                Ok(false) => {}
                Err(_) => exact = false,
            }
        }
        (exact && total <= 4096).then_some(false)
    }
}

/// Whether the arguments of a commutative operator stand in the order of their creation.
fn in_order(op: Op, args: &[TermId]) -> bool {
    !op.info().laws.has(Laws::COMMUTATIVE) || args.is_sorted()
}

/// A few values of an infinite sort.
fn samples(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Int => (-3..=3).map(|i| Value::Int(IBig::from(i))).collect(),
        Sort::Real => [-2, -1, 0, 1, 2, 3]
            .iter()
            .map(|&i| Value::Real(smt::RBig::from_parts(IBig::from(i), smt::UBig::from(2u8))))
            .collect(),
        Sort::String => ["", "a", "b", "ab", "ba", "aa", "0"]
            .iter()
            .map(|text| Value::String(smt::SmtString::from_latin1(text.as_bytes())))
            .collect(),
        _ => Vec::new(),
    }
}
