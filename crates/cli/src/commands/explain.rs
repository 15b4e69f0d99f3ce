//! `soundline explain`: the paragraph about an error's code.

use crate::input::print;
use crate::{Failure, Outcome, codes};

/// Explain the code of an error.
///
/// Every error of soundline's is printed with a code such as E302. This prints what it means and what to do about it. Without a code, all of
/// them are printed.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The code, such as E302
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.code {
        None => print(codes::PAGE),
        Some(code) => {
            let text = codes::paragraph(code).ok_or_else(|| Failure(format!("there is no code `{code}`")))?;
            print(&format!("{text}\n"));
        }
    }
    Ok(Outcome::Clean)
}
