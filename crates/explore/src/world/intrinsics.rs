//! The functions of `soundline.h` and their namesakes of other tools.

use super::functions::{Service, TABLE};
use super::input::{Inputs, Piece};
use super::{Stop, World, argument};
use crate::host::HostCall;
use crate::target::{Compared, ObjectKind};
use crate::trap::Trap;

/// The longest name that is read from memory.
const MAX_NAME: usize = 256;

impl World<'_> {
    pub(super) fn intrinsic<D: Inputs>(
        &mut self,
        service: Service,
        call: &mut HostCall<'_, D>,
    ) -> Result<(), Trap> {
        match service {
            Service::Symbolic => {
                let [address, size, name] = [0, 1, 2].map(|i| argument(call, i) as u32);
                let name = read_name(call.memory.bytes(), name as usize);
                let name = self.fresh(&name);
                let bytes = self.object(&name, ObjectKind::Memory, size as usize);
                let piece = Piece { object: &name, bytes: &bytes, from: 0, length: bytes.len() };
                call.domain.place(&mut self.symbols, call.memory, address, piece)
            }
            Service::Assume => {
                let holds = call.domain.require(call.at, call.args[0]);
                if holds { Ok(()) } else { Err(Stop::Assumption.trap()) }
            }
            Service::Assert => {
                let holds = call.domain.branch(call.at, call.args[0]);
                if holds { Ok(()) } else { Err(Stop::Assertion.trap()) }
            }
            Service::Error => Err(Stop::Error.trap()),
            Service::Nondet(scalar) => {
                let row = &TABLE[call.function as usize];
                let name = self.fresh(row.name.trim_start_matches("__VERIFIER_nondet_"));
                let bytes = self.object(&name, ObjectKind::Scalar(scalar), scalar.bytes());
                call.results[0] = call.domain.scalar(&mut self.symbols, &name, scalar, &bytes);
                Ok(())
            }
            Service::Abort
            | Service::Unsupported
            | Service::Wasi(_)
            | Service::Refuse(_)
            | Service::Heap(_)
            | Service::Guard(_)
            | Service::Undefined(_)
            | Service::Compare
            | Service::SetJump
            | Service::LongJump
            | Service::Part
            | Service::Turn
            | Service::NewException
            | Service::Throw
            | Service::Try
            | Service::Tried
            | Service::Land
            | Service::Clauses
            | Service::Unwind => unreachable!("served elsewhere"),
        }
    }
}

/// A C string that a part of ours wrote down.
pub(super) fn text(memory: &[u8], address: usize) -> String {
    let bytes = memory.get(address..).unwrap_or_default();
    let bytes: Vec<u8> = bytes.iter().take(MAX_NAME).take_while(|&&byte| byte != 0).copied().collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How many pairs of texts are noted down in a run.
const MAX_COMPARED: usize = 256;
/// Longer texts are cut: no keyword is as long.
const MAX_TEXT: usize = 64;

impl World<'_> {
    /// Notes what is compared, if it differs. Nothing is asked of the domain: the comparison itself does that.
    pub(super) fn compare<D: Inputs>(&mut self, call: &HostCall<'_, D>) {
        if self.compared.len() == MAX_COMPARED {
            return;
        }
        let [left, right, length, text] = [0, 1, 2, 3].map(|at| D::bits(call.args[at]) as u32 as usize);
        let read = |address: usize| {
            let bytes = call.memory.bytes().get(address..).unwrap_or_default();
            let bytes = &bytes[..bytes.len().min(MAX_TEXT)];
            // A text is noted to its end, though only a part of it may be compared: C++ compares two strings up to the length of the
            // shorter one, by `memcmp`.
            let end = bytes.iter().position(|&byte| byte == 0);
            let is_text =
                |end: &usize| text != 0 || (*end >= length && bytes[..*end].iter().all(u8::is_ascii_graphic));
            let whole = if text != 0 { bytes.len() } else { length };
            &bytes[..end.filter(is_text).unwrap_or(whole).min(bytes.len())]
        };
        let (left, right) = (read(left), read(right));
        let known =
            |known: &Compared| (&known.left[..], &known.right[..], known.length) == (left, right, length);
        if left != right && !self.compared.iter().any(known) {
            self.compared.push(Compared { left: left.to_vec(), right: right.to_vec(), length });
        }
    }
}

/// A C string; what is not printable or could not be part of a symbol is replaced.
fn read_name(memory: &[u8], address: usize) -> String {
    let bytes = memory.get(address..).unwrap_or_default();
    let name: String = bytes
        .iter()
        .take(MAX_NAME)
        .take_while(|&&byte| byte != 0)
        .map(|&byte| if byte.is_ascii_graphic() && !b"|\\".contains(&byte) { byte as char } else { '_' })
        .collect();
    if name.is_empty() { "unnamed".into() } else { name }
}
