//! From nothing to a machine in which `main` can be called: the JDK's core classes, the first thread, and `System`.

use crate::class::Class;
use crate::domain::Values;
use crate::machine::{Fault, Hook, Known, Machine, Stop, ThreadState};

/// Jumps and calls that starting may take; it takes about a million.
const FUEL: u64 = 50_000_000;

/// Classes that are initialised before `System`, in this order.
const FIRST: [&str; 8] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/System",
    "java/lang/Class",
    "java/lang/ThreadGroup",
    "java/lang/Thread",
    "java/lang/Module",
    "java/lang/reflect/Method",
];

/// Classes that most programs need and that are cheaper to have in every copy than to initialise in every run.
const WARM: [&str; 14] = [
    "java/lang/Integer$IntegerCache",
    "java/lang/Long$LongCache",
    "java/lang/Character$CharacterCache",
    "java/lang/Byte$ByteCache",
    "java/lang/Short$ShortCache",
    "java/lang/CharacterDataLatin1",
    "java/util/ArrayList",
    "java/util/HashMap",
    "java/util/LinkedHashMap",
    "java/util/Arrays",
    "java/util/Objects",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArithmeticException",
    "java/lang/StackOverflowError",
];

fn stop(fault: Fault) -> Stop {
    match fault {
        Fault::Stop(stop) => stop,
        Fault::New(class, message) => {
            Stop::Unsupported(format!("{} while starting: {}", class, message.unwrap_or_default()))
        }
        Fault::Throw(_) | Fault::Null | Fault::Block | Fault::Again => {
            Stop::Unsupported("an exception while starting".to_string())
        }
    }
}

impl<D: Values> Machine<D> {
    /// Initialises the JDK.
    pub(crate) fn boot(&mut self) -> Result<(), Stop> {
        self.load_known().map_err(stop)?;
        self.first_thread().map_err(stop)?;
        for name in FIRST {
            self.initialise_now(name)?;
        }
        self.first_module().map_err(stop)?;
        self.construct_thread()?;
        self.call_static("java/lang/System", "initPhase1", "()V", &[])?;
        self.settle_level().map_err(stop)?;
        for name in WARM {
            self.initialise_now(name)?;
        }
        self.find_boxes().map_err(stop)?;
        self.settle();
        self.world.stdout.clear();
        self.world.stderr.clear();
        Ok(())
    }

    fn load_known(&mut self) -> Result<(), Fault> {
        let mut class = |name: &str| -> Result<&'static Class, Fault> { self.load(name) };
        let (object, string) = (class("java/lang/Object")?, class("java/lang/String")?);
        let offset = |name: &str| string.find_field(name, None).map_or(0, |(_, field)| field.offset);
        // Classes are numbered in the order in which they are loaded: this one comes before the others below.
        class("java/lang/Class")?;
        let known = Known {
            object,
            string,
            throwable: class("java/lang/Throwable")?,
            thread: class("java/lang/Thread")?,
            byte_array: class("[B")?,
            string_value: offset("value"),
            string_coder: offset("coder"),
        };
        self.known = Some(known);
        self.sync(known.byte_array.id);
        Ok(())
    }

    fn first_thread(&mut self) -> Result<(), Fault> {
        let thread = self.known().thread;
        let object = self.allocate(thread)?;
        self.set_bits(object, "priority", 5);
        self.set_bits(object, "threadStatus", 5);
        self.set_bits(object, "eetop", 1);
        self.spawn(object, false);
        self.threads[0].state = ThreadState::Runnable;
        Ok(())
    }

    fn first_module(&mut self) -> Result<(), Fault> {
        let class = self.load("java/lang/Module")?;
        let module = self.allocate(class)?;
        self.world.module = module;
        for id in 0..self.mirrors.len() {
            let mirror = self.mirrors[id];
            if mirror != 0 {
                self.set_ref(mirror, "module", module);
            }
        }
        Ok(())
    }

    /// The groups of threads and the first thread, by their own constructors.
    fn construct_thread(&mut self) -> Result<(), Stop> {
        let group_class = self.load("java/lang/ThreadGroup").map_err(stop)?;
        let make = |machine: &mut Self| machine.allocate(group_class).map_err(stop);
        let (system, main) = (make(self)?, make(self)?);
        let reference = |at: u32| D::constant(u64::from(at));
        self.call_special(group_class, "()V", &[reference(system)])?;
        let thread = self.threads[0].object;
        self.set_ref(thread, "group", system);
        let name = self.string("main").map_err(stop)?;
        self.call_special(
            group_class,
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            &[reference(main), reference(system), reference(name)],
        )?;
        self.set_ref(thread, "group", main);
        let thread_class = self.known().thread;
        self.call_special(
            thread_class,
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            &[reference(thread), reference(main), reference(name)],
        )
    }

    /// Tells the JDK that the virtual machine is up: what comes between is about modules and security.
    fn settle_level(&mut self) -> Result<(), Fault> {
        let class = self.load("jdk/internal/misc/VM")?;
        let (at, kind) = self.static_field(class, "initLevel")?;
        self.heap.set_bits(at, kind, 4);
        Ok(())
    }

    fn call_special(
        &mut self,
        class: &'static Class,
        descriptor: &str,
        args: &[D::Value],
    ) -> Result<(), Stop> {
        match class.declared("<init>", descriptor) {
            Some(method) => self.call(method, args).map(|_| ()),
            None => {
                Err(Stop::Unsupported(format!("this JDK: {} has no constructor {descriptor}", class.name)))
            }
        }
    }

    /// Initialises a class from outside.
    pub(crate) fn initialise_now(&mut self, name: &str) -> Result<(), Stop> {
        let class = self.load(name).map_err(stop)?;
        match self.initialise(class) {
            Ok(true) => Ok(()),
            Ok(false) => self.finish().map(|_| ()),
            Err(fault) => Err(stop(fault)),
        }
    }

    /// Calls a static method from outside.
    pub(crate) fn call_static(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        args: &[D::Value],
    ) -> Result<u64, Stop> {
        self.initialise_now(class)?;
        let class = self.load(class).map_err(stop)?;
        match class.declared(name, descriptor) {
            Some(method) => self.call(method, args),
            None => Err(Stop::Unsupported(format!("this JDK: {}.{name}{descriptor} is missing", class.name))),
        }
    }

    /// Calls a method from outside and runs it to its end.
    pub(crate) fn call(
        &mut self,
        method: &'static crate::class::Method,
        args: &[D::Value],
    ) -> Result<u64, Stop> {
        self.push_call(method, args, Hook::Entry).map_err(stop)?;
        self.finish()
    }

    /// Runs what was pushed to its end.
    pub(crate) fn finish(&mut self) -> Result<u64, Stop> {
        let mut fuel = FUEL;
        match self.run(&mut fuel) {
            Stop::Returned(bits) => {
                self.frames.clear();
                Ok(bits)
            }
            other => Err(other),
        }
    }
}
