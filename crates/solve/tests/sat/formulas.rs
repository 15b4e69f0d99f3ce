//! Formulas made from a seed or from a circuit, for tests and benches.

use random::Rng;
use solve::sat::dimacs::Cnf;
use solve::sat::{Lit, Var};

/// A literal of one of the first variables.
pub(crate) fn lit(rng: &mut Rng, vars: usize) -> Lit {
    Var::new(rng.below(vars)).lit(rng.one_in(2))
}

/// Clauses of `size` distinct variables each.
pub(crate) fn random(vars: usize, clauses: usize, size: usize, seed: u64) -> Cnf {
    let mut rng = Rng::new(seed);
    let clause = |rng: &mut Rng| {
        let mut clause: Vec<Lit> = Vec::new();
        while clause.len() < size.min(vars) {
            let lit = lit(rng, vars);
            if clause.iter().all(|other| other.var() != lit.var()) {
                clause.push(lit);
            }
        }
        clause
    };
    Cnf { vars, clauses: (0..clauses).map(|_| clause(&mut rng)).collect() }
}

/// `holes + 1` pigeons do not fit into `holes` holes.
pub(crate) fn pigeonhole(holes: usize) -> Cnf {
    let var = |pigeon: usize, hole: usize| Var::new(pigeon * holes + hole);
    let mut clauses: Vec<Vec<Lit>> =
        (0..=holes).map(|pigeon| (0..holes).map(|hole| var(pigeon, hole).positive()).collect()).collect();
    for hole in 0..holes {
        for one in 0..=holes {
            for two in one + 1..=holes {
                clauses.push(vec![var(one, hole).negative(), var(two, hole).negative()]);
            }
        }
    }
    Cnf { vars: (holes + 1) * holes, clauses }
}

/// Builds clauses for gates.
#[derive(Default)]
pub(crate) struct Circuit {
    pub(crate) cnf: Cnf,
}

impl Circuit {
    pub(crate) fn input(&mut self) -> Lit {
        self.cnf.vars += 1;
        Var::new(self.cnf.vars - 1).positive()
    }

    pub(crate) fn inputs(&mut self, count: usize) -> Vec<Lit> {
        (0..count).map(|_| self.input()).collect()
    }

    pub(crate) fn clause(&mut self, lits: &[Lit]) {
        self.cnf.clauses.push(lits.to_vec());
    }

    pub(crate) fn constant(&mut self, value: bool) -> Lit {
        let lit = self.input();
        self.clause(&[if value { lit } else { !lit }]);
        lit
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let out = self.input();
        self.clause(&[!out, a]);
        self.clause(&[!out, b]);
        self.clause(&[out, !a, !b]);
        out
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let out = self.input();
        self.clause(&[!out, a, b]);
        self.clause(&[!out, !a, !b]);
        self.clause(&[out, !a, b]);
        self.clause(&[out, a, !b]);
        out
    }

    fn full_adder(&mut self, a: Lit, b: Lit, carry: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        let sum = self.xor(half, carry);
        let both = self.and(a, b);
        let through = self.and(half, carry);
        (sum, self.or(both, through))
    }

    /// Ripple-carry sum, one bit longer than the operands.
    pub(crate) fn add(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut carry = self.constant(false);
        let mut sum = Vec::new();
        for (&x, &y) in a.iter().zip(b) {
            let (bit, next) = self.full_adder(x, y, carry);
            sum.push(bit);
            carry = next;
        }
        sum.push(carry);
        sum
    }

    /// Product by adding shifted rows: `a.len() + b.len()` bits.
    pub(crate) fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let zero = self.constant(false);
        let mut sum = vec![zero; a.len() + b.len()];
        for (shift, &y) in b.iter().enumerate() {
            let row: Vec<Lit> = a.iter().map(|&x| self.and(x, y)).collect();
            let high = sum[shift..shift + a.len()].to_vec();
            let total = self.add(&high, &row);
            sum[shift..=shift + a.len()].copy_from_slice(&total);
        }
        sum
    }

    /// Asks for inputs on which two vectors differ.
    pub(crate) fn differ(&mut self, a: &[Lit], b: &[Lit]) {
        let bits: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| self.xor(x, y)).collect();
        self.clause(&bits);
    }

    /// Fixes a vector to a number.
    pub(crate) fn fix(&mut self, bits: &[Lit], value: u64) {
        for (at, &bit) in bits.iter().enumerate() {
            self.clause(&[if value >> at & 1 == 1 { bit } else { !bit }]);
        }
    }
}

/// `a * b` against `b * a`: unsatisfiable.
pub(crate) fn multiplier_miter(width: usize) -> Cnf {
    let mut circuit = Circuit::default();
    let (a, b) = (circuit.inputs(width), circuit.inputs(width));
    let (x, y) = (circuit.multiply(&a, &b), circuit.multiply(&b, &a));
    circuit.differ(&x, &y);
    circuit.cnf
}

/// `(a + b) + c` against `a + (b + c)`, modulo the width: unsatisfiable.
pub(crate) fn adder_miter(width: usize) -> Cnf {
    let mut circuit = Circuit::default();
    let [a, b, c] = [0; 3].map(|_| circuit.inputs(width));
    let left = circuit.add(&a, &b);
    let left = circuit.add(&left[..width], &c);
    let right = circuit.add(&b, &c);
    let right = circuit.add(&a, &right[..width]);
    circuit.differ(&left[..width], &right[..width]);
    circuit.cnf
}

/// Factors of a number, both of `width` bits and greater than one. The inputs come first.
pub(crate) fn factoring(product: u64, width: usize) -> Cnf {
    let mut circuit = Circuit::default();
    let (a, b) = (circuit.inputs(width), circuit.inputs(width));
    let bits = circuit.multiply(&a, &b);
    circuit.fix(&bits, product);
    circuit.clause(&a[1..]);
    circuit.clause(&b[1..]);
    circuit.cnf
}

/// Parity constraints over a random 3-regular graph with odd total charge (Urquhart, Tseitin): unsatisfiable.
pub(crate) fn parity(nodes: usize, seed: u64) -> Cnf {
    let mut rng = Rng::new(seed);
    let mut ends: Vec<usize> = (0..3 * nodes).map(|at| at / 3).collect();
    for at in (1..ends.len()).rev() {
        ends.swap(at, rng.below(at + 1));
    }
    let mut incident: Vec<Vec<Var>> = vec![Vec::new(); nodes];
    let mut vars = 0;
    for pair in ends.chunks_exact(2).filter(|pair| pair[0] != pair[1]) {
        for &node in pair {
            incident[node].push(Var::new(vars));
        }
        vars += 1;
    }
    let mut clauses = Vec::new();
    for (node, edges) in incident.iter().enumerate() {
        let charge = node == 0;
        for signs in 0u32..1 << edges.len() {
            if (signs.count_ones() % 2 == 1) != charge {
                let lits = edges.iter().enumerate().map(|(i, edge)| edge.lit(signs >> i & 1 == 0));
                clauses.push(lits.collect());
            }
        }
    }
    Cnf { vars, clauses }
}
