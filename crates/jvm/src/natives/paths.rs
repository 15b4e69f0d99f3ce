//! `java.nio.file`: the few calls of the operating system below it, over the same virtual files.

use super::NativeRow;
use super::lang::value;
use crate::domain::Values;
use crate::machine::{Done, Fault, Hook};

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    let mut rows = changes();
    rows.extend(reads());
    rows
}

/// Rows for what reads files and asks for them.
fn reads<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("sun/nio/fs/UnixNativeDispatcher.init()I", |_, _| Ok(value::<D>(0))),
        ("sun/nio/fs/UnixNativeDispatcher.getcwd()[B", |m, _| m.byte_array(b"/").map(value::<D>)),
        // Of whatever file system: how a stream is opened is the provider's business.
        ("java/nio/file/Files.readAllBytes(Ljava/nio/file/Path;)[B", |m, a| {
            let (files, stream) = (m.load("java/nio/file/Files")?, m.load("java/io/InputStream")?);
            let open = files.declared(
                "newInputStream",
                "(Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/io/InputStream;",
            );
            match (open, stream.declared("readAllBytes", "()[B")) {
                (Some(open), Some(read)) => {
                    let options = m.array("[Ljava/nio/file/OpenOption;", 0)?;
                    Ok(Done::Call(open, vec![a[0], D::constant(u64::from(options))], Hook::Then(read)))
                }
                _ => Err(Fault::New("java/lang/InternalError", None)),
            }
        }),
        // What the provider of the default file system inherits; other providers have methods of their own.
        (
            "java/nio/file/spi/FileSystemProvider.newInputStream(Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/io/InputStream;",
            |m, a| stream_of(m, &a[1..]).map(value::<D>),
        ),
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

/// A `FileOutputStream` of a path, as the options say.
fn output_of<D: Values>(m: &mut crate::machine::Machine<D>, a: &[D::Value]) -> Result<u32, Fault> {
    let name = name_of(m, a);
    let options: Vec<String> = m
        .refs(D::bits(a[1]) as u32)
        .into_iter()
        .map(|option| {
            let name = m.get_ref(option, "name");
            m.text(name)
        })
        .collect();
    let has = |wanted: &str| options.iter().any(|option| option == wanted);
    let class = m.load("java/io/FileOutputStream")?;
    let descriptor = m.load("java/io/FileDescriptor")?;
    for class in [class, descriptor] {
        if !m.initialise(class)? {
            return Err(Fault::Again);
        }
    }
    let known = m.world.file_size(&name).is_some();
    if !known && m.world.lacks_parent(&name) {
        return Err(Fault::New("java/nio/file/NoSuchFileException", Some(name)));
    }
    if known && has("CREATE_NEW") {
        return Err(Fault::New("java/nio/file/FileAlreadyExistsException", Some(name)));
    }
    if !known && !options.is_empty() && !has("CREATE") && !has("CREATE_NEW") {
        return Err(Fault::New("java/nio/file/NoSuchFileException", Some(name)));
    }
    let fd = m.world.create(&name, has("APPEND"));
    let object = m.allocate(descriptor)?;
    m.set_bits(object, "fd", u64::from(fd as u32));
    let stream = m.allocate(class)?;
    m.set_ref(stream, "fd", object);
    let lock = m.allocate(m.known().object)?;
    m.set_ref(stream, "closeLock", lock);
    Ok(stream)
}

/// Rows for what changes files.
fn changes<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        (
            "java/nio/file/spi/FileSystemProvider.newOutputStream(Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/io/OutputStream;",
            |m, a| output_of(m, &a[1..]).map(value::<D>),
        ),
        // Lines of a file come from the list of all of them: virtual files are small.
        (
            "java/nio/file/Files.lines(Ljava/nio/file/Path;Ljava/nio/charset/Charset;)Ljava/util/stream/Stream;",
            |m, a| {
                let files = m.load("java/nio/file/Files")?;
                let collection = m.load("java/util/Collection")?;
                let read = files.declared(
                    "readAllLines",
                    "(Ljava/nio/file/Path;Ljava/nio/charset/Charset;)Ljava/util/List;",
                );
                let stream = collection.declared("stream", "()Ljava/util/stream/Stream;");
                match (read, stream) {
                    (Some(read), Some(stream)) => Ok(Done::Call(read, a.to_vec(), Hook::Then(stream))),
                    _ => Err(Fault::New("java/lang/InternalError", None)),
                }
            },
        ),
    ]
}
