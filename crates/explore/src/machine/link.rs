//! Instantiation: imports are matched, items get their addresses, code is compiled, segments are copied.

use super::{GlobalInfo, Instance, Machine, MachineEnd};
use crate::code::Program;
use crate::compile::{Linkage, compile};
use crate::domain::Domain;
use crate::error::Error;
use crate::host::Host;
use crate::module::{Constant, ConstantOp, ExportKind, Mode, Module};
use crate::trap::Trap;
use crate::types::{Extern, FunctionId, GlobalId, Import, ImportType, MemoryId, SizeLimits, TableId};
use std::sync::Arc;

/// How much a start function may do: about a second.
const START_FUEL: u64 = 1 << 27;

impl<D: Domain> Machine<D> {
    /// Makes an instance of a module, and runs its start function. The closure says what an import is.
    ///
    /// After an error the machine holds what was made before it; segments copied until then stay, as the standard says.
    pub fn instantiate(
        &mut self,
        module: &Module,
        resolve: &mut dyn FnMut(&Import) -> Option<Extern>,
        host: &mut dyn Host<D>,
    ) -> Result<Instance, Error> {
        let mut linkage = Linkage { instance: self.instances, ..Linkage::default() };
        let mut globals = Vec::new();
        for import in &module.imports {
            self.import(import, resolve, &mut linkage, &mut globals)?;
        }
        self.instances += 1;
        self.allocate(module, &mut linkage, &mut globals)?;
        self.compile_all(module, &linkage)?;
        self.fill_segments(module, &linkage, &globals);

        let exports = module.exports.iter().map(|export| {
            let index = export.index as usize;
            let item = match export.kind {
                ExportKind::Function => Extern::Function(FunctionId(linkage.functions[index])),
                ExportKind::Table => Extern::Table(TableId(linkage.tables[index])),
                ExportKind::Memory => Extern::Memory(MemoryId(linkage.memories[index])),
                ExportKind::Global => Extern::Global(globals[index]),
            };
            (export.name.clone(), item)
        });
        let instance = Instance { exports: exports.collect() };
        self.copy_segments(module, &linkage, &globals)?;
        if let Some(start) = module.start {
            self.call(FunctionId(linkage.functions[start as usize]), &[]);
            match self.run(host, &mut START_FUEL.clone()) {
                MachineEnd::Returned(_) => {}
                MachineEnd::Trapped(trap) => return Err(trap.into()),
                MachineEnd::OutOfFuel => return Err(Error::StartOutOfFuel),
            }
        }
        Ok(instance)
    }

    fn import(
        &self,
        import: &Import,
        resolve: &mut dyn FnMut(&Import) -> Option<Extern>,
        linkage: &mut Linkage,
        globals: &mut Vec<GlobalId>,
    ) -> Result<(), Error> {
        let (module, name) = (import.module.clone(), import.name.clone());
        let Some(item) = resolve(import) else {
            return Err(Error::UnknownImport { module, name });
        };
        let fits = match (&import.ty, item) {
            (ImportType::Function(ty), Extern::Function(id)) => {
                linkage.functions.push(id.0);
                self.function_type(id) == ty
            }
            (ImportType::Table(ty, limits), Extern::Table(id)) => {
                linkage.tables.push(id.0);
                let table = &self.state.tables[id.index()];
                table.ty == *ty && within(table.elements.len() as u32, table.declared_max, *limits)
            }
            (ImportType::Memory(limits), Extern::Memory(id)) => {
                linkage.memories.push(id.0);
                within(self.state.memories[id.index()].pages(), self.memory_maxima[id.index()], *limits)
            }
            (ImportType::Global(ty, mutable), Extern::Global(id)) => {
                let GlobalInfo { slot, ty: actual, mutable: actually } = self.global_infos[id.index()];
                globals.push(id);
                linkage.globals.push((slot, *ty));
                actual == *ty && actually == *mutable
            }
            _ => false,
        };
        if fits { Ok(()) } else { Err(Error::IncompatibleImport { module, name }) }
    }

    /// Gives addresses to what the module defines.
    fn allocate(
        &mut self,
        module: &Module,
        linkage: &mut Linkage,
        globals: &mut Vec<GlobalId>,
    ) -> Result<(), Error> {
        let program = Arc::make_mut(&mut self.program);
        linkage.types = module.types.iter().map(|ty| program.intern(ty)).collect();
        let next = program.functions.len() as u32;
        linkage.functions.extend((0..module.bodies.len() as u32).map(|own| next + own));
        for limits in &module.memories {
            if limits.min > self.limits.pages {
                return Err(Error::TooLarge {
                    what: "the memory, in pages of 64 KiB,",
                    limit: u64::from(self.limits.pages),
                });
            }
            linkage.memories.push(self.add_memory(limits.min, limits.max).0);
        }
        for (ty, mutable, init) in &module.globals {
            let value = self.evaluate(init, linkage, globals);
            let id = self.add_global(*ty, *mutable, value);
            globals.push(id);
            linkage.globals.push((self.global_infos[id.index()].slot, *ty));
        }
        for (ty, limits, init) in &module.tables {
            if limits.min > self.limits.elements {
                return Err(Error::TooLarge {
                    what: "the number of a table's elements",
                    limit: u64::from(self.limits.elements),
                });
            }
            let value = self.evaluate(init, linkage, globals) as u64;
            let id = self.add_table(*ty, limits.min, limits.max);
            self.state.tables[id.index()].elements.fill(value);
            linkage.tables.push(id.0);
        }
        linkage.elements = self.state.elements.len() as u32;
        linkage.data = self.state.data.len() as u32;
        Ok(())
    }

    fn compile_all(&mut self, module: &Module, linkage: &Linkage) -> Result<(), Error> {
        let program: &mut Program = Arc::make_mut(&mut self.program);
        let before = (program.functions.len(), program.sites);
        let mut own = Vec::with_capacity(module.bodies.len());
        let mut sites = program.sites;
        for position in 0..module.bodies.len() {
            let function = compile(module, linkage, program, position, sites)?;
            let after = (sites as usize).saturating_add(function.code.len());
            let limit = Error::TooLarge { what: "the program", limit: u64::from(u32::MAX) };
            sites = u32::try_from(after).map_err(|_| limit)?;
            own.push(function);
        }
        debug_assert_eq!(before, (program.functions.len(), program.sites));
        program.functions.extend(own);
        program.sites = sites;
        Ok(())
    }

    fn fill_segments(&mut self, module: &Module, linkage: &Linkage, globals: &[GlobalId]) {
        for segment in &module.elements {
            let items = segment.items.iter().map(|item| self.evaluate(item, linkage, globals) as u64);
            let items: Arc<[u64]> = items.collect();
            self.state.elements.push(items);
        }
        self.state.data.extend(module.data.iter().map(|segment| Arc::clone(&segment.bytes)));
    }

    /// Copies active segments and drops them, and drops declared ones.
    fn copy_segments(
        &mut self,
        module: &Module,
        linkage: &Linkage,
        globals: &[GlobalId],
    ) -> Result<(), Trap> {
        for (i, segment) in module.elements.iter().enumerate() {
            let address = linkage.elements as usize + i;
            match &segment.mode {
                Mode::Passive => continue,
                Mode::Declared => {}
                Mode::Active { target, offset } => {
                    let offset = self.evaluate(offset, linkage, globals) as u32;
                    let table = linkage.tables[*target as usize];
                    let length = segment.items.len() as u32;
                    self.state.table_init(table as usize, address, offset, 0, length)?;
                }
            }
            self.state.elements[address] = Arc::default();
        }
        for (i, segment) in module.data.iter().enumerate() {
            let Mode::Active { target, offset } = &segment.mode else { continue };
            let address = linkage.data as usize + i;
            let offset = self.evaluate(offset, linkage, globals) as u32;
            let memory = linkage.memories[*target as usize];
            self.state.memories[memory as usize].write(offset, &segment.bytes)?;
            self.state.data[address] = Arc::default();
        }
        Ok(())
    }

    /// The value of a constant expression.
    fn evaluate(&self, steps: &Constant, linkage: &Linkage, globals: &[GlobalId]) -> u128 {
        let mut stack = Vec::new();
        for step in steps {
            let value = match *step {
                ConstantOp::Value(value) => value,
                ConstantOp::Function(index) => u128::from(linkage.functions[index as usize]) + 1,
                ConstantOp::Global(index) => {
                    let slots = self.global(globals[index as usize]).iter().rev();
                    slots.fold(0, |value, &slot| value << 64 | u128::from(D::bits(slot)))
                }
                ConstantOp::Binary(op) => {
                    let (b, a) = (stack.pop().unwrap_or(0), stack.pop().unwrap_or(0));
                    // Additions, subtractions and multiplications do not trap.
                    u128::from(op.eval(a as u64, b as u64).unwrap_or(0))
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap_or(0)
    }
}

/// Whether an item of this size and declared maximum may be imported under limits.
fn within(size: u32, max: Option<u32>, limits: SizeLimits) -> bool {
    size >= limits.min
        && match (max, limits.max) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(max), Some(limit)) => max <= limit,
        }
}
