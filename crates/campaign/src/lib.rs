//! Campaigns: testing every night, on one machine or many, with a store of what was found and a page to look at it.
//!
//! - [`mod@file`] reads `campaign.toml`, [`plan`] makes lanes of it, [`work`] is what is handed out and comes back.
//! - [`store`] is one SQLite file: batches with their state, counters a minute, findings with their files, explorations.
//! - [`local`] runs a campaign on this machine; [`runner`] does the work by `fuzz` and `explore`.
//! - [`page`] renders a store, [`serve`] shows it live, [`site`] writes it as files, [`import`] makes a store of other folders.
//! - [`broker`] hands work to other machines through NATS JetStream and takes what comes back.
//! - [`watch`] is the order of a night: new releases, old findings, fuzzing, a summary; [`ci`] is JUnit, SARIF and drafts.
//! - [`guard`] checks what comes from elsewhere.
//!
//! ```
//! use campaign::file::Campaign;
//! use campaign::plan::Plan;
//!
//! let text = "[campaign]\nname = \"nightly\"\n[[target]]\nsolver = \"z3\"\n[[strategy]]\nname = \"truth\"\n";
//! let campaign = Campaign::read(text, std::path::Path::new("/tmp")).unwrap();
//! // One strategy on one target is one lane.
//! assert_eq!(Plan::of(&campaign).lanes.len(), 1);
//! ```
//!
//! The crate makes no tests and judges no answers: it calls the libraries that do, by ranges of numbered batches.

pub mod broker;
pub mod ci;
pub mod error;
mod exploring;
pub mod export;
pub mod file;
pub mod guard;
pub mod import;
pub mod local;
mod matrix;
pub mod page;
pub mod plan;
pub mod runner;
pub mod serve;
pub mod site;
pub mod store;
mod tested;
pub mod watch;
pub mod work;

pub use error::Error;
