//! The operators that replace what a regular expression matches.
//!
//! The standard replaces the leftmost match and, among the matches that start there, the shortest: unlike the search of
//! most programming languages, `a*` matches the empty string in front of `aaa`.

use super::{LimitReached, SmtString};
use crate::regex::{RegexId, Regexes};

impl SmtString {
    /// `str.replace_re`: with the shortest leftmost match of `pattern`, perhaps empty, replaced.
    pub fn replace_re(
        &self,
        regexes: &mut Regexes,
        pattern: RegexId,
        by: &SmtString,
    ) -> Result<SmtString, LimitReached> {
        let found = regexes.first_match(pattern, self)?;
        self.splice(found.as_slice(), by)
    }

    /// `str.replace_re_all`: with the shortest leftmost non-empty matches of `pattern` replaced from left to right.
    pub fn replace_re_all(
        &self,
        regexes: &mut Regexes,
        pattern: RegexId,
        by: &SmtString,
    ) -> Result<SmtString, LimitReached> {
        let found = regexes.non_empty_matches(pattern, self)?;
        self.splice(&found, by)
    }
}
