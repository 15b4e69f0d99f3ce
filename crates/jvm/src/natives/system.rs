//! `System`, properties, and the parts of the virtual machine that the JDK expects around it.

use super::NativeRow;
use super::lang::{a0, value, value64};
use crate::checksum::{adler32, crc32};
use crate::domain::Values;
use crate::heap::HEADER;
use crate::machine::{Done, Fault, Hook, Machine, Stop};

/// What `System.getProperty` says beside what the JDK works out.
fn properties(home: &str, classes: &str) -> Vec<(&'static str, String)> {
    let fixed = |text: &str| text.to_string();
    vec![
        ("java.home", home.to_string()),
        ("java.vm.specification.name", fixed("Java Virtual Machine Specification")),
        ("java.vm.specification.vendor", fixed("Oracle Corporation")),
        ("java.vm.specification.version", fixed("17")),
        ("java.vm.name", fixed("Soundline")),
        ("java.vm.vendor", fixed("Soundline")),
        ("java.vm.version", fixed("17")),
        ("java.vm.info", fixed("interpreted mode")),
        ("java.class.path", classes.to_string()),
        ("jdk.boot.class.path.append", crate::archive::ClassPath::shown_jdk()),
        ("java.library.path", fixed("")),
        ("jdk.debug", fixed("release")),
        ("sun.boot.library.path", fixed("")),
        ("java.vm.compressedOopsMode", fixed("32-bit")),
        ("sun.nio.MaxDirectMemorySize", fixed("67108864")),
    ]
}

/// `SystemProps.Raw`: the index of each property and its value.
const PLATFORM: [(&str, &str); 17] = [
    ("_file_encoding_NDX", "UTF-8"),
    ("_file_separator_NDX", "/"),
    ("_format_NDX", ""),
    ("_java_io_tmpdir_NDX", "/tmp"),
    ("_line_separator_NDX", "\n"),
    ("_native_encoding_NDX", "UTF-8"),
    ("_os_arch_NDX", "amd64"),
    ("_os_name_NDX", "Linux"),
    ("_os_version_NDX", "1"),
    ("_path_separator_NDX", ":"),
    ("_sun_jnu_encoding_NDX", "UTF-8"),
    ("_display_language_NDX", "en"),
    ("_user_dir_NDX", "/"),
    ("_user_home_NDX", "/"),
    ("_user_name_NDX", "user"),
    ("_sun_arch_data_model_NDX", "64"),
    ("_sun_cpu_endian_NDX", "little"),
];

/// The number of the process.
const PROCESS: u64 = 1000;

fn set_stream<D: Values>(m: &mut Machine<D>, field: &str, stream: u32) -> Result<Done<D::Value>, Fault> {
    let class = m.load("java/lang/System")?;
    let (at, _) = m.static_field(class, field)?;
    m.heap.set_u32(at, stream);
    Ok(Done::Void)
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/System.currentTimeMillis()J", |m, _| {
            m.world.now += 1000;
            Ok(value64::<D>(m.world.now / 1_000_000))
        }),
        ("java/lang/System.nanoTime()J", |m, _| {
            m.world.now += 1000;
            Ok(value64::<D>(m.world.now))
        }),
        ("jdk/internal/misc/VM.getNanoTimeAdjustment(J)J", |m, a| {
            let offset = m.plain(a[0]) as i64;
            Ok(value64::<D>((m.world.now as i64 - offset * 1_000_000_000) as u64))
        }),
        ("java/lang/System.setIn0(Ljava/io/InputStream;)V", |m, a| set_stream(m, "in", a0::<D>(a))),
        ("java/lang/System.setOut0(Ljava/io/PrintStream;)V", |m, a| set_stream(m, "out", a0::<D>(a))),
        ("java/lang/System.setErr0(Ljava/io/PrintStream;)V", |m, a| set_stream(m, "err", a0::<D>(a))),
        ("java/lang/System.mapLibraryName(Ljava/lang/String;)Ljava/lang/String;", |m, a| {
            if a0::<D>(a) == 0 {
                return Err(Fault::New("java/lang/NullPointerException", None));
            }
            let name = m.text(a0::<D>(a));
            m.string(&format!("lib{name}.so")).map(value::<D>)
        }),
        // What the JDK's own classes load is here, so far as it is: a native that is not is named when it is called.
        ("java/lang/System.loadLibrary(Ljava/lang/String;)V", |m, a| {
            if m.frames.last().is_some_and(|caller| !caller.method.class.own) {
                return Ok(Done::Void);
            }
            let name = m.text(a0::<D>(a));
            Err(Fault::Stop(Stop::Unsupported(format!("the native library {name}"))))
        }),
        ("java/lang/System.load(Ljava/lang/String;)V", |m, a| {
            let name = m.text(a0::<D>(a));
            Err(Fault::Stop(Stop::Unsupported(format!("the native library {name}"))))
        }),
        ("jdk/internal/loader/BootLoader.<clinit>()V", |_, _| Ok(Done::Void)),
        ("jdk/internal/loader/BootLoader.getUnnamedModule()Ljava/lang/Module;", |m, _| {
            Ok(value::<D>(m.world.module))
        }),
        ("jdk/internal/loader/BootLoader.loadLibrary(Ljava/lang/String;)V", |_, _| Ok(Done::Void)),
        (
            "jdk/internal/loader/NativeLibraries.loadLibrary(Ljava/lang/String;)Ljdk/internal/loader/NativeLibrary;",
            |_, _| Ok(value::<D>(0)),
        ),
        ("jdk/internal/util/SystemProps$Raw.vmProperties()[Ljava/lang/String;", |m, _| {
            let (home, classes) = (m.world.home.display().to_string(), m.world.classes.shown_path());
            let mut all = Vec::new();
            for (key, text) in properties(&home, &classes) {
                all.push(m.string(key)?);
                all.push(m.string(&text)?);
            }
            all.extend([0, 0]);
            m.array_of_refs("[Ljava/lang/String;", &all).map(value::<D>)
        }),
        ("jdk/internal/util/SystemProps$Raw.platformProperties()[Ljava/lang/String;", |m, _| {
            let class = m.load("jdk/internal/util/SystemProps$Raw")?;
            let number = |name: &str| {
                let field = class.fields.iter().find(|field| field.name == name)?;
                match class.pool.get(field.constant?) {
                    Ok(crate::classfile::Constant::Int(number)) => Some(*number as usize),
                    _ => None,
                }
            };
            let mut all = vec![0; number("FIXED_LENGTH").unwrap_or(64)];
            for (name, text) in PLATFORM {
                if let Some(slot) = number(name).and_then(|at| all.get_mut(at)) {
                    *slot = m.string(text)?;
                }
            }
            m.array_of_refs("[Ljava/lang/String;", &all).map(value::<D>)
        }),
        ("jdk/internal/misc/VM.initialize()V", |_, _| Ok(Done::Void)),
        ("jdk/internal/misc/VM.latestUserDefinedLoader0()Ljava/lang/ClassLoader;", |_, _| Ok(value::<D>(0))),
        ("jdk/internal/misc/VM.initializeOSEnvironment()V", |_, _| Ok(Done::Void)),
        ("jdk/internal/misc/CDS.isDumpingClassList0()Z", |_, _| Ok(value::<D>(0))),
        ("jdk/internal/misc/CDS.isDumpingArchive0()Z", |_, _| Ok(value::<D>(0))),
        ("jdk/internal/misc/CDS.isSharingEnabled0()Z", |_, _| Ok(value::<D>(0))),
        ("jdk/internal/misc/CDS.getRandomSeedForDumping()J", |_, _| Ok(value64::<D>(0))),
        ("jdk/internal/misc/CDS.initializeFromArchive(Ljava/lang/Class;)V", |_, _| Ok(Done::Void)),
        ("java/lang/Terminator.setup()V", |_, _| Ok(Done::Void)),
        ("jdk/internal/misc/Signal.findSignal0(Ljava/lang/String;)I", |_, _| Ok(value::<D>(-1_i32 as u32))),
        ("jdk/internal/misc/Signal.handle0(IJ)J", |_, _| Ok(value64::<D>(0))),
        ("java/lang/Shutdown.beforeHalt()V", |_, _| Ok(Done::Void)),
        ("java/lang/Shutdown.halt0(I)V", |m, a| {
            let code = m.plain(a[0]) as i32;
            Err(Fault::Stop(Stop::Exited(code)))
        }),
        (
            "java/security/AccessController.getStackAccessControlContext()Ljava/security/AccessControlContext;",
            |_, _| Ok(value::<D>(0)),
        ),
        (
            "java/security/AccessController.getInheritedAccessControlContext()Ljava/security/AccessControlContext;",
            |_, _| Ok(value::<D>(0)),
        ),
        ("java/security/AccessController.ensureMaterializedForStackWalk(Ljava/lang/Object;)V", |_, _| {
            Ok(Done::Void)
        }),
        (
            "java/security/AccessController.getProtectionDomain(Ljava/lang/Class;)Ljava/security/ProtectionDomain;",
            |_, _| Ok(value::<D>(0)),
        ),
        // The process is the only one, and nobody started it.
        // Counters that other processes read are plain memory.
        ("jdk/internal/perf/Perf.createLong(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;", |m, _| {
            let class = m.load("java/nio/ByteBuffer")?;
            if !m.initialise(class)? {
                return Err(Fault::Again);
            }
            match class.declared("allocate", "(I)Ljava/nio/ByteBuffer;") {
                Some(method) => Ok(Done::Call(method, vec![D::constant(8)], Hook::Plain)),
                None => Err(Fault::New("java/lang/InternalError", None)),
            }
        }),
        ("java/lang/ProcessHandleImpl.getCurrentPid0()J", |_, _| Ok(value64::<D>(PROCESS))),
        ("java/lang/ProcessHandleImpl.isAlive0(J)J", |m, a| {
            let alive = m.plain(a[0]) == PROCESS;
            Ok(value64::<D>(if alive { 0 } else { u64::MAX }))
        }),
        ("java/lang/ProcessHandleImpl.parent0(JJ)J", |_, _| Ok(value64::<D>(u64::MAX))),
        ("java/lang/System.console()Ljava/io/Console;", |_, _| Ok(value::<D>(0))),
        ("java/net/InetAddress.init()V", |_, _| Ok(Done::Void)),
        ("java/net/Inet4Address.init()V", |_, _| Ok(Done::Void)),
        ("java/net/Inet6Address.init()V", |_, _| Ok(Done::Void)),
        ("java/net/InetAddressImplFactory.isIPv6Supported()Z", |_, _| Ok(value::<D>(0))),
        ("java/net/NetworkInterface.init()V", |_, _| Ok(Done::Void)),
        ("java/net/NetworkInterface.getAll()[Ljava/net/NetworkInterface;", |_, _| Ok(value::<D>(0))),
        ("java/lang/ProcessEnvironment.environ()[[B", |m, _| m.array("[[B", 0).map(value::<D>)),
        ("java/util/TimeZone.getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;", |m, _| {
            m.string("UTC").map(value::<D>)
        }),
        ("java/util/TimeZone.getSystemGMTOffsetID()Ljava/lang/String;", |m, _| {
            m.string("GMT").map(value::<D>)
        }),
        // The virtual machine's modules are not modelled: everybody reads and opens everything.
        ("java/lang/Module.isExported(Ljava/lang/String;)Z", |_, _| Ok(value::<D>(1))),
        ("java/lang/Module.isExported(Ljava/lang/String;Ljava/lang/Module;)Z", |_, _| Ok(value::<D>(1))),
        ("java/lang/Module.isOpen(Ljava/lang/String;)Z", |_, _| Ok(value::<D>(1))),
        ("java/lang/Module.isOpen(Ljava/lang/String;Ljava/lang/Module;)Z", |_, _| Ok(value::<D>(1))),
        ("java/lang/Module.canRead(Ljava/lang/Module;)Z", |_, _| Ok(value::<D>(1))),
        ("java/lang/Module.isNamed()Z", |_, _| Ok(value::<D>(0))),
        ("java/lang/Module.getName()Ljava/lang/String;", |_, _| Ok(value::<D>(0))),
        // Providers of the JDK are its own defaults. Those of the program are named in its class path.
        ("java/util/ServiceLoader.newLookupIterator()Ljava/util/Iterator;", |m, a| {
            let name = m.get_ref(a0::<D>(a), "serviceName");
            let name = m.text(name);
            if !m.world.classes.provides(&name) {
                return empty(m, "emptyIterator", "()Ljava/util/Iterator;");
            }
            let class = m.load("java/util/ServiceLoader$LazyClassPathLookupIterator")?;
            let Some(constructor) = class.declared("<init>", "(Ljava/util/ServiceLoader;)V") else {
                return Err(Fault::New("java/lang/InternalError", None));
            };
            if !m.initialise(class)? {
                return Err(Fault::Again);
            }
            let iterator = m.allocate(class)?;
            let args = vec![D::constant(u64::from(iterator)), a[0]];
            Ok(Done::Call(constructor, args, Hook::Constructed(iterator)))
        }),
        ("sun/nio/ch/IOUtil.initIDs()V", |_, _| Ok(Done::Void)),
        ("sun/nio/ch/IOUtil.iovMax()I", |_, _| Ok(value::<D>(16))),
        ("java/util/concurrent/atomic/AtomicLong.VMSupportsCS8()Z", |_, _| Ok(value::<D>(1))),
        ("java/util/zip/CRC32.update(II)I", |m, a| {
            let (crc, byte) = (m.plain(a[0]) as u32, m.plain(a[1]) as u8);
            Ok(value::<D>(crc32(crc, &[byte])))
        }),
        ("java/util/zip/CRC32.updateBytes0(I[BII)I", |m, a| {
            let (crc, bytes) = range(m, a);
            Ok(value::<D>(crc32(crc, &bytes)))
        }),
        ("java/util/zip/Adler32.update(II)I", |m, a| {
            let (sum, byte) = (m.plain(a[0]) as u32, m.plain(a[1]) as u8);
            Ok(value::<D>(adler32(sum, &[byte])))
        }),
        ("java/util/zip/Adler32.updateBytes(I[BII)I", |m, a| {
            let (sum, bytes) = range(m, a);
            Ok(value::<D>(adler32(sum, &bytes)))
        }),
    ]
}

fn empty<D: Values>(m: &mut Machine<D>, name: &str, descriptor: &str) -> Result<Done<D::Value>, Fault> {
    let class = m.load("java/util/Collections")?;
    if !m.initialise(class)? {
        return Err(Fault::Again);
    }
    match class.declared(name, descriptor) {
        Some(method) => Ok(Done::Call(method, Vec::new(), Hook::Plain)),
        None => Err(Fault::New("java/lang/InternalError", None)),
    }
}

/// A checksum so far, and the bytes of a range of an array, as they are in this run.
fn range<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> (u32, Vec<u8>) {
    let (sum, array) = (m.plain(a[0]) as u32, D::bits(a[1]) as u32);
    let (from, length) = (m.plain(a[2]) as u32, m.plain(a[3]) as u32);
    let mut bytes = Vec::new();
    for i in 0..length {
        let byte = m.domain.load(&m.heap, array + HEADER + from + i, crate::kind::Kind::Byte);
        bytes.push(m.plain(byte) as u8);
    }
    (sum, bytes)
}
