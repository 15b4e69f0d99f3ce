//! The calls of the operating system below `java.nio.file` and its channels, over the virtual files. The JDK's own classes make
//! attributes, walks through folders, copies and channels of them.

use super::NativeRow;
use super::files::{byte, content};
use super::lang::{a0, value, value64};
use crate::domain::Values;
use crate::heap::HEADER;
use crate::kind::Kind;
use crate::machine::{Done, Fault, Machine, NativeResult, Stop};
use crate::world::{Errno, World};

/// When all files were made: in seconds since 1970.
const MADE: u64 = 1_600_000_000;

/// What `open` is asked for.
const WRITE: u64 = 1;
const READ_AND_WRITE: u64 = 2;
const CREATE: u64 = 0x40;
const EXCLUSIVE: u64 = 0x80;
const TRUNCATE: u64 = 0x200;
const APPEND: u64 = 0x400;

/// How `map0` is told that a mapping changes its file.
const MAP_TO_WRITE: u64 = 1;

/// The exception for an error of the operating system.
fn failed<D: Values>(m: &mut Machine<D>, errno: Errno) -> Fault {
    match m.make_exception("sun/nio/fs/UnixException", None) {
        Ok(exception) => {
            m.set_bits(exception, "errno", u64::from(errno.number()));
            Fault::Throw(exception)
        }
        Err(fault) => fault,
    }
}

/// The name that a native address holds, up to its zero.
fn name_at<D: Values>(m: &mut Machine<D>, address: D::Value) -> String {
    let at = m.plain(address) as usize;
    let bytes = m.heap.bytes.get(at..).unwrap_or_default();
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

fn stat<D: Values>(m: &mut Machine<D>, name: &str, attributes: u32) -> NativeResult<D> {
    let (mode, size) = match m.world.file_size(name) {
        Some(size) => (0o100_644, size),
        None if m.world.is_folder(name) => (0o040_755, 4096),
        None => return Err(failed(m, Errno::Missing)),
    };
    let node = World::plain(name).bytes().fold(17_u64, |hash, byte| hash.wrapping_mul(31) ^ u64::from(byte));
    let fields = [
        ("st_mode", mode),
        ("st_ino", node >> 1),
        ("st_dev", 1),
        ("st_nlink", 1),
        ("st_size", size as u64),
        ("st_atime_sec", MADE),
        ("st_mtime_sec", MADE),
        ("st_ctime_sec", MADE),
        ("st_birthtime_sec", MADE),
    ];
    for (field, bits) in fields {
        m.set_bits(attributes, field, bits);
    }
    Ok(Done::Void)
}

fn open<D: Values>(m: &mut Machine<D>, name: &str, flags: u64) -> Result<i32, Fault> {
    let known = m.world.file_size(name).is_some();
    if m.world.is_folder(name) && flags & (WRITE | READ_AND_WRITE) != 0 {
        return Err(failed(m, Errno::IsFolder));
    }
    if known && flags & CREATE != 0 && flags & EXCLUSIVE != 0 {
        return Err(failed(m, Errno::Exists));
    }
    if !known && (flags & CREATE == 0 || m.world.lacks_parent(name)) {
        return Err(failed(m, Errno::Missing));
    }
    if !known || flags & (TRUNCATE | APPEND) != 0 {
        return Ok(m.world.create(name, flags & APPEND != 0));
    }
    m.world.open(name).ok_or_else(|| failed(m, Errno::Missing))
}

/// The number of a descriptor object.
fn number_of<D: Values>(m: &Machine<D>, descriptor: u32) -> i32 {
    m.get_bits(descriptor, "fd") as i32
}

/// Reads so many bytes to an address, from a position or where the descriptor is.
fn read<D: Values>(
    m: &mut Machine<D>,
    fd: i32,
    to: D::Value,
    length: D::Value,
    from: Option<D::Value>,
) -> NativeResult<D> {
    let (to, length) = (m.plain(to) as u32, m.plain(length) as usize);
    let (content, position, size) = content(m, fd)?;
    let start = match from {
        Some(from) => m.plain(from) as usize,
        None => position,
    };
    let count = length.min(size.saturating_sub(start));
    if count == 0 && length > 0 {
        return Ok(value::<D>(-1_i32 as u32));
    }
    for i in 0..count {
        let byte = byte(m, &content, start + i);
        m.domain.store(&mut m.heap, to + i as u32, Kind::Byte, byte);
    }
    if from.is_none()
        && let Some(descriptor) = m.world.descriptors.get_mut(&fd)
    {
        descriptor.position = start + count;
    }
    Ok(value::<D>(count as u32))
}

/// Writes so many bytes from an address.
fn write<D: Values>(
    m: &mut Machine<D>,
    fd: i32,
    from: D::Value,
    length: D::Value,
    to: Option<D::Value>,
) -> NativeResult<D> {
    let (from, length) = (m.plain(from) as usize, m.plain(length) as usize);
    let bytes = m.heap.bytes.get(from..from + length).unwrap_or_default().to_vec();
    let to = to.map(|to| m.plain(to) as usize);
    let Some(descriptor) = m.world.descriptors.get_mut(&fd) else {
        return Err(Fault::New("java/io/IOException", Some("Bad file descriptor".into())));
    };
    let before = descriptor.position;
    descriptor.position = to.unwrap_or(before);
    let written = m.world.write(fd, &bytes);
    if to.is_some()
        && let Some(descriptor) = m.world.descriptors.get_mut(&fd)
    {
        descriptor.position = before;
    }
    if !written {
        return Err(Fault::New("java/io/IOException", Some("Bad file descriptor".into())));
    }
    Ok(value::<D>(length as u32))
}

/// Reads or writes: descriptor, address, length and position.
type Transfer<D> = fn(
    &mut Machine<D>,
    i32,
    <D as explore::Scalars>::Value,
    <D as explore::Scalars>::Value,
    Option<<D as explore::Scalars>::Value>,
) -> NativeResult<D>;

/// Does the same for each of so many pairs of address and length.
fn each<D: Values>(m: &mut Machine<D>, a: &[D::Value], one: Transfer<D>) -> NativeResult<D> {
    let fd = number_of(m, a0::<D>(a));
    let (pairs, count) = (m.plain(a[1]) as u32, m.plain(a[3]) as u32);
    let mut all = 0_u64;
    for pair in 0..count {
        let at = pairs + 16 * pair;
        let (address, length) = (m.heap.bits(at, Kind::Long), m.heap.bits(at + 8, Kind::Long));
        if length == 0 {
            continue;
        }
        match one(m, fd, D::constant(address), D::constant(length), None)? {
            Done::Value(done) if D::bits(done) as i32 > 0 => all += D::bits(done) & 0xffff_ffff,
            _ if all == 0 => return Ok(value64::<D>(u64::MAX)),
            _ => break,
        }
    }
    Ok(value64::<D>(all))
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    let mut rows = names();
    rows.extend(folders());
    rows.extend(channels());
    rows
}

/// Rows for what is asked and done by the names of files.
fn names<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("sun/nio/fs/UnixNativeDispatcher.stat0(JLsun/nio/fs/UnixFileAttributes;)V", |m, a| {
            let name = name_at(m, a[0]);
            stat(m, &name, D::bits(a[2]) as u32)
        }),
        // There are no links, so that a link is what it leads to.
        ("sun/nio/fs/UnixNativeDispatcher.lstat0(JLsun/nio/fs/UnixFileAttributes;)V", |m, a| {
            let name = name_at(m, a[0]);
            stat(m, &name, D::bits(a[2]) as u32)
        }),
        ("sun/nio/fs/UnixNativeDispatcher.stat1(J)I", |m, a| {
            let name = name_at(m, a[0]);
            let is_file = m.world.file_size(&name).is_some();
            Ok(value::<D>(match is_file {
                true => 0o100_644,
                false if m.world.is_folder(&name) => 0o040_755,
                false => 0,
            }))
        }),
        ("sun/nio/fs/UnixNativeDispatcher.exists0(J)Z", |m, a| {
            let name = name_at(m, a[0]);
            Ok(value::<D>(u32::from(m.world.file_size(&name).is_some() || m.world.is_folder(&name))))
        }),
        ("sun/nio/fs/UnixNativeDispatcher.access0(JI)V", |m, a| {
            const EXECUTE: u64 = 1;
            let name = name_at(m, a[0]);
            let (file, asked) = (m.world.file_size(&name).is_some(), m.plain(a[2]));
            match file {
                true if asked & EXECUTE != 0 => Err(failed(m, Errno::Refused)),
                false if !m.world.is_folder(&name) => Err(failed(m, Errno::Missing)),
                _ => Ok(Done::Void),
            }
        }),
        ("sun/nio/fs/UnixNativeDispatcher.readlink0(J)[B", |m, _| Err(failed(m, Errno::Invalid))),
        ("sun/nio/fs/UnixNativeDispatcher.realpath0(J)[B", |m, a| {
            let name = name_at(m, a[0]);
            if m.world.file_size(&name).is_none() && !m.world.is_folder(&name) {
                return Err(failed(m, Errno::Missing));
            }
            let mut parts = Vec::new();
            for part in name.split('/') {
                match part {
                    "" | "." => {}
                    ".." => drop(parts.pop()),
                    part => parts.push(part),
                }
            }
            m.byte_array(format!("/{}", parts.join("/")).as_bytes()).map(value::<D>)
        }),
        ("sun/nio/fs/UnixNativeDispatcher.unlink0(J)V", |m, a| {
            let name = name_at(m, a[0]);
            m.world.unlink(&name).map(|()| Done::Void).map_err(|errno| failed(m, errno))
        }),
        ("sun/nio/fs/UnixNativeDispatcher.rename0(JJ)V", |m, a| {
            let (from, to) = (name_at(m, a[0]), name_at(m, a[2]));
            m.world.rename(&from, &to).map(|()| Done::Void).map_err(|errno| failed(m, errno))
        }),
        ("sun/nio/fs/UnixNativeDispatcher.chmod0(JI)V", |_, _| Ok(Done::Void)),
        ("sun/nio/fs/UnixNativeDispatcher.fchmod(II)V", |_, _| Ok(Done::Void)),
        ("sun/nio/fs/UnixNativeDispatcher.utimes0(JJJ)V", |_, _| Ok(Done::Void)),
        ("sun/nio/fs/UnixNativeDispatcher.getpwuid(I)[B", |m, _| m.byte_array(b"user").map(value::<D>)),
        ("sun/nio/fs/UnixNativeDispatcher.getgrgid(I)[B", |m, _| m.byte_array(b"user").map(value::<D>)),
        ("sun/nio/fs/UnixNativeDispatcher.strerror(I)[B", |m, a| {
            let number = m.plain(a[0]) as u32;
            m.byte_array(Errno::words(number).as_bytes()).map(value::<D>)
        }),
        ("sun/nio/fs/LinuxNativeDispatcher.init()V", |_, _| Ok(Done::Void)),
    ]
}

/// Rows for folders.
fn folders<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("sun/nio/fs/UnixNativeDispatcher.mkdir0(JI)V", |m, a| {
            let name = name_at(m, a[0]);
            m.world.make_folder(&name).map(|()| Done::Void).map_err(|errno| failed(m, errno))
        }),
        ("sun/nio/fs/UnixNativeDispatcher.rmdir0(J)V", |m, a| {
            let name = name_at(m, a[0]);
            m.world.remove_folder(&name).map(|()| Done::Void).map_err(|errno| failed(m, errno))
        }),
        ("sun/nio/fs/UnixNativeDispatcher.opendir0(J)J", |m, a| {
            let name = name_at(m, a[0]);
            if m.world.file_size(&name).is_some() {
                return Err(failed(m, Errno::NoFolder));
            }
            let Some(mut names) = m.world.entries(&name) else { return Err(failed(m, Errno::Missing)) };
            names.reverse();
            m.world.listings.push(names);
            Ok(value64::<D>(m.world.listings.len() as u64))
        }),
        ("sun/nio/fs/UnixNativeDispatcher.readdir(J)[B", |m, a| {
            let number = m.plain(a[0]) as usize;
            match m.world.listings.get_mut(number - 1).and_then(Vec::pop) {
                Some(name) => m.byte_array(name.as_bytes()).map(value::<D>),
                None => Ok(value::<D>(0)),
            }
        }),
        ("sun/nio/fs/UnixNativeDispatcher.closedir(J)V", |_, _| Ok(Done::Void)),
    ]
}

/// Rows for open files.
fn channels<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("sun/nio/fs/UnixNativeDispatcher.open0(JII)I", |m, a| {
            let name = name_at(m, a[0]);
            let flags = m.plain(a[2]);
            open(m, &name, flags).map(|fd| value::<D>(fd as u32))
        }),
        ("sun/nio/fs/UnixNativeDispatcher.close0(I)V", |m, a| {
            let fd = m.plain(a[0]) as i32;
            m.world.descriptors.remove(&fd);
            Ok(Done::Void)
        }),
        ("sun/nio/fs/UnixCopyFile.transfer(IIJ)V", |m, a| {
            let (to, from) = (m.plain(a[0]) as i32, m.plain(a[1]) as i32);
            let (content, position, size) = content(m, from)?;
            let mut bytes = Vec::new();
            for at in position..size {
                let byte = byte(m, &content, at);
                bytes.push(D::bits(byte) as u8);
            }
            m.world.write(to, &bytes);
            Ok(Done::Void)
        }),
        ("sun/nio/ch/IOUtil.fdVal(Ljava/io/FileDescriptor;)I", |m, a| {
            Ok(value::<D>(number_of(m, a0::<D>(a)) as u32))
        }),
        ("sun/nio/ch/IOUtil.setfdVal(Ljava/io/FileDescriptor;I)V", |m, a| {
            m.set_bits(a0::<D>(a), "fd", D::bits(a[1]));
            Ok(Done::Void)
        }),
        // What tells one file's locks from another's.
        ("sun/nio/ch/FileKey.init(Ljava/io/FileDescriptor;)V", |m, a| {
            let fd = number_of(m, D::bits(a[1]) as u32);
            m.set_bits(a0::<D>(a), "st_dev", 1);
            m.set_bits(a0::<D>(a), "st_ino", fd as u64);
            Ok(Done::Void)
        }),
        ("sun/nio/ch/NativeThread.init()V", |_, _| Ok(Done::Void)),
        ("sun/nio/ch/NativeThread.current()J", |_, _| Ok(value64::<D>(1))),
        ("sun/nio/ch/NativeThread.supportPendingSignals0()Z", |_, _| Ok(value::<D>(0))),
        ("sun/nio/ch/FileChannelImpl.initIDs()J", |_, _| Ok(value64::<D>(4096))),
        // A mapping is a copy: nobody else changes the file, and what would change it is refused.
        ("sun/nio/ch/FileChannelImpl.map0(IJJZ)J", |m, a| {
            let file = m.get_ref(a0::<D>(a), "fd");
            let (fd, how, length) = (number_of(m, file), m.plain(a[1]), m.plain(a[4]));
            if how == MAP_TO_WRITE {
                let what = "a file that is mapped to be written".to_string();
                return Err(Fault::Stop(Stop::Unsupported(what)));
            }
            let object = m.known().object.id;
            let block = m.allocate_raw(object, 0, HEADER as usize + length as usize)?;
            let address = u64::from(block + HEADER);
            read(m, fd, D::constant(address), D::constant(length), Some(a[2]))?;
            Ok(value64::<D>(address))
        }),
        ("sun/nio/ch/FileChannelImpl.unmap0(JJ)I", |_, _| Ok(value::<D>(0))),
        ("sun/nio/ch/FileChannelImpl.maxDirectTransferSize0()I", |_, _| Ok(value::<D>(i32::MAX as u32))),
        // Not supported: then the JDK copies by itself.
        (
            "sun/nio/ch/FileChannelImpl.transferTo0(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;)J",
            |_, _| Ok(value64::<D>(-4_i64 as u64)),
        ),
        ("sun/nio/ch/FileDispatcherImpl.init()V", |_, _| Ok(Done::Void)),
        ("sun/nio/ch/FileDispatcherImpl.read0(Ljava/io/FileDescriptor;JI)I", |m, a| {
            let fd = number_of(m, a0::<D>(a));
            read(m, fd, a[1], a[3], None)
        }),
        ("sun/nio/ch/FileDispatcherImpl.pread0(Ljava/io/FileDescriptor;JIJ)I", |m, a| {
            let fd = number_of(m, a0::<D>(a));
            read(m, fd, a[1], a[3], Some(a[4]))
        }),
        ("sun/nio/ch/FileDispatcherImpl.readv0(Ljava/io/FileDescriptor;JI)J", |m, a| each(m, a, read)),
        ("sun/nio/ch/FileDispatcherImpl.write0(Ljava/io/FileDescriptor;JI)I", |m, a| {
            let fd = number_of(m, a0::<D>(a));
            write(m, fd, a[1], a[3], None)
        }),
        ("sun/nio/ch/FileDispatcherImpl.pwrite0(Ljava/io/FileDescriptor;JIJ)I", |m, a| {
            let fd = number_of(m, a0::<D>(a));
            write(m, fd, a[1], a[3], Some(a[4]))
        }),
        ("sun/nio/ch/FileDispatcherImpl.writev0(Ljava/io/FileDescriptor;JI)J", |m, a| each(m, a, write)),
        ("sun/nio/ch/FileDispatcherImpl.seek0(Ljava/io/FileDescriptor;J)J", |m, a| {
            let fd = number_of(m, a0::<D>(a));
            let to = m.plain(a[1]) as i64;
            match m.world.descriptors.get_mut(&fd) {
                Some(descriptor) if to >= 0 => {
                    descriptor.position = to as usize;
                    Ok(value64::<D>(to as u64))
                }
                Some(descriptor) => Ok(value64::<D>(descriptor.position as u64)),
                None => Err(Fault::New("java/io/IOException", Some("Bad file descriptor".into()))),
            }
        }),
        ("sun/nio/ch/FileDispatcherImpl.size0(Ljava/io/FileDescriptor;)J", |m, a| {
            let fd = number_of(m, a0::<D>(a));
            content(m, fd).map(|(_, _, size)| value64::<D>(size as u64))
        }),
        ("sun/nio/ch/FileDispatcherImpl.truncate0(Ljava/io/FileDescriptor;J)I", |m, a| {
            let (fd, length) = (number_of(m, a0::<D>(a)), m.plain(a[1]) as usize);
            m.world.resize(fd, length);
            Ok(value::<D>(0))
        }),
        ("sun/nio/ch/FileDispatcherImpl.force0(Ljava/io/FileDescriptor;Z)I", |_, _| Ok(value::<D>(0))),
        ("sun/nio/ch/FileDispatcherImpl.lock0(Ljava/io/FileDescriptor;ZJJZ)I", |_, _| Ok(value::<D>(0))),
        ("sun/nio/ch/FileDispatcherImpl.release0(Ljava/io/FileDescriptor;JJ)V", |_, _| Ok(Done::Void)),
        ("sun/nio/ch/FileDispatcherImpl.close0(Ljava/io/FileDescriptor;)V", |m, a| {
            let fd = number_of(m, a0::<D>(a));
            m.world.descriptors.remove(&fd);
            Ok(Done::Void)
        }),
    ]
}
