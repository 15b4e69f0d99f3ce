//! Whether the program's bytecode type-checks: by inference over all ways through a method (JVMS 4.10.2), without the frames that the
//! compiler left in the file.
//!
//! A slot holds an int, float, long, double, a return address, an object that is not initialised yet, or a reference of some class. Where
//! two ways meet, classes become their common superclass; what does not fit becomes unusable. Interfaces count as `Object`, as in the
//! specification. A class that is not there fits everything: who needs it is told when it is loaded.

use crate::class::{Class, Method};
use crate::classfile::{CodeAttribute, Constant};
use crate::decode::{Raw, instructions, jumps};
use crate::kind::{Kind, Signature, Type};
use crate::registry::Registry;
use crate::verify::local;

/// How many times instructions are gone through at most, for each of a method's.
const MAX_ROUNDS: usize = 200;

/// What a slot holds.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Slot {
    /// Nothing that can be used.
    Top,
    Int,
    Float,
    Long,
    Double,
    /// The second slot of a long or double.
    Second,
    Null,
    /// A reference by class name, as constant pools have it.
    Ref(String),
    /// What `new` at this offset gave.
    New(usize),
    /// `this` of a constructor before it called another one.
    This,
    /// Where a subroutine returns to.
    Return,
}

use Slot::{Double, Float, Int, Long, New, Null, Ref, Return, Second, This, Top};

impl Slot {
    fn of(ty: &Type) -> Slot {
        match ty.kind {
            Kind::Bool | Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Int,
            Kind::Float => Float,
            Kind::Long => Long,
            Kind::Double => Double,
            Kind::Ref => Ref(ty.class.clone()),
            Kind::Void => Top,
        }
    }

    fn is_wide(&self) -> bool {
        matches!(self, Long | Double)
    }

    fn is_reference(&self) -> bool {
        matches!(self, Null | Ref(_) | New(_) | This)
    }

    fn words(&self) -> String {
        match self {
            Top | Second => "nothing usable".to_string(),
            Int => "an int".to_string(),
            Float => "a float".to_string(),
            Long => "a long".to_string(),
            Double => "a double".to_string(),
            Null => "null".to_string(),
            Ref(class) => format!("a {}", class.replace('/', ".")),
            New(_) | This => "an object that is not initialised".to_string(),
            Return => "a return address".to_string(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Frame {
    locals: Vec<Slot>,
    stack: Vec<Slot>,
}

struct Checker<'a> {
    registry: &'a Registry,
    method: &'static Method,
    body: &'a CodeAttribute,
}

/// Checks the types of a method whose stack and locals were found to be in order.
pub(crate) fn method(registry: &Registry, method: &'static Method) -> Result<(), String> {
    let Some(body) = &method.body else { return Ok(()) };
    let raws = instructions(&body.bytecode)?;
    // Subroutines (jsr) were given up by compilers 20 years ago; their code is checked for its stack only.
    if raws.iter().any(|raw| matches!(raw.opcode, 0xa8 | 0xa9 | 0xc9)) {
        return Ok(());
    }
    Checker { registry, method, body }.run(&raws)
}

impl Checker<'_> {
    fn run(&self, raws: &[Raw]) -> Result<(), String> {
        let code = &self.body.bytecode;
        let index_of = |at: usize| {
            raws.binary_search_by_key(&at, |raw| raw.at)
                .map_err(|_| format!("a jump to {at} hits no instruction"))
        };
        let mut frames: Vec<Option<Frame>> = vec![None; raws.len()];
        let mut open = vec![(0, self.first())];
        let mut rounds = 0;
        while let Some((index, frame)) = open.pop() {
            let Some(raw) = raws.get(index) else { return Err("the code runs off its end".to_string()) };
            let known = &mut frames[index];
            let frame = match known {
                None => known.insert(frame).clone(),
                Some(known) => {
                    let merged = self.merged(known, &frame, raw)?;
                    if merged == *known {
                        continue;
                    }
                    *known = merged;
                    known.clone()
                }
            };
            rounds += 1;
            if rounds > MAX_ROUNDS * raws.len() {
                return Err("its types do not settle".to_string());
            }
            for handler in &self.body.handlers {
                if (usize::from(handler.start)..usize::from(handler.end)).contains(&raw.at) {
                    let caught = match handler.catch {
                        0 => "java/lang/Throwable".to_string(),
                        index => self.class_name(index)?,
                    };
                    let locals = frame.locals.clone();
                    open.push((
                        index_of(usize::from(handler.target))?,
                        Frame { locals, stack: vec![Ref(caught)] },
                    ));
                }
            }
            let mut after = frame;
            self.step(raw, &mut after)?;
            for to in jumps(code, raw)? {
                open.push((index_of(to)?, after.clone()));
            }
            if !matches!(raw.opcode, 0xa7 | 0xaa..=0xb1 | 0xbf | 0xc8) {
                open.push((index + 1, after));
            }
        }
        Ok(())
    }

    fn first(&self) -> Frame {
        let mut locals = Vec::new();
        if !self.method.is_static() {
            let constructs = self.method.name == "<init>" && self.method.class.name != "java/lang/Object";
            locals.push(if constructs { This } else { Ref(self.method.class.name.to_string()) });
        }
        for ty in &self.method.signature.parameters {
            let slot = Slot::of(ty);
            let wide = slot.is_wide();
            locals.push(slot);
            if wide {
                locals.push(Second);
            }
        }
        locals.resize(usize::from(self.body.max_locals).max(locals.len()), Top);
        Frame { locals, stack: Vec::new() }
    }

    fn merged(&self, a: &Frame, b: &Frame, raw: &Raw) -> Result<Frame, String> {
        if a.stack.len() != b.stack.len() {
            return Err(format!("the stacks of two ways to {} differ", raw.at));
        }
        let join = |(x, y): (&Slot, &Slot)| self.join(x, y);
        Ok(Frame {
            locals: a.locals.iter().zip(&b.locals).map(join).collect(),
            stack: a.stack.iter().zip(&b.stack).map(join).collect(),
        })
    }

    fn join(&self, a: &Slot, b: &Slot) -> Slot {
        match (a, b) {
            _ if a == b => a.clone(),
            (Null, Ref(_)) => b.clone(),
            (Ref(_), Null) => a.clone(),
            (Ref(x), Ref(y)) => Ref(self.common(x, y)),
            _ => Top,
        }
    }

    /// The common superclass of two classes.
    fn common(&self, x: &str, y: &str) -> String {
        let object = "java/lang/Object".to_string();
        let (Ok(a), Ok(b)) = (self.registry.load(x), self.registry.load(y)) else { return object };
        if a.is_subtype_of(b) {
            return y.to_string();
        }
        if b.is_subtype_of(a) {
            return x.to_string();
        }
        if a.is_interface() || b.is_interface() {
            return object;
        }
        // Arrays of references have an array of what their elements have in common; a class has 255 dimensions at most.
        if let (Some(x), Some(y)) = (reference_element(x), reference_element(y)) {
            return array_of(&self.common(&x, &y));
        }
        let mut at: Option<&'static Class> = Some(a);
        while let Some(class) = at {
            if b.is_subtype_of(class) {
                return class.name.to_string();
            }
            at = class.superclass;
        }
        object
    }

    /// Whether what a slot holds may be used as a reference of a class.
    fn fits(&self, slot: &Slot, class: &str) -> bool {
        match slot {
            Null => true,
            Ref(known) if known == class || class == "java/lang/Object" => true,
            Ref(known) => match (self.registry.load(known), self.registry.load(class)) {
                // Interfaces are checked when they are called.
                (Ok(known), Ok(class)) => {
                    class.is_interface()
                        || known.is_subtype_of(class)
                        || self.is_array_of_interfaces(known, class)
                }
                _ => true,
            },
            _ => false,
        }
    }

    /// Whether an array of references is used as one of interfaces.
    fn is_array_of_interfaces(&self, known: &Class, class: &Class) -> bool {
        use crate::class::Shape;
        let (mut a, mut b) = (known.shape, class.shape);
        while let (Shape::Array(x), Shape::Array(y)) = (a, b) {
            if y.is_interface() && x.kind() == Kind::Ref {
                return true;
            }
            (a, b) = (x.shape, y.shape);
        }
        false
    }

    fn class_name(&self, index: u16) -> Result<String, String> {
        self.method
            .class
            .pool
            .class_name(index)
            .map(|name| name.to_string())
            .map_err(|error| error.to_string())
    }

    fn wrong(&self, raw: &Raw, found: &Slot, wanted: &str) -> String {
        format!("the instruction at {} finds {} where {wanted} is needed", raw.at, found.words())
    }

    fn pop(&self, raw: &Raw, frame: &mut Frame) -> Result<Slot, String> {
        frame.stack.pop().ok_or_else(|| format!("the instruction at {} lacks operands", raw.at))
    }

    fn take(&self, raw: &Raw, frame: &mut Frame, wanted: &Slot) -> Result<(), String> {
        if wanted.is_wide() && self.pop(raw, frame)? != Second {
            return Err(format!("the instruction at {} needs {}", raw.at, wanted.words()));
        }
        let found = self.pop(raw, frame)?;
        let fits = match wanted {
            Ref(class) => self.fits(&found, class),
            other => found == *other,
        };
        if fits { Ok(()) } else { Err(self.wrong(raw, &found, &wanted.words())) }
    }

    fn give(frame: &mut Frame, slot: Slot) {
        let wide = slot.is_wide();
        frame.stack.push(slot);
        if wide {
            frame.stack.push(Second);
        }
    }

    fn take_array(&self, raw: &Raw, frame: &mut Frame, elements: &[&str]) -> Result<Slot, String> {
        let found = self.pop(raw, frame)?;
        let fits = match &found {
            Null => true,
            Ref(class) => elements.iter().any(|element| class.starts_with(element)),
            _ => false,
        };
        if fits { Ok(found) } else { Err(self.wrong(raw, &found, "an array of another kind")) }
    }

    fn set_local(&self, frame: &mut Frame, at: usize, slot: Slot) {
        // A long or double whose half is overwritten is gone.
        if at > 0 && frame.locals.get(at - 1).is_some_and(Slot::is_wide) {
            frame.locals[at - 1] = Top;
        }
        let wide = slot.is_wide();
        if let Some(place) = frame.locals.get_mut(at) {
            *place = slot;
        }
        if wide && let Some(place) = frame.locals.get_mut(at + 1) {
            *place = Second;
        }
    }

    fn index(&self, raw: &Raw) -> u16 {
        let code = &self.body.bytecode;
        u16::from_be_bytes([code[raw.at + 1], code[raw.at + 2]])
    }

    fn constant(&self, index: u16) -> Result<Slot, String> {
        let constant = self.method.class.pool.get(index).map_err(|error| error.to_string())?;
        Ok(match constant {
            Constant::Int(_) => Int,
            Constant::Float(_) => Float,
            Constant::Long(_) => Long,
            Constant::Double(_) => Double,
            Constant::Str(_) => Ref("java/lang/String".to_string()),
            Constant::Class(_) => Ref("java/lang/Class".to_string()),
            Constant::Handle(_) => Ref("java/lang/invoke/MethodHandle".to_string()),
            Constant::MethodType(_) => Ref("java/lang/invoke/MethodType".to_string()),
            Constant::Dynamic(_, _, descriptor, false) => {
                Type::parse(descriptor).map_or(Ref("java/lang/Object".to_string()), |ty| Slot::of(&ty))
            }
            _ => Ref("java/lang/Object".to_string()),
        })
    }

    fn step(&self, raw: &Raw, frame: &mut Frame) -> Result<(), String> {
        let code = &self.body.bytecode;
        let slot = || local(code, raw).unwrap_or(0);
        match raw.opcode {
            0x00 | 0xa7 | 0xc8 => {}
            0x01 => Self::give(frame, Null),
            0x02..=0x08 | 0x10 | 0x11 => Self::give(frame, Int),
            0x09 | 0x0a => Self::give(frame, Long),
            0x0b..=0x0d => Self::give(frame, Float),
            0x0e | 0x0f => Self::give(frame, Double),
            0x12 => Self::give(frame, self.constant(u16::from(code[raw.at + 1]))?),
            0x13 | 0x14 => Self::give(frame, self.constant(self.index(raw))?),
            0x15..=0x19 => self.load(raw, frame, slot_of(raw.opcode - 0x15), slot())?,
            0x1a..=0x2d => self.load(raw, frame, slot_of((raw.opcode - 0x1a) / 4), slot())?,
            0x2e..=0x35 => self.element(raw, frame)?,
            0x36..=0x3a => self.store(raw, frame, slot_of(raw.opcode - 0x36), slot())?,
            0x3b..=0x4e => self.store(raw, frame, slot_of((raw.opcode - 0x3b) / 4), slot())?,
            0x4f..=0x56 => self.set_element(raw, frame)?,
            0x57 => {
                let top = self.pop(raw, frame)?;
                if top == Second {
                    return Err(format!("the instruction at {} splits a long or double", raw.at));
                }
            }
            0x58 => {
                self.pop(raw, frame)?;
                self.pop(raw, frame)?;
            }
            0x59..=0x5f => self.shuffle(raw, frame)?,
            0x60..=0x77 => self.arithmetic(raw, frame, raw.opcode - 0x60)?,
            0x78..=0x7d => {
                self.take(raw, frame, &Int)?;
                let kind = if raw.opcode.is_multiple_of(2) { Int } else { Long };
                self.take(raw, frame, &kind)?;
                Self::give(frame, kind);
            }
            0x7e..=0x83 => {
                let kind = if raw.opcode.is_multiple_of(2) { Int } else { Long };
                self.take(raw, frame, &kind)?;
                self.take(raw, frame, &kind)?;
                Self::give(frame, kind);
            }
            0x84 => {
                let found = frame.locals.get(slot()).cloned().unwrap_or(Top);
                if found != Int {
                    return Err(self.wrong(raw, &found, "an int"));
                }
            }
            0x85..=0x93 => {
                let (from, to) = CONVERSIONS[usize::from(raw.opcode - 0x85)];
                self.take(raw, frame, &slot_of(from))?;
                Self::give(frame, slot_of(to));
            }
            0x94..=0x98 => {
                let kind = [Long, Float, Float, Double, Double][usize::from(raw.opcode - 0x94)].clone();
                self.take(raw, frame, &kind)?;
                self.take(raw, frame, &kind)?;
                Self::give(frame, Int);
            }
            0x99..=0x9e | 0xaa | 0xab => self.take(raw, frame, &Int)?,
            0x9f..=0xa4 => {
                self.take(raw, frame, &Int)?;
                self.take(raw, frame, &Int)?;
            }
            0xa5 | 0xa6 => {
                self.reference(raw, frame)?;
                self.reference(raw, frame)?;
            }
            0xac..=0xb1 => self.give_back(raw, frame)?,
            0xb2..=0xb5 => self.field(raw, frame)?,
            0xb6..=0xba => self.call(raw, frame)?,
            0xbb => Self::give(frame, New(raw.at)),
            0xbc => {
                self.take(raw, frame, &Int)?;
                let letters = ["[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"];
                let kind = usize::from(code[raw.at + 1]).wrapping_sub(4);
                let name = letters.get(kind).ok_or_else(|| format!("there are no arrays of kind {kind}"))?;
                Self::give(frame, Ref((*name).to_string()));
            }
            0xbd => {
                self.take(raw, frame, &Int)?;
                let name = self.class_name(self.index(raw))?;
                Self::give(frame, Ref(array_of(&name)));
            }
            0xbe => {
                self.take_array(raw, frame, &["["])?;
                Self::give(frame, Int);
            }
            0xbf => self.take(raw, frame, &Ref("java/lang/Throwable".to_string()))?,
            0xc0 => {
                self.initialised(raw, frame)?;
                Self::give(frame, Ref(self.class_name(self.index(raw))?));
            }
            0xc1 => {
                self.initialised(raw, frame)?;
                Self::give(frame, Int);
            }
            0xc2 | 0xc3 | 0xc6 | 0xc7 => {
                self.reference(raw, frame)?;
            }
            0xc5 => {
                for _ in 0..code[raw.at + 3] {
                    self.take(raw, frame, &Int)?;
                }
                Self::give(frame, Ref(self.class_name(self.index(raw))?));
            }
            other => return Err(format!("there is no instruction {other:#x}")),
        }
        Ok(())
    }

    fn reference(&self, raw: &Raw, frame: &mut Frame) -> Result<Slot, String> {
        let found = self.pop(raw, frame)?;
        if found.is_reference() { Ok(found) } else { Err(self.wrong(raw, &found, "a reference")) }
    }

    fn initialised(&self, raw: &Raw, frame: &mut Frame) -> Result<Slot, String> {
        let found = self.pop(raw, frame)?;
        if matches!(found, Null | Ref(_)) { Ok(found) } else { Err(self.wrong(raw, &found, "an object")) }
    }

    fn load(&self, raw: &Raw, frame: &mut Frame, wanted: Slot, at: usize) -> Result<(), String> {
        // Of two slots the last was named.
        let at = if wanted.is_wide() { at.saturating_sub(1) } else { at };
        let found = frame.locals.get(at).cloned().unwrap_or(Top);
        let fits = match wanted {
            Null => found.is_reference(),
            ref other => found == *other,
        };
        if !fits {
            let wanted = if wanted == Null { "a reference".to_string() } else { wanted.words() };
            return Err(self.wrong(raw, &found, &wanted));
        }
        Self::give(frame, found);
        Ok(())
    }

    fn store(&self, raw: &Raw, frame: &mut Frame, wanted: Slot, at: usize) -> Result<(), String> {
        let value = if wanted == Null {
            let found = self.pop(raw, frame)?;
            if !found.is_reference() && found != Return {
                return Err(self.wrong(raw, &found, "a reference"));
            }
            found
        } else {
            self.take(raw, frame, &wanted)?;
            wanted
        };
        let at = if value.is_wide() { at.saturating_sub(1) } else { at };
        self.set_local(frame, at, value);
        Ok(())
    }

    fn element(&self, raw: &Raw, frame: &mut Frame) -> Result<(), String> {
        self.take(raw, frame, &Int)?;
        let (arrays, kind) = &ELEMENTS[usize::from(raw.opcode - 0x2e)];
        let array = self.take_array(raw, frame, arrays)?;
        let loaded = match (kind, array) {
            (Null, Ref(class)) => Ref(element_of(&class)),
            (Null, _) => Null,
            (kind, _) => kind.clone(),
        };
        Self::give(frame, loaded);
        Ok(())
    }

    fn set_element(&self, raw: &Raw, frame: &mut Frame) -> Result<(), String> {
        let (arrays, kind) = &ELEMENTS[usize::from(raw.opcode - 0x4f)];
        // Which class a reference has is checked when it is stored.
        match kind {
            Null => drop(self.initialised(raw, frame)?),
            kind => self.take(raw, frame, kind)?,
        }
        self.take(raw, frame, &Int)?;
        self.take_array(raw, frame, arrays).map(|_| ())
    }

    fn shuffle(&self, raw: &Raw, frame: &mut Frame) -> Result<(), String> {
        let (count, below) = match raw.opcode {
            0x59 => (1, 1),
            0x5a => (1, 2),
            0x5b => (1, 3),
            0x5c => (2, 2),
            0x5d => (2, 3),
            0x5e => (2, 4),
            _ => (0, 2),
        };
        let length = frame.stack.len();
        if length < below {
            return Err(format!("the instruction at {} lacks operands", raw.at));
        }
        let split = |at: usize| frame.stack.get(at) == Some(&Second);
        if split(length - below) || count == 1 && split(length - 1) {
            return Err(format!("the instruction at {} splits a long or double", raw.at));
        }
        if count == 0 {
            if split(length - 1) {
                return Err(format!("the instruction at {} splits a long or double", raw.at));
            }
            frame.stack.swap(length - 1, length - 2);
            return Ok(());
        }
        let copied = frame.stack[length - count..].to_vec();
        frame.stack.splice(length - below..length - below, copied);
        Ok(())
    }

    fn arithmetic(&self, raw: &Raw, frame: &mut Frame, number: u8) -> Result<(), String> {
        let kind = slot_of(number % 4);
        let operands = if number >= 20 { 1 } else { 2 };
        for _ in 0..operands {
            self.take(raw, frame, &kind)?;
        }
        Self::give(frame, kind);
        Ok(())
    }

    fn give_back(&self, raw: &Raw, frame: &mut Frame) -> Result<(), String> {
        let result = &self.method.signature.result;
        let given = match raw.opcode {
            0xac => Int,
            0xad => Long,
            0xae => Float,
            0xaf => Double,
            0xb0 => Null,
            _ => Top,
        };
        let declared = Slot::of(result);
        let agrees = match (&given, &declared) {
            (Null, Ref(_)) => true,
            (given, declared) => given == declared,
        };
        if !agrees {
            return Err(format!("the return at {} does not fit the method's type", raw.at));
        }
        match declared {
            Top => {
                let unfinished = frame.locals.contains(&This) && self.method.name == "<init>";
                if unfinished {
                    return Err("a constructor returns without calling another one".to_string());
                }
                Ok(())
            }
            declared => self.take(raw, frame, &declared),
        }
    }

    fn field(&self, raw: &Raw, frame: &mut Frame) -> Result<(), String> {
        let constant = self.method.class.pool.get(self.index(raw)).map_err(|error| error.to_string())?;
        let Constant::Field(class, _, descriptor) = constant else {
            return Err(format!("the constant at {} is no field", raw.at));
        };
        let ty = Type::parse(descriptor).ok_or_else(|| format!("{descriptor} is no type"))?;
        let value = Slot::of(&ty);
        if matches!(raw.opcode, 0xb3 | 0xb5) {
            self.take(raw, frame, &value)?;
        }
        match raw.opcode {
            0xb4 => self.take(raw, frame, &Ref(class.to_string()))?,
            0xb5 => {
                // A constructor may set its own fields before it calls another one.
                let object = self.pop(raw, frame)?;
                if object != This && !self.fits(&object, class) {
                    return Err(self.wrong(raw, &object, &format!("a {}", class.replace('/', "."))));
                }
            }
            _ => {}
        }
        if matches!(raw.opcode, 0xb2 | 0xb4) {
            Self::give(frame, value);
        }
        Ok(())
    }

    fn call(&self, raw: &Raw, frame: &mut Frame) -> Result<(), String> {
        let constant = self.method.class.pool.get(self.index(raw)).map_err(|error| error.to_string())?;
        let (class, name, descriptor) = match constant {
            Constant::Method(class, name, descriptor, _) => (&**class, &**name, &**descriptor),
            Constant::Dynamic(_, name, descriptor, true) => ("", &**name, &**descriptor),
            _ => return Err(format!("the constant at {} cannot be called", raw.at)),
        };
        let signature =
            Signature::parse(descriptor).ok_or_else(|| format!("{descriptor} is no method type"))?;
        for ty in signature.parameters.iter().rev() {
            self.take(raw, frame, &Slot::of(ty))?;
        }
        if name == "<init>" {
            let object = self.pop(raw, frame)?;
            let made = match &object {
                New(at) => {
                    let code = &self.body.bytecode;
                    let index = u16::from_be_bytes([code[at + 1], code[at + 2]]);
                    self.class_name(index)?
                }
                This => self.method.class.name.to_string(),
                other => return Err(self.wrong(raw, other, "an object that is not initialised")),
            };
            if matches!(object, New(_)) && made != class {
                return Err(format!("the constructor called at {} is of another class", raw.at));
            }
            for slot in frame.locals.iter_mut().chain(&mut frame.stack) {
                if *slot == object {
                    *slot = Ref(made.clone());
                }
            }
        } else if !matches!(raw.opcode, 0xb8 | 0xba) {
            self.take(raw, frame, &Ref(class.to_string()))?;
        }
        if signature.result.kind != Kind::Void {
            Self::give(frame, Slot::of(&signature.result));
        }
        Ok(())
    }
}

/// The slot of the kinds in the order of opcodes: int, long, float, double, reference (as null).
fn slot_of(number: u8) -> Slot {
    match number {
        0 => Int,
        1 => Long,
        2 => Float,
        3 => Double,
        _ => Null,
    }
}

/// From and to, by these numbers.
const CONVERSIONS: [(u8, u8); 15] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (1, 0),
    (1, 2),
    (1, 3),
    (2, 0),
    (2, 1),
    (2, 3),
    (3, 0),
    (3, 1),
    (3, 2),
    (0, 0),
    (0, 0),
    (0, 0),
];

/// The arrays that loads and stores of elements take, and what they give.
const ELEMENTS: [(&[&str], Slot); 8] = [
    (&["[I"], Int),
    (&["[J"], Long),
    (&["[F"], Float),
    (&["[D"], Double),
    (&["[L", "[["], Null),
    (&["[B", "[Z"], Int),
    (&["[C"], Int),
    (&["[S"], Int),
];

fn array_of(class: &str) -> String {
    if class.starts_with('[') { format!("[{class}") } else { format!("[L{class};") }
}

/// The class of the elements of an array of references.
fn reference_element(array: &str) -> Option<String> {
    (array.starts_with("[L") || array.starts_with("[[")).then(|| element_of(array))
}

fn element_of(array: &str) -> String {
    let element = array.strip_prefix('[').unwrap_or(array);
    match element.strip_prefix('L') {
        Some(class) => class.trim_end_matches(';').to_string(),
        None => element.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{ClassPath, Image, find_jdk};

    /// What javac compiled type-checks: the classes of some packages of the JDK, all of their methods.
    #[test]
    fn the_jdk_type_checks() {
        let home = find_jdk().expect("a JDK");
        let image = Image::open(&home.join("lib/modules")).expect("readable");
        let path = ClassPath { sources: Vec::new(), image };
        let registry = Registry::new(path, crate::natives::numbers());
        let mut checked = 0;
        for class in CLASSES {
            let class = registry.load(class).expect("a class of the JDK");
            for &method in class.methods() {
                checked += 1;
                let full = format!("{}{}", method.qualified(), method.descriptor);
                crate::verify::method(&registry, method).unwrap_or_else(|error| panic!("{full}: {error}"));
                super::method(&registry, method).unwrap_or_else(|error| panic!("{full}: {error}"));
            }
        }
        assert!(checked > 2000, "{checked}");
    }

    const CLASSES: [&str; 40] = [
        "java/lang/String",
        "java/lang/StringBuilder",
        "java/lang/AbstractStringBuilder",
        "java/lang/Integer",
        "java/lang/Long",
        "java/lang/Double",
        "java/lang/Character",
        "java/lang/Math",
        "java/lang/StrictMath",
        "java/lang/Class",
        "java/lang/Thread",
        "java/lang/Throwable",
        "java/lang/FdLibm$Pow",
        "java/lang/StringUTF16",
        "java/lang/StringLatin1",
        "java/util/HashMap",
        "java/util/TreeMap",
        "java/util/ArrayList",
        "java/util/Arrays",
        "java/util/Collections",
        "java/util/Scanner",
        "java/util/Formatter",
        "java/util/Random",
        "java/util/regex/Pattern",
        "java/util/regex/Matcher",
        "java/util/concurrent/ConcurrentHashMap",
        "java/util/concurrent/ForkJoinPool",
        "java/util/concurrent/CompletableFuture",
        "java/util/stream/Collectors",
        "java/util/stream/ReferencePipeline",
        "java/util/DualPivotQuicksort",
        "java/util/zip/ZipFile",
        "java/math/BigInteger",
        "java/math/BigDecimal",
        "java/math/MutableBigInteger",
        "java/io/ObjectInputStream",
        "java/io/BufferedReader",
        "java/text/DecimalFormat",
        "java/time/LocalDate",
        "java/lang/reflect/Method",
    ];
}
