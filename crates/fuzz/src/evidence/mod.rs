//! From an answer to a defect that can be reported. A class of defect is one row of a table (`class`): what shows it in an
//! answer, what confirms it, what keeps it while a script is reduced, and how a report words it.
//!
//! - [`suspicions`] compares an answer with what is known of the script. It runs nothing, so what it returns are suspicions.
//! - `confirm` sends the script to a fresh process, evaluates models, tries all values where these are few, asks other solvers, and
//!   says whether a suspicion holds.
//! - [`shrink`] makes the script small. Nothing is known by construction about a smaller script, so it must show the defect by the
//!   evaluator or by other solvers alone.
//!
//! [`Oracle`] knows who may be asked, and weighs what they say. [`SentScript`] is the script as the solver saw it: models are
//! judged against the text that was sent, not against what its maker meant.

mod class;
mod confirm;
mod crash;
mod oracle;
mod sent;
mod shrink;
mod signs;
mod tried;

pub use class::Class;
pub(crate) use confirm::{Certainty, Confirmation, confirm};
pub use confirm::{Confirmed, Evidence};
pub(crate) use crash::{crash_key, crash_place};
pub use oracle::{Oracle, RefereeAnswer, Truth};
pub(crate) use oracle::{TRIED, WITNESS};
pub use sent::{ModelCheck, SentScript};
pub(crate) use shrink::on_release;
pub use shrink::{Defect, RELEASES, Small, diagnose, prepared, shrink, status};
pub(crate) use signs::heard;
pub use signs::{Suspicion, suspicions};
pub(crate) use tried::with_definitions;
