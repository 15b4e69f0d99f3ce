//! The world of a run: virtual files, captured output, a virtual clock, and the input that the program asks for.
//!
//! Nothing of the machine that Soundline runs on is reachable but the JDK's own files, which its classes read and which are the
//! same for every run.

use crate::archive::ClassPath;
use explore::target::{Input, ObjectKind, Objects, Symbols};
use explore::world::Setup;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How much of each output is kept.
const MAX_OUTPUT: usize = 1 << 20;

/// How many random bytes there are.
const RANDOM: usize = 1 << 16;

/// When a run begins, in nanoseconds since 1970.
const START: u64 = 1_600_000_000_000_000_000;

/// What a file descriptor refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Stdin,
    Stdout,
    Stderr,
    /// A file of the input or one that the run wrote.
    File(String),
    /// A file of the JDK.
    Fixed(Arc<[u8]>),
}

/// Why something cannot be done to a file, as Linux numbers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Errno {
    Missing,
    Refused,
    Exists,
    NoFolder,
    IsFolder,
    Invalid,
    NotEmpty,
}

/// Each with its number and the system's words.
const ERRORS: [(Errno, u32, &str); 7] = [
    (Errno::Missing, 2, "No such file or directory"),
    (Errno::Refused, 13, "Permission denied"),
    (Errno::Exists, 17, "File exists"),
    (Errno::NoFolder, 20, "Not a directory"),
    (Errno::IsFolder, 21, "Is a directory"),
    (Errno::Invalid, 22, "Invalid argument"),
    (Errno::NotEmpty, 39, "Directory not empty"),
];

impl Errno {
    /// The number that programs see in `errno`.
    pub(crate) fn number(self) -> u32 {
        ERRORS.iter().find(|row| row.0 == self).map_or(22, |row| row.1)
    }

    /// What the system says of a number.
    pub(crate) fn words(number: u32) -> &'static str {
        ERRORS.iter().find(|row| row.1 == number).map_or("Unknown error", |row| row.2)
    }
}

/// An open file.
#[derive(Clone, Debug)]
pub(crate) struct Descriptor {
    pub(crate) target: Target,
    pub(crate) position: usize,
}

/// Bytes that a run reads: of an object of the input, or plain ones.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Input(String),
    Plain(Arc<[u8]>),
}

/// The world of one run.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) setup: Arc<Setup>,
    pub(crate) input: Arc<Input>,
    /// What the program asked for, in the order in which it did.
    pub objects: Objects,
    /// The symbols of the inputs.
    pub symbols: Symbols,
    /// What was written to standard output.
    pub stdout: Vec<u8>,
    /// What was written to standard error.
    pub stderr: Vec<u8>,
    /// The JDK's folder.
    pub(crate) home: PathBuf,
    /// Where classes come from: programs read resources there.
    pub(crate) classes: Arc<ClassPath>,
    pub(crate) descriptors: BTreeMap<i32, Descriptor>,
    /// Files that the run wrote, or folders that it made (none).
    pub(crate) written: BTreeMap<String, Option<Vec<u8>>>,
    /// Files of the input that the run removed.
    pub(crate) removed: Vec<String>,
    /// Folders that the run reads: the names that are left, the next one last.
    pub(crate) listings: Vec<Vec<String>>,
    /// Streams that the run compresses or decompresses, by number; none where it ended.
    pub(crate) streams: Vec<Option<crate::natives::ZipStream>>,
    /// Virtual time, in nanoseconds.
    pub(crate) now: u64,
    /// The module that all classes are in.
    pub(crate) module: u32,
    /// The thread that runs was just woken from a wait.
    pub(crate) woken: bool,
    /// The first thread returned.
    pub(crate) ended: bool,
    /// Shutdown hooks are running or ran.
    pub(crate) shutting: bool,
    /// How long standard input is in this run, once somebody asked.
    pub(crate) stdin: Option<usize>,
    pub(crate) result: u64,
    /// The exception that left the first thread.
    pub(crate) uncaught: u32,
    /// How many natives bytecode may still call before the run pauses.
    pub(crate) natives: u64,
    /// What [`World::natives`] was when something of the input was first asked for.
    pub(crate) asked: Option<u64>,
}

/// Whether a file lies in a folder or below.
fn is_in(file: &str, folder: &str) -> bool {
    World::plain(file).strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

impl World {
    /// A world at its beginning.
    pub(crate) fn new(
        setup: Arc<Setup>,
        input: Arc<Input>,
        symbols: Symbols,
        home: PathBuf,
        classes: Arc<ClassPath>,
    ) -> World {
        let standard = [Target::Stdin, Target::Stdout, Target::Stderr];
        let descriptors = (0..).zip(standard).map(|(fd, target)| (fd, Descriptor { target, position: 0 }));
        World {
            setup,
            input,
            objects: Objects::default(),
            symbols,
            stdout: Vec::new(),
            stderr: Vec::new(),
            home,
            classes,
            descriptors: descriptors.collect(),
            written: BTreeMap::new(),
            removed: Vec::new(),
            listings: Vec::new(),
            streams: Vec::new(),
            now: START,
            module: 0,
            woken: false,
            ended: false,
            shutting: false,
            stdin: None,
            result: 0,
            uncaught: 0,
            natives: u64::MAX,
            asked: None,
        }
    }

    /// Another run in the same world.
    pub(crate) fn afresh(&self, setup: Arc<Setup>, input: Arc<Input>, symbols: Symbols) -> World {
        World {
            module: self.module,
            ..World::new(setup, input, symbols, self.home.clone(), self.classes.clone())
        }
    }

    /// The same world, in which another input is asked for. Nothing was asked for yet.
    pub(crate) fn with_input(&self, input: Arc<Input>, symbols: Symbols) -> World {
        World { input, symbols, natives: u64::MAX, ..self.clone() }
    }

    /// The bytes of an object of the input: as many as there are to be, zero where nothing is given. It is noted once.
    pub(crate) fn object(&mut self, name: &str, kind: ObjectKind, size: usize) -> Vec<u8> {
        self.asked.get_or_insert(self.natives);
        self.objects.bytes(&self.input, name, kind, size)
    }

    /// A name that was not used in this run: the second `x` is `x#2`.
    pub(crate) fn fresh_name(&mut self, name: &str) -> String {
        self.objects.fresh_name(name)
    }

    /// A name without what leads to the folder that all files are in.
    pub(crate) fn plain(name: &str) -> &str {
        let mut name = name;
        while let Some(rest) = name.strip_prefix('/').or_else(|| name.strip_prefix("./")) {
            name = rest;
        }
        name
    }

    fn given(&self, name: &str) -> Option<usize> {
        let name = World::plain(name);
        if self.removed.iter().any(|removed| removed == name) {
            return None;
        }
        self.setup.files.iter().find(|(given, _)| World::plain(given) == name).map(|(_, size)| *size)
    }

    /// The size of a file, if there is one.
    pub(crate) fn file_size(&self, name: &str) -> Option<usize> {
        match self.written.get(World::plain(name)) {
            Some(Some(bytes)) => Some(bytes.len()),
            Some(None) => None,
            None => self.given(name).or_else(|| self.fixed(name).map(|bytes| bytes.len())),
        }
    }

    /// Whether something is open or was written.
    pub(crate) fn is_used(&self) -> bool {
        self.descriptors.len() > 3 || !self.streams.is_empty() || !self.written.is_empty()
    }

    /// Whether there is a folder of this name.
    pub(crate) fn is_folder(&self, name: &str) -> bool {
        let plain = World::plain(name);
        let inside = plain.trim_end_matches('/');
        matches!(inside, "" | "." | "tmp")
            || self.written.get(inside) == Some(&None)
            || self.setup.files.iter().any(|file| is_in(&file.0, inside))
            || self.home.starts_with(name)
            || self.classes.is_shown_folder(name)
            || (self.is_of_jdk(name) && Path::new(name).is_dir())
    }

    /// Whether a file of this name has no folder to be in. Beyond the working folder nothing is known, and all folders are there.
    pub(crate) fn lacks_parent(&self, name: &str) -> bool {
        match name.trim_end_matches('/').rsplit_once('/') {
            Some((parent, _)) => !name.starts_with('/') && !self.is_folder(parent),
            None => false,
        }
    }

    /// Makes a folder.
    pub(crate) fn make_folder(&mut self, name: &str) -> Result<(), Errno> {
        if self.file_size(name).is_some() || self.is_folder(name) {
            return Err(Errno::Exists);
        }
        if self.lacks_parent(name) {
            return Err(Errno::Missing);
        }
        self.written.insert(World::plain(name).trim_end_matches('/').to_string(), None);
        Ok(())
    }

    /// Removes an empty folder.
    pub(crate) fn remove_folder(&mut self, name: &str) -> Result<(), Errno> {
        if self.file_size(name).is_some() {
            return Err(Errno::NoFolder);
        }
        match self.entries(name) {
            None => Err(Errno::Missing),
            Some(entries) if !entries.is_empty() => Err(Errno::NotEmpty),
            Some(_) => {
                self.written.remove(World::plain(name).trim_end_matches('/'));
                Ok(())
            }
        }
    }

    /// Removes a file.
    pub(crate) fn unlink(&mut self, name: &str) -> Result<(), Errno> {
        if self.file_size(name).is_none() {
            return Err(if self.is_folder(name) { Errno::IsFolder } else { Errno::Missing });
        }
        let plain = World::plain(name).to_string();
        self.written.remove(&plain);
        self.removed.push(plain);
        Ok(())
    }

    /// Gives a file or folder that the run made another name. Files of the input keep theirs.
    pub(crate) fn rename(&mut self, from: &str, to: &str) -> Result<(), Errno> {
        if self.lacks_parent(to) {
            return Err(Errno::Missing);
        }
        let (from, to) = (World::plain(from).trim_end_matches('/'), World::plain(to).trim_end_matches('/'));
        let content = match self.written.remove(from) {
            Some(content) => content,
            None if self.given(from).is_some() => return Err(Errno::Refused),
            None => return Err(Errno::Missing),
        };
        let inside: Vec<String> = self.written.keys().filter(|name| is_in(name, from)).cloned().collect();
        for name in inside {
            if let Some(content) = self.written.remove(&name) {
                self.written.insert(format!("{to}{}", &name[from.len()..]), content);
            }
        }
        self.written.insert(to.to_string(), content);
        Ok(())
    }

    /// Cuts a file that the run writes, or fills it up with zeros; false if it cannot be.
    pub(crate) fn resize(&mut self, fd: i32, length: usize) -> bool {
        let Some(Target::File(name)) = self.descriptors.get(&fd).map(|descriptor| descriptor.target.clone())
        else {
            return false;
        };
        if let Some(Some(bytes)) = self.written.get_mut(&name)
            && length <= MAX_OUTPUT
        {
            bytes.resize(length, 0);
        }
        true
    }

    /// What is in a folder, sorted; none if there is no such folder.
    pub(crate) fn entries(&self, name: &str) -> Option<Vec<String>> {
        if !self.is_folder(name) {
            return None;
        }
        if self.is_of_jdk(name) {
            let entries = std::fs::read_dir(name).ok()?.flatten();
            let mut names: Vec<String> =
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            return Some(names);
        }
        let folder = match World::plain(name).trim_end_matches('/') {
            "" | "." => String::new(),
            folder => format!("{folder}/"),
        };
        let given = self.setup.files.iter().map(|file| World::plain(&file.0));
        let mut names: Vec<String> = given
            .chain(self.written.keys().map(String::as_str))
            .filter(|name| self.file_size(name).is_some() || self.is_folder(name))
            .filter_map(|name| name.strip_prefix(&folder)?.split('/').next())
            .filter(|name| !name.is_empty())
            .map(str::to_string)
            .collect();
        names.sort();
        names.dedup();
        Some(names)
    }

    /// A file of the JDK, or what stands for a source of random bytes: the same bytes in every run.
    pub(crate) fn fixed(&self, name: &str) -> Option<Arc<[u8]>> {
        if matches!(name, "/dev/random" | "/dev/urandom") {
            let mut state = 0x9E37_79B9_7F4A_7C15_u64;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            };
            return Some((0..RANDOM).map(|_| next()).collect());
        }
        if let Some(bytes) = self.classes.shown(name) {
            return Some(bytes.into());
        }
        self.is_of_jdk(name).then(|| std::fs::read(name).ok().map(Arc::from)).flatten()
    }

    /// Whether a name is in the JDK's folder.
    fn is_of_jdk(&self, name: &str) -> bool {
        let path = Path::new(name);
        path.starts_with(&self.home) && !path.components().any(|part| part.as_os_str() == "..")
    }

    /// Opens a file for reading.
    pub(crate) fn open(&mut self, name: &str) -> Option<i32> {
        let target = if self.written.get(World::plain(name)).is_some_and(Option::is_some)
            || self.given(name).is_some()
        {
            Target::File(World::plain(name).to_string())
        } else {
            Target::Fixed(self.fixed(name)?)
        };
        Some(self.descriptor(target))
    }

    /// Creates a file, or empties it, or goes on writing it.
    pub(crate) fn create(&mut self, name: &str, append: bool) -> i32 {
        let plain = World::plain(name).to_string();
        let known = self.written.get(&plain).cloned().flatten();
        let start = if append { known.unwrap_or_default() } else { Vec::new() };
        let position = start.len();
        self.written.insert(plain.clone(), Some(start));
        let fd = self.descriptor(Target::File(plain));
        if let Some(descriptor) = self.descriptors.get_mut(&fd) {
            descriptor.position = position;
        }
        fd
    }

    fn descriptor(&mut self, target: Target) -> i32 {
        let fd = (3..).find(|fd| !self.descriptors.contains_key(fd)).unwrap_or(i32::MAX);
        self.descriptors.insert(fd, Descriptor { target, position: 0 });
        fd
    }

    /// What a descriptor reads from; none if it cannot be read.
    pub(crate) fn content(&mut self, fd: i32) -> Option<(Content, usize, usize)> {
        let descriptor = self.descriptors.get(&fd)?.clone();
        let (content, size) = match descriptor.target {
            Target::Stdin => {
                let size = self.setup.stdin;
                self.object("stdin", ObjectKind::Stdin, size);
                (Content::Input("stdin".to_string()), self.stdin.unwrap_or(size))
            }
            Target::File(name) => match self.written.get(&name) {
                Some(Some(bytes)) => (Content::Plain(bytes.as_slice().into()), bytes.len()),
                _ => {
                    let size = self.given(&name)?;
                    let object = format!("file:{name}");
                    self.object(&object, ObjectKind::File, size);
                    (Content::Input(object), size)
                }
            },
            Target::Fixed(bytes) => {
                let size = bytes.len();
                (Content::Plain(bytes), size)
            }
            Target::Stdout | Target::Stderr => return None,
        };
        Some((content, descriptor.position, size))
    }

    /// Writes to a descriptor; false if that cannot be.
    pub(crate) fn write(&mut self, fd: i32, bytes: &[u8]) -> bool {
        let Some(descriptor) = self.descriptors.get_mut(&fd) else { return false };
        let keep = |output: &mut Vec<u8>| {
            let room = MAX_OUTPUT.saturating_sub(output.len());
            output.extend_from_slice(&bytes[..bytes.len().min(room)]);
        };
        match &descriptor.target {
            Target::Stdout => keep(&mut self.stdout),
            Target::Stderr => keep(&mut self.stderr),
            Target::File(name) => {
                let Some(Some(file)) = self.written.get_mut(name) else { return false };
                let end = descriptor.position + bytes.len();
                if end > MAX_OUTPUT {
                    return false;
                }
                if file.len() < end {
                    file.resize(end, 0);
                }
                file[descriptor.position..end].copy_from_slice(bytes);
                descriptor.position = end;
            }
            Target::Stdin | Target::Fixed(_) => return false,
        }
        true
    }
}
