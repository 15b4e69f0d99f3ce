//! Call sites of `invokedynamic`, linked inside the machine: lambdas and method references, string concatenation, and the
//! methods of records. Each becomes a class or a method of the machine's own code; no bootstrap method is run.

use crate::class::{Class, Method};
use crate::classfile::{ClassFile, CodeAttribute, Constant, FieldInfo, Handle, MethodInfo, Pool, access};
use crate::kind::{Kind, Signature, Type};
use crate::op::{Catch, Code, Condition, Conversion, Op};
use crate::registry::{LoadError, Registry};

/// What a call site does.
#[derive(Debug)]
pub enum CallSite {
    /// Makes an object of a class of the machine's, with these fields of captured values: kind and offset.
    Object {
        /// The class of the object.
        class: &'static Class,
        /// What it captures, in the order of the operands.
        captures: Vec<(Kind, u32)>,
        /// Slots of these operands.
        slots: usize,
    },
    /// Calls a static method of the machine's.
    Method(&'static Method),
    /// Has a bootstrap method that the machine does not know.
    Unsupported(String),
}

/// Links a call site: finds out which bootstrap method it has and what calls of it do.
pub(crate) fn link(registry: &Registry, class: &'static Class, index: u16) -> Result<CallSite, LoadError> {
    let malformed = || LoadError::Link(format!("call site {index} of {} is malformed", class.name));
    let Ok(Constant::Dynamic(bootstrap, name, descriptor, true)) = class.pool.get(index) else {
        return Err(malformed());
    };
    let signature = Signature::parse(descriptor).ok_or_else(malformed)?;
    let bootstrap = class.details.bootstraps.get(usize::from(*bootstrap)).ok_or_else(malformed)?;
    let Ok(Constant::Handle(handle)) = class.pool.get(bootstrap.handle) else { return Err(malformed()) };
    let arguments: Vec<&Constant> =
        bootstrap.arguments.iter().filter_map(|&argument| class.pool.get(argument).ok()).collect();
    let site = Site { registry, class, index, name, signature };
    match (&*handle.class, &*handle.name) {
        ("java/lang/invoke/LambdaMetafactory", _) => site.lambda(&arguments, &bootstrap.arguments),
        ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants") => site.concatenation(&arguments),
        ("java/lang/invoke/StringConcatFactory", _) => {
            let recipe: Vec<u16> = vec![1; site.signature.parameters.len()];
            site.concatenate(&recipe, &[])
        }
        ("java/lang/runtime/ObjectMethods", _) => site.record_method(&arguments),
        (owner, method) => {
            Ok(CallSite::Unsupported(format!("invokedynamic with bootstrap method {owner}.{method}")))
        }
    }
}

struct Site<'a> {
    registry: &'a Registry,
    class: &'static Class,
    index: u16,
    name: &'a str,
    signature: Signature,
}

/// Code under construction. All references are resolved, so that it needs no constant pool.
pub(crate) struct Assembler<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) ops: Vec<Op>,
}

impl Assembler<'_> {
    pub(crate) fn load_argument(&mut self, slot: usize, kind: Kind) {
        self.ops.push(if kind.slots() == 2 { Op::Load2(slot as u16) } else { Op::Load(slot as u16) });
    }

    fn method(&self, class: &str, name: &str, descriptor: &str) -> Result<&'static Method, LoadError> {
        let class = self.registry.load(class)?;
        let missing = || LoadError::Link(format!("method {}.{name}{descriptor} is missing", class.name));
        class.find_method(name, descriptor).ok_or_else(missing)
    }

    fn invoke(&mut self, class: &str, name: &str, descriptor: &str) -> Result<(), LoadError> {
        let method = self.method(class, name, descriptor)?;
        self.call(method);
        Ok(())
    }

    pub(crate) fn call(&mut self, method: &'static Method) {
        self.ops.push(if method.is_static() {
            Op::InvokeStatic(method)
        } else if method.class.is_interface() {
            Op::InvokeInterface(method)
        } else {
            match method.index {
                Some(index) if method.flags & access::PRIVATE == 0 => {
                    Op::InvokeVirtual { index, arguments: method.arguments }
                }
                _ => Op::InvokeSpecial(method),
            }
        });
    }

    fn text(&mut self, text: &[u16]) {
        let literal = self.registry.literal(text);
        self.ops.push(Op::Literal(literal));
    }

    /// Turns the operand on top from one type into another, as `LambdaMetafactory` does.
    pub(crate) fn adapt(&mut self, from: &Type, to: &Type) -> Result<(), LoadError> {
        match (from.kind, to.kind) {
            (Kind::Ref, Kind::Ref) => {
                if to.class != "java/lang/Object" && from.class != to.class {
                    let class = self.registry.load(&to.class)?;
                    self.ops.push(Op::CheckCast(class));
                }
            }
            (Kind::Ref, kind) if kind != Kind::Void => {
                let row = crate::kind::PRIMITIVES.iter().find(|row| row.3 == from.class);
                let Some(row) = row.or_else(|| kind.primitive()) else { return Ok(()) };
                let class = self.registry.load(row.3)?;
                self.ops.push(Op::CheckCast(class));
                self.invoke(row.3, &format!("{}Value", row.2), &format!("(){}", char::from(row.1)))?;
                self.widen(row.0, kind);
            }
            (kind, Kind::Ref) if kind != Kind::Void => {
                if let Some(row) = kind.primitive() {
                    self.invoke(row.3, "valueOf", &format!("({})L{};", char::from(row.1), row.3))?;
                }
            }
            (from, Kind::Void) => match from.slots() {
                0 => {}
                1 => self.ops.push(Op::Pop),
                _ => self.ops.push(Op::Pop2),
            },
            (from, to) => self.widen(from, to),
        }
        Ok(())
    }

    fn widen(&mut self, from: Kind, to: Kind) {
        let small = matches!(from, Kind::Byte | Kind::Short | Kind::Char | Kind::Int);
        let conversion = match (from, to) {
            (_, Kind::Long) if small => Conversion::I2L,
            (_, Kind::Float) if small => Conversion::I2F,
            (_, Kind::Double) if small => Conversion::I2D,
            (Kind::Long, Kind::Float) => Conversion::L2F,
            (Kind::Long, Kind::Double) => Conversion::L2D,
            (Kind::Float, Kind::Double) => Conversion::F2D,
            _ => return,
        };
        self.ops.push(Op::Convert(conversion));
    }

    /// Casts the operand on top, as `MethodHandles.explicitCastArguments` does.
    pub(crate) fn cast(&mut self, from: &Type, to: &Type) -> Result<(), LoadError> {
        match (from.kind, to.kind) {
            (Kind::Void, Kind::Void) => {}
            (Kind::Void, Kind::Ref) => self.ops.push(Op::Null),
            (Kind::Void, Kind::Long) => self.ops.push(Op::Long(0)),
            (Kind::Void, Kind::Float) => self.ops.push(Op::Float(0)),
            (Kind::Void, Kind::Double) => self.ops.push(Op::Double(0)),
            (Kind::Void, _) => self.ops.push(Op::Int(0)),
            // A cast to an interface is not checked.
            (Kind::Ref, Kind::Ref) if self.registry.load(&to.class)?.is_interface() => {}
            (Kind::Ref, kind) if kind != Kind::Void && kind != Kind::Ref => {
                let row = crate::kind::PRIMITIVES.iter().find(|row| row.3 == from.class);
                let own = row.map_or(kind, |row| row.0);
                self.adapt(from, &Type { kind: own, class: from.class.clone() })?;
                self.narrow(own, kind);
            }
            (from, to) if from != Kind::Ref && to != Kind::Ref && to != Kind::Void => self.narrow(from, to),
            _ => self.adapt(from, to)?,
        }
        Ok(())
    }

    /// Turns a number into one of any other kind, as a cast does.
    fn narrow(&mut self, from: Kind, to: Kind) {
        if from == to {
            return;
        }
        let small = matches!(to, Kind::Bool | Kind::Byte | Kind::Char | Kind::Short);
        if small || to == Kind::Int {
            match from {
                Kind::Long => self.ops.push(Op::Convert(Conversion::L2I)),
                Kind::Float => self.ops.push(Op::Convert(Conversion::F2I)),
                Kind::Double => self.ops.push(Op::Convert(Conversion::D2I)),
                _ => {}
            }
            match to {
                Kind::Bool => self.ops.extend([Op::Int(1), Op::IAnd]),
                Kind::Byte => self.ops.push(Op::Convert(Conversion::I2B)),
                Kind::Char => self.ops.push(Op::Convert(Conversion::I2C)),
                Kind::Short => self.ops.push(Op::Convert(Conversion::I2S)),
                _ => {}
            }
            return;
        }
        let conversion = match (from, to) {
            (Kind::Float, Kind::Long) => Conversion::F2L,
            (Kind::Double, Kind::Long) => Conversion::D2L,
            (Kind::Double, Kind::Float) => Conversion::D2F,
            (Kind::Bool, to) => return self.widen(Kind::Int, to),
            (from, to) => return self.widen(from, to),
        };
        self.ops.push(Op::Convert(conversion));
    }

    pub(crate) fn give_back(&mut self, kind: Kind) {
        self.ops.push(match kind.slots() {
            0 => Op::Return,
            1 => Op::Return1,
            _ => Op::Return2,
        });
    }

    /// Throws the exception on the stack again, in an `UndeclaredThrowableException` if the method may not throw it.
    fn undeclared(&mut self, asked: &Method, spare: u16, site: u32) -> Result<(), LoadError> {
        self.ops.push(Op::Store(spare));
        let allowed = asked.exceptions.iter().map(String::as_str);
        for name in ["java/lang/RuntimeException", "java/lang/Error"].into_iter().chain(allowed) {
            let class = self.registry.load(name)?;
            let next = self.ops.len() as u32 + 5;
            self.ops.extend([
                Op::Load(spare),
                Op::InstanceOf(class),
                Op::If { condition: Condition::Eq, to: next, site },
                Op::Load(spare),
                Op::Throw,
            ]);
        }
        const WRAPPER: &str = "java/lang/reflect/UndeclaredThrowableException";
        let init = self.method(WRAPPER, "<init>", "(Ljava/lang/Throwable;)V")?;
        let wrapper = self.registry.load(WRAPPER)?;
        self.ops.extend([Op::New(wrapper), Op::Dup, Op::Load(spare), Op::InvokeSpecial(init), Op::Throw]);
        Ok(())
    }

    pub(crate) fn finish(self, locals: usize) -> Code {
        let offsets = vec![0; self.ops.len()];
        // Nothing that is made here is deep: every operand is used right away, but for the arguments of one call.
        let slots = 2 * locals + 300;
        Code { ops: self.ops, offsets, locals: locals as u32, slots: slots as u32, ..Code::default() }
    }
}

/// A method whose code the machine makes.
pub(crate) fn made(name: &str, descriptor: &str, flags: u16) -> MethodInfo {
    let body = CodeAttribute {
        max_stack: 0,
        max_locals: 0,
        bytecode: vec![0xb1],
        handlers: Vec::new(),
        lines: Vec::new(),
        locals: Vec::new(),
    };
    MethodInfo {
        flags,
        name: name.to_string(),
        descriptor: descriptor.to_string(),
        code: Some(body),
        exceptions: Vec::new(),
        signature: None,
        annotations: None,
        annotation_default: None,
        parameter_annotations: None,
    }
}

pub(crate) fn made_class(name: String, methods: Vec<MethodInfo>, fields: Vec<FieldInfo>) -> ClassFile {
    ClassFile {
        pool: Pool::default(),
        flags: access::FINAL | 0x1000,
        name,
        superclass: None,
        interfaces: Vec::new(),
        fields,
        methods,
        source: None,
        signature: None,
        bootstraps: Vec::new(),
        inner_classes: Vec::new(),
        enclosing: None,
        nest_host: None,
        nest_members: Vec::new(),
        record: None,
        annotations: None,
        permitted: Vec::new(),
    }
}

impl Site<'_> {
    fn malformed(&self) -> LoadError {
        LoadError::Link(format!("call site {} of {} is malformed", self.index, self.class.name))
    }

    /// A static method of a class of the machine's.
    fn static_method(&self, code: Code) -> Result<CallSite, LoadError> {
        let object = self.registry.load("java/lang/Object")?;
        let name = format!("{}$$Made${}", self.class.name, self.index);
        let descriptor = describe(&self.signature);
        let file = made_class(name, vec![made(self.name, &descriptor, access::STATIC | 0x1000)], Vec::new());
        let class = self.registry.define(file, object, Vec::new())?;
        let method = class.methods().first().copied().ok_or_else(|| self.malformed())?;
        self.registry.set_code(method, code);
        Ok(CallSite::Method(method))
    }

    fn lambda(&self, arguments: &[&Constant], raw: &[u16]) -> Result<CallSite, LoadError> {
        let [Constant::MethodType(erased), Constant::Handle(handle), Constant::MethodType(exact), rest @ ..] =
            arguments
        else {
            return Err(self.malformed());
        };
        let interface = self.registry.load(&self.signature.result.class)?;
        let object = self.registry.load("java/lang/Object")?;
        // altMetafactory: flags, then marker interfaces, then bridges.
        let mut interfaces = vec![interface];
        let mut shapes = vec![erased.to_string()];
        let mut rest = rest.iter();
        if let Some(Constant::Int(flags)) = rest.next() {
            if flags & 1 != 0 {
                interfaces.push(self.registry.load("java/io/Serializable")?);
            }
            if flags & 2 != 0
                && let Some(Constant::Int(count)) = rest.next()
            {
                for _ in 0..*count {
                    if let Some(Constant::Class(name)) = rest.next() {
                        interfaces.push(self.registry.load(name)?);
                    }
                }
            }
            if flags & 4 != 0
                && let Some(Constant::Int(count)) = rest.next()
            {
                for _ in 0..*count {
                    if let Some(Constant::MethodType(bridge)) = rest.next() {
                        shapes.push(bridge.to_string());
                    }
                }
            }
        }
        shapes.dedup();
        let fields = self.signature.parameters.iter().enumerate().map(|(i, ty)| FieldInfo {
            flags: access::PRIVATE | access::FINAL,
            name: format!("arg${i}"),
            descriptor: ty.descriptor(),
            constant: None,
            signature: None,
            annotations: None,
        });
        let name =
            format!("{}$$Lambda${}x{}", self.class.name, self.index, raw.first().copied().unwrap_or(0));
        let methods = shapes.iter().map(|shape| made(self.name, shape, access::PUBLIC)).collect();
        let class = self.registry.define(made_class(name, methods, fields.collect()), object, interfaces)?;
        let exact = Signature::parse(exact).ok_or_else(|| self.malformed())?;
        for method in class.methods() {
            let code = self.lambda_code(class, method, &exact, handle)?;
            self.registry.set_code(method, code);
        }
        let captures: Vec<(Kind, u32)> =
            class.fields.iter().map(|field| (field.ty.kind, field.offset)).collect();
        let slots = self.signature.slots();
        Ok(CallSite::Object { class, captures, slots })
    }

    /// Captured values, then arguments, adapted to what the implementation takes.
    fn lambda_code(
        &self,
        class: &'static Class,
        method: &'static Method,
        exact: &Signature,
        handle: &Handle,
    ) -> Result<Code, LoadError> {
        let mut code = Assembler { registry: self.registry, ops: Vec::new() };
        let owner = self.registry.load(&handle.class)?;
        let target = code.method(&handle.class, &handle.name, &handle.descriptor)?;
        let mut wanted: Vec<Type> = target.signature.parameters.clone();
        let constructs = handle.kind == 8;
        if constructs {
            code.ops.push(Op::New(owner));
            code.ops.push(Op::Dup);
        } else if !target.is_static() {
            wanted.insert(0, Type { kind: Kind::Ref, class: handle.class.to_string() });
        }
        let mut wanted = wanted.iter();
        for field in &class.fields {
            code.ops.push(Op::Load(0));
            code.ops.push(Op::GetField { offset: field.offset, kind: field.ty.kind });
            let to = wanted.next().ok_or_else(|| self.malformed())?;
            code.adapt(&field.ty, to)?;
        }
        let mut slot = 1;
        for (given, exact) in method.signature.parameters.iter().zip(&exact.parameters) {
            code.load_argument(slot, given.kind);
            let to = wanted.next().ok_or_else(|| self.malformed())?;
            code.adapt(given, exact)?;
            code.adapt(exact, to)?;
            slot += given.kind.slots();
        }
        let is_private = target.flags & access::PRIVATE != 0 && !target.is_static();
        let is_clone = target.name == "clone" && handle.class.starts_with('[');
        if constructs || handle.kind == 7 || is_private || is_clone {
            code.ops.push(Op::InvokeSpecial(target));
        } else {
            code.call(target);
        }
        let result = if constructs {
            Type { kind: Kind::Ref, class: handle.class.to_string() }
        } else {
            target.signature.result.clone()
        };
        let back = &method.signature.result;
        // The result was checked by the compiler: only its kind may have to change.
        if back.kind != Kind::Ref || result.kind != Kind::Ref {
            code.adapt(&result, back)?;
        }
        code.give_back(back.kind);
        Ok(code.finish(usize::from(method.arguments)))
    }

    fn concatenation(&self, arguments: &[&Constant]) -> Result<CallSite, LoadError> {
        let [Constant::Str(recipe), constants @ ..] = arguments else { return Err(self.malformed()) };
        self.concatenate(recipe, constants)
    }

    /// `StringBuilder` gives the same text as what the JDK generates.
    fn concatenate(&self, recipe: &[u16], constants: &[&Constant]) -> Result<CallSite, LoadError> {
        const BUILDER: &str = "java/lang/StringBuilder";
        let mut code = Assembler { registry: self.registry, ops: Vec::new() };
        let builder = self.registry.load(BUILDER)?;
        code.ops.push(Op::New(builder));
        code.ops.push(Op::Dup);
        let init = code.method(BUILDER, "<init>", "()V")?;
        code.ops.push(Op::InvokeSpecial(init));
        let mut parameters = self.signature.parameters.iter();
        let mut constants = constants.iter();
        let mut slot = 0;
        let mut pieces: Vec<Vec<u16>> = vec![Vec::new()];
        let mut holes: Vec<Option<&Type>> = Vec::new();
        for &unit in recipe {
            match unit {
                1 => {
                    holes.push(Some(parameters.next().ok_or_else(|| self.malformed())?));
                    pieces.push(Vec::new());
                }
                2 => {
                    let text = match constants.next() {
                        Some(Constant::Str(text)) => text.to_vec(),
                        Some(Constant::Int(value)) => value.to_string().encode_utf16().collect(),
                        _ => return Err(self.malformed()),
                    };
                    if let Some(last) = pieces.last_mut() {
                        last.extend(text);
                    }
                }
                _ => {
                    if let Some(last) = pieces.last_mut() {
                        last.push(unit);
                    }
                }
            }
        }
        for (i, piece) in pieces.iter().enumerate() {
            if !piece.is_empty() {
                code.text(piece);
                code.invoke(BUILDER, "append", "(Ljava/lang/String;)Ljava/lang/StringBuilder;")?;
            }
            let Some(Some(ty)) = holes.get(i) else { continue };
            code.load_argument(slot, ty.kind);
            slot += ty.kind.slots();
            code.invoke(BUILDER, "append", &format!("({})Ljava/lang/StringBuilder;", appended(ty)))?;
        }
        code.invoke(BUILDER, "toString", "()Ljava/lang/String;")?;
        code.ops.push(Op::Return1);
        self.static_method(code.finish(self.signature.slots()))
    }

    fn record_method(&self, arguments: &[&Constant]) -> Result<CallSite, LoadError> {
        let [Constant::Class(record), Constant::Str(names), getters @ ..] = arguments else {
            return Err(self.malformed());
        };
        let record = self.registry.load(record)?;
        let names = String::from_utf16_lossy(names);
        let names: Vec<&str> = names.split(';').filter(|name| !name.is_empty()).collect();
        let mut fields = Vec::new();
        for getter in getters {
            let Constant::Handle(handle) = getter else { return Err(self.malformed()) };
            let found = record.find_field(&handle.name, Some(&handle.descriptor));
            fields.push(found.ok_or_else(|| self.malformed())?.1);
        }
        let mut code = Assembler { registry: self.registry, ops: Vec::new() };
        let get = |code: &mut Assembler<'_>, slot: u16, field: &crate::class::Field| {
            code.ops.push(Op::Load(slot));
            code.ops.push(Op::GetField { offset: field.offset, kind: field.ty.kind });
        };
        match self.name {
            "toString" => {
                const BUILDER: &str = "java/lang/StringBuilder";
                const APPEND: &str = "(Ljava/lang/String;)Ljava/lang/StringBuilder;";
                code.ops.push(Op::New(self.registry.load(BUILDER)?));
                code.ops.push(Op::Dup);
                let init = code.method(BUILDER, "<init>", "()V")?;
                code.ops.push(Op::InvokeSpecial(init));
                let simple = record.simple_name();
                for (i, (field, name)) in fields.iter().zip(&names).enumerate() {
                    let before = if i == 0 { format!("{simple}[{name}=") } else { format!(", {name}=") };
                    code.text(&before.encode_utf16().collect::<Vec<_>>());
                    code.invoke(BUILDER, "append", APPEND)?;
                    get(&mut code, 0, field);
                    code.invoke(
                        BUILDER,
                        "append",
                        &format!("({})Ljava/lang/StringBuilder;", appended(&field.ty)),
                    )?;
                }
                let end = if fields.is_empty() { format!("{simple}[]") } else { "]".to_string() };
                code.text(&end.encode_utf16().collect::<Vec<_>>());
                code.invoke(BUILDER, "append", APPEND)?;
                code.invoke(BUILDER, "toString", "()Ljava/lang/String;")?;
                code.ops.push(Op::Return1);
            }
            "hashCode" => {
                code.ops.push(Op::Int(0));
                for field in &fields {
                    code.ops.push(Op::Int(31));
                    code.ops.push(Op::IMul);
                    get(&mut code, 0, field);
                    match field.ty.kind.primitive() {
                        Some(row) => code.invoke(row.3, "hashCode", &format!("({})I", char::from(row.1)))?,
                        None => code.invoke("java/util/Objects", "hashCode", "(Ljava/lang/Object;)I")?,
                    }
                    code.ops.push(Op::IAdd);
                }
                code.ops.push(Op::Return1);
            }
            "equals" => {
                // Targets of jumps to the end are patched when it is known.
                const END: u32 = u32::MAX;
                let unequal = |code: &mut Assembler<'_>| {
                    let site = code.registry.shared_site(record.name, 1);
                    code.ops.push(Op::If { condition: Condition::Eq, to: END, site });
                };
                code.ops.push(Op::Load(1));
                code.ops.push(Op::InstanceOf(record));
                unequal(&mut code);
                for field in &fields {
                    get(&mut code, 0, field);
                    get(&mut code, 1, field);
                    match field.ty.kind.primitive() {
                        Some(row) => {
                            code.invoke(row.3, "compare", &format!("({0}{0})I", char::from(row.1)))?;
                            let site = code.registry.shared_site(record.name, 1);
                            code.ops.push(Op::If { condition: Condition::Ne, to: END, site });
                        }
                        None => {
                            code.invoke(
                                "java/util/Objects",
                                "equals",
                                "(Ljava/lang/Object;Ljava/lang/Object;)Z",
                            )?;
                            unequal(&mut code);
                        }
                    }
                }
                code.ops.push(Op::Int(1));
                code.ops.push(Op::Return1);
                let end = code.ops.len() as u32;
                code.ops.push(Op::Int(0));
                code.ops.push(Op::Return1);
                for op in &mut code.ops {
                    if let Op::If { to, .. } = op {
                        *to = end;
                    }
                }
            }
            other => return Ok(CallSite::Unsupported(format!("the method {other} of a record"))),
        }
        self.static_method(code.finish(self.signature.slots()))
    }
}

/// The class of proxies of some interfaces: every method gives itself and its arguments to the handler.
pub(crate) fn proxy(registry: &Registry, interfaces: &[&'static Class]) -> Result<&'static Class, LoadError> {
    let parent = registry.load("java/lang/reflect/Proxy")?;
    let object = registry.load("java/lang/Object")?;
    let numbers: Vec<String> = interfaces.iter().map(|class| class.id.to_string()).collect();
    let name = format!("com/sun/proxy/$Proxy{}", numbers.join("_"));
    let helper = helper(registry, object)?;
    let mut answered: Vec<&'static Method> = ["hashCode", "equals", "toString"]
        .iter()
        .filter_map(|name| object.methods().iter().find(|method| method.name == *name).copied())
        .collect();
    let mut open: Vec<&'static Class> = interfaces.iter().rev().copied().collect();
    while let Some(interface) = open.pop() {
        for &method in interface.methods() {
            if !method.is_static()
                && method.flags & access::PRIVATE == 0
                && !answered.iter().any(|known| known.selector == method.selector)
            {
                answered.push(method);
            }
        }
        open.extend(interface.interfaces.iter().rev());
    }
    let methods =
        answered.iter().map(|method| made(&method.name, &method.descriptor, access::PUBLIC)).collect();
    let class = registry.define(made_class(name, methods, Vec::new()), parent, interfaces.to_vec())?;
    let (_, handler) = parent
        .find_field("h", None)
        .ok_or_else(|| LoadError::Link("field java/lang/reflect/Proxy.h is missing".to_string()))?;
    let objects = registry.load("[Ljava/lang/Object;")?;
    let any = Type { kind: Kind::Ref, class: "java/lang/Object".to_string() };
    for (&method, &asked) in class.methods().iter().zip(&answered) {
        let site = registry.shared_site(class.name, 1);
        let mut code = Assembler { registry, ops: Vec::new() };
        code.ops.extend([
            Op::Load(0),
            Op::GetField { offset: handler.offset, kind: Kind::Ref },
            Op::Load(0),
            Op::Int(asked.id as i32),
            Op::InvokeStatic(helper),
        ]);
        let parameters = &method.signature.parameters;
        if parameters.is_empty() {
            code.ops.push(Op::Null);
        } else {
            code.ops.extend([Op::Int(parameters.len() as i32), Op::NewArray { class: objects, site }]);
        }
        let mut slot = 1;
        for (i, ty) in parameters.iter().enumerate() {
            code.ops.extend([Op::Dup, Op::Int(i as i32)]);
            code.load_argument(slot, ty.kind);
            code.adapt(ty, &any)?;
            code.ops.push(Op::ArrayStore { kind: Kind::Ref, site });
            slot += ty.kind.slots();
        }
        code.invoke(
            "java/lang/reflect/InvocationHandler",
            "invoke",
            "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;",
        )?;
        let result = &method.signature.result;
        let end = code.ops.len() as u32;
        code.adapt(&any, result)?;
        code.give_back(result.kind);
        let to = code.ops.len() as u32;
        code.undeclared(asked, method.arguments, site)?;
        let catches = vec![Catch { start: 0, end, to, class: 0 }];
        registry.set_code(method, Code { catches, ..code.finish(usize::from(method.arguments) + 1) });
    }
    Ok(class)
}

/// A native of the machine's that gives the `Method` of a number.
fn helper(registry: &Registry, object: &'static Class) -> Result<&'static Method, LoadError> {
    let mut method =
        made("method", "(I)Ljava/lang/reflect/Method;", access::STATIC | access::NATIVE | access::PUBLIC);
    method.code = None;
    let class = registry.define(
        made_class("soundline/Machine".to_string(), vec![method], Vec::new()),
        object,
        Vec::new(),
    )?;
    class
        .methods()
        .first()
        .copied()
        .ok_or_else(|| LoadError::Link("class soundline/Machine is empty".to_string()))
}

/// The parameter type of the `append` that takes a type.
fn appended(ty: &Type) -> &'static str {
    match ty.kind {
        Kind::Bool => "Z",
        Kind::Char => "C",
        Kind::Byte | Kind::Short | Kind::Int => "I",
        Kind::Long => "J",
        Kind::Float => "F",
        Kind::Double => "D",
        _ if ty.class == "java/lang/String" => "Ljava/lang/String;",
        _ => "Ljava/lang/Object;",
    }
}

pub(crate) fn describe(signature: &Signature) -> String {
    let parameters: String = signature.parameters.iter().map(Type::descriptor).collect();
    format!("({parameters}){}", signature.result.descriptor())
}
