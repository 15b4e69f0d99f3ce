//! The table of numeric and memory instructions: their names (as in `wasmparser`), operand types and meaning.
//!
//! `with_op_table!(then)` hands all rows to another macro. The code format, the compiler, the interpreter's arms and the
//! concolic domain's tests are generated from it, so that an instruction is one row. Forms:
//!
//! - `unary`: one operand; `binary`: two operands of one type, both in slots;
//! - `integer`: binary with a second form whose right operand is an immediate;
//! - `compare`: integer comparisons, which also have two branching forms and a negation;
//! - `load`: the type in memory and the type that it is widened to; `store`: the type in memory, with a second form whose value
//!   is an immediate;
//! - `multiply_add`: a product and a sum that follow each other, as one instruction; `scaled`: a load whose address was just
//!   shifted. These are not WebAssembly's: the compiler makes them of two, and domains see the two. Inner loops over
//!   arrays are made of them.

macro_rules! with_op_table {
    ($then:ident) => { $then! {
        unary {
            I32Eqz(a: u32) = a == 0;
            I64Eqz(a: u64) = a == 0;
            I32Clz(a: u32) = a.leading_zeros();
            I32Ctz(a: u32) = a.trailing_zeros();
            I32Popcnt(a: u32) = a.count_ones();
            I64Clz(a: u64) = u64::from(a.leading_zeros());
            I64Ctz(a: u64) = u64::from(a.trailing_zeros());
            I64Popcnt(a: u64) = u64::from(a.count_ones());
            I32Extend8S(a: u32) = i32::from(a as i8);
            I32Extend16S(a: u32) = i32::from(a as i16);
            I64Extend8S(a: u64) = i64::from(a as i8);
            I64Extend16S(a: u64) = i64::from(a as i16);
            I64Extend32S(a: u64) = i64::from(a as i32);
            I32WrapI64(a: u64) = a as u32;
            I64ExtendI32S(a: i32) = i64::from(a);
            I64ExtendI32U(a: u32) = u64::from(a);
            F32Abs(a: u32) = a & !F32_SIGN;
            F32Neg(a: u32) = a ^ F32_SIGN;
            F32Ceil(a: f32) = canonical32(a.ceil());
            F32Floor(a: f32) = canonical32(a.floor());
            F32Trunc(a: f32) = canonical32(a.trunc());
            F32Nearest(a: f32) = canonical32(a.round_ties_even());
            F32Sqrt(a: f32) = canonical32(a.sqrt());
            F64Abs(a: u64) = a & !F64_SIGN;
            F64Neg(a: u64) = a ^ F64_SIGN;
            F64Ceil(a: f64) = canonical64(a.ceil());
            F64Floor(a: f64) = canonical64(a.floor());
            F64Trunc(a: f64) = canonical64(a.trunc());
            F64Nearest(a: f64) = canonical64(a.round_ties_even());
            F64Sqrt(a: f64) = canonical64(a.sqrt());
            I32TruncF32S(a: f32) = trunc::i32_s(f64::from(a));
            I32TruncF32U(a: f32) = trunc::i32_u(f64::from(a));
            I32TruncF64S(a: f64) = trunc::i32_s(a);
            I32TruncF64U(a: f64) = trunc::i32_u(a);
            I64TruncF32S(a: f32) = trunc::i64_s(f64::from(a));
            I64TruncF32U(a: f32) = trunc::i64_u(f64::from(a));
            I64TruncF64S(a: f64) = trunc::i64_s(a);
            I64TruncF64U(a: f64) = trunc::i64_u(a);
            I32TruncSatF32S(a: f32) = a as i32;
            I32TruncSatF32U(a: f32) = a as u32;
            I32TruncSatF64S(a: f64) = a as i32;
            I32TruncSatF64U(a: f64) = a as u32;
            I64TruncSatF32S(a: f32) = a as i64;
            I64TruncSatF32U(a: f32) = a as u64;
            I64TruncSatF64S(a: f64) = a as i64;
            I64TruncSatF64U(a: f64) = a as u64;
            F32ConvertI32S(a: i32) = a as f32;
            F32ConvertI32U(a: u32) = a as f32;
            F32ConvertI64S(a: i64) = a as f32;
            F32ConvertI64U(a: u64) = a as f32;
            F32DemoteF64(a: f64) = canonical32(a as f32);
            F64ConvertI32S(a: i32) = f64::from(a);
            F64ConvertI32U(a: u32) = f64::from(a);
            F64ConvertI64S(a: i64) = a as f64;
            F64ConvertI64U(a: u64) = a as f64;
            F64PromoteF32(a: f32) = canonical64(f64::from(a));
            I32ReinterpretF32(a: u32) = a;
            I64ReinterpretF64(a: u64) = a;
            F32ReinterpretI32(a: u32) = a;
            F64ReinterpretI64(a: u64) = a;
        }
        binary {
            F32Eq(a, b: f32) = a == b;
            F32Ne(a, b: f32) = a != b;
            F32Lt(a, b: f32) = a < b;
            F32Gt(a, b: f32) = a > b;
            F32Le(a, b: f32) = a <= b;
            F32Ge(a, b: f32) = a >= b;
            F64Eq(a, b: f64) = a == b;
            F64Ne(a, b: f64) = a != b;
            F64Lt(a, b: f64) = a < b;
            F64Gt(a, b: f64) = a > b;
            F64Le(a, b: f64) = a <= b;
            F64Ge(a, b: f64) = a >= b;
            F32Add(a, b: f32) = canonical32(a + b);
            F32Sub(a, b: f32) = canonical32(a - b);
            F32Mul(a, b: f32) = canonical32(a * b);
            F32Div(a, b: f32) = canonical32(a / b);
            F32Min(a, b: f32) = min32(a, b);
            F32Max(a, b: f32) = max32(a, b);
            F32Copysign(a, b: u32) = a & !F32_SIGN | b & F32_SIGN;
            F64Add(a, b: f64) = canonical64(a + b);
            F64Sub(a, b: f64) = canonical64(a - b);
            F64Mul(a, b: f64) = canonical64(a * b);
            F64Div(a, b: f64) = canonical64(a / b);
            F64Min(a, b: f64) = min64(a, b);
            F64Max(a, b: f64) = max64(a, b);
            F64Copysign(a, b: u64) = a & !F64_SIGN | b & F64_SIGN;
        }
        integer {
            I32Add I32AddImm (a, b: u32) = a.wrapping_add(b);
            I32Sub I32SubImm (a, b: u32) = a.wrapping_sub(b);
            I32Mul I32MulImm (a, b: u32) = a.wrapping_mul(b);
            I32DivS I32DivSImm (a, b: i32) = a.checked_div(b).ok_or(if b == 0 { Trap::DivisionByZero } else { Trap::IntegerOverflow });
            I32DivU I32DivUImm (a, b: u32) = a.checked_div(b).ok_or(Trap::DivisionByZero);
            I32RemS I32RemSImm (a, b: i32) = if b == 0 { Err(Trap::DivisionByZero) } else { Ok(a.wrapping_rem(b)) };
            I32RemU I32RemUImm (a, b: u32) = a.checked_rem(b).ok_or(Trap::DivisionByZero);
            I32And I32AndImm (a, b: u32) = a & b;
            I32Or I32OrImm (a, b: u32) = a | b;
            I32Xor I32XorImm (a, b: u32) = a ^ b;
            I32Shl I32ShlImm (a, b: u32) = a.wrapping_shl(b);
            I32ShrS I32ShrSImm (a, b: i32) = a.wrapping_shr(b as u32);
            I32ShrU I32ShrUImm (a, b: u32) = a.wrapping_shr(b);
            I32Rotl I32RotlImm (a, b: u32) = a.rotate_left(b & 31);
            I32Rotr I32RotrImm (a, b: u32) = a.rotate_right(b & 31);
            I64Add I64AddImm (a, b: u64) = a.wrapping_add(b);
            I64Sub I64SubImm (a, b: u64) = a.wrapping_sub(b);
            I64Mul I64MulImm (a, b: u64) = a.wrapping_mul(b);
            I64DivS I64DivSImm (a, b: i64) = a.checked_div(b).ok_or(if b == 0 { Trap::DivisionByZero } else { Trap::IntegerOverflow });
            I64DivU I64DivUImm (a, b: u64) = a.checked_div(b).ok_or(Trap::DivisionByZero);
            I64RemS I64RemSImm (a, b: i64) = if b == 0 { Err(Trap::DivisionByZero) } else { Ok(a.wrapping_rem(b)) };
            I64RemU I64RemUImm (a, b: u64) = a.checked_rem(b).ok_or(Trap::DivisionByZero);
            I64And I64AndImm (a, b: u64) = a & b;
            I64Or I64OrImm (a, b: u64) = a | b;
            I64Xor I64XorImm (a, b: u64) = a ^ b;
            I64Shl I64ShlImm (a, b: u64) = a.wrapping_shl(b as u32);
            I64ShrS I64ShrSImm (a, b: i64) = a.wrapping_shr(b as u32);
            I64ShrU I64ShrUImm (a, b: u64) = a.wrapping_shr(b as u32);
            I64Rotl I64RotlImm (a, b: u64) = a.rotate_left(b as u32 & 63);
            I64Rotr I64RotrImm (a, b: u64) = a.rotate_right(b as u32 & 63);
        }
        compare {
            I32Eq I32EqImm BrI32Eq BrI32EqImm not I32Ne (a, b: u32) = a == b;
            I32Ne I32NeImm BrI32Ne BrI32NeImm not I32Eq (a, b: u32) = a != b;
            I32LtS I32LtSImm BrI32LtS BrI32LtSImm not I32GeS (a, b: i32) = a < b;
            I32LtU I32LtUImm BrI32LtU BrI32LtUImm not I32GeU (a, b: u32) = a < b;
            I32GtS I32GtSImm BrI32GtS BrI32GtSImm not I32LeS (a, b: i32) = a > b;
            I32GtU I32GtUImm BrI32GtU BrI32GtUImm not I32LeU (a, b: u32) = a > b;
            I32LeS I32LeSImm BrI32LeS BrI32LeSImm not I32GtS (a, b: i32) = a <= b;
            I32LeU I32LeUImm BrI32LeU BrI32LeUImm not I32GtU (a, b: u32) = a <= b;
            I32GeS I32GeSImm BrI32GeS BrI32GeSImm not I32LtS (a, b: i32) = a >= b;
            I32GeU I32GeUImm BrI32GeU BrI32GeUImm not I32LtU (a, b: u32) = a >= b;
            I64Eq I64EqImm BrI64Eq BrI64EqImm not I64Ne (a, b: u64) = a == b;
            I64Ne I64NeImm BrI64Ne BrI64NeImm not I64Eq (a, b: u64) = a != b;
            I64LtS I64LtSImm BrI64LtS BrI64LtSImm not I64GeS (a, b: i64) = a < b;
            I64LtU I64LtUImm BrI64LtU BrI64LtUImm not I64GeU (a, b: u64) = a < b;
            I64GtS I64GtSImm BrI64GtS BrI64GtSImm not I64LeS (a, b: i64) = a > b;
            I64GtU I64GtUImm BrI64GtU BrI64GtUImm not I64LeU (a, b: u64) = a > b;
            I64LeS I64LeSImm BrI64LeS BrI64LeSImm not I64GtS (a, b: i64) = a <= b;
            I64LeU I64LeUImm BrI64LeU BrI64LeUImm not I64GtU (a, b: u64) = a <= b;
            I64GeS I64GeSImm BrI64GeS BrI64GeSImm not I64LtS (a, b: i64) = a >= b;
            I64GeU I64GeUImm BrI64GeU BrI64GeUImm not I64LtU (a, b: u64) = a >= b;
        }
        load {
            I32Load: u32 as u32;
            I64Load: u64 as u64;
            F32Load: u32 as u32;
            F64Load: u64 as u64;
            I32Load8S: i8 as i32;
            I32Load8U: u8 as u32;
            I32Load16S: i16 as i32;
            I32Load16U: u16 as u32;
            I64Load8S: i8 as i64;
            I64Load8U: u8 as u64;
            I64Load16S: i16 as i64;
            I64Load16U: u16 as u64;
            I64Load32S: i32 as i64;
            I64Load32U: u32 as u64;
        }
        store {
            I32Store I32StoreImm: u32;
            I64Store I64StoreImm: u64;
            F32Store F32StoreImm: u32;
            F64Store F64StoreImm: u64;
            I32Store8 I32Store8Imm: u8;
            I32Store16 I32Store16Imm: u16;
            I64Store8 I64Store8Imm: u8;
            I64Store16 I64Store16Imm: u16;
            I64Store32 I64Store32Imm: u32;
        }
        multiply_add {
            I32MultiplyAdd = I32Mul I32Add;
            I64MultiplyAdd = I64Mul I64Add;
            F32MultiplyAdd = F32Mul F32Add;
            F64MultiplyAdd = F64Mul F64Add;
        }
        scaled {
            I32LoadScaled = I32Load;
            I64LoadScaled = I64Load;
            F32LoadScaled = F32Load;
            F64LoadScaled = F64Load;
        }
    }};
}
pub(crate) use with_op_table;
