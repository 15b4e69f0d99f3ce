//! Jars: zip files read by their central directory. Entries are stored or deflated; anything else is refused by name.

use std::collections::BTreeMap;

/// An entry may be this large at most: a bomb must not fill the memory.
const MAX_ENTRY: usize = 1 << 28;

/// A jar in memory.
#[derive(Clone, Debug)]
pub struct Jar {
    bytes: Vec<u8>,
    /// Method, compressed size, size and place of the local header, by name.
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    method: u16,
    compressed: usize,
    size: usize,
    header: usize,
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(*bytes.get(at..at + 2)?.first_chunk()?)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(*bytes.get(at..at + 4)?.first_chunk()?) as usize)
}

impl Jar {
    /// Reads the directory; the message says what is wrong.
    pub fn read(bytes: Vec<u8>) -> Result<Jar, String> {
        let entries = directory(&bytes).ok_or("it is not a jar (zip) file, or it is truncated")?;
        Ok(Jar { bytes, entries })
    }

    /// The names of all entries, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The content of an entry.
    pub(crate) fn get(&self, name: &str) -> Option<Result<Vec<u8>, String>> {
        let entry = self.entries.get(name)?;
        Some(self.content(entry).ok_or_else(|| format!("entry {name} is damaged or of an unknown kind")))
    }

    /// A jar of these files, stored without compression.
    pub fn write(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        for (name, content) in files {
            let start = bytes.len() as u32;
            let mut common = Vec::new();
            // Version 10, no flags, stored, 1980-01-01.
            for half in [10_u16, 0, 0, 0, 0x21] {
                common.extend(half.to_le_bytes());
            }
            for word in [crate::checksum::crc32(0, content), content.len() as u32, content.len() as u32] {
                common.extend(word.to_le_bytes());
            }
            common.extend((name.len() as u16).to_le_bytes());
            common.extend([0, 0]);
            bytes.extend(0x0403_4b50_u32.to_le_bytes());
            bytes.extend(&common);
            bytes.extend(name.as_bytes());
            bytes.extend(content);
            directory.extend(0x0201_4b50_u32.to_le_bytes());
            directory.extend(10_u16.to_le_bytes());
            directory.extend(&common);
            directory.extend([0; 10]);
            directory.extend(start.to_le_bytes());
            directory.extend(name.as_bytes());
        }
        let (start, size, count) = (bytes.len() as u32, directory.len() as u32, files.len() as u16);
        bytes.extend(directory);
        bytes.extend(0x0605_4b50_u32.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(count.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(size.to_le_bytes());
        bytes.extend(start.to_le_bytes());
        bytes.extend([0, 0]);
        bytes
    }

    fn content(&self, entry: &Entry) -> Option<Vec<u8>> {
        if u32_at(&self.bytes, entry.header)? != 0x0403_4b50 {
            return None;
        }
        let skip = 30 + u16_at(&self.bytes, entry.header + 26)? + u16_at(&self.bytes, entry.header + 28)?;
        let start = entry.header.checked_add(skip)?;
        let data = self.bytes.get(start..start.checked_add(entry.compressed)?)?;
        match entry.method {
            0 => Some(data.to_vec()),
            8 if entry.size <= MAX_ENTRY => {
                miniz_oxide::inflate::decompress_to_vec_with_limit(data, entry.size)
                    .ok()
                    .filter(|content| content.len() == entry.size)
            }
            _ => None,
        }
    }
}

fn directory(bytes: &[u8]) -> Option<BTreeMap<String, Entry>> {
    // The end record is the last thing in the file, before a comment of up to 64 KB.
    let last = bytes.len().checked_sub(22)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    let end = (first..=last).rev().find(|&at| u32_at(bytes, at) == Some(0x0605_4b50))?;
    let (count, mut at) = (u16_at(bytes, end + 10)?, u32_at(bytes, end + 16)?);
    let mut entries = BTreeMap::new();
    for _ in 0..count {
        if u32_at(bytes, at)? != 0x0201_4b50 {
            return None;
        }
        let name_length = u16_at(bytes, at + 28)?;
        let skip = 46 + name_length + u16_at(bytes, at + 30)? + u16_at(bytes, at + 32)?;
        let name = bytes.get(at + 46..at + 46 + name_length)?;
        let entry = Entry {
            method: u16_at(bytes, at + 10)? as u16,
            compressed: u32_at(bytes, at + 20)?,
            size: u32_at(bytes, at + 24)?,
            header: u32_at(bytes, at + 42)?,
        };
        entries.insert(String::from_utf8_lossy(name).into_owned(), entry);
        at = at.checked_add(skip)?;
    }
    Some(entries)
}
