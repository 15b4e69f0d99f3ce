//! Class initialisation, in the order of the specification (JVMS 5.5): superclasses first, each once, by one thread.

use super::{Fault, Hook, InitState, Machine};
use crate::class::Class;
use crate::classfile::Constant;
use crate::domain::Values;
use crate::kind::Kind;

impl<D: Values> Machine<D> {
    /// Whether a class can be used. If not, calls of initialisers were pushed, and the instruction is to be executed again.
    pub(crate) fn initialise(&mut self, class: &'static Class) -> Result<bool, Fault> {
        self.sync(class.id);
        match self.init[class.id as usize] {
            InitState::Ready => return Ok(true),
            InitState::By(thread) if thread == self.current as u32 => return Ok(true),
            InitState::By(_) => return Err(Fault::Block),
            InitState::Failed => {
                let message = format!("Could not initialize class {}", class.name.replace('/', "."));
                let error = self.make_exception("java/lang/NoClassDefFoundError", Some(&message))?;
                if let Some(&reason) = self.failures.get(&class.id) {
                    self.set_ref(error, "cause", reason);
                }
                return Err(Fault::Throw(error));
            }
            InitState::Untouched => {}
        }
        let mut pushed = false;
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            if self.init[class.id as usize] != InitState::Untouched {
                continue;
            }
            self.prepare(class)?;
            match class.declared("<clinit>", "()V") {
                Some(method) if method.native.is_some() => {
                    self.call_native(method, &[])?;
                    self.mark_ready(class);
                }
                Some(method) => {
                    self.init[class.id as usize] = InitState::By(self.current as u32);
                    if self.threads.len() <= 1 {
                        self.ready[class.id as usize] = self.statics[class.id as usize];
                    }
                    self.push_call(method, &[], Hook::Initialised(class))?;
                    pushed = true;
                }
                None => self.mark_ready(class),
            }
            if !class.is_interface() {
                // What is pushed last runs first: superclasses before superinterfaces before the class itself.
                open.extend(class.superclass);
                let with_bodies = |interface: &&&'static Class| {
                    interface.methods().iter().any(|m| !m.is_abstract() && !m.is_static())
                };
                open.extend(class.interfaces.iter().filter(with_bodies));
            }
        }
        Ok(!pushed)
    }

    pub(crate) fn mark_ready(&mut self, class: &'static Class) {
        self.init[class.id as usize] = InitState::Ready;
        self.ready[class.id as usize] = self.statics[class.id as usize];
    }

    /// Makes room for static fields, and sets those that have constant values.
    pub(crate) fn prepare(&mut self, class: &'static Class) -> Result<(), Fault> {
        self.sync(class.id);
        if self.statics[class.id as usize] != 0 {
            return Ok(());
        }
        let object = self.registry.loaded("java/lang/Object").map_or(0, |class| class.id);
        let at = self.allocate_raw(object, 0, class.static_size as usize)?;
        self.statics[class.id as usize] = at;
        for field in class.fields.iter().filter(|field| field.is_static()) {
            let Some(index) = field.constant else { continue };
            let bits = match class.pool.get(index) {
                Ok(Constant::Int(value)) => u64::from(*value as u32),
                Ok(Constant::Float(bits)) => u64::from(*bits),
                Ok(Constant::Long(value)) => *value as u64,
                Ok(Constant::Double(bits)) => *bits,
                Ok(Constant::Str(text)) => {
                    let literal = self.registry.literal(text);
                    u64::from(self.literal(literal)?)
                }
                _ => continue,
            };
            self.heap.set_bits(at + field.offset, field.ty.kind, bits);
        }
        Ok(())
    }

    /// The address of a static field.
    pub(crate) fn static_field(&mut self, class: &'static Class, name: &str) -> Result<(u32, Kind), Fault> {
        self.prepare(class)?;
        let missing = || Fault::New("java/lang/NoSuchFieldError", Some(format!("{}.{name}", class.name)));
        let (owner, field) =
            class.find_field(name, None).filter(|(_, field)| field.is_static()).ok_or_else(missing)?;
        self.prepare(owner)?;
        Ok((self.statics[owner.id as usize] + field.offset, field.ty.kind))
    }
}
