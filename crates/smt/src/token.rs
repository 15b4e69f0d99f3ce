//! The one token that ends long work early: a flag that an interrupt sets, a moment that passes. An arena carries it, since all
//! work on terms has the arena at hand, and everything that can take long polls it. What was ended early says so: it has no
//! value, or is left as it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When to end. The default never does.
#[derive(Clone, Debug, Default)]
pub struct Token {
    stop: Option<Arc<AtomicBool>>,
    deadline: Option<Instant>,
}

impl Token {
    /// Ends work when the flag is set or the moment has passed.
    pub fn new(stop: Arc<AtomicBool>, deadline: Option<Instant>) -> Token {
        Token { stop: Some(stop), deadline }
    }

    /// Ends work at a moment.
    pub fn until(deadline: Instant) -> Token {
        Token { stop: None, deadline: Some(deadline) }
    }

    /// Whether work is to end. It looks at the clock: poll it every thousand steps, not at each.
    pub fn is_over(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
