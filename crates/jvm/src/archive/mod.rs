//! Where classes come from: the program's own files and jars first, then the JDK's image.

mod jar;
mod jimage;

pub use jar::Jar;
pub use jimage::Image;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
