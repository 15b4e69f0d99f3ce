//! An indexed binary heap of variables by score, largest first. Search uses it for EVSIDS, elimination for
//! its schedule. Ties go to the smaller variable so that runs are reproducible.

use super::lit::Var;

/// The place of a variable that is not in the heap.
const ABSENT: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Heap {
    scores: Vec<f64>,
    heap: Vec<u32>,
    places: Vec<u32>,
}

impl Heap {
    /// Makes room for one more variable, outside the heap, with score zero.
    pub(super) fn grow(&mut self) {
        self.scores.push(0.0);
        self.places.push(ABSENT);
    }

    #[inline]
    pub(super) fn contains(&self, var: Var) -> bool {
        self.places[var.index()] != ABSENT
    }

    pub(super) fn score(&self, var: Var) -> f64 {
        self.scores[var.index()]
    }

    #[inline]
    pub(super) fn insert(&mut self, var: Var) {
        if !self.contains(var) {
            let place = self.heap.len();
            self.heap.push(var.index() as u32);
            self.places[var.index()] = place as u32;
            self.up(place);
        }
    }

    #[inline]
    pub(super) fn top(&self) -> Option<Var> {
        self.heap.first().map(|&var| Var::new(var as usize))
    }

    pub(super) fn pop(&mut self) -> Option<Var> {
        let top = self.top()?;
        self.remove(top);
        Some(top)
    }

    pub(super) fn remove(&mut self, var: Var) {
        let place = self.places[var.index()];
        if place == ABSENT {
            return;
        }
        let place = place as usize;
        self.places[var.index()] = ABSENT;
        let last = self.heap.pop().expect("the heap holds the variable");
        if place < self.heap.len() {
            self.heap[place] = last;
            self.places[last as usize] = place as u32;
            self.up(place);
            self.down(self.places[last as usize] as usize);
        }
    }

    /// Sets the score and restores the order.
    pub(super) fn set_score(&mut self, var: Var, score: f64) {
        let old = std::mem::replace(&mut self.scores[var.index()], score);
        let place = self.places[var.index()];
        if place != ABSENT {
            if score > old { self.up(place as usize) } else { self.down(place as usize) }
        }
    }

    /// Multiplies all scores: their order stays.
    pub(super) fn rescale(&mut self, factor: f64) {
        for score in &mut self.scores {
            *score *= factor;
        }
    }

    #[inline]
    fn before(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.scores[a as usize], self.scores[b as usize]);
        x > y || (x == y && a < b)
    }

    fn up(&mut self, mut place: usize) {
        let var = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            let above = self.heap[parent];
            if !self.before(var, above) {
                break;
            }
            self.heap[place] = above;
            self.places[above as usize] = place as u32;
            place = parent;
        }
        self.heap[place] = var;
        self.places[var as usize] = place as u32;
    }

    fn down(&mut self, mut place: usize) {
        let var = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            let below = self.heap[child];
            if !self.before(below, var) {
                break;
            }
            self.heap[place] = below;
            self.places[below as usize] = place as u32;
            place = child;
        }
        self.heap[place] = var;
        self.places[var as usize] = place as u32;
    }
}
