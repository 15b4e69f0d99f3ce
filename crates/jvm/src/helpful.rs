//! What was null, in words: the message of a `NullPointerException` that the machine threw, as JEP 358 has it.
//!
//! The bytecode of the method is gone through once with, for every slot of the operand stack, the instruction that pushed it. From the
//! instruction that failed the words follow these back.

use crate::class::Method;
use crate::classfile::{CodeAttribute, Constant};
use crate::decode::{Raw, instructions, jumps};
use crate::kind::Signature;
use crate::verify::{effect, local};

/// How many accesses are told: `a.b.c.d.e`.
const MAX_DETAIL: u32 = 5;

/// The message for the instruction at an offset; none where it does not dereference anything.
pub(crate) fn message(method: &'static Method, offset: u16) -> Option<String> {
    let body = method.body.as_ref()?;
    let raws = instructions(&body.bytecode).ok()?;
    let at = raws.binary_search_by_key(&usize::from(offset), |raw| raw.at).ok()?;
    let words = Words { method, body, stacks: sources(method, body, &raws), raws };
    let (action, slot) = words.action(&words.raws[at])?;
    let cause = words.cause(at, slot, MAX_DETAIL, false);
    Some(match cause {
        Some((text, true)) => format!("{action} because the return value of \"{text}\" is null"),
        Some((text, false)) => format!("{action} because \"{text}\" is null"),
        None => action,
    })
}

/// Before an instruction: what pushed each slot (an index of an instruction, none if that depends on the way), and the locals that were
/// written.
#[derive(Clone, PartialEq)]
struct State {
    stack: Vec<Option<usize>>,
    written: Vec<bool>,
}

impl State {
    /// Takes over what another way knows; whether that changed anything.
    fn merge(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (mine, theirs) in self.stack.iter_mut().zip(&other.stack) {
            if mine != theirs {
                *mine = None;
            }
        }
        for (mine, theirs) in self.written.iter_mut().zip(&other.written) {
            *mine |= theirs;
        }
        *self != before
    }
}

fn sources(method: &'static Method, body: &CodeAttribute, raws: &[Raw]) -> Vec<Option<State>> {
    let code = &body.bytecode;
    let index_of = |at: usize| raws.binary_search_by_key(&at, |raw| raw.at).ok();
    let mut states: Vec<Option<State>> = vec![None; raws.len()];
    let start = State { stack: Vec::new(), written: vec![false; usize::from(body.max_locals)] };
    let mut open = vec![(0, start.clone())];
    for handler in &body.handlers {
        let written = vec![true; usize::from(body.max_locals)];
        open.extend(
            index_of(usize::from(handler.target)).map(|to| (to, State { stack: vec![None], written })),
        );
    }
    // Each round loses knowledge somewhere, of which there is little: this ends.
    while let Some((index, state)) = open.pop() {
        let Some(known) = states.get_mut(index) else { continue };
        let mut now = match known {
            Some(known) if known.stack.len() != state.stack.len() => continue,
            Some(known) => {
                if !known.merge(&state) {
                    continue;
                }
                known.clone()
            }
            None => known.insert(state).clone(),
        };
        let raw = &raws[index];
        if !step(method, code, raw, index, &mut now) {
            continue;
        }
        for to in jumps(code, raw).unwrap_or_default() {
            open.extend(index_of(to).map(|to| (to, now.clone())));
        }
        if !matches!(raw.opcode, 0xa7..=0xb1 | 0xbf | 0xc8 | 0xc9) {
            open.push((index + 1, now));
        }
    }
    states
}

/// What an instruction does to the sources; false if it lacks operands.
fn step(method: &'static Method, code: &[u8], raw: &Raw, index: usize, state: &mut State) -> bool {
    let stack = &mut state.stack;
    let top = |stack: &[Option<usize>], back: usize| stack.len().checked_sub(back).and_then(|at| stack[at]);
    let insert = |stack: &mut Vec<Option<usize>>, below: usize, count: usize| {
        if stack.len() < below {
            return false;
        }
        let copied = stack[stack.len() - count..].to_vec();
        let at = stack.len() - below;
        stack.splice(at..at, copied);
        true
    };
    match raw.opcode {
        0x59 => stack.push(top(stack, 1)),
        0x5a => return insert(stack, 2, 1),
        0x5b => return insert(stack, 3, 1),
        0x5c => return insert(stack, 2, 2),
        0x5d => return insert(stack, 3, 2),
        0x5e => return insert(stack, 4, 2),
        0x5f => {
            let length = stack.len();
            if length < 2 {
                return false;
            }
            stack.swap(length - 1, length - 2);
        }
        opcode => {
            let Ok((pops, pushes)) = effect(method, raw) else { return false };
            if stack.len() < pops {
                return false;
            }
            // A cast gives what it took.
            if opcode != 0xc0 {
                stack.truncate(stack.len() - pops);
                stack.extend(std::iter::repeat_n(Some(index), pushes));
            }
            let stores = matches!(opcode, 0x36..=0x4e | 0x84);
            if let Some(slot) = local(code, raw).filter(|_| stores)
                && let Some(written) = state.written.get_mut(slot)
            {
                *written = true;
            }
        }
    }
    true
}

struct Words<'a> {
    method: &'static Method,
    body: &'a CodeAttribute,
    raws: Vec<Raw>,
    stacks: Vec<Option<State>>,
}

impl Words<'_> {
    fn index(&self, raw: &Raw) -> u16 {
        let code = &self.body.bytecode;
        u16::from_be_bytes([code[raw.at + 1], code[raw.at + 2]])
    }

    /// What could not be done, and which slot from the top was null.
    fn action(&self, raw: &Raw) -> Option<(String, usize)> {
        let array = |from: u8| ARRAYS.get(usize::from(raw.opcode - from)).copied().unwrap_or("object");
        Some(match raw.opcode {
            0x2e..=0x35 => (format!("Cannot load from {} array", array(0x2e)), 1),
            0x4f..=0x56 => {
                let wide = usize::from(matches!(raw.opcode, 0x50 | 0x52));
                (format!("Cannot store to {} array", array(0x4f)), 2 + wide)
            }
            0xbe => ("Cannot read the array length".to_string(), 0),
            0xbf => ("Cannot throw exception".to_string(), 0),
            0xc2 => ("Cannot enter synchronized block".to_string(), 0),
            0xc3 => ("Cannot exit synchronized block".to_string(), 0),
            0xb4 | 0xb5 => {
                let Ok(Constant::Field(_, name, descriptor)) = self.method.class.pool.get(self.index(raw))
                else {
                    return None;
                };
                let slots = crate::kind::Kind::of(descriptor).map_or(1, crate::kind::Kind::slots);
                match raw.opcode {
                    0xb4 => (format!("Cannot read field \"{name}\""), 0),
                    _ => (format!("Cannot assign field \"{name}\""), slots),
                }
            }
            0xb6 | 0xb7 | 0xb9 => {
                let Ok(Constant::Method(_, name, descriptor, _)) =
                    self.method.class.pool.get(self.index(raw))
                else {
                    return None;
                };
                // An exception that the program made itself, by its constructor.
                if &**name == "<init>" {
                    return None;
                }
                let slots = Signature::parse(descriptor)?.slots();
                (format!("Cannot invoke \"{}\"", self.called(raw)?), slots)
            }
            _ => return None,
        })
    }

    fn called(&self, raw: &Raw) -> Option<String> {
        let Ok(Constant::Method(class, name, descriptor, _)) = self.method.class.pool.get(self.index(raw))
        else {
            return None;
        };
        let parameters: Vec<String> =
            Signature::parse(descriptor)?.parameters.iter().map(|ty| external(&ty.class)).collect();
        Some(format!("{}.{name}({})", external(class), parameters.join(", ")))
    }

    /// What pushed a slot, from the top, before an instruction; and whether it is what a call gave.
    fn cause(&self, at: usize, slot: usize, detail: u32, inner: bool) -> Option<(String, bool)> {
        if detail == 0 {
            return None;
        }
        let state = self.stacks[at].as_ref()?;
        let place = state.stack.len().checked_sub(1 + slot)?;
        let source = state.stack[place]?;
        let raw = &self.raws[source];
        let code = &self.body.bytecode;
        let plain = |text: String| Some((text, false));
        match raw.opcode {
            0x01 => plain("null".to_string()),
            0x02..=0x08 => plain((i32::from(raw.opcode) - 3).to_string()),
            0x10 => plain((code[raw.at + 1] as i8).to_string()),
            0x11 => plain((self.index(raw) as i16).to_string()),
            0x15 | 0x19 | 0x1a..=0x1d | 0x2a..=0x2d => {
                let slot = local(code, raw)?;
                let before = self.stacks[source].as_ref()?;
                plain(self.local_name(slot, raw.at, before.written.get(slot).copied().unwrap_or(true)))
            }
            0xb2 => {
                let Ok(Constant::Field(class, name, _)) = self.method.class.pool.get(self.index(raw)) else {
                    return None;
                };
                plain(format!("{}.{name}", external(class)))
            }
            0xb4 => {
                let Ok(Constant::Field(_, name, _)) = self.method.class.pool.get(self.index(raw)) else {
                    return None;
                };
                match self.cause(source, 0, detail - 1, inner) {
                    Some((object, _)) => plain(format!("{object}.{name}")),
                    None => plain(name.to_string()),
                }
            }
            0xb6..=0xb9 => Some((self.called(raw)?, detail == MAX_DETAIL && !inner)),
            0x2e..=0x35 => {
                let array = self.cause(source, 1, detail - 1, inner).map_or("<array>".to_string(), |it| it.0);
                let index = self.cause(source, 0, detail, true).map_or("...".to_string(), |it| it.0);
                plain(format!("{array}[{index}]"))
            }
            _ => None,
        }
    }

    fn local_name(&self, slot: usize, at: usize, written: bool) -> String {
        let named = self.body.locals.iter().find(|local| {
            usize::from(local.slot) == slot && (local.start as usize..local.end as usize).contains(&at)
        });
        if let Some(local) = named {
            return local.name.clone();
        }
        let receiver = usize::from(!self.method.is_static());
        if receiver == 1 && slot == 0 {
            return "this".to_string();
        }
        let mut place = receiver;
        for (number, ty) in (1..).zip(&self.method.signature.parameters) {
            if place == slot && !written {
                return format!("<parameter{number}>");
            }
            place += ty.kind.slots();
        }
        format!("<local{slot}>")
    }
}

const ARRAYS: [&str; 8] = ["int", "long", "float", "double", "object", "byte/boolean", "char", "short"];

/// The name of a class as sources have it; the two that everybody knows without their package.
fn external(class: &str) -> String {
    let dimensions = class.bytes().take_while(|&byte| byte == b'[').count();
    let mut name = class[dimensions..].to_string();
    if dimensions > 0 {
        let element = crate::kind::Type::parse(&name);
        name = element.map_or(name, |ty| ty.class);
    }
    let name = name.replace('/', ".");
    let name = match name.as_str() {
        "java.lang.Object" => "Object".to_string(),
        "java.lang.String" => "String".to_string(),
        _ => name,
    };
    format!("{name}{}", "[]".repeat(dimensions))
}
