//! From bytecode to the machine's code, once a method, and the numbering of its sites.
//!
//! Every target of a jump must be the start of an instruction and every index must name a constant of the right sort;
//! what the types of operands are is `verify`'s question. The JDK's code is taken as it is, the program's was verified before.

use crate::class::{Class, Method, Resolved};
use crate::classfile::{CodeAttribute, Constant};
use crate::kind::{Kind, PRIMITIVES, Signature};
use crate::op::{Arithmetic, Catch, Code, Condition, Conversion, Op, SiteId, Strings, Switch};
use crate::registry::Registry;

/// What lies at a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SiteKind {
    /// A method of the program begins.
    Start,
    /// A source line begins.
    Line(u16),
    /// A branch with two ways.
    Branch,
    /// A switch with so many ways.
    Switch(u32),
    /// A check that may throw.
    Check,
}

/// An instruction's opcode, offset and length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw {
    pub(crate) opcode: u8,
    pub(crate) at: usize,
    pub(crate) length: usize,
    pub(crate) wide: bool,
}

fn u16_at(code: &[u8], at: usize) -> Result<u16, String> {
    code.get(at..at + 2).map(|b| u16::from_be_bytes([b[0], b[1]])).ok_or_else(|| truncated(at))
}

fn i32_at(code: &[u8], at: usize) -> Result<i32, String> {
    let bytes = code.get(at..at + 4).ok_or_else(|| truncated(at))?;
    Ok(i32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

fn truncated(at: usize) -> String {
    format!("the instruction at {at} is truncated")
}

/// All instructions in order.
pub(crate) fn instructions(code: &[u8]) -> Result<Vec<Raw>, String> {
    let mut raws = Vec::with_capacity(code.len() / 2);
    let mut at = 0;
    while at < code.len() {
        let opcode = code[at];
        let mut wide = false;
        let length = match opcode {
            0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 2,
            0x11
            | 0x13
            | 0x14
            | 0x84
            | 0x99..=0xa8
            | 0xb2..=0xb8
            | 0xbb
            | 0xbd
            | 0xc0
            | 0xc1
            | 0xc6
            | 0xc7 => 3,
            0xc5 => 4,
            0xb9 | 0xba | 0xc8 | 0xc9 => 5,
            0xaa => {
                let pad = (4 - (at + 1) % 4) % 4;
                let (low, high) = (i32_at(code, at + 5 + pad)?, i32_at(code, at + 9 + pad)?);
                let cases = i64::from(high) - i64::from(low) + 1;
                if !(0..=65536).contains(&cases) {
                    return Err(format!("the switch at {at} has {cases} cases"));
                }
                13 + pad + 4 * cases as usize
            }
            0xab => {
                let pad = (4 - (at + 1) % 4) % 4;
                let pairs = i32_at(code, at + 5 + pad)?;
                if !(0..=65536).contains(&pairs) {
                    return Err(format!("the switch at {at} has {pairs} cases"));
                }
                9 + pad + 8 * pairs as usize
            }
            0xc4 => {
                wide = true;
                match code.get(at + 1) {
                    Some(0x84) => 6,
                    Some(0x15..=0x19 | 0x36..=0x3a | 0xa9) => 4,
                    _ => return Err(format!("the wide instruction at {at} is none")),
                }
            }
            0x00..=0xc9 => 1,
            _ => return Err(format!("there is no instruction {opcode:#x} (at {at})")),
        };
        if at + length > code.len() {
            return Err(truncated(at));
        }
        let opcode = if wide { code[at + 1] } else { opcode };
        raws.push(Raw { opcode, at, length, wide });
        at += length;
    }
    Ok(raws)
}

/// The sites of a method in order, by offset: the same for counting and for decoding.
pub(crate) fn sites(method: &Method) -> Result<Vec<(u16, SiteKind)>, String> {
    method.body.as_ref().map_or_else(|| Ok(Vec::new()), |body| sites_of(body, method.class.own))
}

/// The sites of a body. Only the program's own methods have sites for their beginning and for lines.
pub(crate) fn sites_of(body: &CodeAttribute, own: bool) -> Result<Vec<(u16, SiteKind)>, String> {
    let code = &body.bytecode;
    let mut sites = Vec::new();
    if own {
        sites.push((0, SiteKind::Start));
    }
    let mut lines = body.lines.clone();
    lines.sort_unstable();
    lines.dedup_by_key(|line| line.0);
    for raw in instructions(code)? {
        if own && let Ok(found) = lines.binary_search_by_key(&raw.at, |line| usize::from(line.0)) {
            sites.push((raw.at as u16, SiteKind::Line(lines[found].1)));
        }
        let kind = match raw.opcode {
            0x99..=0xa6 | 0xc6 | 0xc7 => SiteKind::Branch,
            0xaa | 0xab => {
                let pad = (4 - (raw.at + 1) % 4) % 4;
                let cases = match raw.opcode {
                    0xaa => (raw.length - 13 - pad) / 4,
                    _ => (raw.length - 9 - pad) / 8,
                };
                SiteKind::Switch(cases as u32 + 1)
            }
            0x2e..=0x35 | 0x4f..=0x56 | 0x6c | 0x6d | 0x70 | 0x71 | 0xbc | 0xbd | 0xc5 => SiteKind::Check,
            _ => continue,
        };
        sites.push((raw.at as u16, kind));
    }
    Ok(sites)
}

/// Decodes a method's body. `first` is the number of its first site.
pub(crate) fn decode(registry: &Registry, method: &'static Method, first: SiteId) -> Result<Code, String> {
    let Some(body) = &method.body else { return Err("it has no code".to_string()) };
    let bytes = &body.bytecode;
    let raws = instructions(bytes)?;
    let sites = sites(method)?;
    let mut targets = vec![false; bytes.len() + 1];
    for raw in &raws {
        for to in jumps(bytes, raw)? {
            *targets.get_mut(to).ok_or_else(|| format!("the jump at {} leaves the code", raw.at))? = true;
        }
    }
    for handler in &body.handlers {
        for at in [handler.start, handler.end, handler.target] {
            *targets.get_mut(usize::from(at)).ok_or("a handler lies outside of the code")? = true;
        }
    }
    let mut decoder = Decoder {
        registry,
        class: method.class,
        bytes,
        sites: &sites,
        first,
        next_site: usize::from(method.class.own),
        code: Code { locals: u32::from(body.max_locals), ..Code::default() },
        places: vec![u32::MAX; bytes.len() + 1],
        block: 0,
    };
    let mut position = 0;
    while let Some(raw) = raws.get(position) {
        decoder.places[raw.at] = decoder.code.ops.len() as u32;
        decoder.line(raw.at);
        let next = raws.get(position + 1).filter(|next| !targets[next.at] && !decoder.begins_line(next.at));
        if targets[raw.at] {
            decoder.block = decoder.code.ops.len();
        }
        position += 1 + usize::from(decoder.instruction(raw, next)?);
        decoder.fuse();
    }
    decoder.places[bytes.len()] = decoder.code.ops.len() as u32;
    decoder.finish(method)
}

/// Where an instruction may jump to.
pub(crate) fn jumps(code: &[u8], raw: &Raw) -> Result<Vec<usize>, String> {
    let offset = |delta: i32| {
        let to = raw.at as i64 + i64::from(delta);
        usize::try_from(to)
            .ok()
            .filter(|&to| to < code.len())
            .ok_or_else(|| format!("the jump at {} leaves the code", raw.at))
    };
    Ok(match raw.opcode {
        0x99..=0xa8 | 0xc6 | 0xc7 => vec![offset(i32::from(u16_at(code, raw.at + 1)? as i16))?],
        0xc8 | 0xc9 => vec![offset(i32_at(code, raw.at + 1)?)?],
        0xaa | 0xab => {
            let pad = (4 - (raw.at + 1) % 4) % 4;
            let start = raw.at + 1 + pad;
            let mut all = vec![offset(i32_at(code, start)?)?];
            let (from, step) = if raw.opcode == 0xaa { (start + 12, 4) } else { (start + 12, 8) };
            let mut at = from;
            while at + 4 <= raw.at + raw.length {
                all.push(offset(i32_at(code, at)?)?);
                at += step;
            }
            all
        }
        _ => Vec::new(),
    })
}

struct Decoder<'a> {
    registry: &'a Registry,
    class: &'static Class,
    bytes: &'a [u8],
    sites: &'a [(u16, SiteKind)],
    first: SiteId,
    next_site: usize,
    code: Code,
    /// The instruction of each offset.
    places: Vec<u32>,
    /// The first instruction after the last place that something jumps to.
    block: usize,
}

const CONDITIONS: [Condition; 6] =
    [Condition::Eq, Condition::Ne, Condition::Lt, Condition::Ge, Condition::Gt, Condition::Le];

impl Decoder<'_> {
    fn site(&mut self) -> SiteId {
        let site = self.first + self.next_site as SiteId;
        self.next_site += 1;
        site
    }

    fn begins_line(&self, at: usize) -> bool {
        self.sites.iter().any(|site| usize::from(site.0) == at && matches!(site.1, SiteKind::Line(_)))
    }

    fn line(&mut self, at: usize) {
        if self
            .sites
            .get(self.next_site)
            .is_some_and(|site| usize::from(site.0) == at && matches!(site.1, SiteKind::Line(_)))
        {
            let site = self.site();
            self.emit(at, Op::Line { site });
        }
    }

    fn emit(&mut self, at: usize, op: Op) {
        self.code.ops.push(op);
        self.code.offsets.push(at as u16);
    }

    /// Makes one instruction of the last two as long as that goes. Nothing may jump to the second. It stands where the second stood,
    /// which is the one that can throw.
    fn fuse(&mut self) {
        while let Some(at) = self.code.ops.len().checked_sub(2).filter(|&at| at >= self.block) {
            let Some(op) = fused(self.code.ops[at], self.code.ops[at + 1]) else { return };
            self.code.ops.truncate(at);
            self.code.ops.push(op);
            self.code.offsets.remove(at);
        }
    }

    /// Emits one instruction, or two of bytecode as one: then it says so.
    fn instruction(&mut self, raw: &Raw, next: Option<&Raw>) -> Result<bool, String> {
        use Arithmetic as A;
        use Conversion as C;
        let at = raw.at;
        let bytes = self.bytes;
        let short = |offset: usize| u16_at(bytes, at + offset);
        let slot = || if raw.wide { short(2) } else { Ok(u16::from(bytes[at + 1])) };
        let opcode = raw.opcode;
        let op = match opcode {
            0x00 => Op::Nop,
            0x01 => Op::Null,
            0x02..=0x08 => Op::Int(i32::from(opcode) - 3),
            0x09 | 0x0a => Op::Long(i64::from(opcode) - 9),
            0x0b..=0x0d => Op::Float(f32::from(opcode - 0x0b).to_bits()),
            0x0e | 0x0f => Op::Double(f64::from(opcode - 0x0e).to_bits()),
            0x10 => Op::Int(i32::from(bytes[at + 1] as i8)),
            0x11 => Op::Int(i32::from(short(1)? as i16)),
            0x12 => self.constant(u16::from(bytes[at + 1]))?,
            0x13 | 0x14 => self.constant(short(1)?)?,
            0x15 | 0x17 | 0x19 => Op::Load(slot()?),
            0x16 | 0x18 => Op::Load2(slot()?),
            0x1a..=0x1d | 0x22..=0x25 | 0x2a..=0x2d => Op::Load(u16::from((opcode - 0x1a) % 4)),
            0x1e..=0x21 | 0x26..=0x29 => Op::Load2(u16::from((opcode - 0x1e) % 4)),
            0x2e..=0x35 => Op::ArrayLoad { kind: ARRAYS[usize::from(opcode - 0x2e)], site: self.site() },
            0x36 | 0x38 | 0x3a => Op::Store(slot()?),
            0x37 | 0x39 => Op::Store2(slot()?),
            0x3b..=0x3e | 0x43..=0x46 | 0x4b..=0x4e => Op::Store(u16::from((opcode - 0x3b) % 4)),
            0x3f..=0x42 | 0x47..=0x4a => Op::Store2(u16::from((opcode - 0x3f) % 4)),
            0x4f..=0x56 => Op::ArrayStore { kind: ARRAYS[usize::from(opcode - 0x4f)], site: self.site() },
            0x57 => Op::Pop,
            0x58 => Op::Pop2,
            0x59 => Op::Dup,
            0x5a => Op::DupX1,
            0x5b => Op::DupX2,
            0x5c => Op::Dup2,
            0x5d => Op::Dup2X1,
            0x5e => Op::Dup2X2,
            0x5f => Op::Swap,
            0x60 => Op::IAdd,
            0x61 => Op::Arithmetic(A::LAdd),
            0x62 => Op::Arithmetic(A::FAdd),
            0x63 => Op::Arithmetic(A::DAdd),
            0x64 => Op::ISub,
            0x65 => Op::Arithmetic(A::LSub),
            0x66 => Op::Arithmetic(A::FSub),
            0x67 => Op::Arithmetic(A::DSub),
            0x68 => Op::IMul,
            0x69 => Op::Arithmetic(A::LMul),
            0x6a => Op::Arithmetic(A::FMul),
            0x6b => Op::Arithmetic(A::DMul),
            0x6c => Op::IDiv { site: self.site() },
            0x6d => Op::LDiv { site: self.site() },
            0x6e => Op::Arithmetic(A::FDiv),
            0x6f => Op::Arithmetic(A::DDiv),
            0x70 => Op::IRem { site: self.site() },
            0x71 => Op::LRem { site: self.site() },
            0x72 => Op::Arithmetic(A::FRem),
            0x73 => Op::Arithmetic(A::DRem),
            0x74 => Op::Convert(C::INeg),
            0x75 => Op::Convert(C::LNeg),
            0x76 => Op::Convert(C::FNeg),
            0x77 => Op::Convert(C::DNeg),
            0x78 => Op::Arithmetic(A::IShl),
            0x79 => Op::Arithmetic(A::LShl),
            0x7a => Op::Arithmetic(A::IShr),
            0x7b => Op::Arithmetic(A::LShr),
            0x7c => Op::Arithmetic(A::IUshr),
            0x7d => Op::Arithmetic(A::LUshr),
            0x7e => Op::IAnd,
            0x7f => Op::Arithmetic(A::LAnd),
            0x80 => Op::Arithmetic(A::IOr),
            0x81 => Op::Arithmetic(A::LOr),
            0x82 => Op::Arithmetic(A::IXor),
            0x83 => Op::Arithmetic(A::LXor),
            0x84 if raw.wide => Op::Increment { slot: short(2)?, by: i32::from(short(4)? as i16) },
            0x84 => Op::Increment { slot: u16::from(bytes[at + 1]), by: i32::from(bytes[at + 2] as i8) },
            0x85..=0x93 => Op::Convert(CONVERSIONS[usize::from(opcode - 0x85)]),
            0x94..=0x98 => return self.comparison(raw, next),
            0x99..=0x9e => {
                let to = jumps(bytes, raw)?[0] as u32;
                Op::If { condition: CONDITIONS[usize::from(opcode - 0x99)], to, site: self.site() }
            }
            0x9f..=0xa4 => {
                let to = jumps(bytes, raw)?[0] as u32;
                Op::IfCompare { condition: CONDITIONS[usize::from(opcode - 0x9f)], to, site: self.site() }
            }
            0xa5 | 0xa6 => {
                let to = jumps(bytes, raw)?[0] as u32;
                Op::IfSame { same: opcode == 0xa5, to, site: self.site() }
            }
            0xa7 | 0xc8 => Op::Goto(jumps(bytes, raw)?[0] as u32),
            0xa8 | 0xc9 => Op::Jsr(jumps(bytes, raw)?[0] as u32),
            0xa9 => Op::Ret(slot()?),
            0xaa | 0xab => self.switch(raw)?,
            0xac | 0xae | 0xb0 => Op::Return1,
            0xad | 0xaf => Op::Return2,
            0xb1 => Op::Return,
            0xb2..=0xb5 => self.field(short(1)?, opcode)?,
            0xb6..=0xb9 => self.invoke(short(1)?, opcode)?,
            0xba => match self.class.pool.get(short(1)?) {
                Ok(Constant::Dynamic(_, _, _, true)) => Op::InvokeDynamic { index: short(1)? },
                _ => return Err(format!("the constant at {at} is no call site")),
            },
            0xbb | 0xbd | 0xc0 | 0xc1 => self.on_class(short(1)?, opcode)?,
            0xbc => {
                let code = bytes[at + 1];
                let kind = match code {
                    4..=11 => ARRAY_TYPES[usize::from(code - 4)],
                    _ => return Err(format!("there are no arrays of kind {code}")),
                };
                let name = kind.primitive().map_or(b'I', |row| row.1);
                let class =
                    self.registry.load(&format!("[{}", char::from(name))).map_err(|e| e.to_string())?;
                Op::NewArray { class, site: self.site() }
            }
            0xbe => Op::ArrayLength,
            0xbf => Op::Throw,
            0xc2 => Op::MonitorEnter,
            0xc3 => Op::MonitorExit,
            0xc5 => {
                self.class.pool.class_name(short(1)?).map_err(|e| e.to_string())?;
                Op::MultiNewArray { index: short(1)?, dimensions: bytes[at + 3], site: self.site() }
            }
            0xc6 | 0xc7 => {
                let to = jumps(bytes, raw)?[0] as u32;
                Op::IfNull { null: opcode == 0xc6, to, site: self.site() }
            }
            _ => return Err(format!("there is no instruction {opcode:#x} (at {at})")),
        };
        self.emit(at, op);
        Ok(false)
    }

    fn constant(&mut self, index: u16) -> Result<Op, String> {
        Ok(match self.class.pool.get(index).map_err(|e| e.to_string())? {
            Constant::Int(value) => Op::Int(*value),
            Constant::Float(bits) => Op::Float(*bits),
            Constant::Long(value) => Op::Long(*value),
            Constant::Double(bits) => Op::Double(*bits),
            Constant::Str(text) => Op::Literal(self.registry.literal(text)),
            Constant::Class(_) | Constant::Handle(_) | Constant::MethodType(_) => {
                Op::Constant { index, wide: false }
            }
            Constant::Dynamic(_, _, descriptor, false) => {
                Op::Constant { index, wide: Kind::of(descriptor).is_some_and(|kind| kind.slots() == 2) }
            }
            _ => return Err(format!("constant {index} cannot be loaded")),
        })
    }

    /// A comparison that gives -1, 0 or 1, together with the branch on it if one follows.
    fn comparison(&mut self, raw: &Raw, next: Option<&Raw>) -> Result<bool, String> {
        let nan = if matches!(raw.opcode, 0x95 | 0x97) { -1 } else { 1 };
        let Some(branch) = next.filter(|next| matches!(next.opcode, 0x99..=0x9e)) else {
            let op = match raw.opcode {
                0x94 => Op::LCmp,
                0x95 | 0x96 => Op::FCmp { nan },
                _ => Op::DCmp { nan },
            };
            self.emit(raw.at, op);
            return Ok(false);
        };
        let to = jumps(self.bytes, branch)?[0] as u32;
        let condition = CONDITIONS[usize::from(branch.opcode - 0x99)];
        let site = self.site();
        let op = match raw.opcode {
            0x94 => Op::IfLong { condition, to, site },
            opcode => {
                use Condition::{Eq, Ge, Gt, Le, Lt, Ne};
                // A comparison of floats is false for NaN; where -1 or 1 says otherwise, the opposite is negated.
                let (condition, negated) = match (condition, nan) {
                    (Eq, _) => (Eq, false),
                    (Ne, _) => (Eq, true),
                    (Lt, -1) => (Ge, true),
                    (Le, -1) => (Gt, true),
                    (Gt, 1) => (Le, true),
                    (Ge, 1) => (Lt, true),
                    (condition, _) => (condition, false),
                };
                Op::IfFloat { condition, double: opcode >= 0x97, negated, to, site }
            }
        };
        self.emit(branch.at, op);
        Ok(true)
    }

    fn switch(&mut self, raw: &Raw) -> Result<Op, String> {
        let all = jumps(self.bytes, raw)?;
        let pad = (4 - (raw.at + 1) % 4) % 4;
        let start = raw.at + 1 + pad;
        let targets: Vec<u32> = all[1..].iter().map(|&to| to as u32).collect();
        let default = all[0] as u32;
        let switch = if raw.opcode == 0xaa {
            let mut targets = targets;
            targets.push(default);
            Switch::Table(i32_at(self.bytes, start + 4)?, targets)
        } else {
            let keys = (0..targets.len())
                .map(|i| i32_at(self.bytes, start + 8 + 8 * i))
                .collect::<Result<Vec<_>, _>>()?;
            if !keys.is_sorted() {
                return Err(format!("the keys of the switch at {} are not in order", raw.at));
            }
            Switch::Lookup(keys, targets, default)
        };
        self.code.switches.push(switch);
        Ok(Op::Switch { table: self.code.switches.len() as u32 - 1, site: self.site() })
    }

    fn field(&mut self, index: u16, opcode: u8) -> Result<Op, String> {
        let Constant::Field(class, ..) = self.class.pool.get(index).map_err(|e| e.to_string())? else {
            return Err(format!("constant {index} is no field"));
        };
        let (get, fixed) = (matches!(opcode, 0xb2 | 0xb4), matches!(opcode, 0xb2 | 0xb3));
        if self.registry.loaded(class).is_some()
            && let Ok(Resolved::Field(class, field)) = self.registry.resolve(self.class, index)
            && field.is_static() == fixed
        {
            let (offset, kind) = (field.offset, field.ty.kind);
            return Ok(match opcode {
                0xb2 => Op::GetStatic { class: class.id, offset, kind },
                0xb3 => Op::PutStatic { class: class.id, offset, kind },
                0xb4 => Op::GetField { offset, kind },
                _ => Op::PutField { offset, kind },
            });
        }
        Ok(Op::Field { index, get, fixed })
    }

    fn invoke(&mut self, index: u16, opcode: u8) -> Result<Op, String> {
        let Constant::Method(class, name, descriptor, _) =
            self.class.pool.get(index).map_err(|e| e.to_string())?
        else {
            return Err(format!("constant {index} is no method"));
        };
        Signature::parse(descriptor).ok_or_else(|| format!("{descriptor} is no method type"))?;
        if opcode == 0xb6 && is_polymorphic(class, name) {
            return Ok(Op::InvokePolymorphic { index });
        }
        if self.registry.loaded(class).is_some()
            && let Ok(Resolved::Method(method)) = self.registry.resolve(self.class, index)
            && let Some(op) = quick(self.class, method, opcode)
        {
            return Ok(op);
        }
        Ok(Op::Invoke { index, opcode })
    }

    fn on_class(&mut self, index: u16, opcode: u8) -> Result<Op, String> {
        let name = self.class.pool.class_name(index).map_err(|e| e.to_string())?.clone();
        let site = if opcode == 0xbd { self.site() } else { 0 };
        if self.registry.loaded(&name).is_some()
            && let Ok(Resolved::Class(class)) = self.registry.resolve(self.class, index)
        {
            match opcode {
                0xbb if !class.is_interface() && class.flags & crate::classfile::access::ABSTRACT == 0 => {
                    return Ok(Op::New(class));
                }
                0xc0 => return Ok(Op::CheckCast(class)),
                0xc1 => return Ok(Op::InstanceOf(class)),
                0xbd => {
                    if let Ok(class) = self.registry.array_of(class) {
                        return Ok(Op::NewArray { class, site });
                    }
                }
                _ => {}
            }
        }
        Ok(Op::OnClass { index, opcode, site })
    }

    /// Offsets become instructions.
    fn finish(mut self, method: &Method) -> Result<Code, String> {
        let place = |to: u32| {
            let place = self.places.get(to as usize).copied().filter(|&place| place != u32::MAX);
            place.ok_or_else(|| format!("a jump to {to} hits no instruction"))
        };
        for op in &mut self.code.ops {
            if let Op::If { to, .. }
            | Op::IfCompare { to, .. }
            | Op::IfConstant { to, .. }
            | Op::IfLocal { to, .. }
            | Op::IfLocals { to, .. }
            | Op::IfLong { to, .. }
            | Op::IfFloat { to, .. }
            | Op::IfNull { to, .. }
            | Op::IfSame { to, .. }
            | Op::Goto(to)
            | Op::Jsr(to) = op
            {
                *to = place(*to)?;
            }
        }
        for switch in &mut self.code.switches {
            let (targets, default) = match switch {
                Switch::Table(_, targets) => (targets, None),
                Switch::Lookup(_, targets, default) | Switch::Strings(Strings { targets, default, .. }) => {
                    (targets, Some(default))
                }
            };
            for to in targets.iter_mut().chain(default) {
                *to = place(*to)?;
            }
        }
        for i in 0..self.code.ops.len() {
            if let Op::Switch { table, .. } = self.code.ops[i]
                && let Some(strings) = self.strings(i, &self.code.switches[table as usize])
            {
                self.code.switches[table as usize] = Switch::Strings(strings);
            }
        }
        let Some(body) = &method.body else { return Ok(self.code) };
        for handler in &body.handlers {
            self.code.catches.push(Catch {
                start: place(u32::from(handler.start))?,
                end: place(u32::from(handler.end))?,
                to: place(u32::from(handler.target))?,
                class: handler.catch,
            });
        }
        self.code.locals = u32::from(body.max_locals).max(u32::from(method.arguments));
        self.code.slots = self.code.locals + u32::from(body.max_stack) + 2;
        // Code that runs off its end must find something that stops it.
        self.emit(body.bytecode.len(), Op::Null);
        self.emit(body.bytecode.len(), Op::Throw);
        Ok(self.code)
    }
}

impl Decoder<'_> {
    /// A switch as one on strings, if it is what compilers make of one: on the hash of a local, and each case begins with the question
    /// whether the local is a literal of that hash.
    fn strings(&self, at: usize, switch: &Switch) -> Option<Strings> {
        let Switch::Lookup(keys, targets, default) = switch else { return None };
        let [Op::Load(slot), call] = *self.code.ops.get(at.checked_sub(2)?..at)? else { return None };
        if !self.is_call(call, "hashCode", "()I") {
            return None;
        }
        let mut literals = Vec::with_capacity(keys.len());
        for (&key, &to) in keys.iter().zip(targets) {
            let [Op::Load(local), Op::Literal(literal), call] =
                *self.code.ops.get(to as usize..to as usize + 3)?
            else {
                return None;
            };
            let text = self.registry.text(literal);
            let hash = text.iter().fold(0_i32, |hash, &c| hash.wrapping_mul(31).wrapping_add(i32::from(c)));
            if local != slot || hash != key || !self.is_call(call, "equals", "(Ljava/lang/Object;)Z") {
                return None;
            }
            literals.push((key, literal));
        }
        Some(Strings { slot, keys: literals, targets: targets.clone(), default: *default })
    }

    /// Whether an instruction calls this method of `String`, if it is called on one.
    fn is_call(&self, op: Op, name: &str, descriptor: &str) -> bool {
        let string = self.registry.loaded("java/lang/String");
        match op {
            Op::InvokeSpecial(method) => {
                method.class.name == "java/lang/String"
                    && method.name == name
                    && method.descriptor == descriptor
            }
            Op::InvokeVirtual { index, .. } => string
                .and_then(|class| class.vtable().get(index as usize).copied())
                .is_some_and(|method| method.name == name && method.descriptor == descriptor),
            _ => false,
        }
    }
}

/// The arithmetic on two `int`s that an instruction does.
fn of_ints(op: Op) -> Option<Arithmetic> {
    use Arithmetic::{IAdd, IAnd, IMul, IOr, IShl, IShr, ISub, IUshr, IXor};
    match op {
        Op::IAdd => Some(IAdd),
        Op::ISub => Some(ISub),
        Op::IMul => Some(IMul),
        Op::IAnd => Some(IAnd),
        Op::Arithmetic(op @ (IOr | IXor | IShl | IShr | IUshr)) => Some(op),
        _ => None,
    }
}

/// What does the same as two instructions in a row, if there is such an instruction.
fn fused(first: Op, second: Op) -> Option<Op> {
    use Arithmetic::{DAdd, DDiv, DMul, DSub, LAdd, LAnd, LMul, LOr, LSub, LXor};
    Some(match (first, second) {
        (Op::Int(value), Op::IfCompare { condition, to, site }) => {
            Op::IfConstant { condition, value, to, site }
        }
        (Op::Load(slot), Op::IfCompare { condition, to, site }) => Op::IfLocal { condition, slot, to, site },
        (Op::Load(left), Op::IfLocal { condition, slot: right, to, site }) => {
            Op::IfLocals { condition, left, right, to, site }
        }
        (Op::Int(value), second) => Op::IntConstant { op: of_ints(second)?, value },
        (Op::Load(slot), Op::ArrayLoad { kind, site }) => Op::ArrayLoadLocal { kind, slot, site },
        (Op::Load(slot), Op::GetField { offset, kind }) => Op::GetFieldLocal { slot, offset, kind },
        (Op::Load(slot), second) => Op::IntLocal { op: of_ints(second)?, slot },
        (
            Op::Load2(slot),
            Op::Arithmetic(op @ (DAdd | DSub | DMul | DDiv | LAdd | LSub | LMul | LAnd | LOr | LXor)),
        ) => Op::WideLocal { op, slot },
        _ => return None,
    })
}

/// The direct form of a call to a resolved method, if the call is allowed.
pub(crate) fn quick(from: &'static Class, method: &'static Method, opcode: u8) -> Option<Op> {
    use crate::classfile::access::{FINAL, PRIVATE};
    let is_static = opcode == 0xb8;
    if method.is_static() != is_static {
        return None;
    }
    Some(match opcode {
        0xb8 => Op::InvokeStatic(method),
        0xb7 => Op::InvokeSpecial(special(from, method)),
        _ if method.flags & PRIVATE != 0 => Op::InvokeSpecial(method),
        0xb6 if !method.class.is_interface() && method.flags & FINAL != 0 => Op::InvokeSpecial(method),
        0xb6 if !method.class.is_interface() => {
            Op::InvokeVirtual { index: method.index?, arguments: method.arguments }
        }
        _ => Op::InvokeInterface(method),
    })
}

/// What `invokespecial` calls: a superclass's method is looked for from the direct superclass on.
fn special(from: &'static Class, method: &'static Method) -> &'static Method {
    if method.name == "<init>" || from.id == method.class.id || method.class.is_interface() {
        return method;
    }
    let found = from
        .superclass
        .filter(|_| from.is_subtype_of(method.class))
        .and_then(|class| class.select(method.selector));
    found.unwrap_or(method)
}

/// Methods whose call sites give them their type.
pub(crate) fn is_polymorphic(class: &str, name: &str) -> bool {
    match class {
        "java/lang/invoke/MethodHandle" => {
            matches!(name, "invoke" | "invokeExact" | "invokeBasic")
        }
        "java/lang/invoke/VarHandle" => {
            let starts = ["get", "set", "compareAnd", "weakCompareAnd"];
            starts.iter().any(|start| name.starts_with(start))
        }
        _ => false,
    }
}

const ARRAYS: [Kind; 8] =
    [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Ref, Kind::Byte, Kind::Char, Kind::Short];
const ARRAY_TYPES: [Kind; 8] =
    [Kind::Bool, Kind::Char, Kind::Float, Kind::Double, Kind::Byte, Kind::Short, Kind::Int, Kind::Long];
const CONVERSIONS: [Conversion; 15] = [
    Conversion::I2L,
    Conversion::I2F,
    Conversion::I2D,
    Conversion::L2I,
    Conversion::L2F,
    Conversion::L2D,
    Conversion::F2I,
    Conversion::F2L,
    Conversion::F2D,
    Conversion::D2I,
    Conversion::D2L,
    Conversion::D2F,
    Conversion::I2B,
    Conversion::I2C,
    Conversion::I2S,
];
const _: () = assert!(PRIMITIVES.len() == 9 && size_of::<Op>() == 16);
