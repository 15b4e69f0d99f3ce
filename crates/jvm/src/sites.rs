//! The sites of the program's own classes: numbered from their files when the program is loaded, without loading the classes.

use crate::classfile::ClassFile;
use crate::decode::{SiteKind, sites_of};
use crate::registry::Registry;
use std::collections::BTreeMap;

/// A method with sites.
#[derive(Clone, Debug)]
pub(crate) struct OwnMethod {
    /// The first of its sites.
    pub first: u32,
    /// The class with slashes.
    pub class: String,
    /// The method's name as reports show it.
    pub name: String,
    /// The source file below its folder of packages: `a/b/C.java`.
    pub file: Option<String>,
    /// Its sites: offset in the bytecode and what lies there.
    pub sites: Vec<(u16, SiteKind)>,
}

/// All sites of the program's classes. Site 0 belongs to no class: it is where the machine itself asks.
#[derive(Clone, Debug)]
pub(crate) struct OwnSites {
    methods: Vec<OwnMethod>,
    by_name: BTreeMap<String, usize>,
    count: u32,
}

impl OwnSites {
    /// Numbers the sites of all classes that the sources have. A class that cannot be read has none: whoever loads it is told why.
    pub(crate) fn of(registry: &Registry) -> OwnSites {
        let mut all = OwnSites { methods: Vec::new(), by_name: BTreeMap::new(), count: 1 };
        for name in registry.own_classes() {
            let Ok(Some((bytes, false))) = registry.path().class(&name) else { continue };
            let Ok(file) = ClassFile::read(&bytes) else { continue };
            let package = name.rsplit_once('/').map_or(String::new(), |(package, _)| format!("{package}/"));
            let source = file.source.as_ref().map(|source| format!("{package}{source}"));
            for method in &file.methods {
                let Some(Ok(sites)) = method.code.as_ref().map(|body| sites_of(body, true)) else { continue };
                let key = format!("{name}.{}{}", method.name, method.descriptor);
                if all.by_name.insert(key, all.methods.len()).is_some() {
                    continue;
                }
                let count = sites.len() as u32;
                all.methods.push(OwnMethod {
                    first: all.count,
                    class: name.clone(),
                    name: method.name.clone(),
                    file: source.clone(),
                    sites,
                });
                all.count += count;
            }
        }
        all
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// The first site of a method, by `class.name(descriptor)`.
    pub(crate) fn first(&self, key: &str) -> Option<u32> {
        self.by_name.get(key).map(|&at| self.methods[at].first)
    }

    /// All methods, by their sites.
    pub(crate) fn methods(&self) -> &[OwnMethod] {
        &self.methods
    }

    /// The method of a site, and what lies there.
    pub(crate) fn locate(&self, site: u32) -> Option<(&OwnMethod, u16, SiteKind)> {
        let after = self.methods.partition_point(|method| method.first <= site);
        let method = self.methods.get(after.checked_sub(1)?)?;
        let (offset, kind) = *method.sites.get((site - method.first) as usize)?;
        Some((method, offset, kind))
    }

    /// The site of the line that an offset of a method belongs to, or of the method's beginning.
    pub(crate) fn line_site(&self, key: &str, offset: u16) -> Option<u32> {
        let method = &self.methods[*self.by_name.get(key)?];
        let is_line = |(at, kind): &(u16, SiteKind)| {
            *at <= offset && matches!(kind, SiteKind::Line(_) | SiteKind::Start)
        };
        let found = method.sites.iter().rposition(is_line)?;
        Some(method.first + found as u32)
    }
}
