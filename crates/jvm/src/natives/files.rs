//! `java.io` over virtual files.

use super::NativeRow;
use super::lang::{a0, value, value64};
use crate::domain::Values;
use crate::heap::HEADER;
use crate::kind::Kind;
use crate::machine::{Done, Fault, Machine, NativeResult};
use crate::world::{Content, World};

fn missing(name: &str) -> Fault {
    Fault::New("java/io/FileNotFoundException", Some(format!("{name} (No such file or directory)")))
}

fn closed() -> Fault {
    Fault::New("java/io/IOException", Some("Stream Closed".into()))
}

/// The descriptor of a stream.
fn descriptor<D: Values>(m: &Machine<D>, stream: u32) -> i32 {
    let fd = m.get_ref(stream, "fd");
    if fd == 0 { -1 } else { m.get_bits(fd, "fd") as i32 }
}

fn set_descriptor<D: Values>(m: &mut Machine<D>, stream: u32, fd: i32) {
    let object = m.get_ref(stream, "fd");
    m.set_bits(object, "fd", u64::from(fd as u32));
}

fn open<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let name = m.text(D::bits(a[1]) as u32);
    let fd = m.world.open(&name).ok_or_else(|| missing(&name))?;
    set_descriptor(m, a0::<D>(a), fd);
    Ok(Done::Void)
}

/// Byte `at` of what is read, with its term if it is of the input.
pub(super) fn byte<D: Values>(m: &mut Machine<D>, content: &Content, at: usize) -> D::Value {
    match content {
        Content::Plain(bytes) => D::constant(u64::from(bytes[at] as i8 as i32 as u32)),
        Content::Input(name) => {
            let World { objects, symbols, .. } = &mut m.world;
            match objects.named(name) {
                Some(object) => m.domain.byte(symbols, name, &object.bytes, at),
                None => D::constant(0),
            }
        }
    }
}

/// What a descriptor reads from. The length of standard input may be a part of the input; then it is taken as it is in this run.
pub(super) fn content<D: Values>(m: &mut Machine<D>, fd: i32) -> Result<(Content, usize, usize), Fault> {
    const SIZE: &str = "stdin.size";
    if fd == 0 && m.world.setup.sized && m.world.stdin.is_none() {
        let most = m.world.setup.stdin as u32;
        let scalar = explore::target::Scalar::Int { bits: 32, signed: false };
        let kind = explore::target::ObjectKind::Size { most };
        let bytes = m.world.object(SIZE, kind, scalar.bytes());
        let value = m.domain.scalar(&mut m.world.symbols, SIZE, scalar, &bytes);
        let bound = D::constant(u64::from(most));
        let fits = m.domain.binary::<explore::op::ops::I32LeU>(explore::Site::new(0), value, bound);
        if !m.domain.require(explore::Site::new(0), fits.unwrap_or_default()) {
            return Err(Fault::Stop(crate::machine::Stop::Assumption));
        }
        m.world.stdin = Some(m.plain(value) as usize);
    }
    m.world.content(fd).ok_or_else(closed)
}

fn read_one<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let fd = descriptor(m, a0::<D>(a));
    let (content, position, size) = content(m, fd)?;
    if position >= size {
        return Ok(value::<D>(-1_i32 as u32));
    }
    advance(m, fd, 1);
    let byte = byte(m, &content, position);
    let unsigned = m.domain.binary::<explore::op::ops::I32And>(explore::Site::new(0), byte, D::constant(255));
    Ok(Done::Value(unsigned.unwrap_or_default()))
}

fn advance<D: Values>(m: &mut Machine<D>, fd: i32, by: usize) {
    if let Some(descriptor) = m.world.descriptors.get_mut(&fd) {
        descriptor.position += by;
    }
}

/// Checks a range of an array as `readBytes` and `writeBytes` do.
fn checked_range<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> Result<(u32, u32, u32), Fault> {
    let array = D::bits(a[1]) as u32;
    if array == 0 {
        return Err(Fault::New("java/lang/NullPointerException", None));
    }
    let (from, length) = (m.plain(a[2]) as i32, m.plain(a[3]) as i32);
    if from < 0 || length < 0 || i64::from(from) + i64::from(length) > i64::from(m.heap.length(array)) {
        return Err(Fault::New("java/lang/IndexOutOfBoundsException", None));
    }
    Ok((array, from as u32, length as u32))
}

fn read_many<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let (array, from, length) = checked_range(m, a)?;
    if length == 0 {
        return Ok(value::<D>(0));
    }
    let fd = descriptor(m, a0::<D>(a));
    let (content, position, size) = content(m, fd)?;
    let count = (length as usize).min(size.saturating_sub(position));
    if count == 0 {
        return Ok(value::<D>(-1_i32 as u32));
    }
    for i in 0..count {
        let byte = byte(m, &content, position + i);
        m.domain.store(&mut m.heap, array + HEADER + from + i as u32, Kind::Byte, byte);
    }
    advance(m, fd, count);
    Ok(value::<D>(count as u32))
}

fn write_many<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let (array, from, length) = checked_range(m, a)?;
    let start = (array + HEADER + from) as usize;
    // Output is taken as it is in this run and adds no condition: the program does not read it back.
    let bytes = m.heap.bytes[start..start + length as usize].to_vec();
    let fd = descriptor(m, a0::<D>(a));
    if m.world.write(fd, &bytes) { Ok(Done::Void) } else { Err(closed()) }
}

fn write_one<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let fd = descriptor(m, a0::<D>(a));
    if m.world.write(fd, &[D::bits(a[1]) as u8]) { Ok(Done::Void) } else { Err(closed()) }
}

fn position<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> Result<(i32, usize, usize), Fault> {
    let fd = descriptor(m, a0::<D>(a));
    let (_, position, size) = content(m, fd)?;
    Ok((fd, position, size))
}

fn path<D: Values>(m: &Machine<D>, file: u32) -> String {
    let path = m.get_ref(file, "path");
    m.text(path)
}

/// An absolute name without `.`, `..` and empty parts. No virtual file is a link.
fn canonical(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/io/FileDescriptor.getHandle(I)J", |_, _| Ok(value64::<D>(u64::MAX))),
        ("java/io/FileDescriptor.getAppend(I)Z", |_, _| Ok(value::<D>(0))),
        ("java/io/FileDescriptor.close0()V", |m, a| {
            let fd = m.get_bits(a0::<D>(a), "fd") as i32;
            if fd > 2 {
                m.world.descriptors.remove(&fd);
            }
            m.set_bits(a0::<D>(a), "fd", u64::from(u32::MAX));
            Ok(Done::Void)
        }),
        ("java/io/FileCleanable.cleanupClose0(IJ)V", |_, _| Ok(Done::Void)),
        ("java/io/FileInputStream.open0(Ljava/lang/String;)V", |m, a| open(m, a)),
        ("java/io/FileInputStream.read0()I", |m, a| read_one(m, a)),
        ("java/io/FileInputStream.readBytes([BII)I", |m, a| read_many(m, a)),
        ("java/io/FileInputStream.available0()I", |m, a| {
            let (_, position, size) = position(m, a)?;
            Ok(value::<D>(size.saturating_sub(position) as u32))
        }),
        ("java/io/FileInputStream.length0()J", |m, a| {
            position(m, a).map(|(_, _, size)| value64::<D>(size as u64))
        }),
        ("java/io/FileInputStream.position0()J", |m, a| {
            position(m, a).map(|(_, position, _)| value64::<D>(position as u64))
        }),
        ("java/io/FileInputStream.skip0(J)J", |m, a| {
            let by = m.plain(a[1]) as i64;
            let (fd, at, _) = position(m, a)?;
            let to = (at as i64 + by).max(0);
            if let Some(descriptor) = m.world.descriptors.get_mut(&fd) {
                descriptor.position = to as usize;
            }
            Ok(value64::<D>((to - at as i64) as u64))
        }),
        ("java/io/FileOutputStream.open0(Ljava/lang/String;Z)V", |m, a| {
            let name = m.text(D::bits(a[1]) as u32);
            if m.world.is_folder(&name) {
                return Err(Fault::New(
                    "java/io/FileNotFoundException",
                    Some(format!("{name} (Is a directory)")),
                ));
            }
            if m.world.lacks_parent(&name) {
                return Err(missing(&name));
            }
            let fd = m.world.create(&name, D::bits(a[2]) != 0);
            set_descriptor(m, a0::<D>(a), fd);
            Ok(Done::Void)
        }),
        ("java/io/FileOutputStream.write(IZ)V", |m, a| write_one(m, a)),
        ("java/io/FileOutputStream.writeBytes([BIIZ)V", |m, a| write_many(m, a)),
        ("java/io/RandomAccessFile.open0(Ljava/lang/String;I)V", |m, a| {
            let mode = m.plain(a[2]);
            let name = m.text(D::bits(a[1]) as u32);
            // Mode 1 is for reading only; a file that can be written is made if it is not there.
            let fd = match m.world.open(&name) {
                Some(fd) => fd,
                None if mode & 1 != 0 || m.world.lacks_parent(&name) => return Err(missing(&name)),
                None => m.world.create(&name, false),
            };
            set_descriptor(m, a0::<D>(a), fd);
            Ok(Done::Void)
        }),
        ("java/io/RandomAccessFile.read0()I", |m, a| read_one(m, a)),
        ("java/io/RandomAccessFile.readBytes([BII)I", |m, a| read_many(m, a)),
        ("java/io/RandomAccessFile.write0(I)V", |m, a| write_one(m, a)),
        ("java/io/RandomAccessFile.writeBytes([BII)V", |m, a| write_many(m, a)),
        ("java/io/RandomAccessFile.getFilePointer()J", |m, a| {
            position(m, a).map(|(_, position, _)| value64::<D>(position as u64))
        }),
        ("java/io/RandomAccessFile.length()J", |m, a| {
            position(m, a).map(|(_, _, size)| value64::<D>(size as u64))
        }),
        ("java/io/RandomAccessFile.seek0(J)V", |m, a| {
            let to = m.plain(a[1]) as i64;
            let fd = descriptor(m, a0::<D>(a));
            if to < 0 {
                return Err(Fault::New("java/io/IOException", Some("Negative seek offset".into())));
            }
            match m.world.descriptors.get_mut(&fd) {
                Some(descriptor) => descriptor.position = to as usize,
                None => return Err(closed()),
            }
            Ok(Done::Void)
        }),
        ("java/io/RandomAccessFile.setLength(J)V", |m, a| {
            let length = m.plain(a[1]) as usize;
            let fd = descriptor(m, a0::<D>(a));
            if !m.world.resize(fd, length) {
                return Err(closed());
            }
            Ok(Done::Void)
        }),
        ("java/io/UnixFileSystem.canonicalize0(Ljava/lang/String;)Ljava/lang/String;", |m, a| {
            let name = m.text(D::bits(a[1]) as u32);
            m.string(&canonical(&name)).map(value::<D>)
        }),
        ("java/io/UnixFileSystem.getBooleanAttributes0(Ljava/io/File;)I", |m, a| {
            let name = path(m, D::bits(a[1]) as u32);
            let (exists, regular, folder) = (1, 2, 4);
            let bits = match m.world.file_size(&name) {
                Some(_) => exists | regular,
                None if m.world.is_folder(&name) => exists | folder,
                None => 0,
            };
            Ok(value::<D>(bits))
        }),
        ("java/io/UnixFileSystem.checkAccess(Ljava/io/File;I)Z", |m, a| {
            let name = path(m, D::bits(a[1]) as u32);
            Ok(value::<D>(u32::from(m.world.file_size(&name).is_some() || m.world.is_folder(&name))))
        }),
        ("java/io/UnixFileSystem.getLength(Ljava/io/File;)J", |m, a| {
            let name = path(m, D::bits(a[1]) as u32);
            Ok(value64::<D>(m.world.file_size(&name).unwrap_or(0) as u64))
        }),
        ("java/io/UnixFileSystem.getLastModifiedTime(Ljava/io/File;)J", |_, _| {
            Ok(value64::<D>(1_600_000_000_000))
        }),
        ("java/io/UnixFileSystem.createFileExclusively(Ljava/lang/String;)Z", |m, a| {
            let name = m.text(D::bits(a[1]) as u32);
            if m.world.file_size(&name).is_some() || m.world.is_folder(&name) {
                return Ok(value::<D>(0));
            }
            if m.world.lacks_parent(&name) {
                return Err(Fault::New("java/io/IOException", Some("No such file or directory".into())));
            }
            let fd = m.world.create(&name, false);
            m.world.descriptors.remove(&fd);
            Ok(value::<D>(1))
        }),
        ("java/io/UnixFileSystem.delete0(Ljava/io/File;)Z", |m, a| {
            let name = path(m, D::bits(a[1]) as u32);
            let removed = m.world.unlink(&name).or_else(|_| m.world.remove_folder(&name));
            Ok(value::<D>(u32::from(removed.is_ok())))
        }),
        ("java/io/UnixFileSystem.createDirectory(Ljava/io/File;)Z", |m, a| {
            let name = path(m, D::bits(a[1]) as u32);
            let made = m.world.make_folder(&name);
            Ok(value::<D>(u32::from(made.is_ok())))
        }),
        ("java/io/UnixFileSystem.getNameMax0(Ljava/lang/String;)J", |_, _| Ok(value64::<D>(255))),
        ("java/io/UnixFileSystem.setPermission(Ljava/io/File;IZZ)Z", |m, a| {
            let name = path(m, D::bits(a[1]) as u32);
            Ok(value::<D>(u32::from(m.world.file_size(&name).is_some() || m.world.is_folder(&name))))
        }),
        ("java/io/UnixFileSystem.setLastModifiedTime(Ljava/io/File;J)Z", |m, a| {
            let name = path(m, D::bits(a[1]) as u32);
            Ok(value::<D>(u32::from(m.world.file_size(&name).is_some() || m.world.is_folder(&name))))
        }),
        ("java/io/UnixFileSystem.setReadOnly(Ljava/io/File;)Z", |m, a| {
            let name = path(m, D::bits(a[1]) as u32);
            Ok(value::<D>(u32::from(m.world.file_size(&name).is_some() || m.world.is_folder(&name))))
        }),
        ("java/io/UnixFileSystem.list(Ljava/io/File;)[Ljava/lang/String;", |m, a| {
            let name = path(m, D::bits(a[1]) as u32);
            let Some(names) = m.world.entries(&name) else {
                return Ok(value::<D>(0));
            };
            let mut all = Vec::new();
            for name in names {
                all.push(m.string(&name)?);
            }
            m.array_of_refs("[Ljava/lang/String;", &all).map(value::<D>)
        }),
        ("java/io/UnixFileSystem.rename0(Ljava/io/File;Ljava/io/File;)Z", |m, a| {
            let (from, to) = (path(m, D::bits(a[1]) as u32), path(m, D::bits(a[2]) as u32));
            let renamed = m.world.rename(&from, &to);
            Ok(value::<D>(u32::from(renamed.is_ok())))
        }),
    ]
}
