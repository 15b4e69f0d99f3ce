//! `java.nio.file`: the few calls of the operating system below it, over the same virtual files.

use super::Row;
use super::lang::value;
use crate::domain::Values;
use crate::machine::{Done, Fault};

pub(super) fn rows<D: Values>() -> Vec<Row<D>> {
    vec![
        ("sun/nio/fs/UnixNativeDispatcher.init()I", |_, _| Ok(value::<D>(0))),
        ("sun/nio/fs/UnixNativeDispatcher.getcwd()[B", |m, _| m.byte_array(b"/").map(value::<D>)),
        ("java/nio/file/Files.readAllBytes(Ljava/nio/file/Path;)[B", |m, a| {
            let stream = stream_of(m, a)?;
            let class = m.class_of(stream);
            let read = class.find_method("readAllBytes", "()[B");
            match read {
                Some(read) => {
                    Ok(Done::Call(read, vec![D::constant(u64::from(stream))], crate::machine::Hook::Plain))
                }
                None => Err(Fault::New("java/lang/InternalError", None)),
            }
        }),
        (
            "java/nio/file/Files.newInputStream(Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/io/InputStream;",
            |m, a| stream_of(m, a).map(value::<D>),
        ),
        ("java/nio/file/Files.exists(Ljava/nio/file/Path;[Ljava/nio/file/LinkOption;)Z", |m, a| {
            let name = name_of(m, a);
            Ok(value::<D>(u32::from(m.world.file_size(&name).is_some() || m.world.is_folder(&name))))
        }),
        ("java/nio/file/Files.isRegularFile(Ljava/nio/file/Path;[Ljava/nio/file/LinkOption;)Z", |m, a| {
            let name = name_of(m, a);
            Ok(value::<D>(u32::from(m.world.file_size(&name).is_some())))
        }),
        ("java/nio/file/Files.isDirectory(Ljava/nio/file/Path;[Ljava/nio/file/LinkOption;)Z", |m, a| {
            let name = name_of(m, a);
            Ok(value::<D>(u32::from(m.world.is_folder(&name))))
        }),
        ("java/nio/file/Files.size(Ljava/nio/file/Path;)J", |m, a| {
            let name = name_of(m, a);
            match m.world.file_size(&name) {
                Some(size) => Ok(super::lang::value64::<D>(size as u64)),
                None => Err(Fault::New("java/nio/file/NoSuchFileException", Some(name))),
            }
        }),
    ]
}

/// The text of a `UnixPath`.
fn name_of<D: Values>(m: &crate::machine::Machine<D>, a: &[D::Value]) -> String {
    let bytes = m.get_ref(D::bits(a[0]) as u32, "path");
    if bytes == 0 { String::new() } else { String::from_utf8_lossy(m.heap.byte_array(bytes)).into_owned() }
}

/// A `FileInputStream` of a path.
fn stream_of<D: Values>(m: &mut crate::machine::Machine<D>, a: &[D::Value]) -> Result<u32, Fault> {
    let name = name_of(m, a);
    let class = m.load("java/io/FileInputStream")?;
    let descriptor = m.load("java/io/FileDescriptor")?;
    for class in [class, descriptor] {
        if !m.initialise(class)? {
            return Err(Fault::Again);
        }
    }
    let Some(fd) = m.world.open(&name) else {
        return Err(Fault::New("java/nio/file/NoSuchFileException", Some(name)));
    };
    let object = m.allocate(descriptor)?;
    m.set_bits(object, "fd", u64::from(fd as u32));
    let stream = m.allocate(class)?;
    m.set_ref(stream, "fd", object);
    let lock = m.allocate(m.known().object)?;
    m.set_ref(stream, "closeLock", lock);
    Ok(stream)
}
