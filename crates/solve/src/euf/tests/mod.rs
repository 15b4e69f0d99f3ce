//! The engine through text.
