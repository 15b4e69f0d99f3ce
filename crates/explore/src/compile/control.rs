//! Blocks, labels and branches.

use super::Compiler;
use super::stack::{Operand, Place};
use crate::code::{Instr, Slot};
use crate::error::Error;
use crate::module::value_type;
use crate::types::{FunctionType, ValueType};
use wasmparser::{BlockType, BrTable};

/// An open block.
#[derive(Debug)]
pub(super) struct Control {
    kind: Kind,
    /// How many operands lie below its parameters.
    height: usize,
    params: Vec<ValueType>,
    results: Vec<ValueType>,
    /// Where branches to it go.
    label: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Function,
    Block,
    Loop,
    /// With the label of its else branch.
    If(usize),
    Else,
}

/// A place in the code that branches go to, perhaps not reached yet.
#[derive(Debug, Default)]
pub(super) struct Label {
    target: Option<u32>,
    uses: Vec<usize>,
}

impl Compiler<'_> {
    pub(super) fn enter_function(&mut self, ty: &FunctionType) {
        let label = self.new_label();
        self.controls.push(Control {
            kind: Kind::Function,
            height: 0,
            params: Vec::new(),
            results: ty.results.clone(),
            label,
        });
    }

    pub(super) fn block(&mut self, ty: BlockType) -> Result<(), Error> {
        self.enter(Kind::Block, ty)
    }

    pub(super) fn loop_(&mut self, ty: BlockType) -> Result<(), Error> {
        self.enter(Kind::Loop, ty)?;
        let label = self.controls[self.controls.len() - 1].label;
        self.bind(label);
        Ok(())
    }

    pub(super) fn if_(&mut self, ty: BlockType) -> Result<(), Error> {
        let skip = self.condition(false);
        let otherwise = self.new_label();
        self.enter(Kind::If(otherwise), ty)?;
        self.branch(skip, otherwise);
        Ok(())
    }

    fn enter(&mut self, kind: Kind, ty: BlockType) -> Result<(), Error> {
        let FunctionType { params, results } = match ty {
            BlockType::Empty => FunctionType::default(),
            BlockType::Type(ty) => FunctionType { params: Vec::new(), results: vec![value_type(ty)?] },
            BlockType::FuncType(index) => self.module.types[index as usize].clone(),
        };
        self.settle_locals();
        self.settle(params.len());
        let label = self.new_label();
        let height = self.operands.len() - params.len();
        self.controls.push(Control { kind, height, params, results, label });
        Ok(())
    }

    pub(super) fn else_(&mut self) {
        let control = self.controls.last().expect("an else stands in an if");
        let (label, height) = (control.label, control.height);
        if self.reachable {
            self.settle(control.results.len());
            self.branch(Instr::Jump { to: u32::MAX }, label);
        }
        let control = self.controls.last_mut().expect("an else stands in an if");
        let Kind::If(otherwise) = std::mem::replace(&mut control.kind, Kind::Else) else {
            unreachable!("an else stands in an if");
        };
        let params = control.params.clone();
        self.restart(otherwise, height, &params);
    }

    pub(super) fn end(&mut self) {
        let control = self.controls.pop().expect("an end closes a block");
        if control.kind == Kind::Function {
            if self.reachable {
                self.return_();
            }
            return;
        }
        if self.reachable {
            self.settle(control.results.len());
        }
        if let Kind::If(otherwise) = control.kind {
            self.bind(otherwise);
        }
        if control.kind == Kind::Loop {
            self.operands.truncate(control.height);
            for ty in control.results {
                self.push(ty);
            }
            // The end of a loop is only reached by falling through.
            if !self.reachable {
                self.skip_rest();
            }
        } else {
            self.restart(control.label, control.height, &control.results);
        }
    }

    /// What follows cannot be reached.
    pub(super) fn skip_rest(&mut self) {
        self.reachable = false;
    }

    /// Goes on at a label, with these operands above a height in their homes.
    fn restart(&mut self, label: usize, height: usize, operands: &[ValueType]) {
        self.bind(label);
        self.operands.truncate(height);
        for &ty in operands {
            self.push(ty);
        }
        self.reachable = true;
    }

    pub(super) fn br(&mut self, depth: u32) {
        self.transfer(depth);
        self.skip_rest();
    }

    pub(super) fn br_if(&mut self, depth: u32) {
        if self.in_place(depth) {
            let jump = self.condition(true);
            let label = self.control(depth).label;
            self.branch(jump, label);
        } else {
            let skip = self.condition(false);
            let label = self.new_label();
            self.branch(skip, label);
            self.transfer(depth);
            self.bind(label);
        }
    }

    pub(super) fn br_table(&mut self, targets: &BrTable<'_>) -> Result<(), Error> {
        let index = self.pop_slot();
        let mut depths = targets.targets().collect::<Result<Vec<u32>, _>>()?;
        depths.push(targets.default());
        self.emit(Instr::BrTable { index, cases: targets.len() });
        let mut stubs: Vec<(u32, usize)> = Vec::new();
        for &depth in &depths {
            let known = stubs.iter().find(|stub| stub.0 == depth).map(|stub| stub.1);
            let label = known.unwrap_or_else(|| {
                let direct = self.operands_in_place(depth, self.operands.len());
                let label = if direct { self.control(depth).label } else { self.new_label() };
                stubs.push((depth, label));
                label
            });
            self.branch(Instr::Jump { to: u32::MAX }, label);
        }
        for (depth, label) in stubs {
            if label != self.control(depth).label {
                self.bind(label);
                self.transfer(depth);
            }
        }
        self.skip_rest();
        Ok(())
    }

    pub(super) fn return_(&mut self) {
        match self.results {
            [] => self.emit(Instr::Return),
            [ty] if ty.slots() == 1 => {
                let operand = self.operands[self.operands.len() - 1];
                let src = self.slot(operand);
                self.emit(Instr::ReturnOne { src });
            }
            results => {
                let (count, results) = (results.len(), crate::types::slots_of(results));
                self.settle(count);
                let src = self.operands[self.operands.len() - count].home;
                self.emit(Instr::ReturnMany { src, count: results as Slot });
            }
        }
        self.skip_rest();
    }

    /// Moves the operands that a branch takes along to where it wants them, and jumps. They stay on the stack.
    fn transfer(&mut self, depth: u32) {
        if self.control(depth).kind == Kind::Function {
            let saved = self.reachable;
            self.return_();
            self.reachable = saved;
            return;
        }
        for (operand, target) in self.carried(depth, self.operands.len()) {
            self.move_to(target, operand);
        }
        let label = self.control(depth).label;
        self.branch(Instr::Jump { to: u32::MAX }, label);
    }

    /// Whether a conditional branch can jump directly; its condition is still on the stack.
    fn in_place(&self, depth: u32) -> bool {
        self.operands_in_place(depth, self.operands.len() - 1)
    }

    fn operands_in_place(&self, depth: u32, height: usize) -> bool {
        self.control(depth).kind != Kind::Function
            && self
                .carried(depth, height)
                .iter()
                .all(|(operand, target)| operand.place == Place::Home && operand.home == *target)
    }

    /// The operands that a branch from this height takes along, in ascending order, with the slots they go to. No slot is
    /// the home of a later one, so that they can be moved in order.
    fn carried(&self, depth: u32, height: usize) -> Vec<(Operand, Slot)> {
        let control = self.control(depth);
        let types = if control.kind == Kind::Loop { &control.params } else { &control.results };
        let mut target = match control.height.checked_sub(1).map(|below| self.operands[below]) {
            Some(below) => u32::from(below.home) + u32::from(below.ty.slots()),
            None => self.first_operand,
        };
        let mut carried = Vec::with_capacity(types.len());
        for &operand in &self.operands[height - types.len()..height] {
            carried.push((operand, target as Slot));
            target += u32::from(operand.ty.slots());
        }
        carried
    }

    fn control(&self, depth: u32) -> &Control {
        &self.controls[self.controls.len() - 1 - depth as usize]
    }

    /// Pops a condition: a branch that is taken if it is not zero (`when`) or zero. Nothing is emitted for it but, at
    /// times, the constant that it is.
    fn condition(&mut self, when: bool) -> Instr {
        let operand = self.pop();
        if operand.place == Place::Home
            && self.code.len() > self.barrier
            && let Some(last) = self.code.last_mut()
            && last.destination().is_some_and(|dst| *dst == operand.home)
            && let Some(branch) = last.branching(when)
        {
            self.code.pop();
            self.offsets.pop();
            return branch;
        }
        let (condition, to) = (self.slot(operand), u32::MAX);
        if when { Instr::BrIf { condition, to } } else { Instr::BrUnless { condition, to } }
    }

    fn new_label(&mut self) -> usize {
        self.labels.push(Label::default());
        self.labels.len() - 1
    }

    /// Emits a branch to a label.
    fn branch(&mut self, instr: Instr, label: usize) {
        let at = self.code.len();
        self.emit(instr);
        match self.labels[label].target {
            Some(target) => self.aim(at, target),
            None => self.labels[label].uses.push(at),
        }
    }

    /// Lets a label be here.
    fn bind(&mut self, label: usize) {
        let here = self.code.len() as u32;
        self.labels[label].target = Some(here);
        for at in std::mem::take(&mut self.labels[label].uses) {
            self.aim(at, here);
        }
        self.barrier = self.code.len();
    }

    fn aim(&mut self, at: usize, target: u32) {
        if let Some(to) = self.code[at].target() {
            *to = target;
        }
    }
}
