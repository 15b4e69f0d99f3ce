//! The engine through text.

mod graph;
mod table;
