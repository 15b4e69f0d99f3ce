//! Kinds of values and the descriptors that name them.

/// What a field, an element or an operand holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// `boolean`.
    Bool,
    /// `byte`.
    Byte,
    /// `char`.
    Char,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A reference.
    Ref,
    /// `void`, as a result.
    Void,
}

/// Primitive kinds: kind, descriptor, name, the class that boxes it.
pub(crate) const PRIMITIVES: [(Kind, u8, &str, &str); 9] = [
    (Kind::Bool, b'Z', "boolean", "java/lang/Boolean"),
    (Kind::Byte, b'B', "byte", "java/lang/Byte"),
    (Kind::Char, b'C', "char", "java/lang/Character"),
    (Kind::Short, b'S', "short", "java/lang/Short"),
    (Kind::Int, b'I', "int", "java/lang/Integer"),
    (Kind::Long, b'J', "long", "java/lang/Long"),
    (Kind::Float, b'F', "float", "java/lang/Float"),
    (Kind::Double, b'D', "double", "java/lang/Double"),
    (Kind::Void, b'V', "void", "java/lang/Void"),
];

impl Kind {
    /// The kind that a descriptor begins with.
    pub(crate) fn of(descriptor: &str) -> Option<Kind> {
        match descriptor.as_bytes().first()? {
            b'L' | b'[' => Some(Kind::Ref),
            byte => PRIMITIVES.iter().find(|row| row.1 == *byte).map(|row| row.0),
        }
    }

    /// How many bytes it takes in the heap.
    #[inline(always)]
    pub fn bytes(self) -> u32 {
        match self {
            Kind::Bool | Kind::Byte => 1,
            Kind::Char | Kind::Short => 2,
            Kind::Int | Kind::Float | Kind::Ref => 4,
            Kind::Long | Kind::Double => 8,
            Kind::Void => 0,
        }
    }

    /// How many slots it takes on the operand stack and among locals.
    #[inline(always)]
    pub(crate) fn slots(self) -> usize {
        match self {
            Kind::Long | Kind::Double => 2,
            Kind::Void => 0,
            _ => 1,
        }
    }

    /// The row of a primitive kind.
    pub(crate) fn primitive(self) -> Option<&'static (Kind, u8, &'static str, &'static str)> {
        PRIMITIVES.iter().find(|row| row.0 == self)
    }
}

/// A type in a descriptor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Type {
    /// What an element or value is in memory.
    pub kind: Kind,
    /// The name that its class is loaded by: `int`, `java/lang/String`, `[I`.
    pub class: String,
}

impl Type {
    /// The type of a field descriptor.
    pub(crate) fn parse(descriptor: &str) -> Option<Type> {
        let (ty, rest) = Type::first(descriptor)?;
        rest.is_empty().then_some(ty)
    }

    fn first(descriptor: &str) -> Option<(Type, &str)> {
        let dimensions = descriptor.bytes().take_while(|&byte| byte == b'[').count();
        let rest = &descriptor[dimensions..];
        let length = match rest.as_bytes().first()? {
            b'L' => rest.find(';').filter(|&end| end > 1)? + 1,
            b'V' if dimensions > 0 => return None,
            byte => PRIMITIVES.iter().any(|row| row.1 == *byte).then_some(1)?,
        };
        let whole = &descriptor[..dimensions + length];
        if dimensions > 255 {
            return None;
        }
        let kind = Kind::of(whole)?;
        let class = match kind {
            Kind::Ref if dimensions > 0 => whole.to_string(),
            Kind::Ref => whole[1..whole.len() - 1].to_string(),
            _ => kind.primitive()?.2.to_string(),
        };
        Some((Type { kind, class }, &descriptor[dimensions + length..]))
    }

    /// As the source has it, without packages: `int`, `String`, `int[]`.
    pub fn source_name(&self) -> String {
        let dimensions = self.class.bytes().take_while(|&byte| byte == b'[').count();
        let element = match &self.class[dimensions..] {
            whole if dimensions == 0 => whole,
            reference if reference.starts_with('L') => &reference[1..reference.len() - 1],
            primitive => Kind::of(primitive).and_then(Kind::primitive).map_or(primitive, |row| row.2),
        };
        let simple = element.rsplit(['/', '$']).next().unwrap_or(element);
        format!("{simple}{}", "[]".repeat(dimensions))
    }

    /// As a descriptor.
    pub(crate) fn descriptor(&self) -> String {
        match self.kind.primitive() {
            Some(row) => char::from(row.1).to_string(),
            None if self.class.starts_with('[') => self.class.clone(),
            None => format!("L{};", self.class),
        }
    }
}

/// The types in a method descriptor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Parameters, without the receiver.
    pub parameters: Vec<Type>,
    /// The type of the result.
    pub result: Type,
}

impl Signature {
    /// Reads a method descriptor.
    pub(crate) fn parse(descriptor: &str) -> Option<Signature> {
        let mut rest = descriptor.strip_prefix('(')?;
        let mut parameters = Vec::new();
        while !rest.starts_with(')') {
            let (ty, after) = Type::first(rest)?;
            if ty.kind == Kind::Void || parameters.len() >= 255 {
                return None;
            }
            parameters.push(ty);
            rest = after;
        }
        Some(Signature { parameters, result: Type::parse(&rest[1..])? })
    }

    /// Slots of the parameters.
    pub(crate) fn slots(&self) -> usize {
        self.parameters.iter().map(|ty| ty.kind.slots()).sum()
    }
}
