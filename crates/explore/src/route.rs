//! Fingerprints of the ways that runs take: all branches in their order, whether a condition was symbolic or not.
//!
//! Two runs that came along the same path to a place have the same fingerprint there, in either domain. So a run in the concrete
//! domain tells at which decision of the tree it left the known paths, though it knows no conditions.

use crate::target::Site;

/// The way up to some place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Route(pub u64);

impl Route {
    /// The way after another branch: 0 or 1 for a condition, the case of a `br_table`.
    #[inline(always)]
    #[must_use]
    pub fn after(self, at: Site, way: u32) -> Route {
        // Fx: rotate, mix, multiply.
        let word = u64::from(at.0) << 32 | u64::from(way);
        Route((self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95))
    }
}
