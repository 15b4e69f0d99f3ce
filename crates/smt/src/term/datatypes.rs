//! Datatypes of the arena: declarations, constructors, fields. Their sorts are the sort checker's business.

use super::{Ctor, CtorId, Datatype, Field, FieldId, Terms};
use crate::sort::{DatatypeId, Sort, SortId};
use crate::symbol::Symbol;

/// Datatypes.
impl Terms {
    /// A new datatype without constructors.
    pub fn new_datatype(&mut self, name: Symbol, params: &[Symbol]) -> DatatypeId {
        let id = DatatypeId(u32::try_from(self.datatypes.len()).expect("fewer than 2^32 datatypes"));
        self.datatypes.push(Datatype { name, params: params.into(), ctors: Vec::new() });
        self.datatype_names.insert(name, id);
        id
    }

    pub(crate) fn set_datatype_params(&mut self, id: DatatypeId, params: Box<[Symbol]>) {
        self.datatypes[id.0 as usize].params = params;
    }

    /// The datatype that was last declared with this name.
    pub(crate) fn find_datatype(&self, name: Symbol) -> Option<DatatypeId> {
        self.datatype_names.get(&name).copied()
    }

    /// The sort of a datatype without parameters.
    pub fn datatype_sort(&mut self, id: DatatypeId) -> SortId {
        self.make_sort(Sort::Datatype(id, Box::default()))
    }

    /// Adds a constructor with its fields.
    pub fn new_ctor(&mut self, datatype: DatatypeId, name: Symbol, fields: &[(Symbol, SortId)]) -> CtorId {
        let ctor = CtorId(u32::try_from(self.ctors.len()).expect("fewer than 2^32 constructors"));
        let first = u32::try_from(self.fields.len()).expect("fewer than 2^32 fields");
        for (position, &(name, sort)) in fields.iter().enumerate() {
            self.fields.push(Field { name, ctor, position: position as u32, sort });
        }
        let fields = (first..first + fields.len() as u32).map(FieldId).collect();
        self.ctors.push(Ctor { name, datatype, fields });
        self.datatypes[datatype.0 as usize].ctors.push(ctor);
        ctor
    }

    /// A datatype's declaration.
    pub fn datatype(&self, id: DatatypeId) -> &Datatype {
        &self.datatypes[id.0 as usize]
    }

    /// A constructor's declaration.
    pub fn ctor(&self, id: CtorId) -> &Ctor {
        &self.ctors[id.index()]
    }

    /// A field's declaration.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }
}
