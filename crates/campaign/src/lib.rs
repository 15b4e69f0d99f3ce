//! Campaigns: testing every night, on one machine or many, with a store of what was found and a page to look at it.
//!
//! - [`file`] reads `campaign.toml`, [`plan`] makes lanes of it, [`work`] is what is handed out and comes back.
//! - [`store`] is one SQLite file: batches with their state, counters a minute, findings with their files, explorations.
//! - [`local`] runs a campaign on this machine; [`runner`] does the work by `fuzz` and `explore`.
//! - [`guard`] checks what comes from elsewhere.
//!
//! The crate makes no tests and judges no answers: it calls the libraries that do, by ranges of numbered batches.

pub mod error;
pub mod export;
pub mod file;
pub mod guard;
pub mod local;
mod matrix;
pub mod plan;
pub mod runner;
pub mod store;
mod tested;
pub mod work;

pub use error::Error;
