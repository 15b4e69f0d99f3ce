//! The call of the entry: `main` with its arguments, or any method with symbolic parameters.
//!
//! A number is a scalar of the input. A reference is *lazy*: a marker in the place of the reference, which becomes null, one of the
//! objects made before, or a new object when somebody first loads it (lazy initialisation, Khurshid et al. 2003). So an object that the
//! program never looks at costs no decision. The fields of a new object of the program are made in the same way, down to a depth; a string
//! or an array of bytes has as many bytes as a pointer of C would lead to, other arrays have few elements; an abstract class
//! becomes one of the program's classes that extend it, a list an `ArrayList`, another class of the JDK what its constructor makes.

use crate::class::{Class, Method, Shape};
use crate::classfile::access;
use crate::domain::Values;
use crate::heap::{HEADER, Ref};
use crate::kind::{Kind, PRIMITIVES};
use crate::machine::{Fault, Hook, Machine, Stop};
use explore::Site;
use explore::op::ops;
use explore::target::{ObjectKind, Scalar};

/// How deep new objects lead to new objects.
const MAX_DEPTH: u32 = 6;

/// The most elements of an array other than of bytes, and of a list.
const MAX_ELEMENTS: u32 = 8;

/// References from here on are markers of lazy ones. The heap is far smaller.
pub(crate) const LAZY: Ref = 0xF000_0000;

/// What the JDK's interfaces and abstract classes stand for.
const IMPLEMENTATIONS: [(&str, &str); 14] = [
    ("java/util/Collection", "java/util/ArrayList"),
    ("java/util/List", "java/util/ArrayList"),
    ("java/lang/Iterable", "java/util/ArrayList"),
    ("java/util/Set", "java/util/HashSet"),
    ("java/util/SortedSet", "java/util/TreeSet"),
    ("java/util/NavigableSet", "java/util/TreeSet"),
    ("java/util/Map", "java/util/HashMap"),
    ("java/util/SortedMap", "java/util/TreeMap"),
    ("java/util/NavigableMap", "java/util/TreeMap"),
    ("java/util/Queue", "java/util/ArrayDeque"),
    ("java/util/Deque", "java/util/ArrayDeque"),
    ("java/lang/Number", "java/lang/Integer"),
    ("java/lang/Comparable", "java/lang/String"),
    ("java/lang/CharSequence", "java/lang/String"),
];

/// A reference that nobody looked at yet, or what it turned out to be.
#[derive(Clone, Debug)]
pub(crate) struct Lazy {
    name: String,
    class: &'static Class,
    /// What a list holds, by its generic type.
    elements: Option<String>,
    depth: u32,
    /// Whether it is known to be a new object.
    is_new: bool,
    value: Option<Ref>,
}

fn stop(fault: Fault) -> Stop {
    match fault {
        Fault::Stop(stop) => stop,
        other => Stop::Unsupported(format!("making the arguments: {other:?}")),
    }
}

/// Pushes the call of the entry with its arguments.
pub(crate) fn start<D: Values>(machine: &mut Machine<D>, entry: &'static Method) -> Result<(), Stop> {
    machine.initialise_now(entry.class.name)?;
    let args = if machine.world.setup.entry.is_none() {
        vec![D::constant(u64::from(main_arguments(machine).map_err(stop)?))]
    } else {
        let mut args = Vec::new();
        if !entry.is_static() {
            let this = machine.lazy("this", entry.class, None, MAX_DEPTH);
            machine.lazies[this].is_new = true;
            args.push(resolved(machine, this)?);
        }
        let generic = entry.generic.as_deref().map(split).unwrap_or_default();
        for (i, ty) in entry.signature.parameters.iter().enumerate() {
            let slot = args.len() as u16;
            let named = entry
                .body
                .as_ref()
                .and_then(|body| body.locals.iter().find(|local| local.slot == slot && local.start == 0));
            let name = named.map_or_else(|| format!("p{i}"), |local| local.name.clone());
            if ty.kind == Kind::Ref {
                let class = machine.load(&ty.class).map_err(stop)?;
                let elements = generic.get(i).and_then(|signature| element(signature));
                let lazy = machine.lazy(&name, class, elements, MAX_DEPTH);
                args.push(resolved(machine, lazy)?);
            } else {
                args.push(machine.input_scalar(&name, scalar(ty.kind), true));
            }
            if ty.kind.slots() == 2 {
                args.push(D::constant(0));
            }
        }
        args
    };
    machine.push_call(entry, &args, Hook::Entry).map_err(stop)
}

/// What a lazy reference is, with whatever has to run for that.
fn resolved<D: Values>(machine: &mut Machine<D>, lazy: usize) -> Result<D::Value, Stop> {
    loop {
        match machine.resolve_lazy(lazy) {
            Ok(object) => return Ok(D::constant(u64::from(object))),
            Err(Fault::Again) => machine.finish().map(|_| ())?,
            Err(fault) => return Err(stop(fault)),
        }
    }
}

fn main_arguments<D: Values>(machine: &mut Machine<D>) -> Result<Ref, Fault> {
    let mut strings = Vec::new();
    let sizes = machine.world.setup.args.clone();
    for (i, size) in sizes.into_iter().enumerate() {
        strings.push(machine.input_string(&format!("arg{}", i + 1), size, ObjectKind::Argument)?);
    }
    machine.array_of_refs("[Ljava/lang/String;", &strings)
}

/// The scalar of a kind.
fn scalar(kind: Kind) -> Scalar {
    match kind {
        Kind::Bool => Scalar::Bool,
        Kind::Byte => Scalar::Int { bits: 8, signed: true },
        Kind::Char => Scalar::Int { bits: 16, signed: false },
        Kind::Short => Scalar::Int { bits: 16, signed: true },
        Kind::Long => Scalar::Int { bits: 64, signed: true },
        Kind::Float => Scalar::Float { bits: 32 },
        Kind::Double => Scalar::Float { bits: 64 },
        Kind::Int | Kind::Ref | Kind::Void => Scalar::Int { bits: 32, signed: true },
    }
}

/// The generic types of a method's parameters.
fn split(signature: &str) -> Vec<&str> {
    let Some(start) = signature.find('(') else { return Vec::new() };
    let (mut types, mut rest) = (Vec::new(), &signature[start + 1..]);
    while !rest.is_empty() && !rest.starts_with(')') {
        let (mut depth, mut in_name) = (0, false);
        let end = rest.bytes().position(|byte| {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                b'L' | b'T' if !in_name => in_name = true,
                _ => {}
            }
            if in_name { byte == b';' && depth == 0 } else { byte != b'[' }
        });
        let Some(end) = end else { break };
        types.push(&rest[..=end]);
        rest = &rest[end + 1..];
    }
    types
}

/// The class of the first type argument of a generic type.
fn element(signature: &str) -> Option<String> {
    let (_, inside) = signature.split_once('<')?;
    let name = inside.strip_prefix('L')?;
    let end = name.find(['<', ';'])?;
    Some(name[..end].to_string())
}

impl<D: Values> Machine<D> {
    /// A reference of the input that nobody looked at.
    fn lazy(&mut self, name: &str, class: &'static Class, elements: Option<String>, depth: u32) -> usize {
        let name = name.to_string();
        self.lazies.push(Lazy { name, class, elements, depth, is_new: false, value: None });
        self.lazies.len() - 1
    }

    /// A marker for a reference of the input.
    fn marker(
        &mut self,
        name: &str,
        class: &'static Class,
        elements: Option<String>,
        depth: u32,
    ) -> D::Value {
        let number = self.lazy(name, class, elements, depth);
        D::constant(u64::from(LAZY) + number as u64)
    }

    /// The reference at an address that has a marker. It takes the marker's place.
    #[cold]
    #[inline(never)]
    pub(crate) fn materialise(&mut self, at: u32) -> Result<D::Value, Fault> {
        let number = (self.heap.u32(at) - LAZY) as usize;
        let value = D::constant(u64::from(self.resolve_lazy(number)?));
        self.domain.store(&mut self.heap, at, Kind::Ref, value);
        Ok(value)
    }

    /// A choice of the input among some, as a number below their count.
    fn choice(&mut self, name: &str, count: u32) -> u32 {
        if count <= 1 {
            return 0;
        }
        let byte = self.input_scalar(name, Scalar::Int { bits: 8, signed: false }, true);
        self.domain.switch(Site::new(0), byte, count - 1)
    }

    /// What a lazy reference is. Where code has to run before that is known, it was pushed and the instruction is executed again.
    pub(crate) fn resolve_lazy(&mut self, number: usize) -> Result<Ref, Fault> {
        let Some(lazy) = self.lazies.get(number).cloned() else { return Ok(0) };
        if let Some(known) = lazy.value {
            return Ok(known);
        }
        if !lazy.is_new {
            let fits = |object: &Ref| self.class_of(*object).is_subtype_of(lazy.class);
            let aliases: Vec<Ref> = self.made.iter().copied().filter(fits).collect();
            // A new object comes first: an input of zeros should get somewhere.
            let value = match self.choice(&format!("{}.kind", lazy.name), 2 + aliases.len() as u32) {
                0 if lazy.depth > 0 => None,
                0 | 1 => Some(0),
                alias => Some(aliases[alias as usize - 2]),
            };
            self.lazies[number].is_new = true;
            self.lazies[number].value = value;
            if let Some(value) = value {
                return Ok(value);
            }
        }
        let object = self.new_object(number)?;
        self.lazies[number].value = Some(object);
        Ok(object)
    }

    fn new_object(&mut self, number: usize) -> Result<Ref, Fault> {
        let mut lazy = self.lazies[number].clone();
        let size = self.world.setup.pointee;
        if let Some((_, class)) = IMPLEMENTATIONS.iter().find(|(name, _)| *name == lazy.class.name) {
            lazy.class = self.load(class)?;
            self.lazies[number].class = lazy.class;
        }
        if matches!(lazy.class.name, "java/lang/String" | "java/lang/Object") {
            return self.input_string(&lazy.name, size, ObjectKind::Pointee);
        }
        if let Shape::Array(element) = lazy.class.shape {
            return self.new_input_array(&lazy, element);
        }
        if lazy.class.is_interface() || lazy.class.flags & access::ABSTRACT != 0 && !is_enum(lazy.class) {
            lazy.class = self.implementer(&lazy)?;
            self.lazies[number].class = lazy.class;
        }
        let class = lazy.class;
        if !self.initialise(class)? {
            return Err(Fault::Again);
        }
        if let Some(row) = PRIMITIVES.iter().find(|row| row.3 == class.name && row.0 != Kind::Void) {
            let value = self.input_scalar(&lazy.name, scalar(row.0), true);
            return self.boxed(row.0, value);
        }
        if is_enum(class) {
            let (at, _) = self.static_field(class, "$VALUES")?;
            let constants = self.refs(self.heap.u32(at));
            let chosen = self.choice(&format!("{}.constant", lazy.name), constants.len() as u32);
            return Ok(constants.get(chosen as usize).copied().unwrap_or(0));
        }
        let object = self.allocate(class)?;
        if class.name == "java/util/ArrayList" {
            return self.new_list(object, &lazy);
        }
        if !class.own {
            // What the JDK's classes keep in their fields is their own affair.
            let Some(init) = class.declared("<init>", "()V") else {
                let name = class.name.replace('/', ".");
                return Err(Fault::Stop(Stop::Unsupported(format!("a symbolic object of the class {name}"))));
            };
            self.made.push(object);
            self.lazies[number].value = Some(object);
            self.push_call(init, &[D::constant(u64::from(object))], Hook::Before)?;
            return Err(Fault::Again);
        }
        self.made.push(object);
        let mut at = Some(class);
        while let Some(class) = at.filter(|class| class.own) {
            for field in class.fields.iter().filter(|field| !field.is_static()) {
                let name = format!("{}.{}", lazy.name, field.name);
                let value = if field.ty.kind == Kind::Ref {
                    let of = self.load(&field.ty.class)?;
                    let elements = field.signature.as_deref().and_then(element);
                    self.marker(&name, of, elements, lazy.depth - 1)
                } else {
                    self.input_scalar(&name, scalar(field.ty.kind), true)
                };
                self.domain.store(&mut self.heap, object + field.offset, field.ty.kind, value);
            }
            at = class.superclass;
        }
        Ok(object)
    }

    /// One of the program's classes that extend or implement another, as the input says.
    fn implementer(&mut self, lazy: &Lazy) -> Result<&'static Class, Fault> {
        let registry = self.registry.clone();
        let concrete = |class: &&'static Class| {
            !class.is_interface()
                && class.flags & access::ABSTRACT == 0
                && class.is_subtype_of(lazy.class)
                && class.details.enclosing.is_none()
        };
        let classes: Vec<&'static Class> = registry
            .own_classes()
            .iter()
            .filter_map(|name| registry.load(name).ok())
            .filter(concrete)
            .collect();
        if classes.is_empty() {
            let name = lazy.class.name.replace('/', ".");
            return Err(Fault::Stop(Stop::Unsupported(format!(
                "a symbolic object of the abstract class {name}"
            ))));
        }
        let chosen = self.choice(&format!("{}.class", lazy.name), classes.len() as u32);
        let class = classes[(chosen as usize).min(classes.len() - 1)];
        self.sync(class.id);
        Ok(class)
    }

    /// How many elements something of the input has.
    fn input_length(&mut self, name: &str, most: u32) -> Result<u32, Fault> {
        let length = self.input_scalar(&format!("{name}.length"), scalar(Kind::Int), true);
        let bound = D::constant(u64::from(most + 1));
        let below = self.domain.binary::<ops::I32LtU>(Site::new(0), length, bound);
        if !self.domain.require(Site::new(0), below.unwrap_or_default()) {
            return Err(Fault::Stop(Stop::Assumption));
        }
        Ok(self.domain.concretise(Site::new(0), explore::Need::Memory, length) as u32)
    }

    fn new_list(&mut self, list: Ref, lazy: &Lazy) -> Result<Ref, Fault> {
        let length = self.input_length(&lazy.name, MAX_ELEMENTS)?;
        let of = self.load(lazy.elements.as_deref().unwrap_or("java/lang/Object"))?;
        let array = self.array("[Ljava/lang/Object;", length)?;
        for i in 0..length {
            let marker = self.marker(&format!("{}[{i}]", lazy.name), of, None, lazy.depth - 1);
            self.domain.store(&mut self.heap, array + HEADER + 4 * i, Kind::Ref, marker);
        }
        self.set_ref(list, "elementData", array);
        self.set_bits(list, "size", u64::from(length));
        self.made.push(list);
        Ok(list)
    }

    fn new_input_array(&mut self, lazy: &Lazy, element: &'static Class) -> Result<Ref, Fault> {
        let kind = element.kind();
        let most = if kind == Kind::Byte { self.world.setup.pointee as u32 } else { MAX_ELEMENTS };
        let length = self.input_length(&lazy.name, most)?;
        let array = self.allocate_array(lazy.class, length)?;
        self.made.push(array);
        for i in 0..length {
            let place = format!("{}[{i}]", lazy.name);
            let value = match kind {
                Kind::Ref => self.marker(&place, element, None, lazy.depth - 1),
                _ => self.input_scalar(&place, scalar(kind), true),
            };
            self.domain.store(&mut self.heap, array + HEADER + i * kind.bytes(), kind, value);
        }
        Ok(array)
    }
}

fn is_enum(class: &Class) -> bool {
    class.superclass.is_some_and(|parent| parent.name == "java/lang/Enum")
}
