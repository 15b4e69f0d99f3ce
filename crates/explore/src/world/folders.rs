//! Folders of the virtual world, and what changes where files are: listing, removing, renaming. Nothing of it reaches a file of the machine
//! that Soundline runs on.

use super::World;
use super::wasi::{
    BADF, EXIST, INVAL, ISDIR, MAX_FILE, NOENT, NOTDIR, NOTEMPTY, SPIPE, SUCCESS, Target, plain, put_words,
};
use crate::memory::{Memory, Overlay};
use crate::trap::Trap;

/// The folders that given files are in.
pub(super) fn of_files(files: &[(String, usize)]) -> Vec<String> {
    let mut folders: Vec<String> = Vec::new();
    for (name, _) in files {
        let name = plain(name);
        for (end, _) in name.match_indices('/') {
            if !folders.iter().any(|known| *known == name[..end]) {
                folders.push(name[..end].to_string());
            }
        }
    }
    folders
}

/// The name of what lies in a folder itself, and not in one below.
fn child<'a>(folder: &str, name: &'a str) -> Option<&'a str> {
    let rest = match folder {
        "" => name,
        _ => name.strip_prefix(folder)?.strip_prefix('/')?,
    };
    (!rest.is_empty() && !rest.contains('/')).then_some(rest)
}

/// The type of a subscription that waits for a time, and where an event says what came.
const CLOCK: u8 = 0;
const SUBSCRIPTION: u32 = 48;
const EVENT: usize = 32;

impl World<'_> {
    /// The children of a folder, with their types as a listing has them.
    fn children(&self, folder: &str) -> Vec<(String, u8)> {
        let itself = [(".", 3), ("..", 3)].map(|(name, ty)| (name.to_string(), ty));
        let folders = self.folders.iter().filter_map(|name| Some((child(folder, name)?.to_string(), 3)));
        let names = self.files.iter().filter_map(|file| file.name.as_deref());
        let files = names.filter_map(|name| Some((child(folder, name)?.to_string(), 4)));
        itself.into_iter().chain(folders).chain(files).collect()
    }

    /// Writes as much of a listing as fits, from an entry on; the last one may be cut off.
    pub(super) fn readdir<O: Overlay>(
        &mut self,
        memory: &mut Memory<O>,
        number: u32,
        buffer: u32,
        size: u32,
        from: u64,
        used: u32,
    ) -> Result<u16, Trap> {
        let folder = match self.descriptor(number).map(|descriptor| descriptor.target) {
            Some(Target::Root) => "",
            Some(Target::Folder(folder)) => &self.folders[folder],
            Some(_) => return Ok(NOTDIR),
            None => return Ok(BADF),
        };
        let mut listing = Vec::new();
        for (i, (name, ty)) in self.children(folder).iter().enumerate().skip(from as usize) {
            listing.extend_from_slice(&(i as u64 + 1).to_le_bytes());
            listing.extend_from_slice(&(i as u64 + 1).to_le_bytes());
            listing.extend_from_slice(&(name.len() as u32).to_le_bytes());
            listing.extend_from_slice(&u32::from(*ty).to_le_bytes());
            listing.extend_from_slice(name.as_bytes());
        }
        listing.truncate(size as usize);
        memory.write(buffer, &listing)?;
        put_words(memory, &[(used, listing.len() as u32)])
    }

    pub(super) fn create_directory<O: Overlay>(
        &mut self,
        memory: &Memory<O>,
        address: u32,
        length: u32,
    ) -> Result<u16, Trap> {
        Ok(match self.look_up(memory, address, length)? {
            Ok(_) => EXIST,
            Err(name) => {
                self.folders.push(name);
                SUCCESS
            }
        })
    }

    /// Removes an empty folder. Its place in the list stays, so that descriptors do not change their meaning.
    pub(super) fn remove_directory<O: Overlay>(
        &mut self,
        memory: &Memory<O>,
        address: u32,
        length: u32,
    ) -> Result<u16, Trap> {
        Ok(match self.look_up(memory, address, length)? {
            Ok(Target::Folder(folder)) if self.children(&self.folders[folder]).len() > 2 => NOTEMPTY,
            Ok(Target::Folder(folder)) => {
                // No path leads to a name that begins with a slash.
                self.folders[folder].insert(0, '/');
                SUCCESS
            }
            Ok(Target::Root) => INVAL,
            Ok(_) => NOTDIR,
            Err(_) => NOENT,
        })
    }

    /// Removes a file. Who has it open can still use it.
    pub(super) fn unlink_file<O: Overlay>(
        &mut self,
        memory: &Memory<O>,
        address: u32,
        length: u32,
    ) -> Result<u16, Trap> {
        Ok(match self.look_up(memory, address, length)? {
            Ok(Target::File(file)) => {
                self.files[file].name = None;
                SUCCESS
            }
            Ok(_) => ISDIR,
            Err(_) => NOENT,
        })
    }

    /// Gives a file another name, which may have been that of another one.
    pub(super) fn rename<O: Overlay>(
        &mut self,
        memory: &Memory<O>,
        from: (u32, u32),
        to: (u32, u32),
    ) -> Result<u16, Trap> {
        let file = match self.look_up(memory, from.0, from.1)? {
            Ok(Target::File(file)) => file,
            Ok(_) => return Ok(ISDIR),
            Err(_) => return Ok(NOENT),
        };
        let name = match self.look_up(memory, to.0, to.1)? {
            Ok(Target::File(other)) if other == file => return Ok(SUCCESS),
            Ok(Target::File(other)) => self.files[other].name.take(),
            Ok(_) => return Ok(ISDIR),
            Err(name) => Some(name),
        };
        self.files[file].name = name;
        Ok(SUCCESS)
    }

    /// Cuts off or lengthens a file that the run wrote.
    pub(super) fn set_size(&mut self, number: u32, size: u64) -> u16 {
        match self.descriptor(number).map(|descriptor| descriptor.target) {
            Some(Target::File(file)) if !self.files[file].is_given() && size <= MAX_FILE => {
                self.files[file].written.resize(size as usize, 0);
                SUCCESS
            }
            Some(Target::File(_)) => INVAL,
            Some(_) => SPIPE,
            None => BADF,
        }
    }

    /// Waiting takes no time: what is waited for is there. A time is over only where nothing else is waited for.
    pub(super) fn poll<O: Overlay>(
        &mut self,
        memory: &mut Memory<O>,
        subscriptions: u32,
        events: u32,
        count: u32,
        happened: u32,
    ) -> Result<u16, Trap> {
        if count == 0 {
            return Ok(INVAL);
        }
        let size = count.checked_mul(SUBSCRIPTION).ok_or(Trap::MemoryOutOfBounds)?;
        let bytes = memory.read(subscriptions, size)?.to_vec();
        let all = bytes.chunks_exact(SUBSCRIPTION as usize);
        let clocks_only = all.clone().all(|one| one[8] == CLOCK);
        let mut found = Vec::new();
        for one in all.filter(|one| clocks_only || one[8] != CLOCK) {
            let mut event = [0; EVENT];
            event[..8].copy_from_slice(&one[..8]);
            event[10] = one[8];
            event[16] = u8::from(one[8] != CLOCK);
            found.extend_from_slice(&event);
        }
        memory.write(events, &found)?;
        put_words(memory, &[(happened, (found.len() / EVENT) as u32)])
    }
}
