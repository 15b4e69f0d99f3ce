//! WASI preview 1 over virtual files: standard streams, one folder with the given files, and files that a run creates.
//!
//! The contents of the given files and of standard input are objects of the input. Reads and writes take the buffers'
//! addresses and sizes as they are in the run.

use super::input::{Inputs, Piece};
use super::{Stop, World, argument};
use crate::domain::Need;
use crate::host::HostCall;
use crate::memory::{Memory, Overlay};
use crate::target::{ObjectKind, Scalar};
use crate::trap::Trap;

/// The functions that do something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of the standard")]
pub(crate) enum Wasi {
    ArgsGet,
    ArgsSizesGet,
    EnvironGet,
    EnvironSizesGet,
    ClockResGet,
    ClockTimeGet,
    Close,
    FdstatGet,
    FilestatGet,
    FilestatSetSize,
    Nothing,
    PathCreateDirectory,
    PathFilestatGet,
    PathOpen,
    PathRemoveDirectory,
    PathRename,
    PathUnlinkFile,
    PollOneoff,
    Pread,
    PrestatDirName,
    PrestatGet,
    ProcExit,
    Pwrite,
    RandomGet,
    Read,
    Readdir,
    Seek,
    Tell,
    Write,
}

pub(super) const SUCCESS: u16 = 0;
pub(super) const BADF: u16 = 8;
pub(super) const EXIST: u16 = 20;
const FBIG: u16 = 22;
pub(super) const INVAL: u16 = 28;
pub(super) const ISDIR: u16 = 31;
pub(super) const NOENT: u16 = 44;
pub(super) const NOTDIR: u16 = 54;
pub(super) const NOTEMPTY: u16 = 55;
const ROFS: u16 = 69;
pub(super) const SPIPE: u16 = 70;

/// How large a file becomes that a run writes.
pub(super) const MAX_FILE: u64 = 1 << 24;

/// The one time that every clock shows, in nanoseconds since 1970.
const NOW: u64 = 1_600_000_000_000_000_000;
/// The name of the folder that all files are in.
const ROOT: &[u8] = b"/";
/// The name that the program is called by.
const PROGRAM: &[u8] = b"program\0";

/// The flags of `path_open`.
const CREATE: u64 = 1;
const DIRECTORY: u64 = 2;
const EXCLUSIVE: u64 = 4;
const TRUNCATE: u64 = 8;

/// What a descriptor stands for, and where it is in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descriptor {
    pub(super) target: Target,
    position: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Stdin,
    Stdout,
    Stderr,
    Root,
    File(usize),
    Folder(usize),
}

impl Target {
    /// The file type of the standard.
    pub(super) fn file_type(self) -> u8 {
        match self {
            Target::Stdin | Target::Stdout | Target::Stderr => 2,
            Target::Root | Target::Folder(_) => 3,
            Target::File(_) => 4,
        }
    }
}

/// A file: an object of the input, or what a run wrote.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// Where it is; nowhere once it was removed.
    pub(super) name: Option<String>,
    /// The object of the input that it holds, and how large that is.
    given: Option<(String, usize)>,
    pub(super) written: Vec<u8>,
}

impl File {
    pub(super) fn given(name: &str, size: usize) -> File {
        let name = plain(name).to_string();
        let object = format!("file:{name}");
        File { name: Some(name), given: Some((object, size)), written: Vec::new() }
    }

    pub(super) fn is_given(&self) -> bool {
        self.given.is_some()
    }

    fn size(&self) -> u64 {
        self.given.as_ref().map_or(self.written.len(), |given| given.1) as u64
    }
}

/// A name without what leads to the folder that all files are in.
pub(super) fn plain(name: &str) -> &str {
    let mut name = name;
    while let Some(rest) = name.strip_prefix('/').or_else(|| name.strip_prefix("./")) {
        name = rest;
    }
    while let Some(rest) = name.strip_suffix('/').or_else(|| name.strip_suffix("/.")) {
        name = rest;
    }
    name
}

pub(super) fn standard_descriptors() -> Vec<Option<Descriptor>> {
    let targets = [Target::Stdin, Target::Stdout, Target::Stderr, Target::Root];
    targets.map(|target| Some(Descriptor { target, position: 0 })).into()
}

impl World<'_> {
    pub(super) fn wasi<D: Inputs>(
        &mut self,
        function: Wasi,
        call: &mut HostCall<'_, D>,
    ) -> Result<u16, Trap> {
        let args: Vec<u64> = (0..call.args.len()).map(|i| argument(call, i)).collect();
        let word = |i: usize| args[i] as u32;
        match function {
            Wasi::Nothing => Ok(SUCCESS),
            Wasi::EnvironGet => self.environ_get(call, word(0), word(1)),
            Wasi::EnvironSizesGet => {
                let bytes: usize = self.setup.env.iter().map(|(name, size)| name.len() + size + 2).sum();
                put_words(call.memory, &[(word(0), self.setup.env.len() as u32), (word(1), bytes as u32)])
            }
            Wasi::ArgsSizesGet => {
                let bytes = PROGRAM.len() + self.setup.args.iter().map(|size| size + 1).sum::<usize>();
                put_words(
                    call.memory,
                    &[(word(0), 1 + self.setup.args.len() as u32), (word(1), bytes as u32)],
                )
            }
            Wasi::ArgsGet => self.args_get(call, word(0), word(1)),
            Wasi::ClockResGet => put_long(call.memory, word(1), 1),
            Wasi::ClockTimeGet => put_long(call.memory, word(2), NOW),
            Wasi::ProcExit => {
                self.exit = Some(word(0));
                Err(Stop::Exit.trap())
            }
            Wasi::RandomGet => {
                // Whether there is room is asked before anything is made: the program says how much.
                let (to, mut left) = (word(0), word(1));
                *call.bytes = u64::from(left);
                let end = to.checked_add(left).ok_or(Trap::MemoryOutOfBounds)?;
                call.memory.write(end, &[])?;
                let mut at = to;
                while left > 0 {
                    let part = left.min(1 << 16);
                    let bytes: Vec<u8> = (0..part).map(|_| self.random.bits() as u8).collect();
                    call.memory.write(at, &bytes)?;
                    (at, left) = (at + part, left - part);
                }
                Ok(SUCCESS)
            }
            Wasi::Write => self.write(call.memory, word(0), word(1), word(2), word(3)),
            Wasi::Read => self.read(call, word(0), word(1), word(2), word(3)),
            Wasi::Pread => self
                .at_position(word(0), args[3], |world| world.read(call, word(0), word(1), word(2), word(4))),
            Wasi::Pwrite => self.at_position(word(0), args[3], |world| {
                world.write(call.memory, word(0), word(1), word(2), word(4))
            }),
            Wasi::Readdir => self.readdir(call.memory, word(0), word(1), word(2), args[3], word(4)),
            Wasi::FilestatSetSize => Ok(self.set_size(word(0), args[1])),
            Wasi::PathCreateDirectory => self.create_directory(call.memory, word(1), word(2)),
            Wasi::PathRemoveDirectory => self.remove_directory(call.memory, word(1), word(2)),
            Wasi::PathUnlinkFile => self.unlink_file(call.memory, word(1), word(2)),
            Wasi::PathRename => self.rename(call.memory, (word(1), word(2)), (word(4), word(5))),
            Wasi::PollOneoff => self.poll(call.memory, word(0), word(1), word(2), word(3)),
            Wasi::Seek => self.seek(call.memory, word(0), args[1] as i64, word(2), word(3)),
            Wasi::Tell => match self.descriptor(word(0)) {
                Some(descriptor) => put_long(call.memory, word(1), descriptor.position),
                None => Ok(BADF),
            },
            Wasi::Close => match self.descriptors.get_mut(word(0) as usize).and_then(Option::take) {
                Some(_) => Ok(SUCCESS),
                None => Ok(BADF),
            },
            Wasi::FdstatGet => match self.descriptor(word(0)) {
                Some(descriptor) => put_fdstat(call.memory, word(1), descriptor.target),
                None => Ok(BADF),
            },
            Wasi::FilestatGet => match self.descriptor(word(0)) {
                Some(descriptor) => self.put_filestat(call.memory, word(1), descriptor.target),
                None => Ok(BADF),
            },
            Wasi::PrestatGet if word(0) == 3 => {
                put_words(call.memory, &[(word(1), 0), (word(1).wrapping_add(4), ROOT.len() as u32)])
            }
            Wasi::PrestatDirName if word(0) == 3 && word(2) as usize >= ROOT.len() => {
                call.memory.write(word(1), ROOT)?;
                Ok(SUCCESS)
            }
            Wasi::PrestatGet | Wasi::PrestatDirName => Ok(BADF),
            Wasi::PathFilestatGet => match self.look_up(call.memory, word(2), word(3))? {
                Ok(target) => self.put_filestat(call.memory, word(4), target),
                Err(_) => Ok(NOENT),
            },
            Wasi::PathOpen => {
                let target = match self.look_up(call.memory, word(2), word(3))? {
                    Ok(_) if args[4] & (CREATE | EXCLUSIVE) == CREATE | EXCLUSIVE => return Ok(EXIST),
                    Ok(Target::File(_)) if args[4] & DIRECTORY != 0 => return Ok(NOTDIR),
                    Ok(Target::File(file)) if args[4] & TRUNCATE != 0 => {
                        self.files[file].given = None;
                        self.files[file].written.clear();
                        Target::File(file)
                    }
                    Ok(target) => target,
                    Err(name) if args[4] & (CREATE | DIRECTORY) == CREATE => {
                        self.files.push(File { name: Some(name), given: None, written: Vec::new() });
                        Target::File(self.files.len() - 1)
                    }
                    Err(_) => return Ok(NOENT),
                };
                let number = self.open(Descriptor { target, position: 0 });
                put_words(call.memory, &[(word(8), number)])
            }
        }
    }

    pub(super) fn descriptor(&self, number: u32) -> Option<Descriptor> {
        self.descriptors.get(number as usize).copied().flatten()
    }

    /// The lowest free number.
    fn open(&mut self, descriptor: Descriptor) -> u32 {
        let free = self.descriptors.iter().position(Option::is_none);
        let number = free.unwrap_or_else(|| {
            self.descriptors.push(None);
            self.descriptors.len() - 1
        });
        self.descriptors[number] = Some(descriptor);
        number as u32
    }

    /// What a path in memory leads to, or the name that leads nowhere.
    pub(super) fn look_up<O: Overlay>(
        &self,
        memory: &Memory<O>,
        address: u32,
        length: u32,
    ) -> Result<Result<Target, String>, Trap> {
        let name = String::from_utf8_lossy(memory.read(address, length)?).into_owned();
        let name = plain(&name);
        if matches!(name, "" | ".") {
            return Ok(Ok(Target::Root));
        }
        let file = self.files.iter().position(|file| file.name.as_deref() == Some(name));
        let folder = || self.folders.iter().position(|folder| folder == name);
        let found = file.map(Target::File).or_else(|| folder().map(Target::Folder));
        Ok(found.ok_or_else(|| name.to_string()))
    }

    fn args_get<D: Inputs>(
        &mut self,
        call: &mut HostCall<'_, D>,
        pointers: u32,
        text: u32,
    ) -> Result<u16, Trap> {
        put_words(call.memory, &[(pointers, text)])?;
        call.memory.write(text, PROGRAM)?;
        let mut at = text.wrapping_add(PROGRAM.len() as u32);
        for (i, &size) in self.setup.args.iter().enumerate() {
            let name = format!("arg{}", i + 1);
            let bytes = self.object(&name, ObjectKind::Argument, size);
            put_words(call.memory, &[(pointers.wrapping_add(4 * (i as u32 + 1)), at)])?;
            let piece = Piece { object: &name, bytes: &bytes, from: 0, length: size };
            call.domain.place(&mut self.symbols, call.memory, at, piece)?;
            at = at.wrapping_add(size as u32);
            call.memory.write(at, &[0])?;
            at = at.wrapping_add(1);
        }
        Ok(SUCCESS)
    }

    /// Variables as `NAME=value`, the name as it is and the value symbolic.
    fn environ_get<D: Inputs>(
        &mut self,
        call: &mut HostCall<'_, D>,
        pointers: u32,
        text: u32,
    ) -> Result<u16, Trap> {
        let mut at = text;
        for (i, (name, size)) in self.setup.env.iter().enumerate() {
            put_words(call.memory, &[(pointers.wrapping_add(4 * i as u32), at)])?;
            call.memory.write(at, format!("{name}=").as_bytes())?;
            at = at.wrapping_add(name.len() as u32 + 1);
            let object = format!("env:{name}");
            let bytes = self.object(&object, ObjectKind::Environment, *size);
            let piece = Piece { object: &object, bytes: &bytes, from: 0, length: *size };
            call.domain.place(&mut self.symbols, call.memory, at, piece)?;
            at = at.wrapping_add(*size as u32);
            call.memory.write(at, &[0])?;
            at = at.wrapping_add(1);
        }
        Ok(SUCCESS)
    }

    /// The length of standard input. If it is a part of the input, it is taken as it is in this run.
    fn stdin_size<D: Inputs>(&mut self, call: &mut HostCall<'_, D>) -> Result<usize, Trap> {
        const NAME: &str = "stdin.size";
        let most = self.setup.stdin;
        if !self.setup.sized {
            return Ok(most);
        }
        if let Some(known) = self.stdin {
            return Ok(known);
        }
        let scalar = Scalar::Int { bits: 32, signed: false };
        let bytes = self.object(NAME, ObjectKind::Size { most: most as u32 }, scalar.bytes());
        let value = call.domain.scalar(&mut self.symbols, NAME, scalar, &bytes);
        if !call.domain.at_most(call.at, value, most as u32) {
            return Err(Stop::Assumption.trap());
        }
        let size = call.domain.concretise(call.at, Need::Length, value) as usize;
        self.stdin = Some(size);
        Ok(size)
    }

    fn write<O: Overlay>(
        &mut self,
        memory: &mut Memory<O>,
        number: u32,
        buffers: u32,
        count: u32,
        written: u32,
    ) -> Result<u16, Trap> {
        let Some(mut descriptor) = self.descriptor(number) else { return Ok(BADF) };
        let mut bytes = Vec::new();
        for (address, length) in vectors(memory, buffers, count)? {
            memory.look(address as usize, length as usize, false)?;
            bytes.extend_from_slice(memory.read(address, length)?);
        }
        match descriptor.target {
            Target::Stdout | Target::Stderr => self.write_out(descriptor.target == Target::Stderr, &bytes),
            Target::File(file) if self.files[file].given.is_none() => {
                let contents = &mut self.files[file].written;
                if descriptor.position + bytes.len() as u64 > MAX_FILE {
                    return Ok(FBIG);
                }
                let start = descriptor.position as usize;
                if contents.len() < start + bytes.len() {
                    contents.resize(start + bytes.len(), 0);
                }
                contents[start..start + bytes.len()].copy_from_slice(&bytes);
                descriptor.position += bytes.len() as u64;
                self.descriptors[number as usize] = Some(descriptor);
            }
            Target::File(_) => return Ok(ROFS),
            Target::Stdin | Target::Root | Target::Folder(_) => return Ok(BADF),
        }
        put_words(memory, &[(written, bytes.len() as u32)])
    }

    fn read<D: Inputs>(
        &mut self,
        call: &mut HostCall<'_, D>,
        number: u32,
        buffers: u32,
        count: u32,
        read: u32,
    ) -> Result<u16, Trap> {
        let Some(mut descriptor) = self.descriptor(number) else { return Ok(BADF) };
        let mut total = 0;
        for (address, length) in vectors(call.memory, buffers, count)? {
            let from = descriptor.position as usize;
            let (object, bytes) = match descriptor.target {
                Target::Stdin => {
                    let size = self.stdin_size(call)?;
                    (Some("stdin".to_string()), self.object("stdin", ObjectKind::Stdin, size))
                }
                Target::File(file) => match self.files[file].given.clone() {
                    Some((name, size)) => {
                        let bytes = self.object(&name, ObjectKind::File, size);
                        (Some(name), bytes)
                    }
                    None => (None, self.files[file].written.clone()),
                },
                Target::Root | Target::Folder(_) => return Ok(ISDIR),
                Target::Stdout | Target::Stderr => return Ok(BADF),
            };
            let length = (length as usize).min(bytes.len().saturating_sub(from));
            if length == 0 {
                continue;
            }
            call.memory.look(address as usize, length, true)?;
            match &object {
                Some(object) => {
                    // Symbols do not depend on how long the object is in this run.
                    let mut bytes = bytes;
                    if object == "stdin" {
                        bytes.resize(self.setup.stdin, 0);
                    }
                    let piece = Piece { object, bytes: &bytes, from, length };
                    call.domain.place(&mut self.symbols, call.memory, address, piece)?;
                }
                None => call.memory.write(address, &bytes[from..from + length])?,
            }
            descriptor.position += length as u64;
            total += length as u32;
        }
        self.descriptors[number as usize] = Some(descriptor);
        put_words(call.memory, &[(read, total)])
    }

    /// What a call does with a file at another position, which the descriptor does not keep.
    fn at_position(
        &mut self,
        number: u32,
        position: u64,
        call: impl FnOnce(&mut Self) -> Result<u16, Trap>,
    ) -> Result<u16, Trap> {
        let Some(before) = self.descriptor(number) else { return Ok(BADF) };
        if !matches!(before.target, Target::File(_)) {
            return Ok(SPIPE);
        }
        if position > u64::from(u32::MAX) {
            return Ok(INVAL);
        }
        self.descriptors[number as usize] = Some(Descriptor { position, ..before });
        let result = call(self);
        self.descriptors[number as usize] = Some(before);
        result
    }

    fn seek<O: Overlay>(
        &mut self,
        memory: &mut Memory<O>,
        number: u32,
        offset: i64,
        whence: u32,
        result: u32,
    ) -> Result<u16, Trap> {
        let Some(mut descriptor) = self.descriptor(number) else { return Ok(BADF) };
        let Target::File(file) = descriptor.target else { return Ok(SPIPE) };
        let origin = match whence {
            0 => 0,
            1 => descriptor.position,
            2 => self.files[file].size(),
            _ => return Ok(INVAL),
        };
        // No position is beyond what a buffer could ever hold.
        match origin.checked_add_signed(offset).filter(|&to| to <= u64::from(u32::MAX)) {
            Some(position) => descriptor.position = position,
            None => return Ok(INVAL),
        }
        self.descriptors[number as usize] = Some(descriptor);
        put_long(memory, result, descriptor.position)
    }

    fn put_filestat<O: Overlay>(
        &self,
        memory: &mut Memory<O>,
        address: u32,
        target: Target,
    ) -> Result<u16, Trap> {
        let (inode, size) = match target {
            Target::File(file) => (4 + file as u64, self.files[file].size()),
            Target::Folder(folder) => (1 << 32 | folder as u64, 0),
            Target::Stdin | Target::Stdout | Target::Stderr | Target::Root => (1, 0),
        };
        let mut stat = [0; 64];
        stat[8..16].copy_from_slice(&inode.to_le_bytes());
        stat[16] = target.file_type();
        stat[24] = 1;
        stat[32..40].copy_from_slice(&size.to_le_bytes());
        for time in [40, 48, 56] {
            stat[time..time + 8].copy_from_slice(&NOW.to_le_bytes());
        }
        memory.write(address, &stat)?;
        Ok(SUCCESS)
    }
}

fn put_fdstat<O: Overlay>(memory: &mut Memory<O>, address: u32, target: Target) -> Result<u16, Trap> {
    // Streams cannot seek (bit 2) or tell (bit 5): by that a C library knows a terminal.
    let rights: u64 = if target.file_type() == 2 { !(1 << 2 | 1 << 5) } else { u64::MAX };
    let mut stat = [0; 24];
    stat[0] = target.file_type();
    stat[8..16].copy_from_slice(&rights.to_le_bytes());
    stat[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
    memory.write(address, &stat)?;
    Ok(SUCCESS)
}

pub(super) fn put_words<O: Overlay>(memory: &mut Memory<O>, words: &[(u32, u32)]) -> Result<u16, Trap> {
    for (address, word) in words {
        memory.write(*address, &word.to_le_bytes())?;
    }
    Ok(SUCCESS)
}

fn put_long<O: Overlay>(memory: &mut Memory<O>, address: u32, word: u64) -> Result<u16, Trap> {
    memory.write(address, &word.to_le_bytes())?;
    Ok(SUCCESS)
}

/// Addresses and sizes of buffers.
fn vectors<O: Overlay>(memory: &Memory<O>, address: u32, count: u32) -> Result<Vec<(u32, u32)>, Trap> {
    let bytes = memory.read(address, count.checked_mul(8).ok_or(Trap::MemoryOutOfBounds)?)?;
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    Ok(bytes.chunks_exact(8).map(|pair| (word(pair), word(&pair[4..]))).collect())
}
