//! What programs ask the world for: `soundline.Symbolic`, SV-COMP's `Verifier` and JPF's `Debug`.

use super::NativeRow;
use super::lang::{a0, value};
use crate::domain::Values;
use crate::heap::HEADER;
use crate::kind::Kind;
use crate::machine::{Done, Fault, Machine, NativeResult, Stop};
use explore::Site;
use explore::op::ops;
use explore::target::{ObjectKind, Scalar};

const BOOL: Scalar = Scalar::Bool;
const BYTE: Scalar = Scalar::Int { bits: 8, signed: true };
const CHAR: Scalar = Scalar::Int { bits: 16, signed: false };
const SHORT: Scalar = Scalar::Int { bits: 16, signed: true };
const INT: Scalar = Scalar::Int { bits: 32, signed: true };
const LONG: Scalar = Scalar::Int { bits: 64, signed: true };
const FLOAT: Scalar = Scalar::Float { bits: 32 };
const DOUBLE: Scalar = Scalar::Float { bits: 64 };

/// The maximal length of a symbolic string whose length the program does not say.
const STRING: usize = 8;

impl<D: Values> Machine<D> {
    /// A scalar of the input.
    pub(crate) fn input_scalar(&mut self, name: &str, scalar: Scalar, parameter: bool) -> D::Value {
        let name = self.world.fresh_name(name);
        let kind = if parameter { ObjectKind::Parameter(scalar) } else { ObjectKind::Scalar(scalar) };
        let bytes = self.world.object(&name, kind, scalar.bytes());
        self.domain.scalar(&mut self.world.symbols, &name, scalar, &bytes)
    }

    /// An array of bytes of the input.
    pub(crate) fn input_bytes(&mut self, name: &str, size: usize, kind: ObjectKind) -> Result<u32, Fault> {
        let bytes = self.world.object(name, kind, size);
        let array = self.array("[B", size as u32)?;
        for i in 0..size {
            let byte = self.domain.byte(&mut self.world.symbols, name, &bytes, i);
            self.domain.store(&mut self.heap, array + HEADER + i as u32, Kind::Byte, byte);
        }
        Ok(array)
    }

    /// A string of the input: up to so many characters from 1 to 255; the first zero ends it.
    pub(crate) fn input_string(&mut self, name: &str, size: usize, kind: ObjectKind) -> Result<u32, Fault> {
        let bytes = self.input_bytes(name, size, kind)?;
        let mut length = 0;
        while length < size as u32 {
            let byte = self.domain.load(&self.heap, bytes + HEADER + length, Kind::Byte);
            if !self.domain.compare::<ops::I32Ne>(Site::new(0), byte, D::constant(0)) {
                break;
            }
            length += 1;
        }
        let value = self.array("[B", length)?;
        self.heap.copy(bytes + HEADER, value + HEADER, length);
        let known = *self.known();
        let string = self.allocate(known.string)?;
        self.heap.set_u32(string + known.string_value, value);
        Ok(string)
    }

    fn assume(&mut self, condition: D::Value) -> NativeResult<D> {
        if self.domain.require(Site::new(0), condition) {
            Ok(Done::Void)
        } else {
            Err(Fault::Stop(Stop::Assumption))
        }
    }
}

fn named<D: Values>(m: &mut Machine<D>, a: &[D::Value], scalar: Scalar) -> NativeResult<D> {
    let name = m.text(a0::<D>(a));
    Ok(Done::Value(m.input_scalar(&name, scalar, false)))
}

fn nondet<D: Values>(m: &mut Machine<D>, scalar: Scalar) -> NativeResult<D> {
    Ok(Done::Value(m.input_scalar("nondet", scalar, false)))
}

fn string<D: Values>(m: &mut Machine<D>, name: &str, size: usize) -> NativeResult<D> {
    let name = m.world.fresh_name(name);
    m.input_string(&name, size, ObjectKind::Memory).map(value::<D>)
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("soundline/Symbolic.booleanInput(Ljava/lang/String;)Z", |m, a| named(m, a, BOOL)),
        ("soundline/Symbolic.byteInput(Ljava/lang/String;)B", |m, a| named(m, a, BYTE)),
        ("soundline/Symbolic.charInput(Ljava/lang/String;)C", |m, a| named(m, a, CHAR)),
        ("soundline/Symbolic.shortInput(Ljava/lang/String;)S", |m, a| named(m, a, SHORT)),
        ("soundline/Symbolic.intInput(Ljava/lang/String;)I", |m, a| named(m, a, INT)),
        ("soundline/Symbolic.longInput(Ljava/lang/String;)J", |m, a| named(m, a, LONG)),
        ("soundline/Symbolic.floatInput(Ljava/lang/String;)F", |m, a| named(m, a, FLOAT)),
        ("soundline/Symbolic.doubleInput(Ljava/lang/String;)D", |m, a| named(m, a, DOUBLE)),
        ("soundline/Symbolic.stringInput(Ljava/lang/String;I)Ljava/lang/String;", |m, a| {
            let (name, size) = (m.text(a0::<D>(a)), m.plain(a[1]) as u32);
            string(m, &name, size.min(1 << 16) as usize)
        }),
        ("soundline/Symbolic.bytesInput(Ljava/lang/String;I)[B", |m, a| {
            let (name, size) = (m.text(a0::<D>(a)), m.plain(a[1]) as u32);
            let name = m.world.fresh_name(&name);
            m.input_bytes(&name, size.min(1 << 20) as usize, ObjectKind::Memory).map(value::<D>)
        }),
        ("soundline/Symbolic.assume(Z)V", |m, a| m.assume(a[0])),
        ("org/sosy_lab/sv_benchmarks/Verifier.assume(Z)V", |m, a| m.assume(a[0])),
        ("org/sosy_lab/sv_benchmarks/Verifier.nondetBoolean()Z", |m, _| nondet(m, BOOL)),
        ("org/sosy_lab/sv_benchmarks/Verifier.nondetByte()B", |m, _| nondet(m, BYTE)),
        ("org/sosy_lab/sv_benchmarks/Verifier.nondetChar()C", |m, _| nondet(m, CHAR)),
        ("org/sosy_lab/sv_benchmarks/Verifier.nondetShort()S", |m, _| nondet(m, SHORT)),
        ("org/sosy_lab/sv_benchmarks/Verifier.nondetInt()I", |m, _| nondet(m, INT)),
        ("org/sosy_lab/sv_benchmarks/Verifier.nondetLong()J", |m, _| nondet(m, LONG)),
        ("org/sosy_lab/sv_benchmarks/Verifier.nondetFloat()F", |m, _| nondet(m, FLOAT)),
        ("org/sosy_lab/sv_benchmarks/Verifier.nondetDouble()D", |m, _| nondet(m, DOUBLE)),
        ("org/sosy_lab/sv_benchmarks/Verifier.nondetString()Ljava/lang/String;", |m, _| {
            string(m, "nondet", STRING)
        }),
        ("gov/nasa/jpf/symbc/Debug.makeSymbolicInteger(Ljava/lang/String;)I", |m, a| named(m, a, INT)),
        ("gov/nasa/jpf/symbc/Debug.makeSymbolicLong(Ljava/lang/String;)J", |m, a| named(m, a, LONG)),
        ("gov/nasa/jpf/symbc/Debug.makeSymbolicShort(Ljava/lang/String;)S", |m, a| named(m, a, SHORT)),
        ("gov/nasa/jpf/symbc/Debug.makeSymbolicByte(Ljava/lang/String;)B", |m, a| named(m, a, BYTE)),
        ("gov/nasa/jpf/symbc/Debug.makeSymbolicChar(Ljava/lang/String;)C", |m, a| named(m, a, CHAR)),
        ("gov/nasa/jpf/symbc/Debug.makeSymbolicBoolean(Ljava/lang/String;)Z", |m, a| named(m, a, BOOL)),
        ("gov/nasa/jpf/symbc/Debug.makeSymbolicReal(Ljava/lang/String;)D", |m, a| named(m, a, DOUBLE)),
        ("gov/nasa/jpf/symbc/Debug.makeSymbolicString(Ljava/lang/String;)Ljava/lang/String;", |m, a| {
            let name = m.text(a0::<D>(a));
            string(m, &name, STRING)
        }),
        ("gov/nasa/jpf/symbc/Debug.assume(Z)V", |m, a| m.assume(a[0])),
    ]
}
