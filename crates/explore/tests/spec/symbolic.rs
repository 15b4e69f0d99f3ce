//! The suite in the concolic domain, with every argument symbolic: whatever a run records must be true of it.

use crate::script::{Checked, Subject};
use explore::{Concolic, ConcolicValue, MachineEnd, PathKind, ValueType};
use smt::{BitVec, Evaluator, Float, Format, Model, Sort, UBig, Value, print::term_to_string};

impl Subject for Concolic {
    type Inputs = Model;

    fn arguments(&mut self, inputs: &mut Model, slots: &[(u64, bool)]) -> Vec<ConcolicValue> {
        self.path.clear();
        let symbols = slots.iter().enumerate().map(|(i, &(bits, wide))| {
            // A float is given as its bits, since the suite looks at NaN payloads.
            let (ty, width) = if wide { (ValueType::I64, 64) } else { (ValueType::I32, 32) };
            // Values outlive calls in globals and memory, so that every input needs a name of its own.
            let name = format!("argument{i}_{}", inputs.len());
            let symbol = self.symbol(&name, ty, bits).expect("integers can be symbolic");
            let function =
                symbol.term.and_then(|term| self.terms.as_fun(term)).expect("it is a constant symbol");
            inputs.set(function, Value::BitVec(BitVec::from_u64(width, bits)));
            symbol
        });
        symbols.collect()
    }

    fn check(&mut self, inputs: &Model, outcome: &MachineEnd<ConcolicValue>) -> Checked {
        let mut evaluator = Evaluator::new(&self.terms, inputs);
        let mut expect = |term, expected: &Value| match evaluator.eval(term) {
            Ok(actual) if actual == *expected => Ok(()),
            actual => {
                Err(format!("{} is {actual:?} instead of {expected:?}", term_to_string(&self.terms, term)))
            }
        };
        for entry in &self.path {
            expect(entry.term, &Value::Bool(entry.taken)).map_err(|e| format!("{:?}: {e}", entry.kind))?;
        }
        match outcome {
            MachineEnd::Returned(values) => {
                for value in values {
                    let Some(term) = value.term else { continue };
                    let expected = match *self.terms.sort_of(self.terms.sort(term)) {
                        Sort::BitVec(width) => Value::BitVec(BitVec::from_u64(width, value.bits)),
                        Sort::Float(eb, sb) => {
                            Value::Float(Float::from_bits(Format { eb, sb }, UBig::from(value.bits)))
                        }
                        ref other => return Err(format!("a value of sort {other:?}")),
                    };
                    expect(term, &expected)?;
                }
                let trapped = |kind| matches!(kind, PathKind::Fault(_));
                match self.path.iter().find(|entry| entry.taken && trapped(entry.kind)) {
                    Some(entry) => Err(format!("returned after {:?}", entry.kind)),
                    None => Ok(()),
                }
            }
            MachineEnd::Trapped(_) | MachineEnd::OutOfFuel => Ok(()),
        }
    }
}
