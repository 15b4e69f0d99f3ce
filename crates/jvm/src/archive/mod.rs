//! Where classes come from: the program's own files and jars first, then the JDK's image.

mod jar;
mod jimage;

pub use jar::Jar;
pub use jimage::Image;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where programs see the folders and jars of their class path, as virtual folders with numbers.
const SHOWN_AT: &str = "/classpath/";

/// The folder there of the JDK's classes.
const JDK_FOLDER: &str = "jdk";

/// Where the providers of a service are named.
const SERVICES: &str = "META-INF/services/";

/// Services of the JDK that are no use without what its modules provide. Of all others its own defaults are enough.
const PROVIDERS: [(&str, &[&str]); 7] = [
    (
        "java.util.random.RandomGenerator",
        &[
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.security.SecureRandom",
            "jdk.random.L32X64MixRandom",
            "jdk.random.L64X128MixRandom",
            "jdk.random.L64X128StarStarRandom",
            "jdk.random.L64X256MixRandom",
            "jdk.random.L64X1024MixRandom",
            "jdk.random.L128X128MixRandom",
            "jdk.random.L128X256MixRandom",
            "jdk.random.L128X1024MixRandom",
            "jdk.random.Xoroshiro128PlusPlus",
            "jdk.random.Xoshiro256PlusPlus",
        ],
    ),
    (
        "sun.util.locale.provider.LocaleDataMetaInfo",
        &[
            "sun.util.resources.cldr.provider.CLDRLocaleDataMetaInfo",
            "sun.util.resources.provider.NonBaseLocaleDataMetaInfo",
        ],
    ),
    (
        "sun.util.resources.LocaleData$CommonResourceBundleProvider",
        &["sun.util.resources.provider.LocaleDataProvider"],
    ),
    (
        "sun.util.resources.LocaleData$SupplementaryResourceBundleProvider",
        &["sun.util.resources.provider.SupplementaryLocaleDataProvider"],
    ),
    (
        "java.security.Provider",
        &[
            "sun.security.ec.SunEC",
            "com.sun.security.sasl.Provider",
            "org.jcp.xml.dsig.internal.dom.XMLDSigRI",
        ],
    ),
    ("java.nio.file.spi.FileSystemProvider", &["jdk.nio.zipfs.ZipFileSystemProvider"]),
    ("java.nio.charset.spi.CharsetProvider", &["sun.nio.cs.ext.ExtendedCharsets"]),
];

fn providers(service: &str) -> Option<&'static [&'static str]> {
    PROVIDERS.iter().find(|row| row.0 == service).map(|row| row.1)
}

/// Something classes are found in.
#[derive(Debug)]
pub enum ClassSource {
    /// A folder, searched when a class is asked for.
    Folder(PathBuf),
    /// A jar.
    Jar(Box<Jar>),
    /// Classes in memory, by internal name.
    Memory(BTreeMap<String, Vec<u8>>),
}

/// Where classes are looked for, in this order.
#[derive(Debug)]
pub struct ClassPath {
    /// The program's own, in order.
    pub sources: Vec<ClassSource>,
    /// The JDK's.
    pub image: Image,
}

/// A class's bytes, and whether they are the JDK's.
pub(crate) type Found = Option<(Vec<u8>, bool)>;

impl ClassPath {
    /// The class file of a class. The JDK's packages are looked for in the JDK only, as `java` does.
    pub(crate) fn class(&self, name: &str) -> Result<Found, String> {
        if !name.starts_with("java/") {
            for source in &self.sources {
                if let Some(bytes) = source.get(&format!("{name}.class"))? {
                    return Ok(Some((bytes, false)));
                }
            }
        }
        let found =
            self.image.class(name).map_err(|error| format!("cannot read the JDK's classes: {error}"))?;
        Ok(found.map(|bytes| (bytes, true)))
    }

    /// A file of a source by the name that programs see: each source is a folder below [`SHOWN_AT`], and so are the JDK's classes.
    pub(crate) fn shown(&self, name: &str) -> Option<Vec<u8>> {
        let (number, inner) = name.strip_prefix(SHOWN_AT)?.split_once('/')?;
        if number == JDK_FOLDER {
            return match inner.strip_prefix(SERVICES).and_then(providers) {
                Some(classes) => Some(classes.join("\n").into_bytes()),
                None => self.image.resource(inner).ok().flatten(),
            };
        }
        let source = self.sources.get(number.parse::<usize>().ok()?)?;
        source.get(inner).ok().flatten()
    }

    /// Whether a name is the folder of a source.
    pub(crate) fn is_shown_folder(&self, name: &str) -> bool {
        let number = name.strip_prefix(SHOWN_AT).map(|rest| rest.trim_end_matches('/'));
        number == Some(JDK_FOLDER)
            || number
                .and_then(|number| number.parse().ok())
                .is_some_and(|number: usize| number < self.sources.len())
    }

    /// The class path as programs see it.
    pub(crate) fn shown_path(&self) -> String {
        let folders: Vec<String> =
            (0..self.sources.len()).map(|number| format!("{SHOWN_AT}{number}")).collect();
        folders.join(":")
    }

    /// Where programs see the JDK's classes.
    pub(crate) fn shown_jdk() -> String {
        format!("{SHOWN_AT}{JDK_FOLDER}")
    }

    /// Whether somebody provides a service.
    pub(crate) fn provides(&self, service: &str) -> bool {
        let name = format!("{SERVICES}{service}");
        providers(service).is_some()
            || self.sources.iter().any(|source| matches!(source.get(&name), Ok(Some(_))))
    }

    /// A resource by its path.
    pub(crate) fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        for source in &self.sources {
            if let Some(bytes) = source.get(name)? {
                return Ok(Some(bytes));
            }
        }
        self.image.resource(name).map_err(|error| format!("cannot read the JDK's resources: {error}"))
    }
}

impl ClassSource {
    /// A file by its name.
    pub(crate) fn get(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match self {
            ClassSource::Folder(folder) => match std::fs::read(folder.join(name)) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(format!("cannot read {}: {error}", folder.join(name).display())),
            },
            ClassSource::Jar(jar) => jar.get(name).transpose(),
            ClassSource::Memory(classes) => {
                Ok(name.strip_suffix(".class").and_then(|name| classes.get(name)).cloned())
            }
        }
    }

    /// The names of the files of a jar that are no classes, in order. A folder's are read where they lie.
    pub(crate) fn resources(&self) -> Vec<String> {
        match self {
            ClassSource::Jar(jar) => {
                let resources = jar
                    .names()
                    .filter(|name| !name.ends_with(".class") && !name.ends_with('/') && !is_signature(name));
                resources.map(str::to_string).collect()
            }
            ClassSource::Folder(_) | ClassSource::Memory(_) => Vec::new(),
        }
    }

    /// The internal names of all classes in it, in order.
    pub fn classes(&self) -> Vec<String> {
        let strip = |name: &str| name.strip_suffix(".class").map(str::to_string);
        match self {
            ClassSource::Folder(folder) => {
                let mut names = Vec::new();
                let mut folders = vec![(folder.clone(), String::new())];
                while let Some((folder, prefix)) = folders.pop() {
                    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                        let name = entry.file_name().to_string_lossy().into_owned();
                        match entry.file_type() {
                            Ok(kind) if kind.is_dir() => {
                                folders.push((entry.path(), format!("{prefix}{name}/")));
                            }
                            _ => names.extend(strip(&format!("{prefix}{name}"))),
                        }
                    }
                }
                names.sort();
                names
            }
            ClassSource::Jar(jar) => {
                jar.names().filter(|name| !name.starts_with("META-INF/")).filter_map(strip).collect()
            }
            ClassSource::Memory(classes) => classes.keys().cloned().collect(),
        }
    }
}

/// Whether a file of a jar signs others: a jar of other files must not have it.
fn is_signature(name: &str) -> bool {
    let signs = [".SF", ".RSA", ".DSA", ".EC"].iter().any(|end| name.ends_with(end));
    name == "META-INF/MANIFEST.MF" || name.starts_with("META-INF/") && signs
}

/// The JDK 17 of this machine: `JAVA_HOME`, else where Debian puts it.
pub(crate) fn find_jdk() -> Result<PathBuf, String> {
    let named = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let usual = [
        "/usr/lib/jvm/java-17-openjdk-amd64",
        "/usr/lib/jvm/java-17-openjdk-arm64",
        "/usr/lib/jvm/java-17-openjdk",
    ];
    first_jdk(named.into_iter().chain(usual.map(PathBuf::from)))
}

/// The first of some folders that has a JDK 17.
fn first_jdk(mut candidates: impl Iterator<Item = PathBuf>) -> Result<PathBuf, String> {
    let is_17 = |home: &Path| {
        home.join("lib/modules").is_file()
            && std::fs::read_to_string(home.join("release"))
                .is_ok_and(|text| text.contains("JAVA_VERSION=\"17"))
    };
    candidates.find(|home| is_17(home)).ok_or_else(|| {
        "no JDK 17 is installed: Java programs run on its classes (Debian: apt-get install openjdk-17-jre-headless; \
         set JAVA_HOME if it lies elsewhere)"
            .to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_jdk_the_message_names_the_package() {
        let folder = tempfile::tempdir().expect("a folder");
        let (other, wanted) = (folder.path().join("11"), folder.path().join("17"));
        for (home, version) in [(&other, "11.0.2"), (&wanted, "17.0.9")] {
            std::fs::create_dir_all(home.join("lib")).expect("made");
            std::fs::write(home.join("lib/modules"), "").expect("written");
            std::fs::write(home.join("release"), format!("JAVA_VERSION=\"{version}\"\n")).expect("written");
        }
        let missing = folder.path().join("missing");
        let told = first_jdk([missing.clone(), other.clone()].into_iter()).expect_err("there is none");
        assert!(
            told.contains("apt-get install openjdk-17-jre-headless") && told.contains("JAVA_HOME"),
            "{told}"
        );
        assert_eq!(first_jdk([missing, other, wanted.clone()].into_iter()), Ok(wanted));
    }
}
