//! What the engine `strings` knows about strings: their encoding as bit-vectors of bounded length (`text`), membership in regular
//! languages (`regex`), and what follows from lengths alone (`lengths`). The engine itself is [`crate::bounded::Bounded`], which
//! integers share. This is no solver for word equations: what needs unbounded strings to be refuted stays unknown.

pub(crate) mod lengths;
pub(crate) mod regex;
pub(crate) mod shapes;
pub(crate) mod text;
