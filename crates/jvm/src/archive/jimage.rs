//! The JDK's own classes: the file `lib/modules`, a perfect hash table of resources (JEP 220).
//!
//! Only the index is kept in memory; a resource is read from the file when it is asked for. Compressed images, which
//! `jlink --compress` makes and no distribution ships as its JDK, are refused.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER: usize = 28;
const SEED: u32 = 0x0100_0193;

/// An open image.
#[derive(Debug)]
pub struct Image {
    file: File,
    /// Redirects, offsets, locations, strings.
    index: Vec<u8>,
    length: u32,
    locations: usize,
    strings: usize,
    /// Where resources begin in the file.
    resources: u64,
}

/// What an image says about a resource.
#[derive(Clone, Copy, Default)]
struct Location {
    module: u32,
    parent: u32,
    base: u32,
    extension: u32,
    offset: u64,
    compressed: u64,
    size: u64,
}

impl Image {
    /// Opens an image and reads its index.
    pub(crate) fn open(path: &Path) -> io::Result<Image> {
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_string());
        let file = File::open(path)?;
        let mut header = [0; HEADER];
        file.read_exact_at(&mut header, 0)?;
        let word = |at: usize| {
            u32::from_le_bytes([header[4 * at], header[4 * at + 1], header[4 * at + 2], header[4 * at + 3]])
        };
        if word(0) != MAGIC {
            return Err(wrong("not a jimage file"));
        }
        let (length, locations, strings) = (word(4), word(5), word(6));
        if length == 0 {
            return Err(wrong("the image is empty"));
        }
        let tables = 8 * length as usize;
        let size = tables + locations as usize + strings as usize;
        if (size + HEADER) as u64 > file.metadata()?.len() {
            return Err(wrong("the image is truncated"));
        }
        let mut index = vec![0; size];
        file.read_exact_at(&mut index, HEADER as u64)?;
        Ok(Image {
            file,
            index,
            length,
            locations: tables,
            strings: tables + locations as usize,
            resources: (HEADER + size) as u64,
        })
    }

    /// The class file of a class by its internal name, if there is one.
    pub(crate) fn class(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.member(name, "class")
    }

    /// A resource that lies beside classes, `sun/util/resources/x.properties`.
    pub(crate) fn resource(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match name.rsplit_once('.') {
            Some((base, extension)) => self.member(base, extension),
            None => self.plain(name),
        }
    }

    /// The module that a package belongs to.
    pub(crate) fn module_of(&self, package: &str) -> io::Result<Option<String>> {
        let package = package.replace('/', ".");
        let Some(content) = self.read(&format!("/packages/{package}"))? else { return Ok(None) };
        for pair in content.chunks_exact(8) {
            let word = |at: usize| u32::from_le_bytes([pair[at], pair[at + 1], pair[at + 2], pair[at + 3]]);
            if word(0) == 0 {
                return Ok(Some(self.string(word(4))));
            }
        }
        Ok(None)
    }

    /// A resource whose name has no extension.
    fn plain(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        if let Some(bytes) = self.read(&format!("/java.base/{name}"))? {
            return Ok(Some(bytes));
        }
        let Some((package, _)) = name.rsplit_once('/') else { return Ok(None) };
        match self.module_of(package)? {
            Some(module) => self.read(&format!("/{module}/{name}")),
            None => Ok(None),
        }
    }

    fn member(&self, base: &str, extension: &str) -> io::Result<Option<Vec<u8>>> {
        if let Some(bytes) = self.read(&format!("/java.base/{base}.{extension}"))? {
            return Ok(Some(bytes));
        }
        let Some((package, _)) = base.rsplit_once('/') else { return Ok(None) };
        match self.module_of(package)? {
            Some(module) => self.read(&format!("/{module}/{base}.{extension}")),
            None => Ok(None),
        }
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(location) = self.find(name) else { return Ok(None) };
        if location.compressed != 0 {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "the JDK's image is compressed (made by jlink --compress)",
            ));
        }
        let mut bytes = vec![0; usize::try_from(location.size).unwrap_or(usize::MAX).min(1 << 28)];
        self.file.read_exact_at(&mut bytes, self.resources + location.offset)?;
        Ok(Some(bytes))
    }

    fn word(&self, at: usize) -> u32 {
        let bytes = self.index.get(at..at + 4).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn find(&self, name: &str) -> Option<Location> {
        let slot = hash(name, SEED) % self.length;
        let redirect = self.word(4 * slot as usize) as i32;
        let slot = match redirect {
            0 => return None,
            1.. => hash(name, redirect as u32) % self.length,
            _ => (-1 - redirect) as u32,
        };
        let offset = self.word(4 * (self.length + slot) as usize) as usize;
        let location = self.location(self.locations + offset)?;
        (self.name(&location) == name).then_some(location)
    }

    fn location(&self, mut at: usize) -> Option<Location> {
        let mut location = Location::default();
        loop {
            let head = *self.index.get(at)?;
            let (kind, length) = (head >> 3, usize::from(head & 7) + 1);
            if kind == 0 {
                return Some(location);
            }
            let bytes = self.index.get(at + 1..at + 1 + length)?;
            let value = bytes.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
            match kind {
                1 => location.module = value as u32,
                2 => location.parent = value as u32,
                3 => location.base = value as u32,
                4 => location.extension = value as u32,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                _ => return None,
            }
            at += 1 + length;
        }
    }

    fn string(&self, offset: u32) -> String {
        let bytes = self.index.get(self.strings + offset as usize..).unwrap_or_default();
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    }

    fn name(&self, location: &Location) -> String {
        let mut name = String::new();
        let module = self.string(location.module);
        if !module.is_empty() {
            name.push('/');
            name.push_str(&module);
            name.push('/');
        }
        let parent = self.string(location.parent);
        if !parent.is_empty() {
            name.push_str(&parent);
            name.push('/');
        }
        name.push_str(&self.string(location.base));
        let extension = self.string(location.extension);
        if !extension.is_empty() {
            name.push('.');
            name.push_str(&extension);
        }
        name
    }
}

fn hash(name: &str, seed: u32) -> u32 {
    name.bytes().fold(seed, |hash, byte| hash.wrapping_mul(SEED) ^ u32::from(byte)) & 0x7fff_ffff
}
