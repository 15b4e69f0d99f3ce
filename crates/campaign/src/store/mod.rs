//! The store: one SQLite file with everything that a campaign knows. Written in transactions with a write-ahead log, so that
//! `kill -9` loses at most the batch at hand and others can read meanwhile; the schema has a version and migrations. [`queue`]
//! hands out batches, [`record`] takes what came of them, [`read`] is what pages and commands look at.

mod lock;
pub mod queue;
pub mod read;
pub mod record;
#[cfg(test)]
mod tests;

pub(crate) use lock::Lock;

use crate::error::Error;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The store's file in its folder.
pub(crate) const FILE: &str = "campaign.db";
/// Who wrote the file: "SNDL".
const APPLICATION: i64 = 0x534e_444c;
/// What leads from an empty file to the schema of today, one step a version. A step that was released is never changed.
const MIGRATIONS: &[&str] =
    &[include_str!("schema.sql"), include_str!("schema-2.sql"), include_str!("schema-3.sql")];
/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_secs(30);

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// The time in seconds since 1970.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

impl Store {
    /// Opens the store of a folder to write to it; makes it if it is not there.
    pub fn create(folder: &Path) -> Result<Store, Error> {
        std::fs::create_dir_all(folder).map_err(|error| Error::file(folder, error))?;
        let path = folder.join(FILE);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Store::connect(&path, flags)?;
        store.set_up()?;
        Ok(store)
    }

    /// Opens a store that is there: a folder with one, or its file.
    pub fn open(path: &Path) -> Result<Store, Error> {
        let path = if path.is_dir() { path.join(FILE) } else { path.to_path_buf() };
        if !path.exists() {
            return Err(Error::Nothing { path });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Store::connect(&path, flags)?;
        if store.version()? == 0 {
            return Err(Error::Broken { path, reason: "it is empty".into() });
        }
        store.set_up()?;
        Ok(store)
    }

    /// A store in memory, for what was never a campaign.
    pub(crate) fn in_memory() -> Result<Store, Error> {
        let path = PathBuf::from(":memory:");
        let connection = Connection::open_in_memory().map_err(|error| wrong(&path, error))?;
        let mut store = Store { connection, path };
        store.set_up()?;
        Ok(store)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Store, Error> {
        let connection = Connection::open_with_flags(path, flags).map_err(|error| wrong(path, error))?;
        connection.busy_timeout(PATIENCE).map_err(|error| wrong(path, error))?;
        Ok(Store { connection, path: path.to_path_buf() })
    }

    fn version(&self) -> Result<i64, Error> {
        self.connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(self.failed())
    }

    /// Brings the schema up to date; refuses what is not ours or newer than we are.
    fn set_up(&mut self) -> Result<(), Error> {
        let known = MIGRATIONS.len() as i64;
        let found = self.version()?;
        let application: i64 = self
            .connection
            .query_row("PRAGMA application_id", [], |row| row.get(0))
            .map_err(self.failed())?;
        let tables: i64 = self
            .connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(self.failed())?;
        if application != APPLICATION && (application != 0 || tables > 0) {
            return Err(Error::Broken { path: self.path.clone(), reason: "another program wrote it".into() });
        }
        if found > known {
            return Err(Error::Newer { path: self.path.clone(), found, known });
        }
        let failed = self.failed();
        let set = |connection: &Connection, pragmas: &str| connection.execute_batch(pragmas);
        set(
            &self.connection,
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;",
        )
        .map_err(&failed)?;
        if found == known {
            return Ok(());
        }
        let transaction = self
            .connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .map_err(&failed)?;
        // Another process may have done it while this one waited.
        let found: i64 =
            transaction.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(&failed)?;
        for step in MIGRATIONS.iter().skip(found as usize) {
            transaction.execute_batch(step).map_err(&failed)?;
        }
        set(&transaction, &format!("PRAGMA user_version = {known}; PRAGMA application_id = {APPLICATION};"))
            .map_err(&failed)?;
        transaction.commit().map_err(&failed)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs statements as one: all of them, or none.
    fn transaction<T>(
        &mut self,
        work: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        let failed = self.failed();
        let transaction = self
            .connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .map_err(&failed)?;
        let value = work(&transaction).map_err(&failed)?;
        transaction.commit().map_err(&failed)?;
        Ok(value)
    }

    /// A number that changes when another connection wrote.
    pub(crate) fn data_version(&self) -> Result<i64, Error> {
        self.connection.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(self.failed())
    }

    fn failed(&self) -> impl Fn(rusqlite::Error) -> Error + use<> {
        let path = self.path.clone();
        move |error| wrong(&path, error)
    }

    #[cfg(test)]
    pub(crate) fn raw(&self) -> &Connection {
        &self.connection
    }
}

fn wrong(path: &Path, error: rusqlite::Error) -> Error {
    let path = path.to_path_buf();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            Error::Broken { path, reason: error.to_string() }
        }
        Some(ErrorCode::DiskFull) => Error::Full { path },
        Some(ErrorCode::CannotOpen) if !path.exists() => Error::Nothing { path },
        _ => Error::Sql { path, error },
    }
}
